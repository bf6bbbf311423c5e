// What an import reports: a line per item, a report per batch; and the read shape of a record.

/** A notice about an accepted item, or a further problem of a refused one. */
export interface Notice {
  readonly code: string;
  /** The path of the field (`axes[1].price_mode`), or '' for the whole item. */
  readonly field: string;
  readonly message: string;
}

/** A refusal or notice as data: reports and summaries use this, and never parse the message. */
export interface Diagnostic extends Notice {
  /** The sent value, if the diagnostic is about one. */
  readonly value?: unknown;
  /** The other parameters of its message (core/diagnostics/message-text.ts). */
  readonly params?: Readonly<Record<string, string | number | readonly string[]>>;
}

/** A field that an item changed, in the form a read shows it. `from` is null for a new record. */
export interface FieldChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

export type Action = 'created' | 'updated' | 'unchanged' | 'refused';

/** The values of the fields that an item of a plan would change, before it; null for a new record. */
export type ExpectedValues = Readonly<Record<string, unknown>> | null;

/** For an item of a plan: what it expects, and whether an earlier item of its feed's run had the same key. */
export interface PlannedItem {
  readonly expect: ExpectedValues;
  readonly repeats?: boolean;
}

/** The result of one item: an entry of the report's `data`. */
export interface Line {
  readonly index: number;
  readonly external_id: string;
  readonly action: Action;
  readonly id: string | null;
  readonly code: string | null;
  readonly title: string | null;
  readonly reason: string | null;
  readonly notice: readonly Notice[];
  /** The diagnostics as data, problems first; only within this process. Undefined if there are none. */
  readonly diagnostics?: readonly Diagnostic[];
  /** Only with `diff`. */
  readonly changes?: readonly FieldChange[];
  /** What the item expects when it is applied, if a plan is made and the item saves anything. */
  readonly planned?: PlannedItem;
}

export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  refused: number;
  total: number;
}

/** The report on one batch: the `response` of a POST. */
export interface Report extends Readonly<Counts> {
  readonly object: 'list';
  readonly resource: string;
  readonly dry_run: boolean;
  readonly data: readonly Line[];
}

/** A record in the read shape of its resource. */
export type ReadShape = Readonly<Record<string, unknown>>;
