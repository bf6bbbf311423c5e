// What a command imports, and in which mode: files with their resources.

import type { FeedEnd } from '../../core/ledger/feed-end.js';
import type { SeenKeys } from '../../core/ledger/seen-keys.js';
import type { Resource } from '../../core/resource.js';
import type { ImportObserver } from '../../importing/observer.js';
import type { FileRequest } from '../../importing/request.js';
import type { RunInfo } from '../../reporting/run-info.js';
import type { MappingSection } from '../../source/mapping/mapping.js';

export interface AppliedPlan {
  readonly digest: string;
  /** What the planned import read of its feed. */
  readonly seen: readonly SeenKeys[];
  /** Whether it read all files of the feed. */
  readonly complete: boolean;
  /** The last run of the catalog when the plan was made. */
  readonly afterRun: number;
  /** Whether an earlier run applied the whole plan: both count as one run of the feed. */
  readonly isRepeated: boolean;
}

export interface Job {
  readonly resource: Resource;
  /** A path, `-`, or an address as it may be shown. */
  readonly file: string;
  readonly address?: URL;
  readonly mapped?: MappingSection;
  /** The name of the file inside an archive. */
  readonly sheet?: string;
  /** The plan its items come from, if any. */
  readonly planned?: NonNullable<FileRequest['planned']>;
}

/** The mode of an import: ordinary, or making or applying a plan. */
export interface ImportCourse {
  /** Whether the files are reported as one run with a total, or as a single file. */
  readonly many: boolean;
  readonly plan?: 'make' | 'apply';
  /** The typed command as the ledger records it; by default the name of the resource, or `run`. */
  readonly command?: string;
  readonly planned?: RunInfo['plan'];
  readonly applied?: AppliedPlan;
  /** Files that a remote does not take. */
  readonly leftOut?: readonly string[];
  /** Other files that are read or written, and must not be overwritten. */
  readonly reads?: readonly string[];
  readonly writes?: readonly { readonly option: string; readonly path: string }[];
  /** Observers called before all others. */
  readonly observers?: readonly ImportObserver[];
  /** The exit code after the last file was read, if it differs from that of an ordinary import. */
  readonly exitOf?: () => number | undefined;
  /**
   * Called after a complete import.
   * @param end what the end of a feed's run did, or would do
   * @throws the failure to report at the end
   */
  readonly complete?: (end: FeedEnd | undefined) => void;
  /** Whether a refused item ends the import before its batch is applied. */
  readonly strict?: boolean;
}
