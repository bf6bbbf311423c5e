// What a guard found in a run of a feed, whether it stopped the run or not: in reports, in the ledger and in the status file.

/** A record or field that a guard counts. */
export interface Offender {
  /** Where it is, `line 8`; '' if it is in no row. */
  readonly place: string;
  readonly key: string;
  /** What would happen to it. */
  readonly words: string;
  /** A field before and after, if it is about one. */
  readonly change?: { readonly field: string; readonly from: string; readonly to: string };
}

/** The figure of a guard for a resource. */
export interface GuardFigure {
  /** The name of the guard: one option may limit several. */
  readonly guard: string;
  readonly option: string;
  readonly resource: string;
  /** What it is compared with: the feed's last accepted run, the one of seven days before, at twice the limit, or a contract. */
  readonly against: 'last' | 'week' | 'contract';
  readonly count: number;
  /** How many records did the opposite: what is shown again after it was hidden. */
  readonly back: number;
  /** The number that the share is of. */
  readonly of: number;
  /** The share that the guard lets through. */
  readonly limit: number;
  /** Set where count and limit are no share: rows, columns, seconds. */
  readonly isCount?: true;
  readonly passed: boolean;
  /** `24 would change in price too much, 4.1 % of 590 (limit 2x:5 %)`. */
  readonly words: string;
}

/** A figure beyond its limit, with the first offenders. */
export interface GuardBreach extends GuardFigure {
  readonly offenders: readonly Offender[];
  /** Offenders that are not among these. */
  readonly more: number;
}

/** A figure, with offenders where it is beyond its limit. */
export type JudgedFigure = GuardFigure | GuardBreach;

export function isBreach(figure: JudgedFigure): figure is GuardBreach {
  return !figure.passed;
}

/** Figures in the form that the ledger stores: no offenders, and no text for a count of zero. */
export function keptFigures(figures: readonly GuardFigure[]): readonly GuardFigure[] {
  const kept = figures.filter(({ count, against }) => count > 0 || against !== 'week');
  return kept.map(({ guard, option, resource, against, count, back, of, limit, isCount, passed, words }) => {
    const shown = count === 0 && passed && against !== 'contract' ? '' : words;
    return {
      guard,
      option,
      resource,
      against,
      count,
      back,
      of,
      limit,
      ...(isCount && { isCount }),
      passed,
      words: shown,
    };
  });
}

/** In thousandths of a percent, which shares are typed in: 29 of 100 are not more than 29 %, as 0.29 * 100 would have it. */
export function exceedsShare(count: number, share: number, of: number): boolean {
  return count * 100_000 > Math.round(share * 100_000) * of;
}
