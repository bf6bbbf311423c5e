// Merges the lines of a record that several rows change, so that guards count its net change: a price that goes from 39.99 to 117.90
// and back to 39.99 does not count. Lines are kept until the run ends or the limit is reached. Rows of one record that are too far
// apart for that are counted separately.
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

/** Merges lines by record. */
export interface NetLines {
  /** Adds the line of an accepted row. @param item the item of the row */
  take(one: TakenLine, item: unknown): void;
  /** Counts the records that are still kept. */
  flush(): void;
}

/** The lines of one record. */
interface HeldRecord {
  readonly first: Line;
  last: TakenLine;
  /** The merged changes by field, once there are several lines. */
  changes?: Map<string, FieldChange>;
  weight: number;
  /** Whether a line omits some of its changes (`more_omitted`). */
  isCut: boolean;
  /** The latest `status_regained` notice. */
  regained: readonly Notice[];
  /** The latest `entries_deactivated` notice, with its diagnostics. */
  deactivated: Pick<Line, 'notice' | 'diagnostics'>;
}

/** The limit on kept records and changes: each counts 1, and each 100 characters of a change 1 more. About 20 MB. */
const mostHeld = 50_000;

/**
 * Makes the merger of one resource.
 * @param count is called with one merged line for each record, in the order of their first rows, unless the record ends unchanged
 * @param comparesStored whether the dry run compares each batch with the stored records, without the changes of earlier batches, as a
 *   remote does
 */
export function netLines(count: (one: PlacedLine) => void, comparesStored: boolean): NetLines {
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
      if (one.line.action === 'unchanged' && !(comparesStored && known !== undefined)) return;
      const record = known ?? newRecord(one);
      if (known === undefined) held.set(key, record);
      else {
        weight -= record.weight;
        if (comparesStored && one.batch !== record.last.batch) forgetSent(record, item);
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

/** Removes the changes of fields that a later item sends again: its line has their final values. */
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

/** The merged line of a record; undefined if the record ends unchanged. */
function netLine({ first, last, changes, isCut, regained, deactivated }: HeldRecord): Line | undefined {
  if (changes === undefined) return first;
  const { changes: told, ...others } = last.line;
  const net = { ...others, action: first.action, ...deactivated, notice: [...regained, ...deactivated.notice] };
  // Another implementation of a remote may not report changes.
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
