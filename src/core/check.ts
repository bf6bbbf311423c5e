// Raw items → checked items: every field of its type, within its limits, normalised; everything wrong is said at
// once. Rules that need other records or the stored state are the resources' own (decide).
//
// The descriptors are read directly and not through a schema library: that costs 50 ms less at start-up, which is
// most of what `get` takes, and the words of every refusal are ours.

import { readDecimal } from './decimal.js';
import type { Field, Fields, IntegerField, ListField, TextField } from './fields.js';
import { notAllowed, readFormat } from './formats.js';
import type { Notice } from './line.js';
import type { Problem, RefusalCode } from './messages.js';
import type { Resource } from './resource.js';
import type { Checked } from './task.js';
import { byteLength, characterLength, quote } from './text.js';

/** An item after its check. */
export interface CheckedItem {
  readonly item: Checked;
  readonly externalId: string;
  readonly problems: readonly Problem[];
  readonly notices: readonly Notice[];
  /** The source could not read the record: there are no fields to decide on. */
  readonly unreadable?: true;
}

/** What a check finds, and what it asks. */
export interface Findings {
  readonly problems: Problem[];
  readonly notices: Notice[];
  readonly isLanguage: (code: string) => boolean;
}

/** What a field's reader returns for a value that was complained of. */
export const wrong = Symbol('wrong');

/** Checks one item of a batch: its shape, and each field by itself. */
export function checkItem(resource: Resource, raw: unknown, isLanguage: (code: string) => boolean): CheckedItem {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    const problem: Problem = {
      code: 'item_not_object',
      field: '',
      message: `${quote(raw)} is no object; an item is an object of fields`,
    };
    return { item: {}, externalId: '', problems: [problem], notices: [], unreadable: true };
  }
  const findings: Findings = { problems: [], notices: [], isLanguage };
  const sent = raw as Record<string, unknown>;
  const item = checkFields(resource.fields, sent, '', findings);
  return { item, externalId: resource.externalId(sent), problems: findings.problems, notices: findings.notices };
}

/** The checked fields of an item, or of an entry at `prefix`; what is wrong is added to the findings. */
export function checkFields(
  fields: Fields,
  sent: Record<string, unknown>,
  prefix: string,
  findings: Findings,
): Checked {
  const checked: Record<string, unknown> = {};
  const { readers, required } = readersOf(fields);
  for (const name in sent) {
    const value = sent[name];
    const reader = readers.get(name);
    if (reader === undefined) {
      if (Object.hasOwn(sent, name)) ignored(name, prefix, findings);
      continue;
    }
    // Absent and null are both "not sent": the stored value stays.
    if (value === null || value === undefined) continue;
    const read = reader.read(value, prefix + name, findings);
    if (read === wrong) continue;
    if (reader.aliasOf !== undefined) takeAlias(reader.aliasOf, sent, checked, { name, read, prefix, findings });
    else checked[name] = read;
  }
  for (const name of required) {
    if (checked[name] === undefined) missing(fields, name, prefix, findings);
  }
  return checked;
}

function ignored(name: string, prefix: string, findings: Findings): void {
  findings.notices.push({
    code: 'field_ignored',
    field: prefix + shortName(name),
    message: `${quote(name)} is no field that can be written here; it was ignored`,
  });
}

/** A member's name is the sender's: as part of a path it is kept short. */
function shortName(name: string): string {
  return name.length > 60 ? `${name.slice(0, 59)}…` : name;
}

function takeAlias(
  target: string,
  sent: Record<string, unknown>,
  checked: Record<string, unknown>,
  alias: { readonly name: string; readonly read: unknown; readonly prefix: string; readonly findings: Findings },
): void {
  const original = sent[target];
  if (original === null || original === undefined) {
    checked[target] = alias.read;
  } else if (typeof original === 'string' && original.trim() !== alias.read) {
    complain(
      alias.findings,
      'field_format',
      alias.prefix + alias.name,
      `${quote(alias.read)} differs from ${target} ${quote(original.trim())}; send one of them, or the same`,
    );
  }
}

function missing(fields: Fields, name: string, prefix: string, findings: Findings): void {
  // Complained of already, by this name or another one of the field.
  const isSame = (other: string) => other === name || (fields[other] as Partial<TextField>).aliasOf === name;
  const paths = Object.keys(fields)
    .filter(isSame)
    .map((other) => prefix + other);
  if (findings.problems.some(({ field }) => paths.includes(field))) return;
  complain(findings, 'field_required', prefix + name, 'is missing; it must be sent');
}

function complain(findings: Findings, code: RefusalCode, field: string, message: string): typeof wrong {
  findings.problems.push({ code, field, message });
  return wrong;
}

/** How the values of a field are read. */
export interface FieldReader {
  /** The field this one is another name for. */
  readonly aliasOf: string | undefined;
  /** A value, normalised, or `wrong` where the findings say why it is refused. */
  readonly read: (value: unknown, path: string, findings: Findings) => unknown;
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
      return (value, path, findings) => readText(field, value, path, findings);
    case 'choice':
      return (value, path, findings) => readChoice(field.values, value, path, findings);
    case 'integer':
      return (value, path, findings) => readInteger(field, value, path, findings);
    case 'decimal':
      return (value, path, findings) => readAmount(field.scale, value, path, findings);
    case 'boolean':
      return readBoolean;
    case 'reference':
      return readReference;
    case 'list':
      return (value, path, findings) => readList(field, value, path, findings);
  }
}

function readBoolean(value: unknown, path: string, findings: Findings): unknown {
  if (typeof value === 'boolean') return value;
  return complain(findings, 'field_type', path, `${quote(value)} is no boolean; true or false is accepted`);
}

/** A NUL, or a surrogate, which is only then looked at closely. */
const suspicious = /[\0\ud800-\udfff]/;

function soundText(value: unknown, path: string, findings: Findings): value is string {
  if (typeof value !== 'string') {
    complain(findings, 'field_type', path, `${quote(value)} is no text; a string is accepted`);
    return false;
  }
  if (suspicious.test(value)) {
    const fault = value.includes('\0') ? 'a NUL character' : value.isWellFormed() ? undefined : 'half a surrogate pair';
    if (fault !== undefined) {
      complain(
        findings,
        'invalid_text',
        path,
        `${quote(value)} holds ${fault}; well-formed text without NUL is accepted`,
      );
      return false;
    }
  }
  return true;
}

function readText(field: TextField, value: unknown, path: string, findings: Findings): unknown {
  if (!soundText(value, path, findings)) return wrong;
  const text = field.trim ? value.trim() : value;
  // A UTF-16 unit is at most three bytes and at least a third of a character: most texts need no counting.
  if (field.maxBytes !== undefined && text.length * 3 > field.maxBytes) {
    const bytes = byteLength(text);
    if (bytes > field.maxBytes)
      return complain(findings, 'field_too_long', path, `${quote(text)} is ${bytes} bytes; at most ${field.maxBytes}`);
  }
  if (field.maxCharacters !== undefined && text.length > field.maxCharacters) {
    const characters = characterLength(text);
    if (characters > field.maxCharacters)
      return complain(
        findings,
        'field_too_long',
        path,
        `${quote(text)} is ${characters} characters; at most ${field.maxCharacters}`,
      );
  }
  if (text === '' && field.required) return complain(findings, 'field_required', path, 'is empty; it must be sent');
  if (field.format === undefined || text === '') return text;
  const read = readFormat(field.format, text, findings.isLanguage);
  return typeof read === 'string' ? read : complain(findings, read.code, path, read.message);
}

function readChoice(values: readonly string[], value: unknown, path: string, findings: Findings): unknown {
  if (typeof value !== 'string')
    return complain(findings, 'field_type', path, `${quote(value)} is no text; one of ${listed(values)} is accepted`);
  if (values.includes(value)) return value;
  return complain(findings, 'field_not_allowed_value', path, notAllowed(value, value, values, listed(values)));
}

/** Words of a closed list for a message: `card or list`. */
function listed(values: readonly string[]): string {
  const words = values.map((value) => (value === '' ? "''" : value));
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function readInteger(field: IntegerField, value: unknown, path: string, findings: Findings): unknown {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = field;
  if (typeof value !== 'number')
    return complain(findings, 'field_type', path, `${quote(value)} is no number; a whole number is accepted`);
  if (Number.isFinite(value) && !Number.isInteger(value))
    return complain(findings, 'field_type', path, `${quote(value)} is no whole number; a whole number is accepted`);
  if (value >= min && value <= max) return value === 0 ? 0 : value;
  return complain(findings, 'field_out_of_range', path, `${quote(value)} is out of range; from ${min} to ${max}`);
}

const amountWords = {
  field_type: 'is no amount; a number or a decimal as text is accepted',
  field_format: 'is no plain decimal; digits with an optional point are accepted, such as 12.50',
  field_out_of_range: 'is out of range; zero or more, exactly representable, is accepted',
  field_decimals: '',
} as const;

function readAmount(scale: number, value: unknown, path: string, findings: Findings): unknown {
  if (value === '') return null;
  const amount = readDecimal(value, scale);
  if (typeof amount === 'number') return amount;
  const words = amount === 'field_decimals' ? `has more than ${scale} decimals; at most ${scale}` : amountWords[amount];
  return complain(findings, amount, path, `${quote(value)} ${words}`);
}

/** Null for '', which clears; whether the record is there is for `decide` to tell. */
function readReference(value: unknown, path: string, findings: Findings): unknown {
  if (!soundText(value, path, findings)) return wrong;
  return value.trim() === '' ? null : value.trim();
}

function readList(field: ListField, value: unknown, path: string, findings: Findings): unknown {
  if (!Array.isArray(value))
    return complain(findings, 'field_type', path, `${quote(value)} is no list; an array of entries is accepted`);
  if (field.maxEntries !== undefined && value.length > field.maxEntries) {
    return complain(findings, 'too_many_entries', path, `holds ${value.length} entries; at most ${field.maxEntries}`);
  }
  return value.map((entry: unknown, i) => {
    const place = `${path}[${i}]`;
    if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) {
      return checkFields(field.entry, entry as Record<string, unknown>, `${place}.`, findings);
    }
    complain(findings, 'field_type', place, `${quote(entry)} is no object; an entry is an object of fields`);
    return {};
  });
}
