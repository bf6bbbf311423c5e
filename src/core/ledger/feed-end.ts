// What the end of a feed's run does to records that none of its rows is about.
import type { FieldChange, Report } from '../import-report.js';

/**
 * What happens to a record: it is reported as missing, is suspended, regains its status, takes the values of lower feeds, or is as if
 * runs that are undone had never been.
 */
export const feedEffects = ['missing', 'suspended', 'regained', 'passed_on', 'restored'] as const;
export type FeedEffect = (typeof feedEffects)[number];

/** The records of a resource with the same effect. */
export interface AffectedRecords {
  readonly effect: FeedEffect;
  readonly resource: string;
  readonly count: number;
  /** The first keys, at most `keysAtMost`. */
  readonly keys: readonly string[];
}

/** The end of a feed's run. */
export interface FeedEnd {
  readonly notes: readonly string[];
  readonly records: readonly AffectedRecords[];
}

/** Keys that are kept of an effect on a resource. */
const keysAtMost = 10_000;

/** Counts the records with these keys; nothing where there are none. */
export function affectedRecords(effect: FeedEffect, resource: string, keys: readonly string[]): AffectedRecords[] {
  if (keys.length === 0) return [];
  return [{ effect, resource, count: keys.length, keys: keys.slice(0, keysAtMost) }];
}

/** Why a record changed although no row of the run is about it, or differently from what its row sends. */
type EndCause = 'missing' | 'relisted' | 'passed_on' | 'retired' | 'undone';

/** A record that the end of a run changed: a line of every report. */
export interface EndLine {
  readonly resource: string;
  readonly external_id: string;
  readonly id: string;
  readonly cause: EndCause;
  readonly changes: readonly FieldChange[];
}

/** Records that reports name one by one, of those that an undo changed, or that regained their status. */
export const mostEndLines = 100_000;

/** The status of a resource's records that no customer sees. */
export function hiddenStatus(resource: string): string {
  return resource === 'product_review' ? 'rejected' : 'suspended';
}

/** The line of a record that the end of a run suspended. @param status its status before */
export function suspendedLine(
  { resource, key, id, status }: Readonly<Record<'resource' | 'key' | 'id' | 'status', string>>,
  cause: 'missing' | 'retired',
): EndLine {
  const changes = [{ field: 'status', from: status, to: hiddenStatus(resource) }];
  return { resource, external_id: key, id, cause, changes };
}

/** The lines of the records that got the values of lower feeds. */
export function passedOnLines({ resource, data }: Report, cause: 'passed_on' | 'retired'): EndLine[] {
  return data.flatMap(({ action, external_id, id, changes = [] }) =>
    action === 'updated' ? [{ resource, external_id, id: id ?? '', cause, changes }] : [],
  );
}

/** What the end of a run did: its lines, counted separately from the items that were read. */
export interface RunEffects {
  readonly feed: string;
  readonly counts: EndCounts;
  readonly lines: readonly EndLine[];
}

/** Records that the end of a run changed. */
export interface EndCounts {
  readonly suspended: number;
  readonly regained: number;
  readonly passed_on: number;
  /** Only of an undo: records that are as if the undone runs had never been, and those of which it kept fields. */
  readonly restored?: number;
  readonly kept?: number;
}

/** A record that the end of a run changed, in the form of a line of a report. */
export function endLineOf(feed: string, { changes, ...line }: EndLine) {
  const none = { code: null, title: null, reason: null, notice: [] };
  return { ...line, action: 'updated' as const, feed, ...none, changes, line: null };
}

const countOf: Readonly<Record<EndCause, FeedEffect>> = {
  missing: 'suspended',
  retired: 'suspended',
  relisted: 'regained',
  passed_on: 'passed_on',
  undone: 'restored',
};

/** What happened to a record: an undo suspends those that its runs created, a retired feed passes on those that others list. */
function effectOf({ cause, resource, changes }: EndLine): FeedEffect {
  const isHidden = changes.some(({ field, to }) => field === 'status' && to === hiddenStatus(resource));
  if (cause === 'retired' && !isHidden) return 'passed_on';
  return cause === 'undone' && isHidden ? 'suspended' : countOf[cause];
}

/** Counts the lines of the end of a run. */
export function runEffects(feed: string, lines: readonly EndLine[]): RunEffects {
  const count = (name: keyof EndCounts): number => lines.filter((line) => effectOf(line) === name).length;
  const counts = { suspended: count('suspended'), regained: count('regained'), passed_on: count('passed_on') };
  return { feed, counts, lines };
}

/** The records that the end of a run changed, by effect and resource. */
export function affectedBy(lines: readonly EndLine[]): AffectedRecords[] {
  const groups = new Map<string, EndLine[]>();
  for (const line of lines) {
    const name = `${effectOf(line)} ${line.resource}`;
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(line);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group as [EndLine];
    return affectedRecords(
      effectOf(first),
      first.resource,
      group.map(({ external_id }) => external_id),
    );
  });
}
