// A query string → the record that is asked for.
import type { Selector } from '../../core/catalog.js';
import type { Resource } from '../../core/resource.js';
import { type Failure, failures } from '../protocol.js';

/** Which record a GET asks for, and by which parameter. */
export interface Asked {
  readonly selector: Selector;
  readonly param: string;
}

/**
 * Reads the parameters of a GET. The key, then its alias, go before `id`; an empty value counts as not given.
 * @param query what follows the first `?` of the address, or ''
 */
export function readSelector(resource: Resource, query: string): Asked | Failure {
  const parameters = readQuery(query);
  if (!(parameters instanceof Map)) return parameters;
  for (const param of [resource.key, resource.keyAlias]) {
    const key = param === undefined ? undefined : parameters.get(param);
    if (param !== undefined && key) return { selector: { key }, param };
  }
  const id = parameters.get('id');
  if (id) return { selector: { id }, param: 'id' };
  return failures.missing_parameter(resource.key);
}

function readQuery(query: string): Map<string, string> | Failure {
  const parameters = new Map<string, string>();
  if (query === '') return parameters;
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const middle = pair.indexOf('=');
    const name = decode(middle < 0 ? pair : pair.slice(0, middle));
    const value = middle < 0 ? '' : decode(pair.slice(middle + 1));
    if (name === undefined || value === undefined) {
      return failures.invalid_parameter(name ?? '', 'The query string is no percent-encoded UTF-8.');
    }
    if (parameters.has(name)) return failures.invalid_parameter(name, `${name} is given more than once.`);
    parameters.set(name, value);
  }
  return parameters;
}

function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
