// The rows of one key as one item (`once: merge`): their fields have to agree, and their lists are joined by the keys of the
// entries, whose members have to agree as well.
import type { Problem } from '../../../core/diagnostics/refusal-codes.js';
import type { ListField } from '../../../core/fields/fields.js';
import type { RecordKey } from '../../../core/fields/record-key.js';
import { fold } from '../../../core/text/text.js';
import { type Aggregate, combined, rowsDisagree } from './aggregate.js';

export type MergedItem = Record<string, unknown>;

/** The rows of a key so far. */
export interface MergedRows {
  readonly item: MergedItem;
  /** Why they disagree. */
  readonly problem: Problem | undefined;
  /** Adds a row. @returns whether the item changed, or the row disagrees */
  add(more: MergedItem, line: number): boolean;
}

/** Begins the item of a key. */
export function mergedRows({ fields, names }: RecordKey, aggregates: ReadonlyMap<string, Aggregate>): MergedRows {
  const item: MergedItem = {};
  /** The lines that the values come from, and the entries of lists. */
  const lines = new Map<string, number>();
  const entries = new Map<string, MergedItem>();
  let problem: Problem | undefined;

  /** Sets a member, or combines it with what is there. */
  function put(into: MergedItem, name: string, value: unknown, from: MemberOrigin): boolean {
    if (value === undefined) return false;
    const { path, at, line } = from;
    const place = `${at}\0${name}`;
    const before = into[name];
    if (before === undefined) {
      into[name] = value;
      lines.set(place, line);
      return true;
    }
    const found = combined(aggregates.get(path), before, value);
    if (found !== undefined) {
      into[name] = found;
      return found !== before;
    }
    const first = { value: before, line: lines.get(place) ?? line };
    problem ??= rowsDisagree(path, first, { value, line }, path.replace(/\[\].*/, ''));
    return true;
  }

  function putEntries(name: string, field: ListField, list: readonly MergedItem[], line: number): boolean {
    const there = (item[name] ?? []) as MergedItem[];
    item[name] = there;
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
        isChanged = put(known, member, entry[member], { path: `${name}[].${member}`, at, line }) || isChanged;
      }
    }
    return isChanged;
  }

  return {
    item,
    get problem() {
      return problem;
    },
    add(more, line) {
      let isChanged = false;
      for (const [name, value] of Object.entries(more)) {
        const field = fields[name];
        const isOfKey = names.includes(name) && item[name] !== undefined;
        if (isOfKey) continue;
        const changes =
          field?.kind === 'list' && Array.isArray(value)
            ? putEntries(name, field, value as MergedItem[], line)
            : put(item, name, value, { path: name, at: '', line });
        isChanged = changes || isChanged;
      }
      return isChanged;
    },
  };
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
  readonly line: number;
}
