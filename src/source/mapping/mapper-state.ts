// The state of applying a mapping to a file.
import type { Problem } from '../../core/diagnostics/refusal-codes.js';
import type { UnreadableEntry } from '../../core/entry.js';
import type { RecordKey } from '../../core/fields/record-key.js';
import type { ValueSyntax } from '../cells/coerce-value.js';
import type { RawPart } from '../record-reader.js';
import type { FileScope, ReadBefore } from './file-scope.js';
import type { MappingSection } from './mapping.js';
import type { Deduplicator, ItemOrigin } from './rows/deduplicator.js';
import type { FillDown } from './rows/fill-down.js';
import type { GroupGap } from './rows/group-gap.js';
import type { RefusalOrigin } from './rows/refusal-origin.js';
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
  readonly origin: (record: unknown) => RefusalOrigin | undefined;
  readonly unused: UnusedColumns;
}

/** The records of the current item so far. */
export interface HeldGroup {
  readonly group: string;
  readonly records: unknown[];
  /** The line of the first record; for a reimported one its line in the original file. */
  readonly line: number;
  readonly origin: number;
  readonly isBack: boolean;
  /** Reimported, and refused before for its key. */
  isKeyless: boolean;
  /** Reimported, and possibly without a row that could not be read. A complete item is not joined with such a row. */
  readonly isOpen: boolean;
  /** The unreadable line before it that may belong to this item. */
  gap: number | undefined;
  /** Their texts, and those of records they look up, if these are kept. */
  readonly parts: RawPart[];
}

export interface MapperState {
  readonly use: MappingContext;
  readonly rowText: ((cells: readonly string[]) => string) | undefined;
  readonly once: Deduplicator | undefined;
  /** Whether tables are made from this file. */
  readonly hasTables: boolean;
  bound: BoundSection | undefined;
  held: HeldGroup | undefined;
  /** Unreadable records after them. */
  readonly waiting: { readonly entry: UnreadableEntry; readonly from: ItemOrigin }[];
  /** The section compiled again for rows with another number of cells, and the count of those. */
  guess: BoundSection | undefined;
  guesses: number;
  /** Rows that could not be read since the last item (`rows:`). */
  gap: GroupGap | undefined;
  /** The line of the row from which `fill` would fill. */
  above: number;
  /** Why it cannot be known whether the current record is kept, or to which group it belongs. */
  readonly problems: Problem[];
  readonly refuse: (problem: Problem) => void;
  records: number;
  /** Counts of records excluded by `keep` and `skip`, and of empty ones. */
  kept: number;
  blank: number;
}
