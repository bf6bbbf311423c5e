// Raw items → checked items: every field of its type, within its limits, normalised; everything wrong is said at
// once. Rules that need other records or the stored state are the resources' own (decide).
//
// The descriptors are read directly and not through a schema library: that costs 50 ms less at start-up, which is
// most of what `get` takes, and the words of every refusal are ours.

import { addIgnored, addProblem, type Findings, isClean, newFindings } from '../diagnostics/diagnostics.js';
import type { Params } from '../diagnostics/message-text.js';
import type { RefusalCode } from '../diagnostics/refusal-codes.js';
import { cutText } from '../diagnostics/report-limits.js';
import type { WrittenAmount } from '../entry.js';
import type { Checked } from '../planning/item-task.js';
import type { Resource } from '../resource.js';
import { NumberLiteral } from '../text/parse-json.js';
import { byteLength, characterLength, quote } from '../text/text.js';
import { type DecimalFault, readDecimal } from './decimal.js';
import type { Field, Fields, IntegerField, ListField, TextField } from './fields.js';
import { readFormat } from './text-formats.js';

/** An item after its check. */
export interface CheckedItem {
  readonly item: Checked;
  readonly externalId: string;
  /** Undefined where nothing was found. */
  readonly findings: Findings | undefined;
  /** Amounts that a currency was written beside, where the item itself has none. */
  readonly amounts?: readonly WrittenAmount[];
  /** The source could not read the record: there are no fields to decide on. */
  readonly unreadable?: true;
}

/** Where a check puts what it finds, and what it asks. */
export interface Checking {
  readonly found: Findings;
  readonly isLanguage: (code: string) => boolean;
}

/** What a field's reader returns for a value that was complained of. */
export const wrong = Symbol('wrong');

/** Checks one item of a batch: its shape, and each field by itself. */
export function checkItem(resource: Resource, raw: unknown, isLanguage: (code: string) => boolean): CheckedItem {
  const found = newFindings();
  if (!isRecord(raw)) {
    addProblem(found, 'item_not_object', '', { value: raw });
    return { item: {}, externalId: '', findings: found, unreadable: true };
  }
  const item = checkFields(resource.fields, raw, '', { found, isLanguage });
  return { item, externalId: resource.externalId(raw), findings: isClean(found) ? undefined : found };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The checked fields of an item, or of an entry at `prefix`; what is wrong is added to the findings. */
export function checkFields(
  fields: Fields,
  sent: Readonly<Record<string, unknown>>,
  prefix: string,
  checking: Checking,
): Checked {
  const checked: Record<string, unknown> = {};
  const { readers, required } = readersOf(fields);
  // Fields that have a problem already: those that are required are not missing as well.
  let wronged: Set<string> | undefined;
  for (const name in sent) {
    const value = sent[name];
    const reader = readers.get(name);
    if (reader === undefined) {
      if (Object.hasOwn(sent, name)) addIgnored(checking.found, prefix + name);
      continue;
    }
    // Absent and null are both "not sent": the stored value stays.
    if (value === null || value === undefined) continue;
    let read = reader.read(value, prefix + name, checking);
    if (read !== wrong && reader.aliasOf !== undefined) {
      read = takeAlias(reader.aliasOf, sent, checked, { name, read, prefix, checking });
    } else if (read !== wrong) checked[name] = read;
    if (read === wrong) {
      wronged ??= new Set();
      wronged.add(reader.aliasOf ?? name);
    }
  }
  for (const name of required) {
    if (checked[name] === undefined && wronged?.has(name) !== true) complain(checking, 'field_required', prefix + name);
  }
  return checked;
}

/** Takes what another name of a field holds. Both names may be sent where they say the same. */
function takeAlias(
  target: string,
  sent: Readonly<Record<string, unknown>>,
  checked: Record<string, unknown>,
  alias: { readonly name: string; readonly read: unknown; readonly prefix: string; readonly checking: Checking },
): unknown {
  const { name, read, prefix, checking } = alias;
  const original = sent[target];
  if (original === null || original === undefined) {
    // A key is required by whatever name it comes.
    if (read === '') return complain(checking, 'field_required', prefix + name);
    checked[target] = read;
  } else if (typeof original === 'string' && original.trim() !== read) {
    const fault = `differs from ${target} ${quote(original.trim())}`;
    return complain(checking, 'field_format', prefix + name, read, { fault, use: 'Send one of them, or the same.' });
  }
  return read;
}

function complain(
  checking: Checking,
  code: RefusalCode,
  field: string,
  ...[value, params]: readonly [value?: unknown, params?: Params | (() => Params)]
): typeof wrong {
  addProblem(checking.found, code, field, { value, ...(params && { params }) });
  return wrong;
}

/** How the values of a field are read. */
export interface FieldReader {
  /** The field this one is another name for. */
  readonly aliasOf: string | undefined;
  /** A value, normalised, or `wrong` where the findings say why it is refused. */
  readonly read: (value: unknown, path: string, checking: Checking) => unknown;
}

/** What is known of fields once they were looked at. */
interface FieldReaders {
  /** By name. */
  readonly readers: ReadonlyMap<string, FieldReader>;
  /** The names of those that must be sent. */
  readonly required: readonly string[];
}

const known = new WeakMap<Fields, FieldReaders>();

/** The readers of fields, made once: what a field is would otherwise be found out for each of its values. */
export function readersOf(fields: Fields): FieldReaders {
  const found = known.get(fields);
  if (found !== undefined) return found;
  const readers = new Map<string, FieldReader>();
  for (const [name, field] of Object.entries(fields))
    readers.set(name, { aliasOf: field.kind === 'text' ? field.aliasOf : undefined, read: readerOf(field) });
  const made = { readers, required: Object.keys(fields).filter((name) => fields[name]?.required) };
  known.set(fields, made);
  return made;
}

function readerOf(field: Field): FieldReader['read'] {
  switch (field.kind) {
    case 'text':
      return (value, path, checking) => readText(field, value, path, checking);
    case 'choice':
      return (value, path, checking) => readChoice(field.values, value, path, checking);
    case 'integer':
      return (value, path, checking) => readInteger(field, value, path, checking);
    case 'decimal':
      return (value, path, checking) => readAmount(field.scale, value, path, checking);
    case 'boolean':
      return readBoolean;
    case 'reference':
      return readReference;
    case 'list':
      return (value, path, checking) => readList(field, value, path, checking);
  }
}

function readBoolean(value: unknown, path: string, checking: Checking): unknown {
  if (typeof value === 'boolean') return value;
  return complain(checking, 'field_type', path, value, { expected: 'a boolean', use: ' Use true or false.' });
}

/** A NUL, or a surrogate, which is only then looked at closely. */
const suspicious = /[\0\ud800-\udfff]/;

function soundText(value: unknown, path: string, checking: Checking): value is string {
  if (typeof value !== 'string') {
    complain(checking, 'field_type', path, value, { expected: 'text' });
    return false;
  }
  if (suspicious.test(value)) {
    const fault = value.includes('\0') ? 'a NUL character' : value.isWellFormed() ? undefined : 'half a surrogate pair';
    if (fault !== undefined) {
      complain(checking, 'invalid_text', path, value, { fault });
      return false;
    }
  }
  return true;
}

function readText(field: TextField, value: unknown, path: string, checking: Checking): unknown {
  if (!soundText(value, path, checking)) return wrong;
  const text = field.trim ? value.trim() : value;
  // A UTF-16 unit is at most three bytes and at least a third of a character: most texts need no counting.
  if (field.maxBytes !== undefined && text.length * 3 > field.maxBytes) {
    const bytes = byteLength(text);
    if (bytes > field.maxBytes)
      return complain(checking, 'field_too_long', path, text, { length: bytes, unit: 'bytes', most: field.maxBytes });
  }
  if (field.maxCharacters !== undefined && text.length > field.maxCharacters) {
    const characters = characterLength(text);
    if (characters > field.maxCharacters) {
      const params = { length: characters, unit: 'characters', most: field.maxCharacters };
      return complain(checking, 'field_too_long', path, text, params);
    }
  }
  if (field.required && text.trim() === '') return complain(checking, 'field_required', path);
  if (field.format === undefined || text === '') return text;
  const read = readFormat(field.format, text, checking.isLanguage);
  return typeof read === 'string' ? read : complain(checking, read.code, path, text, read.params);
}

function readChoice(values: readonly string[], value: unknown, path: string, checking: Checking): unknown {
  if (typeof value !== 'string') return complain(checking, 'field_type', path, value, { expected: 'text' });
  if (values.includes(value)) return value;
  return complain(checking, 'field_not_allowed_value', path, value, { allowed: values, wanted: cutText(value) });
}

function readInteger(field: IntegerField, value: unknown, path: string, checking: Checking): unknown {
  const fault = integerFault(value, field);
  if (fault === undefined) return value === 0 ? 0 : value;
  const params =
    fault === 'field_type' ? { expected: 'a whole number' } : { range: `from ${field.min} to ${field.max}` };
  return complain(checking, fault, path, value, params);
}

/**
 * Why a value is no number of an integer field; undefined where it is one. A number that was written as text, or with
 * more digits than a double keeps, has the code of the number it means (decisions 4.3).
 */
export function integerFault(
  value: unknown,
  { min, max }: IntegerField,
): 'field_type' | 'field_out_of_range' | undefined {
  if (typeof value === 'number') {
    if (value >= min && value <= max && Number.isInteger(value)) return undefined;
    return Number.isFinite(value) && !Number.isInteger(value) ? 'field_type' : 'field_out_of_range';
  }
  if (typeof value !== 'string' && !(value instanceof NumberLiteral)) return 'field_type';
  const text = String(value).trim();
  const meant = /^-?\d+(?:\.0+|(?:\.\d+)?[eE]\+?\d+)?$/.test(text) ? Number(text) : 0;
  return meant < min || meant > max ? 'field_out_of_range' : 'field_type';
}

const amountParams: Readonly<Record<DecimalFault, (scale: number) => Params>> = {
  field_type: () => ({ expected: 'a number', use: ' Send a number, or a text like 12.50.' }),
  field_format: () => ({ kind: 'amount', fault: 'is not a number', use: 'Use a form like 12.50.' }),
  field_out_of_range: () => ({ range: '0 or more, with at most 12 digits before the point' }),
  field_decimals: (most) => ({ most }),
};

function readAmount(scale: number, value: unknown, path: string, checking: Checking): unknown {
  if (value === '') return null;
  const amount = readDecimal(value, scale);
  if (typeof amount === 'number') return amount;
  return complain(checking, amount, path, value, amountParams[amount](scale));
}

/** Null for '', which clears; whether the record is there is for `decide` to tell. */
function readReference(value: unknown, path: string, checking: Checking): unknown {
  if (!soundText(value, path, checking)) return wrong;
  return value.trim() === '' ? null : value.trim();
}

function readList(field: ListField, value: unknown, path: string, checking: Checking): unknown {
  if (!Array.isArray(value)) return complain(checking, 'field_type', path, value, { expected: 'a list of entries' });
  if (field.maxEntries !== undefined && value.length > field.maxEntries) {
    return complain(checking, 'too_many_entries', path, undefined, { length: value.length, most: field.maxEntries });
  }
  return value.map((entry: unknown, i) => {
    const place = `${path}[${i}]`;
    if (isRecord(entry)) {
      return checkFields(field.entry, entry, `${place}.`, checking);
    }
    complain(checking, 'field_type', place, entry, { expected: 'an object of fields' });
    return {};
  });
}
