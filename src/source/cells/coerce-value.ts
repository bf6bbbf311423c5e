// Coerces a cell or JSON value to the type of its field. A value that cannot be coerced is passed on unchanged, so that
// core's check refuses it and shows the value that was sent.

import { sourceProblem } from '../../core/diagnostics/source-problems.js';
import type { WrittenAmount } from '../../core/fields/currencies.js';
import { readDecimal } from '../../core/fields/decimal.js';
import type { Field, Fields, ListField } from '../../core/fields/fields.js';
import { appendableLists } from '../column-targets.js';
import { amountOfText, ShownNumber } from '../csv/number-cells.js';
import { mayLoseForm, parseWritten, WrittenNumber } from '../json/written-number.js';
import { currenciesOf } from '../mapping/values/currency-signs.js';
import { type CoercionNotes, noteProblem } from './coercion-notes.js';
import { type OpenNumbers, watched } from './doubtful-number.js';
import { decimalReader } from './written-decimal.js';
import { integerOf } from './written-integer.js';

/** The syntax of values in this file. */
export interface ValueSyntax {
  readonly decimal: '.' | ',';
  /** Whether the decimal sign was given explicitly. */
  readonly isNamed?: boolean;
  /** Takes numbers such as 12.500 of texts of which nothing says whether the point groups thousands. */
  readonly open?: OpenNumbers | undefined;
  readonly empty: 'skip' | 'clear';
  /** Whether the file has refused rows, whose amounts may have the currency that a workbook shows. */
  readonly isSentBack?: boolean;
  /** Whether all values are texts, as in XML: empty ones are not sent, as of cells, and a list of one entry is the entry. */
  readonly isText?: boolean;
}

/** Coerces one value for one field; undefined is a value that was not sent. */
export type Coercion = (value: unknown, notes: CoercionNotes) => unknown;

/** The deepest nesting of a value that is passed on. Nothing in the catalog needs more than three. */
const deepest = 16;

const yes = new Set(['yes', 'true', '1', 'y', 'x']);
const no = new Set(['no', 'false', '0', 'n']);

/**
 * The coercion of a field for JSON values; `cellCoercion` adds the rule for empty cells.
 * @param path the field's path, for messages
 */
export function coercionOf(field: Field, path: string, writing: ValueSyntax): Coercion {
  if (field.kind === 'list') return listCoercion(field, path, writing);
  const scalar = scalarCoercion(field, path, writing);
  return (value, notes) => {
    if (typeof value === 'object')
      return value instanceof WrittenNumber ? writtenOf(field, value) : withinDepth(value, path, notes);
    return scalar(value, notes);
  };
}

/**
 * The coercion of a field for cells. An empty cell is a field that is not sent; with `empty: clear` it is '' for text,
 * references and decimals.
 */
export function cellCoercion(field: Field, path: string, writing: ValueSyntax): Coercion {
  const typer = field.kind === 'list' ? listCoercion(field, path, writing) : scalarCoercion(field, path, writing);
  // A key or its alias cannot be cleared: an empty one was not sent.
  const isKey = field.required || (field.kind === 'text' && field.aliasOf !== undefined);
  const clears = writing.empty === 'clear' && !isKey && ['text', 'reference', 'decimal'].includes(field.kind);
  const blank = isWord(field) || ['integer', 'decimal', 'boolean', 'list'].includes(field.kind);
  const none = clears ? '' : undefined;
  const isSentBack = writing.isSentBack === true && field.kind === 'decimal';
  return (cell, notes) => {
    const value = isSentBack ? amountOfText(cell, writing.decimal) : cell;
    if (value instanceof ShownNumber && field.kind === 'decimal') notes.amounts?.push(amountOf(value, path));
    if (value instanceof WrittenNumber) return writtenOf(field, value);
    if (cell === '' || cell === undefined || (blank && typeof cell === 'string' && cell.trim() === '')) return none;
    return typer(cell, notes);
  };
}

/** Choices, references and formatted texts are trimmed, as numbers are; other text is kept as sent. */
function isWord(field: Field): boolean {
  return field.kind === 'choice' || field.kind === 'reference' || (field.kind === 'text' && !!field.format);
}

function amountOf({ shown, currency }: ShownNumber, field: string): WrittenAmount {
  return { field, text: shown, source: field, written: currency, codes: currenciesOf(currency) ?? [] };
}

function scalarCoercion(field: Exclude<Field, ListField>, path: string, writing: ValueSyntax): Coercion {
  switch (field.kind) {
    case 'text':
    case 'choice':
    case 'reference': {
      const trims = isWord(field);
      return (value, notes) => {
        if (typeof value === 'string') return trims ? value.trim() : value;
        if (typeof value !== 'number') return value;
        notes.numberInText = true;
        return String(value);
      };
    }
    case 'integer':
      return watched(field, path, writing, (value, notes) =>
        typeof value === 'string' ? integerOf(value, writing) : numberOf(value, notes),
      );
    case 'decimal': {
      const { decimal, isNamed } = writing;
      if (decimal === '.' && !isNamed)
        return watched(field, path, writing, (value, notes) =>
          typeof value !== 'string' ? numberOf(value, notes) : value.trim(),
        );
      const read = decimalReader(field, path, decimal);
      return (value, notes) => (typeof value === 'string' ? read(value.trim(), notes) : numberOf(value, notes));
    }
    case 'boolean':
      return (value) => booleanOf(value);
  }
}

/** A JSON number; one that is out of range for every field is refused with what was written. */
function numberOf(value: unknown, notes: CoercionNotes): unknown {
  if (typeof value === 'number' && !(Math.abs(value) < 1e15)) notes.numberInText = true;
  return value;
}

/** The digits of a JSON number that a double cannot represent exactly; core's check validates them. */
function writtenOf(field: Field, { text, literal }: WrittenNumber): unknown {
  switch (field.kind) {
    case 'integer': {
      const read = integerOf(text, { decimal: '.' });
      return typeof read === 'number' ? read : literal;
    }
    case 'decimal':
      return typeof readDecimal(text, field.scale) === 'number' ? text : literal;
    case 'boolean':
      return booleanOf(Number(text));
    default:
      return text;
  }
}

function booleanOf(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const word = String(value).trim().toLowerCase();
  if (word === '') return undefined;
  if (yes.has(word)) return true;
  return no.has(word) ? false : value;
}

/** A list: a JSON array, in JSON or in a cell, or a short list: `Red|Blue`, `new=100|good=60`. */
function listCoercion(field: ListField, path: string, writing: ValueSyntax): Coercion {
  const members = memberCoercions(field.entry, path, writing);
  const copied = recordCoercion((name) => members.get(name));
  const entryOf = (value: unknown, notes: CoercionNotes): unknown => {
    if (typeof value === 'number') notes.numberInText = true;
    if (typeof value === 'string' || typeof value === 'number' || value instanceof WrittenNumber)
      return shortEntry(field, String(value), members, notes);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return withinDepth(value, path, notes);
    const entry = value as Readonly<Record<string, unknown>>;
    return copied(entry, notes) ?? typedEntry(entry, path, members, notes);
  };
  const entriesOf = (value: unknown, notes: CoercionNotes): unknown => {
    let list = value;
    if (typeof value === 'string') {
      const text = value.trim();
      const parts = text.split('|').filter((part) => part.trim() !== '');
      // A text without entries would deactivate every stored one: `[]` does that.
      if (parts.length === 0) return undefined;
      list = text.startsWith('[') ? arrayOf(text) : parts;
    } else if (writing.isText === true) list = [value].flat();
    return Array.isArray(list) ? list.map((entry) => entryOf(entry, notes)) : withinDepth(list, path, notes);
  };
  if (!appendableLists.has(path)) return entriesOf;
  return (value, notes) => {
    const sent = typeof value === 'string' ? additionIn(value) : value;
    return isAdding(sent) ? { add: entriesOf(sent.add, notes) ?? [] } : entriesOf(sent, notes);
  };
}

/** `{"add": […]}` written in a cell; any other text as it is. */
function additionIn(cell: string): unknown {
  if (!/^\s*\{\s*"add"/.test(cell)) return cell;
  const parsed = arrayOf(cell.trim());
  return isAdding(parsed) ? parsed : cell;
}

/** `{add: […]}`: entries to append to a stored list. */
function isAdding(value: unknown): value is { readonly add: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.hasOwn(value, 'add') && Object.keys(value).length === 1;
}

/** Coerces the members of a record in a copy; undefined if a member is not named like a field. */
type RecordCoercion = (record: Readonly<Record<string, unknown>>, notes: CoercionNotes) => object | undefined;

/**
 * Coerces records whose members are all named like fields. Nearly all records have the same members in the same order:
 * their coercions are looked up once, and the record is copied at once; adding member by member takes twice as long.
 */
export function recordCoercion(typerFor: (name: string) => Coercion | undefined): RecordCoercion {
  let names: readonly string[] = [];
  // Undefined if a member has no coercion; that is cached as well.
  let typers: readonly Coercion[] | undefined = [];

  function isAsBefore(record: object): boolean {
    let i = 0;
    for (const name in record) if (name !== names[i++]) return false;
    return i === names.length;
  }

  function learn(record: object): void {
    names = Object.keys(record);
    const found = names.flatMap((name) => typerFor(name) ?? []);
    typers = found.length < names.length ? undefined : found;
  }

  return (record, notes) => {
    if (!isAsBefore(record)) learn(record);
    if (typers === undefined) return undefined;
    const copy: Record<string, unknown> = { ...record };
    let i = 0;
    for (const name in copy) {
      const value = copy[name];
      const typed = typers[i++]?.(value, notes);
      if (typed !== value) copy[name] = typed;
    }
    return copy;
  };
}

/** The coercion of the members of a file, or of an entry. */
export function memberCoercion(field: Field, path: string, writing: ValueSyntax): Coercion {
  const value = coercionOf(field, path, writing);
  if (writing.isText !== true) return value;
  const text = cellCoercion(field, path, writing);
  return (given, notes) => (typeof given === 'string' ? text : value)(given, notes);
}

/** Coercions by member; a Map, so that a member named like an inherited property finds nothing. */
function memberCoercions(fields: Fields, path: string, writing: ValueSyntax): Map<string, Coercion> {
  return new Map(
    Object.entries(fields).map(([name, field]) => [name, memberCoercion(field, `${path}[].${name}`, writing)]),
  );
}

function typedEntry(
  value: Readonly<Record<string, unknown>>,
  path: string,
  members: Map<string, Coercion>,
  notes: CoercionNotes,
): object {
  const entry: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const typer = members.get(name);
    if (typer === undefined) notes.unknown(`${path}[].${name}`);
    else entry[name] = typer(value[name], notes);
  }
  return entry;
}

/** `Red` → its key; `Colour=Red` → its key and its value, where entries have one. */
function shortEntry(field: ListField, text: string, members: Map<string, Coercion>, notes: CoercionNotes): object {
  const cut = field.entryValue === undefined ? -1 : text.indexOf('=');
  const entry: Record<string, unknown> = {
    [field.entryKey]: members.get(field.entryKey)?.((cut === -1 ? text : text.slice(0, cut)).trim(), notes),
  };
  if (field.entryValue !== undefined && cut !== -1) {
    entry[field.entryValue] = members.get(field.entryValue)?.(text.slice(cut + 1).trim(), notes);
  }
  return entry;
}

/** The array in a cell, or its text if it is not valid JSON. */
function arrayOf(text: string): unknown {
  try {
    return mayLoseForm(text) ? parseWritten(text) : JSON.parse(text);
  } catch {
    return text;
  }
}

/** The nesting depth of a value, counted up to just above the limit. */
function depthOf(value: unknown, left = deepest + 1): number {
  if (typeof value !== 'object' || value === null || left === 0) return 0;
  let depth = 0;
  for (const member of Object.values(value)) depth = Math.max(depth, depthOf(member, left - 1));
  return depth + 1;
}

/** The value, or a problem if it is nested so deeply that recursion over it could overflow the stack. */
function withinDepth(value: unknown, path: string, notes: CoercionNotes): unknown {
  if (depthOf(value) <= deepest) return value;
  noteProblem(notes, sourceProblem('value_depth', { levels: deepest }, path));
  return undefined;
}
