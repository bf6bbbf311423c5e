// One item as its resource's `decide` sees it: its input, and methods for diagnostics and changed rows.

import type { MessageParams } from '../diagnostics/message-text.js';
import type { NoticeCode, RefusalCode } from '../diagnostics/refusal-codes.js';
import type { WrittenAmount } from '../fields/currencies.js';
import type { OnlyAction } from '../only-action.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { Row, Table } from '../rows/table.js';

/** A checked item: the sent fields, normalized; wrong or missing fields are absent. */
export type CheckedFields = Readonly<Record<string, unknown>>;

/** What core needs from outside: the time, and external lists and functions. */
export interface Environment {
  /** The current time in Unix seconds. */
  readonly now: number;
  /** Whether a three-letter word is an ISO 639-3 code. */
  readonly isLanguage: (code: string) => boolean;
  /** Names the rules of this build: another one may decide differently about the same item. */
  readonly rules: string;
  /** Converts a text to an address segment (see slug.ts); '' if nothing remains of it. */
  readonly slugify: (text: string) => string;
}

/** Further steps of a prefetch, each for when what was asked for before it is loaded. */
export type FurtherSteps = readonly (() => void)[];

/** The options of an import that apply to each item. */
export interface ImportMode {
  readonly dryRun: boolean;
  readonly diff: boolean;
  /** Whether the lists of products are compared: always but in a plain dry run. */
  readonly comparesLists: boolean;
  /** See `ImportOptions.plan`. */
  readonly plan?: 'make' | 'apply';
  /** False where the items only change records, and list none that regains its status by it. */
  readonly isListing?: false;
  /** See `ImportOptions.only`. */
  readonly only?: OnlyAction;
}

/** How changes of a child are reported: its path in the item, and its values in wire form. */
export interface ChildChange {
  readonly path: (row: Row) => string;
  readonly show: (row: Row, snapshot: Snapshot) => Readonly<Record<string, unknown>>;
}

/** The task of deciding one item; `I` is the type that its resource's fields give it. */
export interface Task<I extends CheckedFields = CheckedFields> {
  readonly item: I;
  /** Amounts with a currency next to them, if the item itself has none. */
  readonly amounts: readonly WrittenAmount[] | undefined;
  readonly snapshot: Snapshot;
  readonly environment: Environment;
  readonly mode: ImportMode;
  /**
   * Adds a problem; the item will be refused with all its problems. The message is made from the value and the parameters
   * (message-text.ts); parameters that are expensive may be a function.
   */
  refuse(code: RefusalCode, field: string, value?: unknown, params?: MessageParams | (() => MessageParams)): void;
  notice(code: NoticeCode, field: string, value?: unknown, params?: MessageParams): void;
  /** Adds a member to the item's one `field_ignored` notice. */
  ignore(path: string): void;
  /** Keeps no fingerprint of the item: in another run its decision may find something to tell. */
  leaveUnrecognized(): void;
  /** Whether the field at this path has a problem already, so that it is not reported as missing. */
  hasProblem(path: string): boolean;
  /** Sets the stored row of the item as soon as it is found: a refused line has an id too. */
  known(row: Row): void;
  /**
   * Saves the record's own row; `before` is undefined for a new one. A difference in an `uncompared` column is saved
   * but does not count as an update.
   * @returns whether it counts as one, or is new
   */
  saveRecord(table: Table, before: Row | undefined, next: Row, uncompared?: readonly string[]): boolean;
  /** Saves a child's row; with `compared` false a difference does not count as an update. */
  saveChild(table: Table, before: Row | undefined, next: Row, change: ChildChange, compared?: boolean): void;
  /** Saves a bookkeeping row, which is not part of the record; `before` is undefined for a new one. */
  saveAuxiliary(table: Table, before: Row | undefined, next: Row): void;
}
