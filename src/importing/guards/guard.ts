// A guard: a limit on how much of a feed may change in one run. It is compared with a dry run before the first write, as a share of
// what the feed's last accepted run read, and at twice that with the run of seven days before, so that no feed leaks away.
import type { FieldChange, Line } from '../../core/import-report.js';
import type { FilledFields } from '../../core/ledger/filled-fields.js';
import type { Offender } from '../../core/ledger/guard-figure.js';
import { isShown } from '../../core/ledger/suspension.js';
import { limitPercent } from '../../core/text/percent.js';
import type { RewrittenKeys } from './rewritten-keys.js';
import type { WidespreadChanges } from './widespread-changes.js';

/** A share of more than this many rows whose price changes by this factor or more. */
export interface PriceGuard {
  readonly factor: number;
  readonly share: number;
}

/** The limits of an import, as shares from 0 to 1; an absent one does not apply. Guards with a share of their own add theirs. */
export interface GuardLimits {
  readonly maxRefused?: number;
  /** How much the share of refused rows may be above that of the last accepted run. */
  readonly maxRefusedMore?: number;
  readonly maxPriceChange?: PriceGuard;
  readonly minRows?: number;
  readonly [share: `max${string}`]: number | PriceGuard | undefined;
}

export interface GuardedLine {
  readonly line: Line;
  /** Whether its record would be new, or comes back after its creation was undone. */
  readonly isNew: boolean;
  /** Whether a run suspended its record. */
  readonly isBack: boolean;
  readonly price: PriceGuard | undefined;
}

/** What makes a line count. */
export interface Offence {
  readonly words: string;
  readonly change?: FieldChange;
  /** How much it counts for; 1 if undefined. */
  readonly count?: number;
  /** The heaviest are shown; in their order if undefined. */
  readonly weight?: number;
}

/** What a run reads of a resource, and would do to its records. */
export interface ResourceFigures {
  readonly resource: string;
  total: number;
  /** Rows that would change in unknown ways. */
  rowsWithoutDiff: number;
  /** Which fields the rows have; undefined if it is not known. */
  filled?: FilledFields;
  readonly rewritten: RewrittenKeys;
  readonly widespread: WidespreadChanges;
}

/** The run that a guard compares with. */
export interface ComparedRun {
  readonly rows: number;
  readonly filled?: FilledFields;
  /** 1; 2 for the run of seven days before, since it may be twice as much. */
  readonly times: 1 | 2;
}

export interface ShownShare {
  readonly share: number;
  readonly shown: string;
}

/** A guard. A new one is a file like the others, and a line in `guard-list.ts`. */
export interface Guard {
  readonly name: string;
  readonly option: string;
  /** Declares the option, where no other guard does. */
  readonly share?: ShareOption;
  /** What is counted, after its number: `would be created`. */
  readonly words: string;
  /** The same after 1, where that is another: `is missing`. */
  readonly wordsOfOne?: string;
  /** Where it is not the share that its option names. */
  limitOf?(limits: GuardLimits, run: ComparedRun): ShownShare | undefined;
  /** Why a line counts; undefined if it does not. */
  offence?(line: GuardedLine): Offence | undefined;
  /** Whether a line takes back what the guard counts: a leak is what is left of a week. */
  takesBack?(line: GuardedLine): boolean;
  /** What the share is of; the rows of the compared run if undefined. */
  base?(figures: ResourceFigures, count: number): number;
  /** What follows from the finding of a line guard. */
  remark?(figures: ResourceFigures): string;
  /** For a guard that counts no lines. */
  measure?(figures: ResourceFigures, run: ComparedRun, isBeyond: (count: number) => boolean): Measured | undefined;
  /** Whether it compares states, and not what changes from run to run, which adds up. */
  readonly isLevel?: true;
}

/** What a guard found. */
export interface Measured {
  readonly count: number;
  readonly back?: number;
  readonly of: number;
  readonly words: string;
  readonly offenders: readonly Offender[];
  /** Offenders that are not among these. */
  readonly more?: number;
}

/** The limit of a guard for a compared run; undefined where it does not apply. */
export function limitOf(guard: Guard, limits: GuardLimits, run: ComparedRun): ShownShare | undefined {
  if (guard.limitOf !== undefined) return guard.limitOf(limits, run);
  const share = limits[limitName(guard.option)];
  return typeof share === 'number' ? limit(share * run.times) : undefined;
}

/** `maxCreated` of `--max-created`, as Commander names the value of an option. */
export function limitName(option: string): `max${string}` {
  return `max${option.slice('--max'.length).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())}`;
}

export function limit(share: number): ShownShare {
  return { share, shown: limitPercent(share) };
}

/** What declares an option that is a share and nothing else. */
interface ShareOption {
  readonly help: string;
  /** What a feed has by default, if anything; the help says so. */
  readonly standard?: number;
}

/** The change of a line's own status from or to one that customers see. */
export function statusChange({ changes = [] }: Line, to: 'shown' | 'hidden'): FieldChange | undefined {
  return changes.find(
    (one) => one.field === 'status' && isShown(one.from) !== isShown(one.to) && isShown(one.to) === (to === 'shown'),
  );
}
