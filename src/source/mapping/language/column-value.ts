// The value of a column or member, with which expressions begin.
import type { Problem } from '../../../core/diagnostics/refusal-codes.js';
import { sourceProblem } from '../../../core/diagnostics/source-problems.js';
import type { Field } from '../../../core/fields/fields.js';
import { quote } from '../../../core/text/text.js';
import { WrittenNumber } from '../../json/written-number.js';
import { UnexpectedList } from '../member-path.js';
import { knownNumber } from '../values/known-number.js';
import type { Evaluate, Scope } from './scope.js';

/** How an expression reads its columns. */
export interface ColumnUse {
  readonly scope: Scope;
  /** The place in the mapping file. */
  readonly at: string;
  /** The path of the target field. */
  readonly target: string;
  /** Whether the column may be missing. */
  readonly optional: boolean;
  /** The word by which the mapping reads it. */
  readonly word?: 'column' | 'json';
  /** The target field, if known. */
  readonly field: Field | undefined;
}

/** Reads a column, or a variable of the mapping; nothing if it is optional and missing. */
export function columnOf(
  name: string,
  { scope, at: place, target, optional, field, word = 'column' }: ColumnUse,
): Evaluate {
  if (name.startsWith('$')) {
    const own = name.slice(1);
    if (!scope.own.includes(own)) {
      const known =
        scope.own.length === 0
          ? 'it is of the parts of each; a condition on them is written in it: each: {…, keep: …}'
          : `use ${scope.own.map((one) => `$${one}`).join(', ')}`;
      scope.fail(place, `${name} is not defined here; ${known}`);
    }
    return ({ own: given }) => given[own] ?? '';
  }
  const read = scope.column(name, scope.member);
  scope.named?.([name], { place, optional, ofAll: scope.ofAll === true });
  if (read === undefined && !optional && isValueOf(field, name))
    scope.fail(place, `column "${name}" not found; for the value itself write { value: ${name} }`);
  if (read === undefined) return optional ? () => '' : scope.noColumn(name, place);
  const trim = scope.read.trim !== false;
  const takesObjects = scope.takesObjects === true;
  const takesLists = scope.takesLists === true;
  return ({ record, refuse }) => {
    const value = read(record);
    if (typeof value === 'string') return trim ? value.trim() : value;
    if (value === undefined || value === null) return '';
    if (typeof value === 'number' || value instanceof WrittenNumber) return numberOf(value);
    const list = listProblem(name, value, { takesLists, word, target });
    if (list !== undefined) {
      refuse(list);
      return '';
    }
    if (!takesObjects && holdsObjects(value)) {
      refuse(objectInColumn(name, value, target));
      return '';
    }
    if (Array.isArray(value)) return value.map((part) => partOf(part, trim));
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
}

/** A JSON number has a point, whatever decimal sign the texts of the file have. */
function numberOf(value: number | WrittenNumber) {
  return typeof value === 'number' ? knownNumber(String(value)) : value;
}

/** A part of a list; `null` is empty. */
function partOf(part: unknown, trim: boolean): unknown {
  if (typeof part === 'string') return trim ? part.trim() : part;
  return typeof part === 'number' ? numberOf(part) : (part ?? '');
}

/** The problem of a list where one value is expected; undefined if the value can be taken. */
function listProblem(
  column: string,
  value: unknown,
  { takesLists, word, target }: { takesLists: boolean; word: 'column' | 'json'; target: string },
): Problem | undefined {
  const unexpected = (list: string, count: number, form: string) =>
    sourceProblem('list_unexpected', { column, word, list, count, form }, target);
  if (value instanceof UnexpectedList) {
    const { path, rest, count, isInPart } = value;
    return isInPart
      ? sourceProblem(
          'list_in_part',
          { source: `column ${quote(column)}`, list: path === column ? '' : path, count },
          target,
        )
      : unexpected(path, count, `${path}[].${rest}`);
  }
  if (takesLists || !Array.isArray(value) || value.length < 2) return undefined;
  const filled = value.filter((part) => part !== '' && part !== undefined && part !== null);
  if (filled.length < 2) return undefined;
  const [member] = isObject(filled[0]) ? Object.keys(filled[0]) : [];
  return unexpected(column, filled.length, member === undefined ? column : `${column}[].${member}`);
}

/** Whether a word that is not a column is a possible value of the field: `currency: EUR`. */
function isValueOf(field: Field | undefined, word: string): boolean {
  if (field?.kind === 'choice') return field.values.includes(word);
  return field?.kind === 'text' && field.format === 'currency' && /^[A-Z]{3}$/.test(word);
}

/** Whether a value is an object or a list with objects, which cannot be shown as text. */
function holdsObjects(value: unknown): value is object {
  return Array.isArray(value) ? value.some(isObject) : isObject(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof WrittenNumber);
}

/** The problem of such a value, with a member that the mapping can name instead. */
function objectInColumn(column: string, value: object, field: string): Problem {
  const isList = Array.isArray(value);
  const one: unknown = isList ? value.find(isObject) : value;
  const names = Array.isArray(one) ? [] : Object.keys(Object(one));
  // Of an XML element with text and elements in it, the text is meant.
  const example = `${column}${isList ? '[]' : ''}.${names.find((name) => name === '#text') ?? names[0] ?? 'member'}`;
  const params = { column, members: names.slice(0, 5), example, isList: isList ? 'yes' : 'no' } as const;
  return sourceProblem('object_in_column', params, field);
}
