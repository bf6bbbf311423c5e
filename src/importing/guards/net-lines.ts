// What a run leaves of a record that several of its rows change: 39.99 → 117.90 → 39.99 is no change of a price. Lines are held
// back until the run ends or too much is held; rows of one record that are further apart count one by one.
import type { FieldChange, Line, Notice } from '../../core/import-report.js';

/** A line, and where its row is. */
export interface PlacedLine {
  readonly line: Line;
  readonly place: string;
}

/** A line of a dry run. */
interface TakenLine extends PlacedLine {
  /** The number of its batch. */
  readonly batch: number;
}

/** Lines that are held back. */
export interface NetLines {
  /** Takes the line of an accepted row. @param item what the row sends */
  take(one: TakenLine, item: unknown): void;
  /** Counts all that is held. */
  flush(): void;
}

/** The lines of one record. */
interface HeldRecord {
  readonly first: Line;
  last: TakenLine;
  /** If there are several: their changes by field. */
  changes?: Map<string, FieldChange>;
  weight: number;
  /** Notices of any of them: that not all changes are told, and that the record regained its status. */
  isCut: boolean;
  regained: readonly Notice[];
  /** What the last line that deactivates entries of lists tells of it. */
  deactivated: Pick<Line, 'notice' | 'diagnostics'>;
}

/** What is held at most: records and changes, of which long texts weigh more. About 20 MB. */
const mostHeld = 50_000;

/**
 * Holds lines back, and merges those of one record.
 * @param count takes a line for each record, in the order of their first rows; none for a record that is in the end what it was
 * @param forgets whether the dry run compares each batch with what is stored, as that of a remote does, and not with what the
 *   batches before would leave
 */
export function netLines(count: (one: PlacedLine) => void, forgets: boolean): NetLines {
  const held = new Map<string, HeldRecord>();
  let weight = 0;

  function release(key: string, record: HeldRecord): void {
    held.delete(key);
    weight -= record.weight;
    const line = netLine(record);
    if (line !== undefined) count({ line, place: record.last.place });
  }

  return {
    take(one, item) {
      const key = one.line.id ?? one.line.external_id;
      const known = held.get(key);
      if (one.line.action === 'unchanged' && !(forgets && known !== undefined)) return;
      const record = known ?? newRecord(one);
      if (known === undefined) held.set(key, record);
      else {
        weight -= record.weight;
        if (forgets && one.batch !== record.last.batch) forgetSent(record, item);
        addChanges(record, one);
      }
      takeNotices(record, one.line);
      weight += record.weight;
      for (const [first, oldest] of held) {
        if (weight <= mostHeld) break;
        release(first, oldest);
      }
    },
    flush() {
      for (const [key, record] of held) release(key, record);
    },
  };
}

function newRecord(one: TakenLine): HeldRecord {
  const { changes, notice } = one.line;
  const none = { isCut: false, regained: [], deactivated: { notice: [] } };
  return { first: one.line, last: one, weight: 1 + notice.length + weightOf(changes), ...none };
}

function changesOf(record: HeldRecord): Map<string, FieldChange> {
  record.changes ??= new Map(record.first.changes?.map((change) => [change.field, change]));
  return record.changes;
}

/** Drops the changes of what a later item sends, too: its own line tells all that becomes of it. */
function forgetSent(record: HeldRecord, item: unknown): void {
  const changes = changesOf(record);
  for (const [field, change] of changes) {
    const [root = ''] = field.split('[', 1);
    if (typeof item !== 'object' || item === null || !(root in item)) continue;
    changes.delete(field);
    record.weight -= weightOf([change]);
  }
}

function addChanges(record: HeldRecord, one: TakenLine): void {
  const changes = changesOf(record);
  for (const { field, from, to } of one.line.changes ?? []) {
    const former = changes.get(field);
    const change = { field, from: former === undefined ? from : former.from, to };
    changes.set(field, change);
    record.weight += weightOf([change]) - weightOf(former && [former]);
  }
  record.last = one;
}

function takeNotices(record: HeldRecord, { notice, diagnostics = [] }: Line): void {
  if (notice.length === 0) return;
  const of = (code: string) => notice.filter((one) => one.code === code);
  if (of('more_omitted').length > 0) record.isCut = true;
  if (of('status_regained').length > 0) record.regained = of('status_regained');
  const code = 'entries_deactivated';
  if (of(code).length > 0)
    record.deactivated = { notice: of(code), diagnostics: diagnostics.filter((one) => one.code === code) };
}

/** What all lines of a record did to it; undefined if nothing. */
function netLine({ first, last, changes, isCut, regained, deactivated }: HeldRecord): Line | undefined {
  if (changes === undefined) return first;
  const { changes: told, ...others } = last.line;
  const net = { ...others, action: first.action, ...deactivated, notice: [...regained, ...deactivated.notice] };
  // Another implementation of a remote may not tell changes.
  if (first.changes === undefined || (told === undefined && last.line.action === 'updated')) return net;
  const left = [...changes.values()].filter(({ from, to }) => from !== to);
  if (isCut) return { ...net, changes: left };
  if (left.length === 0 && first.action === 'updated') return undefined;
  const count = left.filter(isDeactivation).length;
  const [entries] = count === 0 ? [] : deactivated.notice;
  const diagnostics = entries === undefined ? [] : [{ ...entries, params: { count } }];
  return { ...net, notice: [...regained, ...diagnostics], diagnostics, changes: left };
}

/** Whether an entry of a list is deactivated: `values[red].status`. */
function isDeactivation({ field, to }: FieldChange): boolean {
  return (field.endsWith('].status') && to === 'suspended') || (field.endsWith('].listed') && to === false);
}

function weightOf(changes: readonly FieldChange[] = []): number {
  return changes.reduce((sum, { from, to }) => sum + 1 + (String(from).length + String(to).length) / 100, 0);
}
