// The state of a mapping while it goes through a file.
import type { UnreadableEntry } from '../../core/entry.js';
import type { RecordKey } from '../../core/fields/record-key.js';
import type { ValueSyntax } from '../cells/coerce-value.js';
import type { RawPart } from '../record-reader.js';
import type { FileScope, ReadBefore } from './file-scope.js';
import type { MappingSection } from './mapping.js';
import type { Deduplicator, ItemOrigin } from './rows/deduplicate.js';
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

/** What is bound once the names of the columns are known. */
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
  /** The line of the first record, and its line in the original file if it is reimported. */
  readonly line: number;
  readonly origin: number;
  readonly isBack: boolean;
  /** Reimported, and may lack a row that could not be read. What was found to be whole is separate from such a row. */
  readonly isOpen: boolean;
  /** The line before it that could not be read, and may be of this item. */
  gap: number | undefined;
  /** Their texts, and those of what they look up, where these are kept. */
  readonly parts: RawPart[];
}

export interface MapperState {
  readonly use: MappingContext;
  readonly rowText: ((cells: readonly string[]) => string) | undefined;
  readonly once: Deduplicator | undefined;
  /** Whether tables are made of this file. */
  readonly hasTables: boolean;
  bound: BoundSection | undefined;
  held: HeldGroup | undefined;
  /** Records that could not be read behind them. */
  readonly waiting: { readonly entry: UnreadableEntry; readonly from: ItemOrigin }[];
  /** The section once more, for rows of another shape, and how many of them there were. */
  guess: BoundSection | undefined;
  guesses: number;
  /** Rows that could not be read since the last item (`rows:`). */
  gap: GroupGap | undefined;
  /** The line of the row that `fill` would use. */
  above: number;
  records: number;
  /** Left out by `keep` and `skip`, and without any value. */
  kept: number;
  blank: number;
}
