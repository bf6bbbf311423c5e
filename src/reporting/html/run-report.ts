// The data of a run's page: aggregates and samples, each with a limit, without its presentation.
import type { Warning } from '../../core/diagnostics/warning-codes.js';
import type { Counts, FieldChange } from '../../core/import-report.js';
import type { EndLine, FeedEnd } from '../../core/ledger/feed-end.js';
import type { GuardBreach, GuardFigure } from '../../core/ledger/guard-figure.js';
import type { MissingValue } from '../../importing/observer.js';
import type { PlannedStop } from '../run-info.js';
import type { RefusedRow } from './refused-row.js';

/** A run, or an inspection, as it was started. */
interface RunHead {
  readonly version: string;
  readonly started: Date;
  readonly command: string;
  readonly target: string;
  /** Its number in the history of the catalog. */
  readonly number?: number;
  readonly dryRun: boolean;
  readonly options: Readonly<Record<string, unknown>>;
}

interface ColumnReport {
  readonly name: string;
  readonly fields: readonly string[];
  /** How many records have a value there; undefined if that was not counted. */
  readonly filled: number | undefined;
}

export interface FileReport {
  readonly file: string;
  readonly resource: string;
  readonly counts: Readonly<Counts>;
  readonly seconds: number;
  readonly stopped?: string;
  /** Format, encoding and so on, as text. */
  readonly form: string;
  readonly columns: readonly ColumnReport[];
  /** Records that a mapping excluded. */
  readonly leftOut: number;
  readonly notes: readonly string[];
}

/** A line, and the file it is in. */
export interface LinePlace {
  readonly file: number;
  readonly line: number;
}

/** Refusals of one code for one column. */
export interface CauseReport {
  readonly code: string;
  /** The column of the file; if there is none, the field; '' for the whole row. */
  readonly column: string;
  readonly isColumn: boolean;
  readonly resource: string;
  readonly count: number;
  readonly places: readonly LinePlace[];
  readonly example: { readonly key: string; readonly reason: string };
}

export interface RootCauseReport {
  /** `category`, its name and where it is. */
  readonly what: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly followed: readonly (readonly [word: string, count: number])[];
}

export interface Jump extends LinePlace {
  readonly key: string;
  readonly field: string;
  readonly from: number;
  readonly to: number;
}

/** Prices that change by a similar factor. */
interface PriceBucket {
  readonly label: string;
  /** The same in two short lines, for a chart. */
  readonly short: readonly [string, string];
  readonly count: number;
  readonly direction: -1 | 1;
}

/** Changes of stored records: with `--diff` only. */
export interface ChangesReport {
  readonly records: number;
  readonly prices: {
    readonly changed: number;
    readonly up: number;
    readonly down: number;
    readonly buckets: readonly PriceBucket[];
    readonly jumps: readonly Jump[];
    /** How many changed by a power of ten, as a misread decimal sign would do. */
    readonly powers: readonly { readonly factor: string; readonly count: number }[];
  };
  readonly stock: readonly { readonly what: string; readonly count: number }[];
  readonly status: readonly { readonly from: string; readonly to: string; readonly count: number }[];
  readonly fields: readonly { readonly field: string; readonly count: number }[];
}

export interface Sample extends LinePlace {
  readonly key: string;
  readonly id: string;
  readonly changes: readonly FieldChange[];
  readonly words: string;
}

/** Items done at a time since the start. */
export interface Tick {
  readonly seconds: number;
  readonly total: number;
}

export interface RunReport extends RunHead {
  readonly exit: number;
  readonly seconds: number;
  /** The code of its early end, and the message. */
  readonly stopped?: string;
  readonly failure?: string;
  readonly counts: Readonly<Counts>;
  /** The requested files; those that were begun are in `files`. */
  readonly asked: readonly string[];
  readonly files: readonly FileReport[];
  readonly rootCauses: readonly RootCauseReport[];
  readonly causes: readonly CauseReport[];
  /** Refusals beyond the maximum number of causes. */
  readonly otherRefusals: number;
  readonly missing: readonly (MissingValue & { readonly file: number })[];
  /** Characteristics that add the missing values, as JSON. */
  readonly missingJson: string;
  readonly notices: readonly { readonly code: string; readonly count: number }[];
  readonly changes?: ChangesReport;
  /** The plan that the run made, with the guards that would stop its import. */
  readonly plan?: {
    readonly file: string;
    readonly apply: string;
    readonly found: readonly PlannedStop[];
  };
  /** What the end of the feed's run did, or would do, of each effect the first keys. */
  readonly feedEnd?: FeedEnd;
  /** The first records that it changed, with what changed. */
  readonly ended: readonly EndLine[];
  /** What its guards found. */
  readonly guards: readonly (GuardFigure | GuardBreach)[];
  /** Where they stopped it: the commands that look at it and go on. */
  readonly next?: { readonly look: string; readonly goOn: string };
  readonly warnings: readonly Warning[];
  readonly refused: RefusedReport;
  readonly samples: {
    readonly created: readonly Sample[];
    readonly updated: readonly Sample[];
    readonly deactivated: readonly Sample[];
  };
  /** Items whose lists lost entries. */
  readonly deactivated: number;
  readonly ticks: readonly Tick[];
  readonly waits?: { readonly count: number; readonly seconds: number };
  /** The files that contain every line, if any. */
  readonly everyLine: readonly string[];
}

/** Refused lines: the first as they are, the others packed, for the script of the page. */
export interface RefusedReport {
  readonly first: readonly RefusedRow[];
  /** Base64 of deflated JSON, each a list of rows; from the first row on. */
  readonly packed: readonly { readonly text: string; readonly rows: number }[];
  /** The names of the columns of each file. */
  readonly heads: readonly (readonly string[])[];
}
