// The state of applying a mapping to a file.
import type { Problem } from '../../core/diagnostics/refusal-codes.js';
import type { UnreadableEntry } from '../../core/entry.js';
import type { RecordKey } from '../../core/fields/record-key.js';
import type { ValueSyntax } from '../cells/coerce-value.js';
import type { RowOrigin, RowPlace } from '../file-place.js';
import type { FileScope, ReadBefore } from './file-scope.js';
import type { MappingSection } from './mapping.js';
import type { Deduplicator } from './rows/deduplicator.js';
import type { FillDown } from './rows/fill-down.js';
import type { GroupGap } from './rows/group-gap.js';
import type { ParentsFirst } from './rows/parents-first.js';
import type { SectionMapper } from './section-mapper.js';
import type { UnusedColumns } from './unused-columns.js';

/** What a mapping needs to know about the file it is applied to. */
export interface MappingContext {
  readonly file: string;
  readonly mapped: MappingSection;
  readonly before: ReadBefore;
  readonly key: RecordKey;
  readonly set: ReadonlyMap<string, string>;
  readonly writing: ValueSyntax;
}

/** The part that is bound when the names of the columns are known. */
export interface BoundSection {
  readonly columns: readonly string[] | undefined;
  readonly scope: FileScope;
  readonly fill: FillDown | undefined;
  readonly maker: SectionMapper;
  readonly lineOf: (record: unknown) => number | undefined;
  readonly unused: UnusedColumns;
}

/** The records of the current item so far. */
interface HeldGroup {
  readonly group: string;
  readonly records: unknown[];
  readonly places: RowPlace[];
  /** The unreadable rows next to or between them that may belong to this item. */
  gap: GroupGap | undefined;
}

export interface MapperState {
  readonly use: MappingContext;
  readonly rowText: ((cells: readonly unknown[]) => string) | undefined;
  readonly once: Deduplicator | undefined;
  readonly order: ParentsFirst | undefined;
  /** Whether items depend on several records, so that refused ones are written as items. */
  readonly isJoined: boolean;
  bound: BoundSection | undefined;
  held: HeldGroup | undefined;
  /** Unreadable records after them. */
  readonly waiting: { readonly entry: UnreadableEntry; readonly from: RowOrigin }[];
  /** The section compiled again for rows with another number of cells, and the count of those. */
  guess: BoundSection | undefined;
  guesses: number;
  /** Rows that could not be read since the last item (`rows:`). */
  gap: GroupGap | undefined;
  /** Why it cannot be known whether the current record is kept, or to which group it belongs. */
  readonly problems: Problem[];
  readonly refuse: (problem: Problem) => void;
  /** Records of the file so far, with those that could not be read; and those that could. */
  read: number;
  records: number;
  /** Counts of records excluded by `keep` and `skip`, and of empty ones. */
  kept: number;
  blank: number;
  /** Records of which `each` made nothing. */
  partless: number;
}
