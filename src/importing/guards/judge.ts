// Compares what a dry run counted with the limits of its guards.
import type { FilledFields } from '../../core/ledger/filled-fields.js';
import {
  exceedsShare,
  type GuardFigure,
  isBreach,
  type JudgedFigure,
  type Offender,
} from '../../core/ledger/guard-figure.js';
import { counted as counts } from '../../core/text/counted.js';
import { shareWords } from '../../core/text/percent.js';
import { groupDigits } from '../../core/text/sanitize.js';
import { foundBy, type GuardedFigures } from './figures.js';
import { type ComparedRun, type Guard, type GuardLimits, limitOf, type Measured, type ShownShare } from './guard.js';
import { guards } from './guard-list.js';

/** A default guard lets this many records through, whatever their share: one of three rows is no accident. */
const alwaysLetThrough = 5;

/** The run of seven days before, for one guard. */
export interface WeekBefore {
  readonly rows: number;
  readonly filled?: FilledFields;
  /** What the guard counted since then, without what was taken back. */
  readonly since: number;
}

/** What a dry run is compared with. */
export interface Measures {
  /** What the feed's last accepted run read of the resource; undefined for its first, which passes. */
  readonly last: { readonly rows: number; readonly filled?: FilledFields } | undefined;
  /**
   * The run of seven days before, or a later one that was accepted although it went beyond the guard.
   * @returns undefined where that is the last run
   */
  readonly week?: (guard: Guard, share: number) => WeekBefore | undefined;
  /** The limits that the user set; the others are defaults of a feed. */
  readonly explicit: ReadonlySet<string>;
}

export function judgeFigures(
  figures: GuardedFigures,
  limits: GuardLimits,
  measures: Measures,
): readonly JudgedFigure[] {
  const few = minRows(figures, limits);
  const { last, week, explicit } = measures;
  if (last === undefined) return few;
  const found = guards.flatMap((guard): JudgedFigure[] => {
    const run = { ...last, times: 1 as const };
    const limit = limitOf(guard, limits, run);
    if (limit === undefined) return [];
    const isExplicit = explicit.has(guard.option);
    const tonight = judged(guard, figures, { limit, run, isExplicit, since: 0 });
    const before = week?.(guard, limit.share);
    const twice = before && { rows: before.rows, ...(before.filled && { filled: before.filled }), times: 2 as const };
    const wide = twice && limitOf(guard, limits, twice);
    if (before === undefined || twice === undefined || wide === undefined) return tonight;
    const ofWeek = judged(guard, figures, { limit: wide, run: twice, isExplicit, since: before.since });
    return [...tonight, ...ofWeek.map((one) => withoutOffendersOf(tonight, one))];
  });
  return [...few, ...found];
}

/** A figure of a week without the offenders that a figure of the night has: a record that breaks both limits is listed once. */
function withoutOffendersOf(others: readonly JudgedFigure[], figure: JudgedFigure): JudgedFigure {
  const breaches = others.filter(isBreach);
  if (!isBreach(figure) || breaches.length === 0) return figure;
  const idOf = ({ place, key, words }: Offender): string => JSON.stringify([place, key, words]);
  const told = new Set(breaches.flatMap(({ offenders }) => offenders.map(idOf)));
  const offenders = figure.offenders.filter((one) => !told.has(idOf(one)));
  const moreTold = breaches.reduce((sum, { more }) => sum + more, 0);
  return { ...figure, offenders, more: Math.max(0, figure.more - moreTold) };
}

interface Judging {
  readonly limit: ShownShare;
  readonly run: ComparedRun;
  readonly isExplicit: boolean;
  /** What was counted before this run. */
  readonly since: number;
}

function judged(guard: Guard, figures: GuardedFigures, { limit, run, isExplicit, since }: Judging): JudgedFigure[] {
  const isBeyond = (count: number, of: number): boolean =>
    exceedsShare(count, limit.share, of) && (isExplicit || count > alwaysLetThrough);
  const measured =
    guard.measure === undefined
      ? counted(guard, figures, { run, since })
      : guard.measure(figures, run, (count) => isBeyond(count, run.rows));
  if (measured === undefined) return [];
  const { count, back = 0, of, offenders, more = 0 } = measured;
  const passed = !isBeyond(count, of);
  const isFew = passed && !isExplicit && exceedsShare(count, limit.share, of);
  const few = isFew ? `, and up to ${alwaysLetThrough} always pass` : '';
  const remark = passed ? '' : (guard.remark?.(figures) ?? '');
  const figure: GuardFigure = {
    ...{ guard: guard.name, option: guard.option, resource: figures.resource },
    against: run.times === 1 ? 'last' : 'week',
    ...{ count, back, of, limit: limit.share, passed },
    words: [`${measured.words} (limit ${limit.shown}${few})`, remark].filter(Boolean).join('; '),
  };
  return [passed ? figure : { ...figure, offenders, more }];
}

/** What was counted line by line; for a week with what was counted before, without what was taken back. */
function counted(
  { name, words, wordsOfOne = words, base }: Guard,
  figures: GuardedFigures,
  { run: { rows, times }, since }: Pick<Judging, 'run' | 'since'>,
): Measured {
  const { count: tonight, back, records, first } = foundBy(figures, name);
  const count = times === 1 ? tonight : Math.max(0, since + tonight - back);
  const of = base?.(figures, count) ?? rows;
  const [ago, run] = times === 1 ? ['', 'the last run'] : [' since a week ago', 'the run a week ago'];
  // More may be created than there were.
  const share = count > of ? `more than the ${counts(of, 'rows')} of ${run}` : shareWords(count, of);
  const said = `${groupDigits(count)} ${count === 1 ? wordsOfOne : words}${ago}, ${share}`;
  return {
    count,
    back,
    of,
    words: said,
    offenders: first.map(({ weight: _, ...one }) => one),
    more: records - first.length,
  };
}

function minRows({ total, resource }: GuardedFigures, { minRows: least = 0 }: GuardLimits): JudgedFigure[] {
  if (least === 0) return [];
  const passed = total >= least;
  const figure: GuardFigure = {
    ...{ guard: 'min_rows', option: '--min-rows', resource, against: 'last', count: total, back: 0, of: least },
    ...{
      limit: least,
      isCount: true as const,
      passed,
      words: `${counts(total, 'rows')}; at least ${groupDigits(least)} are expected`,
    },
  };
  return [passed ? figure : { ...figure, offenders: [], more: 0 }];
}
