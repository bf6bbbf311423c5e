// Applies a section of a mapping to a record reader: records in, items out. It buffers no more than the records of one item
// (`rows:`) and what `once: merge` collects.
import type { Entry } from '../../core/entry.js';
import { CatalogError } from '../../core/errors.js';
import type { RecordKey } from '../../core/fields/record-key.js';
import type { ValueSyntax } from '../coerce-value.js';
import { joinRaws, type OpenChunk, openChunk, type RawPart, type RecordReader } from '../record-reader.js';
import { type Deduplicator, deduplicator, type ItemEntry } from './deduplicate.js';
import { type FileScope, fileScope, type ReadBefore } from './file-scope.js';
import { type FillDown, fillDown } from './fill-down.js';
import { tablesOf } from './lookup-tables.js';
import type { MappingSection } from './mapping.js';
import { decimalSignNotes, lostDigitNotes, truncationNotes } from './mapping-notes.js';
import { type RefusalOrigin, refusalOrigin } from './refusal-origin.js';
import { type SectionMapper, sectionMapper } from './section-mapper.js';
import { type UnusedColumns, unusedColumns, unusedMembers } from './unused-columns.js';

/** Most records that make one item. */
const mostTogether = 5_000;

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
interface BoundSection {
  readonly columns: readonly string[] | undefined;
  readonly scope: FileScope;
  readonly fill: FillDown | undefined;
  readonly maker: SectionMapper;
  readonly origin: (record: unknown) => RefusalOrigin | undefined;
  readonly unused: UnusedColumns;
}

/** The records of the current item so far. */
interface HeldGroup {
  readonly group: string;
  readonly records: unknown[];
  /** The line of the first record, and its line in the original file if it is reimported. */
  readonly line: number;
  readonly origin: number;
  readonly isBack: boolean;
  /** Their texts, and those of what they look up, where these are kept. */
  readonly parts: RawPart[];
}

interface MapperState {
  readonly use: MappingContext;
  readonly rowText: ((cells: readonly string[]) => string) | undefined;
  readonly once: Deduplicator | undefined;
  /** Whether tables are made of this file. */
  readonly hasTables: boolean;
  bound: BoundSection | undefined;
  held: HeldGroup | undefined;
  records: number;
  /** Left out by `keep` and `skip`, and without any value. */
  kept: number;
  blank: number;
}

/** A reader of items that takes records from a reader of records. */
export function mappedRecords(inner: RecordReader, use: MappingContext): RecordReader {
  const { mapped, key, file } = use;
  const once = mapped.section.once && deduplicator(mapped.section.once, key, file);
  const counts = { records: 0, kept: 0, blank: 0 };
  const hasTables = tablesOf(mapped).some(([, table]) => table.file === undefined);
  const state: MapperState = {
    use,
    rowText: inner.rowText,
    once,
    hasTables,
    bound: undefined,
    held: undefined,
    ...counts,
  };
  const bind = (): BoundSection => {
    state.bound ??= bound(use, inner.columns?.());
    return state.bound;
  };
  return {
    get ready() {
      return state.bound !== undefined;
    },
    read(block, last, chunk) {
      const read = openChunk(chunk.raws !== undefined);
      try {
        inner.read(block, last, read);
      } finally {
        if (inner.ready) bind();
        takeAll(state, bind, read, chunk);
      }
      if (!last) return;
      flush(state, chunk);
      // Only of a file that was read to its end: half of a list would deactivate its other half.
      for (const { entry, line, raw } of once?.rest() ?? []) put(entry, line, raw, chunk);
    },
    unknown: () => state.bound?.unused.counts() ?? new Map(),
    targets: () => inner.targets().map((column) => ({ ...column, fields: fieldsOf(state.bound, column.name) })),
    leftOut: () => state.kept + state.blank,
    notes: () => [...(inner.notes?.() ?? []), ...notesOf(state)],
  };
}

/** The fields that a mapping makes of a column, or of a member. */
function fieldsOf(known: BoundSection | undefined, name: string): string[] {
  return [...(known?.scope.fieldsBy.get(name) ?? [])];
}

/** Binds a section to the columns of its file. @throws CatalogError `usage` for names that are wrong */
function bound(
  { mapped, before, key, set, writing }: MappingContext,
  columns: readonly string[] | undefined,
): BoundSection {
  const scope = fileScope(mapped, columns, before);
  const fill = fillDown(mapped, scope, columns);
  const maker = sectionMapper(mapped, scope, key, { columns, set, writing });
  const used = new Set([...scope.used, ...(mapped.used ?? [])]);
  const unused = columns === undefined ? unusedMembers(used) : unusedColumns(columns, used);
  return { columns, scope, fill, maker, origin: refusalOrigin(columns), unused };
}

function takeAll(state: MapperState, bind: () => BoundSection, from: OpenChunk, out: OpenChunk): void {
  from.entries.forEach((entry, i) => {
    const line = from.lines[i] ?? 0;
    const raw = from.raws?.[i] ?? '';
    if (entry.kind === 'unreadable') {
      flush(state, out);
      put(entry, line, raw, out);
    } else take(state, bind(), { record: entry.item, line, raw }, out);
  });
}

interface Read {
  readonly record: unknown;
  readonly line: number;
  readonly raw: string;
}

/** Takes the next record: its items go on, or it waits for those that belong to it. */
function take(
  state: MapperState,
  { columns, scope, fill, maker, origin, unused }: BoundSection,
  read: Read,
  out: OpenChunk,
): void {
  const { record } = read;
  state.records++;
  if (columns !== undefined && isBlank(record)) return void state.blank++;
  const back = origin(record);
  if (back?.isLookedUp === true) return;
  unused.watch(record);
  // A reimported row was filled in its original file; in this file other rows precede it.
  const isFilled = back === undefined && fill?.(record as string[]) === true;
  if (!maker.keeps(record)) {
    scope.takeLookedUp();
    return void state.kept++;
  }
  const group = maker.groupOf?.(record);
  const parts = out.raws === undefined ? [] : [...partsOf(state, read, back, isFilled), ...scope.takeLookedUp()];
  const whence = back?.line ?? read.line;
  const { held } = state;
  // Reimported rows from different places of the original file are separate items.
  const isApart = group === undefined || group === '' || held?.group !== group || (back && held.origin !== whence);
  if (held !== undefined && isApart) flush(state, out);
  state.held ??= {
    group: group ?? '',
    records: [],
    line: read.line,
    origin: whence,
    isBack: back !== undefined,
    parts: [],
  };
  if (state.held.records.length >= mostTogether)
    throw new CatalogError(
      'input_unreadable',
      `${state.use.file}: line ${read.line}: more than ${mostTogether} rows belong together (rows:).`,
    );
  state.held.records.push(record);
  state.held.parts.push(...parts);
  if (group === undefined) flush(state, out);
}

/** The raw texts of a record for the file of refused rows: filled, and unfilled for tables, with its original line. */
function partsOf(
  state: MapperState,
  { record, line, raw }: Read,
  back: RefusalOrigin | undefined,
  isFilled: boolean,
): RawPart[] {
  if (back !== undefined) return [{ text: raw, line: back.line, isFilled: back.isFilled }];
  if (!isFilled) return [{ text: raw }];
  const text = state.rowText?.(record as string[]) ?? raw;
  const filled = { text, line, isFilled };
  return state.hasTables ? [filled, { text: raw, line, isLookedUp: true }] : [filled];
}

/** Emits the items of the buffered records. */
function flush(state: MapperState, out: OpenChunk): void {
  const { held, bound: known, once } = state;
  if (held === undefined || known === undefined) return;
  state.held = undefined;
  const { line, origin, isBack, parts } = held;
  const made = known.maker.entries(held.records, origin);
  parts.push(...known.scope.takeLookedUp());
  const raw = out.raws === undefined ? '' : joinRaws(parts);
  for (const entry of made) {
    const given = once !== undefined && isItemEntry(entry) ? once.take(entry, { line, origin, isBack, parts }) : entry;
    if (given !== undefined) put(given, line, raw, out);
  }
}

function notesOf({ bound: known, once, records, kept, blank }: MapperState): string[] {
  const scope = known?.scope;
  return [
    ...(kept > 0 ? [`${kept} of ${records} records skipped by keep and skip`] : []),
    ...(blank > 0 ? [`${blank} empty rows skipped`] : []),
    ...(once?.notes() ?? []),
    ...(scope === undefined
      ? []
      : [...decimalSignNotes(scope.decisions), ...lostDigitNotes(scope.lost), ...truncationNotes(scope.truncated)]),
  ];
}

function put(entry: Entry, line: number, raw: string, out: OpenChunk): void {
  out.entries.push(entry);
  out.lines.push(line);
  out.raws?.push(raw);
}

function isItemEntry(entry: Entry): entry is ItemEntry {
  return entry.kind === 'raw' && typeof entry.item === 'object' && entry.item !== null;
}

function isBlank(record: unknown): boolean {
  return Array.isArray(record) && record.every((cell) => typeof cell === 'string' && cell.trim() === '');
}
