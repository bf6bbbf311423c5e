// Parses a query string into the selector of a record or the page of a list.
import type { ListRequest, Selector } from '../../../core/catalog.js';
import { isIdentifier } from '../../../core/planning/references.js';
import { parseSince, sinceForms } from '../../../core/reading/parse-since.js';
import { includeWords } from '../../../core/reading/record-view.js';
import type { Resource } from '../../../core/resource.js';
import { type Failure, failures, isFailure, pageLimits } from '../../protocol.js';

/** The selector of a GET, and its parameter. */
export interface RecordQuery {
  readonly selector: Selector;
  readonly param: string;
  readonly include: readonly string[];
}

/**
 * Reads the parameters of a GET. The key, then its alias, precede `id`; an empty value counts as not given.
 * @param query what follows the first `?` of the address, or ''
 */
export function parseSelector(resource: Resource, query: string): RecordQuery | Failure {
  const parameters = readQuery(query);
  if (!(parameters instanceof Map)) return parameters;
  const include = readInclude(resource, parameters);
  if (isFailure(include)) return include;
  for (const param of [resource.key, resource.keyAlias]) {
    const key = param === undefined ? undefined : parameters.get(param);
    if (param !== undefined && key) return { selector: { key }, param, include };
  }
  const id = parameters.get('id');
  if (id) return { selector: { id }, param: 'id', include };
  return failures.missing_parameter(resource.key);
}

/**
 * Reads the parameters of a GET of a list; an empty value counts as not given.
 * @param query what follows the first `?` of the address, or ''
 * @param now the time in Unix seconds, for `updated_since=7d`
 */
export function readListRequest(resource: Resource, query: string, now: number): ListRequest | Failure {
  const parameters = readQuery(query);
  if (!(parameters instanceof Map)) return parameters;
  const include = readInclude(resource, parameters);
  if (isFailure(include)) return include;
  const cursor = parameters.get('cursor') ?? '';
  if (cursor !== '' && !isIdentifier(cursor, resource.prefix)) return unknownCursor();
  const limit = parameters.get('limit') || String(pageLimits.usual);
  if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > pageLimits.most)
    return failures.invalid_parameter('limit', `limit must be a whole number from 1 to ${pageLimits.most}.`);
  const since = parameters.get('updated_since') ?? '';
  const updatedSince = since === '' ? undefined : parseSince(since, now);
  if (since !== '' && updatedSince === undefined)
    return failures.invalid_parameter('updated_since', `updated_since must be ${sinceForms}.`);
  return {
    limit: Number(limit),
    include,
    ...(cursor !== '' && { after: cursor }),
    ...(updatedSince !== undefined && { updatedSince }),
  };
}

/** A cursor that no page returned. */
export function unknownCursor(): Failure {
  return failures.invalid_parameter('cursor', 'cursor must be the next_cursor of another page of this list.');
}

/** The names in `include`, separated by commas. */
function readInclude(resource: Resource, parameters: ReadonlyMap<string, string>): readonly string[] | Failure {
  const words = (parameters.get('include') ?? '').split(',').filter((word) => word !== '');
  const known = includeWords(resource);
  if (words.every((word) => known.includes(word))) return words;
  return failures.invalid_parameter('include', `include must be a list of: ${known.join(', ')}.`);
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
      return failures.invalid_parameter(name ?? '', 'The query string is not percent-encoded UTF-8.');
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
