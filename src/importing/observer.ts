// The observers of an import: one interface for everything that shows, counts or writes something while it runs.
import type { Catalog } from '../core/catalog.js';
import type { RepeatRemedy } from '../core/diagnostics/repeat-remedy.js';
import type { Warning } from '../core/diagnostics/warning-codes.js';
import type { Entry } from '../core/entry.js';
import type { Counts, Report } from '../core/import-report.js';
import type { RunEffects } from '../core/ledger/feed-end.js';
import type { JudgedFigure } from '../core/ledger/guard-figure.js';
import type { Resource } from '../core/resource.js';
import type { Source } from '../source/source.js';

/** Commands for who looks at a blocked run. */
export interface NextCommands {
  /** Shows what the run would do. */
  readonly look: string;
  /** Does it all the same. */
  readonly goOn: string;
}

/** A file whose import begins. */
export interface ImportedFile {
  readonly resource: Resource;
  /** The file as shown to people; `-` for standard input. */
  readonly file: string;
  readonly dryRun: boolean;
  /** The detected syntax, the progress of reading, and what was left out. */
  readonly source: Pick<
    Source,
    'found' | 'form' | 'progress' | 'unknown' | 'columns' | 'leftOut' | 'notes' | 'warnings' | 'expected'
  >;
  /** The target, for look-ups. */
  readonly catalog: Pick<Catalog, 'read'>;
  /** Fields that every item gets as a constant. */
  readonly constants?: readonly string[];
  /** Whether a mapping makes the items. */
  readonly isMapped?: boolean;
}

/** The report on one batch, with the origin of its items. */
export interface BatchResult {
  readonly report: Report;
  /** The physical line of each item in its file. */
  readonly lines: readonly number[];
  /** How many items of the file were reported before. */
  readonly offset: number;
  /** The entries as they were imported, and their text if it was kept. */
  readonly entries?: readonly Entry[];
  readonly raws?: readonly string[];
  /** The number of each item's record in the file, where a mapping made the items. */
  readonly numbers?: readonly number[];
  /** Indexes of lines caused by an earlier refusal: shown with that cause, and not one by one. */
  readonly followers?: ReadonlySet<number>;
}

/** The rows of a file that share a key, as far as they were detected. */
export interface DuplicateRows {
  /** How many rows repeat the key of an earlier one. */
  readonly count: number;
  /** The first of them: the key, and the lines of two rows that have it. */
  readonly listed: readonly { readonly key: string; readonly lines: readonly [number, number] }[];
  /**
   * Which rows of a key were applied: all, so that the `last` one wins (`last-batch` where rows of one batch are
   * refused), only the `first`, only the last (`last-only`), or `none`.
   */
  readonly applied: 'last' | 'last-batch' | 'first' | 'last-only' | 'none';
  /** How many keys were watched, if the file has more. */
  readonly watchedKeys?: number;
  /** What helps, unless it is an option. */
  readonly remedy?: RepeatRemedy;
}

/** The outcome of a file, or of a whole run. */
export interface Outcome {
  readonly counts: Readonly<Counts>;
  readonly seconds: number;
  /** Why it ended early: the code of the failure. */
  readonly stopped?: string;
  readonly failure?: string;
  /** Refused items that caused further refusals, in this file or earlier ones, the most frequent first. */
  readonly rootCauses?: readonly RootCause[];
  /** Values of this file that closed lists lack, the most frequent first, and how to add those of all files so far. */
  readonly missing?: { readonly values: readonly MissingValue[]; readonly items: readonly object[] };
  /** Remarks for people, shown next to the lines. */
  readonly remarks?: readonly string[];
  /** Rows of a file that share a key, if any. */
  readonly duplicates?: DuplicateRows;
  /** The file with the refused records of a file, if it was asked for and there are any. */
  readonly refusedFile?: RefusedRecords;
  /** Of a whole run: what the end of its feed's run did. */
  readonly effects?: RunEffects;
  /** Of a whole run: what its guards found, and, where they stopped it, the commands that look at it and go on. */
  readonly guards?: readonly JudgedFigure[];
  readonly next?: NextCommands;
  /** Of a whole run: what was noticed. */
  readonly warnings?: readonly Warning[];
}

/** A file of refused records: as they came, or as the items that a mapping made of several records each. */
export interface RefusedRecords {
  readonly path: string;
  readonly count: number;
  readonly as: 'records' | 'items';
}

/** A refused item that caused further refusals. */
export interface RootCause {
  readonly resource: Resource;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** How many items were refused because of it, by resource. */
  readonly followed: ReadonlyMap<string, number>;
}

/** A value that is not in the closed list of its characteristic. */
export interface MissingValue {
  readonly characteristic: string;
  readonly value: string;
  readonly count: number;
  /** The first line it is on. */
  readonly line: number;
  /** The most similar value of the list. */
  readonly nearest: string | undefined;
}

/**
 * Observes an import: for each file `begin`, `batch` for every batch when it is durable, `finish`; `end` once after the
 * last file. Observers are called one after the other. `batch` and `finish` may return an extended copy of their
 * argument for the observers after them. If an observer throws, the import ends.
 */
export interface ImportObserver {
  begin?(file: ImportedFile): void | Promise<void>;
  // biome-ignore lint/suspicious/noConfusingVoidType: most observers return nothing
  batch?(result: BatchResult): BatchResult | void | Promise<BatchResult | void>;
  // biome-ignore lint/suspicious/noConfusingVoidType: most observers return nothing
  finish?(outcome: Outcome): Outcome | void | Promise<Outcome | void>;
  // biome-ignore lint/suspicious/noConfusingVoidType: most observers return nothing
  end?(total: Outcome): Outcome | void | Promise<Outcome | void>;
  /** Called instead of `end` if the import failed before its first file. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most observers return nothing
  failed?(total: Outcome): Outcome | void | Promise<Outcome | void>;
  /** Removes incomplete output: called when the run is over, however it ended. */
  discard?(): void;
}

export function inOrder(observers: readonly ImportObserver[]): Required<ImportObserver> {
  return {
    async begin(file) {
      for (const observer of observers) await observer.begin?.(file);
    },
    async batch(given) {
      let result = given;
      for (const observer of observers) {
        const more = observer.batch?.(result);
        if (more !== undefined) result = (await more) ?? result;
      }
      return result;
    },
    async finish(given) {
      let outcome = given;
      for (const observer of observers) outcome = (await observer.finish?.(outcome)) ?? outcome;
      return outcome;
    },
    async end(given) {
      let total = given;
      for (const observer of observers) total = (await observer.end?.(total)) ?? total;
      return total;
    },
    async failed(given) {
      let total = given;
      for (const observer of observers) total = (await observer.failed?.(total)) ?? total;
      return total;
    },
    discard() {
      for (const observer of observers) observer.discard?.();
    },
  };
}
