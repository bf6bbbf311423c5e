// The import request as data: no flags, no process, no terminal. A command builds it from its options; tests and programs
// write it directly.
import type { RunFile } from '../core/ledger/run-tables.js';
import type { Resource } from '../core/resource.js';
import type { Source, SourceOptions } from '../source/source.js';

/** The policy for rows that share a key: all are applied in order, only the last, only the first, or none. */
export const duplicatePolicies = ['last', 'keep-last', 'first', 'refuse'] as const;
export type DuplicatePolicy = (typeof duplicatePolicies)[number];

/** One file, and the resource that its records are of. */
export interface FileRequest {
  readonly resource: Resource;
  /** Where it is and how it is written. */
  readonly source: SourceOptions;
  /** Of a file whose items come from a plan: what opens them, and what the ledger keeps of the file. */
  readonly planned?: { open(): Source; readonly described: RunFile };
}

/** Files to be imported into one catalog, in this order. */
export interface ImportRequest {
  readonly files: readonly FileRequest[];
  /** Dry run: nothing is saved; the reports show what would happen. */
  readonly dryRun?: boolean;
  /** Each line lists its changes. */
  readonly diff?: boolean;
  /** Whether a plan is made in a dry run with `diff`, or applied. */
  readonly plan?: 'make' | 'apply';
  /** `last` when not given. */
  readonly duplicates?: DuplicatePolicy;
  /** The import stops before the batch with which the refused items of all files exceed this. */
  readonly maxRefused?: number;
}
