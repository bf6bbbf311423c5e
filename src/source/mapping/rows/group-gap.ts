// `rows`: the rows of a group are adjacent. An unreadable row may belong to the group before it, to the one after it,
// or to none: both are refused with it, unless it certainly does not belong to them.
import type { Problem } from '../../../core/diagnostics/refusal-codes.js';
import type { DamagedRowRole } from '../../../core/diagnostics/source-faults.js';
import { sourceProblem } from '../../../core/diagnostics/source-problems.js';
import { type Entry, type RawEntry, type UnreadableEntry, unreadableEntry } from '../../../core/entry.js';
import type { RecordKey } from '../../../core/fields/record-key.js';
import { writtenMembers } from '../../column-targets.js';
import type { RowPlace } from '../../file-place.js';
import type { Section } from '../mapping.js';
import { withOpenAmounts } from './row-amounts.js';

/** The unreadable rows between two groups. */
export interface GroupGap extends RowPlace {
  /** Their text; undefined if it is too long to be kept. */
  readonly text: string | undefined;
}

/** Maximum characters of unreadable rows that are kept. */
const mostText = 65_536;

/**
 * A gap extended by one unreadable row.
 * @param text its text; undefined if that does not show its group
 */
export function widened(gap: GroupGap | undefined, place: RowPlace, text: string | undefined): GroupGap {
  if (gap === undefined) return { ...place, text: (text?.length ?? 0) > mostText ? undefined : text };
  const isKept = text !== undefined && gap.text !== undefined && gap.text.length + text.length <= mostText;
  return { ...gap, text: isKept ? `${gap.text}\n${text}` : undefined };
}

/**
 * Whether a gap may contain rows of a group. If the group's key is the cell of a column, it must occur in their text;
 * filled and computed keys occur nowhere.
 */
export function mayHold(gap: GroupGap, group: string, { rows, fill }: Section, isTable: boolean): boolean {
  const isCell = isTable && typeof rows === 'string' && fill === undefined;
  return !isCell || mayHaveCell(gap, group);
}

/** Whether a cell may be one of those in a gap. A text may have a quotation mark twice. */
export function mayHaveCell({ text }: GroupGap, cell: string): boolean {
  return text === undefined || cell.includes('"') || text.includes(cell);
}

/** A row of which it cannot be known whether it is kept, or which group it belongs to. @param made its items, alone */
export function undecidedRow(made: readonly Entry[], problem: Problem, key: RecordKey): UnreadableEntry {
  const [only, ...others] = made;
  const item = { ...(only?.item as object | undefined), [writtenMembers.unread]: problem.field || problem.code };
  const id = only === undefined || others.length > 0 ? '' : entryKey(only, key);
  return withOpenAmounts({ ...unreadableEntry(problem, id), item }, amountsOf(only));
}

/**
 * Refuses a row without a key, or with an invalid one, where rows with the same key form a group; undefined for any other row.
 * @param made the items made from the row alone
 */
export function keylessRow(made: readonly Entry[], group: string, key: RecordKey): UnreadableEntry | undefined {
  const [entry] = made;
  if (entry?.kind !== 'raw' || (group !== '' && !group.includes('\0'))) return undefined;
  const [field = ''] = key.names;
  const item = entry.item as Readonly<Record<string, unknown>>;
  const id = entryKey(entry, key).trim();
  if (id === '')
    return withOpenAmounts(
      { ...unreadableEntry(sourceProblem('keyless_row', { field }, field), ''), item },
      entry.amounts,
    );
  // The group is a part of the key, or the key itself.
  if (!id.includes('\0')) return undefined;
  const problem = sourceProblem('nul_in_key', { field, key: id }, field);
  return withOpenAmounts({ ...unreadableEntry(problem, ''), item }, entry.amounts);
}

function amountsOf(entry: Entry | undefined): RawEntry['amounts'] {
  return entry?.kind === 'raw' || entry?.kind === 'unreadable' ? entry.amounts : undefined;
}

/** The key of an entry, as far as it is known. */
export function entryKey(entry: Entry, key: RecordKey): string {
  return entry.kind === 'unreadable' ? entry.externalId : key.of(entry.item as Record<string, unknown>);
}

/**
 * Refuses an item that may lack what an unreadable row holds.
 * @param gap the place of that row, and its text where that is known
 * @param role what the row may be to the item, which is on the line `at`
 */
export function incomplete(
  entry: Entry,
  key: RecordKey,
  { line, number, text }: RowPlace & { readonly text?: string | undefined },
  { role, at }: { readonly role: DamagedRowRole; readonly at: number },
): Entry {
  if (entry.kind === 'unreadable') return entry;
  const record = line === at ? number : 0;
  const item = {
    ...(entry.item as Readonly<Record<string, unknown>>),
    [writtenMembers.unread]: text ?? `line ${line}`,
  };
  const problem = sourceProblem('damaged_row', { line, record, role });
  return withOpenAmounts({ ...unreadableEntry(problem, entryKey(entry, key)), item }, amountsOf(entry));
}
