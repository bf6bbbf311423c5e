// Counts during a dry run what guards limit.
import { itemOf } from '../../core/entry.js';
import type { FieldChange, Line, Report } from '../../core/import-report.js';
import type { Offender } from '../../core/ledger/guard-figure.js';
import { ellipsize, sanitizeText } from '../../core/text/sanitize.js';
import type { ImportObserver } from '../observer.js';
import type { GuardedLine, Offence, PriceGuard, ResourceFigures } from './guard.js';
import { guards } from './guard-list.js';
import { type NetLines, netLines } from './net-lines.js';
import { rewrittenKeys } from './rewritten-keys.js';
import { widespreadChanges } from './widespread-changes.js';

/** Maximum offenders shown for each guard. */
const shownAtMost = 20;

interface GuardCount {
  count: number;
  /** How many records: one may count for more. */
  records: number;
  /** Records that did the opposite. */
  back: number;
  readonly first: (Offender & { readonly weight: number })[];
}

/** The figures of a resource, with what each guard counted by its name. */
export interface GuardedFigures extends ResourceFigures {
  readonly found: ReadonlyMap<string, GuardCount>;
}

export function noFigures(resource: string): GuardedFigures {
  const found = new Map(
    guards.map(({ name }): [string, GuardCount] => [name, { count: 0, records: 0, back: 0, first: [] }]),
  );
  return { resource, total: 0, rowsWithoutDiff: 0, rewritten: rewrittenKeys(), widespread: widespreadChanges(), found };
}

export function foundBy({ found }: GuardedFigures, guard: string): GuardCount {
  return found.get(guard) ?? { count: 0, records: 0, back: 0, first: [] };
}

/** Adds a record that the feed no longer lists; all rows were taken before. */
export function addMissing(figures: GuardedFigures, key: string): void {
  addOffender(figures, 'missing', { place: '', key }, { words: '' });
  figures.rewritten.missing(key);
}

/** Adds records of the feed that its last run did not list, and that are not new. */
export function addListedAgain(figures: GuardedFigures, appeared: number): void {
  foundBy(figures, 'missing').back += Math.max(0, appeared - foundBy(figures, 'created').count);
}

/** Adds the records that the feed no longer lists, and to which the values of lower feeds apply instead. */
export function addPassedOn(figures: GuardedFigures, { data }: Report, price: PriceGuard | undefined): void {
  for (const line of data)
    if (line.action === 'updated') count(figures, { line, isNew: false, isBack: false, price }, 'no longer listed');
}

/** What lines are held against. */
interface GuardedBy {
  readonly price: PriceGuard | undefined;
  /** The identifiers of records whose creation was undone: if they are shown again, they count as created. */
  readonly takenBack: ReadonlySet<string>;
  /** The identifiers of records that a run suspended. */
  readonly suspended: ReadonlySet<string>;
  /** Whether the dry run compares each batch with the stored records, without the changes of earlier batches. */
  readonly comparesStored: boolean;
}

/** The figures of a resource, and the merged lines that are counted in them. */
interface ResourceCounter {
  readonly figures: GuardedFigures;
  readonly net: NetLines;
}

export interface FiguresObserver extends ImportObserver {
  /** The figures by resource. Call it after the last row. */
  figures(): ReadonlyMap<string, GuardedFigures>;
}

/**
 * Makes the observer.
 * @param namesFiles whether offenders are named with their file, as there are several
 */
export function guardFigures(
  { price, takenBack, suspended, comparesStored }: GuardedBy,
  namesFiles = false,
): FiguresObserver {
  const counters = new Map<string, ResourceCounter>();
  let { figures: current, net } = counterOf('');
  let batch = 0;
  let prefix = 'line ';

  function counterOf(resource: string): ResourceCounter {
    const figures = noFigures(resource);
    const net = netLines(({ line, place }) => {
      const isNew = line.action === 'created' || comesBack(line, takenBack);
      count(figures, { line, isNew, isBack: suspended.has(line.id ?? ''), price }, place);
      if (isNew) figures.rewritten.created(line.external_id);
      else figures.widespread.take(line.changes ?? [], `${place}: ${line.external_id}`);
    }, comparesStored);
    return { figures, net };
  }

  return {
    figures() {
      for (const { net: one } of counters.values()) one.flush();
      return new Map([...counters].map(([name, { figures }]) => [name, figures]));
    },
    begin({ resource, file }) {
      const counter = counters.get(resource.name) ?? counterOf(resource.name);
      counters.set(resource.name, counter);
      ({ figures: current, net } = counter);
      if (namesFiles) prefix = `${sanitizeText(file)}:`;
    },
    batch({ report, lines: numbers, entries = [] }) {
      current.total += report.total;
      batch++;
      report.data.forEach((line, i) => {
        const place = `${prefix}${numbers[i] ?? '?'}`;
        if (line.action === 'refused') count(current, { line, isNew: false, isBack: false, price }, place);
        else net.take({ line, place, batch }, itemOf(entries[i]));
      });
    },
  };
}

function comesBack({ id, changes }: Line, takenBack: ReadonlySet<string>): boolean {
  return takenBack.has(id ?? '') && changes?.some(isShownAgain) === true;
}

/** Whether a record gets another status than that of one which is suspended. */
function isShownAgain({ field, from }: FieldChange): boolean {
  return field === 'status' && (from === 'suspended' || from === 'rejected');
}

/** Counts a line for each guard that limits it. */
function count(figures: GuardedFigures, guarded: GuardedLine, place: string): void {
  const { line, isNew } = guarded;
  if (line.action === 'updated' && !isNew && line.changes === undefined) figures.rowsWithoutDiff++;
  for (const guard of guards) {
    const offence = guard.offence?.(guarded);
    if (offence !== undefined) addOffender(figures, guard.name, { place, key: line.external_id }, offence);
    if (guard.takesBack?.(guarded) === true) foundBy(figures, guard.name).back++;
  }
}

/** Adds an offender; the heaviest are kept, of equal ones the first. */
function addOffender(
  figures: GuardedFigures,
  guard: string,
  { place, key }: Pick<Offender, 'place' | 'key'>,
  { words, change, count: amount = 1, weight = 0 }: Offence,
): void {
  const own = foundBy(figures, guard);
  own.count += amount;
  own.records++;
  const lightest = own.first.at(-1);
  if (own.first.length >= shownAtMost && (lightest === undefined || lightest.weight >= weight)) return;
  const at = own.first.findIndex((one) => one.weight < weight);
  const shown = { place, key: cut(key), words: cut(words), weight, ...(change && { change: shownChange(change) }) };
  own.first.splice(at === -1 ? own.first.length : at, 0, shown);
  if (own.first.length > shownAtMost) own.first.pop();
}

function shownChange({ field, from, to }: FieldChange): NonNullable<Offender['change']> {
  return { field: cut(field), from: cut(String(from)), to: cut(String(to)) };
}

/** Characters of an offender that are shown. */
function cut(text: string): string {
  return ellipsize(sanitizeText(text), 100);
}

/** `line 8: A-7: price 10.00 → 1000.00`. */
export function offenderWords({ place, key, words }: Offender): string {
  return [place, ellipsize([key, words].filter(Boolean).join(': '), 100)].filter(Boolean).join(': ');
}
