// One item as its resource's `decide` sees it: what it reads, and where it says what it found.

import type { MessageParams } from '../diagnostics/message-text.js';
import type { NoticeCode, RefusalCode } from '../diagnostics/refusal-codes.js';
import type { WrittenAmount } from '../entry.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { Row, Table } from '../rows/table.js';

/** A checked item: the fields that were sent, normalised; fields that are wrong or not sent are absent. */
export type CheckedFields = Readonly<Record<string, unknown>>;

/** What core is given of the outside: the time, and lists that are not its own. */
export interface Environment {
  /** The current time in Unix seconds. */
  readonly now: number;
  /** Whether a three-letter word is an ISO 639-3 code. */
  readonly isLanguage: (code: string) => boolean;
  /** A text as an address segment (see slug.ts), '' where nothing is left of it. */
  readonly slugify: (text: string) => string;
}

/** What an import was asked to do with each of its items. */
export interface ImportMode {
  readonly dryRun: boolean;
  readonly diff: boolean;
}

/** How changes of a child are told, where they are asked for: where it stands in the item, and its values in wire form. */
export interface ChildChange {
  readonly path: (row: Row) => string;
  readonly show: (row: Row, snapshot: Snapshot) => Readonly<Record<string, unknown>>;
}

/** An item on its way; `I` is what its resource's fields make of it. */
export interface Task<I extends CheckedFields = CheckedFields> {
  readonly item: I;
  /** Amounts that a currency was written beside, where the item itself has none. */
  readonly amounts: readonly WrittenAmount[] | undefined;
  readonly snapshot: Snapshot;
  readonly environment: Environment;
  readonly mode: ImportMode;
  /**
   * Says that something is wrong; the item will be refused, with everything that was said. Its sentence is
   * made of the value and the parameters (message-text.ts); where these take work they are handed over as a function.
   */
  refuse(code: RefusalCode, field: string, value?: unknown, params?: MessageParams | (() => MessageParams)): void;
  notice(code: NoticeCode, field: string, value?: unknown, params?: MessageParams): void;
  /** Says that a member was not taken (`field_ignored`); all of an item share one notice. */
  ignore(path: string): void;
  /** Whether the field at this path was complained of already, so that its absence says nothing. */
  hasProblem(path: string): boolean;
  /** Names the stored row the item is about, as soon as it is known: also a refused line carries its id. */
  known(row: Row): void;
  /**
   * Saves the record's own row; `before` is undefined for a new one. A difference in a column of `uncompared` is
   * saved and does not count as an update.
   */
  saveRecord(table: Table, before: Row | undefined, next: Row, uncompared?: readonly string[]): void;
  /** Saves a child's row; `compared` false where a difference is not to count as an update. */
  saveChild(table: Table, before: Row | undefined, next: Row, change: ChildChange, compared?: boolean): void;
  /** Saves a row of bookkeeping, which is no part of the record. */
  saveAuxiliary(table: Table, before: Row | undefined, next: Row): void;
}
