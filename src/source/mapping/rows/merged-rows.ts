// The rows of one key as one item (`once: merge`): their fields have to agree, and their lists are joined by the keys of the
// entries, whose members have to agree as well.
import type { Problem } from '../../../core/diagnostics/refusal-codes.js';
import type { ListField } from '../../../core/fields/fields.js';
import type { RecordKey } from '../../../core/fields/record-key.js';
import { fold } from '../../../core/text/text.js';
import type { RowPlace } from '../../file-place.js';
import { type Aggregate, combined, rowsDisagree } from './aggregate.js';

export type MergedItem = Record<string, unknown>;

/** The rows of a key so far. */
export interface MergedRows {
  readonly item: MergedItem;
  /** Why they disagree. */
  readonly problem: Problem | undefined;
  /** Adds a row. @returns whether the item changed, or the row disagrees */
  add(more: MergedItem, row: RowPlace): boolean;
}

/** Begins the item of a key. */
export function mergedRows({ fields, names }: RecordKey, aggregates: ReadonlyMap<string, Aggregate>): MergedRows {
  const item: MergedItem = {};
  /** The rows that the values come from, and the entries of lists. */
  const rows = new Map<string, RowPlace>();
  const entries = new Map<string, MergedItem>();
  let problem: Problem | undefined;

  /** Sets a member, or combines it with what is there. */
  function put(into: MergedItem, name: string, value: unknown, from: MemberOrigin): boolean {
    if (value === undefined) return false;
    const { path, at, row } = from;
    const place = `${at}\0${name}`;
    const before = into[name];
    if (before === undefined) {
      into[name] = value;
      rows.set(place, row);
      return true;
    }
    const found = combined(aggregates.get(path), before, value);
    if (found !== undefined) {
      into[name] = found;
      return found !== before;
    }
    const first = { value: before, ...(rows.get(place) ?? row) };
    problem ??= rowsDisagree(first, { value, ...row }, { source: path, field: path.replace(/\[\].*/, '') });
    return true;
  }

  /** Puts the entries of a list into the one that is there: a whole list, or one of additions (`{add: […]}`). */
  function putEntries(name: string, field: ListField, sent: GivenEntries, row: RowPlace): boolean {
    const { there, list } = sent;
    let isChanged = false;
    for (const entry of list) {
      const at = `${name}\0${identityOf(entry, field)}`;
      let known = entries.get(at);
      if (known === undefined) {
        known = {};
        entries.set(at, known);
        there.push(known);
      }
      for (const member of Object.keys(entry)) {
        // The key may be written in another case.
        if (member === field.entryKey && known[member] !== undefined) continue;
        isChanged = put(known, member, entry[member], { path: `${name}[].${member}`, at, row }) || isChanged;
      }
    }
    return isChanged;
  }

  return {
    item,
    get problem() {
      return problem;
    },
    add(more, row) {
      let isChanged = false;
      for (const [name, value] of Object.entries(more)) {
        const field = fields[name];
        const isOfKey = names.includes(name) && item[name] !== undefined;
        if (isOfKey) continue;
        const sent = field?.kind === 'list' ? sentList(item, name, value) : undefined;
        const changes =
          field?.kind === 'list' && sent !== undefined
            ? putEntries(name, field, sent, row)
            : put(item, name, value, { path: name, at: '', row });
        isChanged = changes || isChanged;
      }
      return isChanged;
    },
  };
}

/** The entries of a row's list, and those that the rows before gave for it. */
interface GivenEntries {
  readonly there: MergedItem[];
  readonly list: readonly MergedItem[];
}

/** Undefined where the value is no list, or one is whole and the other is added. */
function sentList(item: MergedItem, name: string, value: unknown): GivenEntries | undefined {
  const list = Array.isArray(value) ? (value as MergedItem[]) : additions(value);
  if (list === undefined) return undefined;
  item[name] ??= Array.isArray(value) ? [] : { add: [] };
  const before = item[name];
  const there = Array.isArray(value)
    ? Array.isArray(before)
      ? (before as MergedItem[])
      : undefined
    : additions(before);
  return there === undefined ? undefined : { there, list };
}

function additions(value: unknown): MergedItem[] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !('add' in value)) return undefined;
  return Array.isArray(value.add) ? (value.add as MergedItem[]) : undefined;
}

/** What recognizes an entry in the rows of its record. */
function identityOf(entry: MergedItem, { entryKey, entryValue = '', isMultiple }: ListField): string {
  const key = entry[entryKey];
  if (key === undefined) return JSON.stringify(entry);
  return fold(isMultiple === true ? `${key}\0${entry[entryValue] ?? ''}` : String(key));
}

/** What a value is for, and the row it comes from. */
interface MemberOrigin {
  readonly path: string;
  readonly at: string;
  readonly row: RowPlace;
}
