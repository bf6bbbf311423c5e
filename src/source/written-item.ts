// Items as they are written to NDJSON, so that they can be read again without the mapping that made them: refused ones,
// and those of a plan. What is known of an item in addition to its fields is in members that begin with an underscore.
import { sourceProblem } from '../core/diagnostics/source-problems.js';
import { type Entry, type RawEntry, unreadableEntry } from '../core/entry.js';
import type { WrittenAmount } from '../core/fields/currencies.js';
import type { RecordKey } from '../core/fields/record-key.js';
import { writtenMembers } from './column-targets.js';

/** An item with what it was refused for, and with the amounts that are to be compared with the currency of its product. */
export function writtenItem(entry: Entry): Readonly<Record<string, unknown>> {
  const fields = Object(entry.item) as Readonly<Record<string, unknown>>;
  const { amounts = [] } = entry.kind === 'raw' || entry.kind === 'unreadable' ? entry : {};
  const item = amounts.length > 0 ? { ...fields, [writtenMembers.amounts]: amounts } : fields;
  if (entry.kind !== 'unreadable') return item;
  const { field, code } = entry.problem;
  return { ...item, [writtenMembers.unread]: fields[writtenMembers.unread] ?? (field || code) };
}

/** The entry of an item, with what the added members of its record say: what could not be read refuses it. */
export function readWritten(record: Readonly<Record<string, unknown>>, entry: RawEntry, key: RecordKey): Entry {
  const { [writtenMembers.unread]: unread = '', [writtenMembers.amounts]: amounts } = record;
  // Only `apply` leaves out an item whose record changed since.
  if (Object.hasOwn(record, writtenMembers.expect))
    return unreadableEntry(sourceProblem('item_of_plan', {}), key.of(Object(entry.item)));
  if (unread !== '' && unread !== null)
    return unreadableEntry(sourceProblem('unread_left', {}), key.of(Object(entry.item)));
  return Array.isArray(amounts) && amounts.every(isAmount) ? { ...entry, amounts } : entry;
}

export function isAmount(value: unknown): value is WrittenAmount {
  const { field, text, source, written, codes } = Object(value);
  const texts: unknown[] = [field, text, source, written, ...(Array.isArray(codes) ? codes : [undefined])];
  return texts.every((one) => typeof one === 'string');
}
