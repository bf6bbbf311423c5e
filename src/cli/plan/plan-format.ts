// The format of a plan file: JSON, one value per line. A header; for each file of the import a `section`, the items
// that change something and the refused lines, an `end` with its counts; then what the import read of its feed, what the
// end of the feed's run would do, what guards found, and a last line with the SHA-256 of all bytes before it. The manual page `files` describes it for
// users.
import { CatalogError } from '../../core/errors.js';
import type { Counts, FieldChange, Notice } from '../../core/import-report.js';
import type { FeedEnd } from '../../core/ledger/feed-end.js';
import type { FilledFields } from '../../core/ledger/filled-fields.js';
import { hashNumber } from '../../core/ledger/recorded-change.js';
import type { Resource } from '../../core/resource.js';
import { resources, shopResources } from '../../core/resources/index.js';

/** The version of the form. */
export const planVersion = 3;

/** The versions that are read; others are refused. Version 2 does not tell what the end of a feed's run would do. */
export const readVersions: readonly number[] = [2, planVersion];

/** The resources whose items a plan may hold. */
export const plannedResources: readonly Resource[] = [...resources, ...shopResources];

/** Maximum bytes of a line: an item of the maximum size for sources, with its changes. */
export const longestLine = 64 * 1024 * 1024;

/** The first line of a plan. */
export interface PlanHeader {
  readonly catalog_import_plan: number;
  /** Identifies the columns of all records: states from another version of the program cannot be compared. */
  readonly layout: string;
  /** When it was made, in ISO form. */
  readonly made: string;
  /** The version of the program that made it. */
  readonly version: string;
  /** The catalog it was made for, without user and password. */
  readonly catalog: string;
  /** Names that catalog, wherever it is moved to (`Ledger.identity`); '' where it was not there yet. */
  readonly identity: string;
  /** The typed command and options, as the ledger records them. */
  readonly command: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** The last run of the catalog at that time; 0 for none. */
  readonly after_run: number;
  /** The blocked run that wrote the plan, if any. */
  readonly blocked_run?: number;
  readonly feed?: PlannedFeed;
}

/** Options of the feed that apply at the end of its run. */
interface PlannedFeed {
  readonly name: string;
  readonly missing?: 'report' | 'suspend';
  readonly missing_after?: number;
  /** Whether all files of the feed were read: otherwise no record counts as missing. */
  readonly complete: boolean;
}

/** A file of the import. */
export interface PlannedFile {
  readonly file: string;
  /** The name of its resource on the command line. */
  readonly resource: string;
  readonly size?: number;
  /** The SHA-256 of its bytes, as base64url. */
  readonly digest?: string;
  readonly format: string;
  readonly encoding: string;
}

/** An item that changes something. */
export interface PlannedChange {
  /** The line in its file. */
  readonly line: number;
  /** Its batch: items of different batches are never put into one. */
  readonly batch: number;
  readonly action: 'created' | 'updated' | 'unchanged';
  readonly key: string;
  readonly id?: string;
  /** The state of its record before the item; '' for a new record. */
  readonly before: string;
  /** Whether an earlier item of the feed's run had the same key; only with ranked feeds. */
  readonly repeats?: boolean;
  readonly item: Readonly<Record<string, unknown>>;
  readonly amounts?: readonly unknown[];
  /** What changes; of a new record that is its item. */
  readonly changes?: readonly FieldChange[];
  readonly notice?: readonly Notice[];
}

/** An item that was refused when the plan was made, and is not part of it. */
export interface PlannedRefusal {
  readonly line: number;
  readonly action: 'refused';
  readonly key: string;
  readonly id?: string;
  readonly code: string;
  readonly title: string;
  readonly reason: string;
  readonly notice?: readonly Notice[];
}

/** The finding of a guard that would stop the import. */
export interface PlannedBreach {
  readonly option: string;
  readonly words: string;
  readonly offenders: readonly string[];
}

/** What the import read of a resource for its feed. Lines with hashes of keys follow. */
export interface PlannedListing {
  /** The name of the resource. */
  readonly resource: string;
  readonly total: number;
  readonly untrusted: number;
  readonly keys: number;
  readonly filled?: FilledFields;
}

/** A line of a plan. */
export type PlanLine =
  | PlanHeader
  | { readonly section: PlannedFile }
  | PlannedChange
  | PlannedRefusal
  | { readonly end: Counts }
  | { readonly listing: PlannedListing }
  | { readonly keys: string }
  | { readonly feed_end: FeedEnd }
  | { readonly guards: readonly PlannedBreach[] }
  | { readonly sha256: string };

/** Identifies the columns of every record in this version. */
export function planLayout(): string {
  const tables = plannedResources.flatMap((resource) => resource.tables);
  return hashNumber(JSON.stringify(tables.map(({ name, columns }) => [name, columns]))).toString(36);
}

/** The error for a plan file that cannot be used. */
export function planError(path: string, why: string, remedy = 'Make the plan again.'): CatalogError {
  return new CatalogError('usage', `${path}: ${why}; nothing was written. ${remedy}`);
}
