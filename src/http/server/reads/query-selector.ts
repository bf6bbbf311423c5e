// Parses a query string into the selector of a record or the page of a list.
import type { ListRequest, Selector } from '../../../core/catalog.js';
import { isIdentifier } from '../../../core/planning/references.js';
import { parseSince, sinceForms } from '../../../core/reading/parse-since.js';
import {
  comparesName,
  conditionFields,
  type RecordPredicate,
  recordConditions,
  useOneOf,
} from '../../../core/reading/record-conditions.js';
import { includeWords } from '../../../core/reading/record-view.js';
import type { Resource } from '../../../core/resource.js';
import { type Failure, failures, isFailure, pageLimits } from '../../protocol.js';

/** What is read: with which details, by a key with which scopes. */
interface ReadQuery {
  readonly resource: Resource;
  /** What follows the first `?` of the address, or ''. */
  readonly query: string;
  readonly scopes: readonly string[];
}

/** The selector of a GET, and its parameter. */
export interface RecordQuery {
  readonly selector: Selector;
  readonly param: string;
  readonly include: readonly string[];
}

/** Reads the parameters of a GET. The key, then its alias, precede `id`; an empty value counts as not given. */
export function parseSelector(asked: ReadQuery): RecordQuery | Failure {
  const { resource } = asked;
  const keys = [resource.key, ...(resource.keyAlias === undefined ? [] : [resource.keyAlias]), 'id'];
  const parameters = readQuery(asked.query);
  if (isFailure(parameters)) return parameters;
  const param = keys.find((name) => parameters.get(name));
  if (param === undefined) return failures.missing_parameter(resource.key);
  const include = unknownParameter(parameters, [...keys, 'include']) ?? readInclude(asked, parameters);
  if (isFailure(include)) return include;
  const value = parameters.get(param) as string;
  return { selector: param === 'id' ? { id: value } : { key: value }, param, include };
}

/** The page of a list that is asked for. */
export interface ListQuery extends ListRequest {
  /** Which records it contains; all if undefined. */
  readonly wanted?: RecordPredicate;
  /** `wanted` compares names, which the page does not contain. */
  readonly comparesNames: boolean;
}

const listParameters = ['cursor', 'limit', 'updated_since', 'include'];

/**
 * Reads the parameters of a GET of a list; an empty value counts as not given, but for a field: `ean=` asks for records
 * without one.
 * @param now the time in Unix seconds, for `updated_since=7d`
 */
export function readListRequest(asked: ReadQuery, now: number): ListQuery | Failure {
  const { resource } = asked;
  const parameters = readQuery(asked.query);
  if (isFailure(parameters)) return parameters;
  const known = [...listParameters, ...conditionFields(resource)];
  const include = unknownParameter(parameters, known) ?? readInclude(asked, parameters);
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
  const conditions = readConditions(asked, parameters);
  if (isFailure(conditions)) return conditions;
  return {
    limit: Number(limit),
    include,
    ...conditions,
    ...(cursor !== '' && { after: cursor }),
    ...(updatedSince !== undefined && { updatedSince }),
  };
}

/** The parameters that name a field. */
function readConditions(
  { resource, scopes }: ReadQuery,
  parameters: ReadonlyMap<string, string>,
): Pick<ListQuery, 'wanted' | 'comparesNames'> | Failure {
  const conditions = [...parameters]
    .filter(([name]) => !listParameters.includes(name))
    .map(([field, value]) => ({ field, value }));
  if (conditions.length === 0) return { comparesNames: false };
  const comparesNames = conditions.some((condition) => comparesName(resource, condition));
  const lacking = comparesNames ? lackingScope(resource, 'names', scopes) : undefined;
  if (lacking !== undefined) return failures.insufficient_scope(lacking);
  const wanted = recordConditions(resource, conditions);
  return typeof wanted === 'function'
    ? { wanted, comparesNames }
    : failures.invalid_parameter(wanted.field, wanted.fault);
}

/** A cursor that no page returned. */
export function unknownCursor(): Failure {
  return failures.invalid_parameter('cursor', 'cursor must be the next_cursor of another page of this list.');
}

/**
 * The names in `include`, separated by commas. Any of them adds the names in addition to the identifiers, where the key may read
 * the records that have these names; asked for by its own name, a detail is refused to other keys.
 */
function readInclude(
  { resource, scopes }: ReadQuery,
  parameters: ReadonlyMap<string, string>,
): readonly string[] | Failure {
  const words = (parameters.get('include') ?? '').split(',').filter((word) => word !== '');
  const known = includeWords(resource);
  if (!words.every((word) => known.includes(word)))
    return failures.invalid_parameter('include', `include must be a list of: ${known.join(', ')}.`);
  for (const word of words) {
    const lacking = lackingScope(resource, word, scopes);
    if (lacking !== undefined) return failures.insufficient_scope(lacking);
  }
  const addsNames =
    words.length > 0 && !words.includes('names') && lackingScope(resource, 'names', scopes) === undefined;
  return addsNames ? [...words, 'names'] : words;
}

/** A scope that a key needs to read a detail, and does not have. */
function lackingScope(resource: Resource, detail: string, scopes: readonly string[]): string | undefined {
  const needed = (resource.details[detail]?.names ?? []).map((name) => `${name}:read`);
  return needed.find((scope) => !scopes.includes(scope));
}

/**
 * The failure of a request whose address has parameters, where none is accepted.
 * @param remedy where what they say belongs
 */
export function unexpectedQuery(query: string, remedy = 'No parameter is.'): Failure | undefined {
  const parameters = readQuery(query);
  return isFailure(parameters) ? parameters : unknownParameter(parameters, [], remedy);
}

function readQuery(query: string): Map<string, string> | Failure {
  const parameters = new Map<string, string>();
  if (query === '') return parameters;
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const middle = pair.indexOf('=');
    const name = decode(middle < 0 ? pair : pair.slice(0, middle));
    const value = middle < 0 ? '' : decode(pair.slice(middle + 1));
    if (name === undefined || value === undefined)
      return failures.invalid_parameter(name ?? '', 'The query string is not percent-encoded UTF-8.');
    if (parameters.has(name)) return failures.invalid_parameter(name, `${name} is given more than once.`);
    parameters.set(name, value);
  }
  return parameters;
}

/** A parameter that is not accepted: left out, it would be believed to work. */
function unknownParameter(
  parameters: ReadonlyMap<string, string>,
  accepted: readonly string[],
  remedy?: string,
): Failure | undefined {
  const name = [...parameters.keys()].find((one) => !accepted.includes(one))?.slice(0, 100);
  if (name === undefined) return undefined;
  return failures.invalid_parameter(
    name,
    `"${name}" is not a query parameter here. ${remedy ?? useOneOf(name, accepted)}`,
  );
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
