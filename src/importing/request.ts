// The import request as data: no flags, no process, no terminal. A command builds it from its options; tests and programs
// write it directly.
import type { RunFile } from '../core/ledger/run-tables.js';
import type { OnlyAction } from '../core/only-action.js';
import type { Resource } from '../core/resource.js';
import type { Source, SourceOptions } from '../source/source.js';

/** The policy for rows that share a key: all are applied in order, only the last, only the first, or none. */
export const duplicatePolicies = ['last', 'keep-last', 'first', 'refuse'] as const;
export type DuplicatePolicy = (typeof duplicatePolicies)[number];

/** One file, and the resource of its records. */
export interface FileRequest {
  readonly resource: Resource;
  /** Where it is, and its options for reading. */
  readonly source: SourceOptions;
  /** For items of a plan: what opens them, and what the ledger records about the file. */
  readonly planned?: { open(): Source; readonly described: RunFile };
}

/** Files to import into one catalog, in this order. */
export interface ImportRequest {
  readonly files: readonly FileRequest[];
  /** Dry run: nothing is saved; the reports show what would happen. */
  readonly dryRun?: boolean;
  /** Whether each line lists its changes. */
  readonly diff?: boolean;
  /** Whether a plan is made, by a dry run with `diff`, or applied. */
  readonly plan?: 'make' | 'apply';
  /** See `ImportOptions.only`. */
  readonly only?: OnlyAction;
  /** `last` if undefined. */
  readonly duplicates?: DuplicatePolicy;
  /** The import stops before the batch with which the refused items of all files would exceed this. */
  readonly maxRefused?: number;
}
