// Applies a section of a mapping to a record reader: records in, items out. It buffers no more than the records of one item
// (`rows:`) and what `once: merge` collects.

import type { Problem } from '../../core/diagnostics/refusal-codes.js';
import type { Entry, UnreadableEntry } from '../../core/entry.js';
import { CatalogError } from '../../core/errors.js';
import { rowAlignments } from '../csv/row-alignments.js';
import { joinRaws, type OpenChunk, openChunk, type RawPart, type RecordReader } from '../record-reader.js';
import { bindSection } from './bind-section.js';
import { tablesOf } from './lookup-tables.js';
import type { BoundSection, HeldGroup, MapperState, MappingContext } from './mapper-state.js';
import { mappingNotes, mappingWarnings } from './mapping-notes.js';
import { deduplicator } from './rows/deduplicate.js';
import { isItemEntry } from './rows/deduplicator.js';
import { incomplete, keylessRow, mayHold, undecidedRow, widened } from './rows/group-gap.js';
import { apart, partsOf, placed } from './rows/raw-parts.js';
import { type RefusalOrigin, rekeyed } from './rows/refusal-origin.js';
import { relatedTo } from './rows/related-records.js';
import type { SectionMapper } from './section-mapper.js';

/** Maximum records for one item. */
const mostTogether = 5_000;

/** Maximum records that wait for the one after them. */
const mostWaiting = 1_000;

/** A reader of items, based on a reader of records. */
export function mappedRecords(inner: RecordReader, use: MappingContext): RecordReader {
  const { mapped, key, file } = use;
  const once = deduplicator(mapped.section, key, file);
  const counts = { records: 0, kept: 0, blank: 0 };
  const problems: Problem[] = [];
  const hasTables = tablesOf(mapped).some(([, table]) => table.file === undefined);
  const state: MapperState = {
    use,
    rowText: inner.rowText,
    once,
    hasTables,
    bound: undefined,
    held: undefined,
    waiting: [],
    guess: undefined,
    guesses: 0,
    gap: undefined,
    above: 0,
    problems,
    refuse: (problem) => void problems.push(problem),
    ...counts,
  };
  let characters = 0;
  const bind = (): BoundSection => {
    state.bound ??= bindSection(use, inner.columns?.());
    return state.bound;
  };
  return {
    // The names of a table are compared with its header; those of other records with the first ones.
    get ready() {
      return state.bound !== undefined && state.bound.scope.members?.isChecked !== false;
    },
    read(block, last, chunk) {
      // Unreadable records are searched for the keys of the rows around them.
      const { rows, fill } = mapped.section;
      const read = openChunk(chunk.raws !== undefined || rows !== undefined || fill !== undefined);
      // A file that cannot be read further ends here.
      let isWhole = true;
      try {
        inner.read(block, last, read);
        isWhole = last;
      } finally {
        if (inner.ready) bind();
        takeAll(state, bind, read, chunk);
        characters += block.length;
        const { records, kept } = state;
        state.bound?.scope.members?.check({ records, isAnyKept: kept < records, characters, isWhole });
      }
      if (!last) return;
      flush(state, chunk);
      // Only at the end of a complete file: half of a list would deactivate its other half.
      for (const { entry, line, raw } of once?.rest() ?? []) put(entry, line, raw, chunk);
    },
    unknown: () => state.bound?.unused.counts() ?? new Map(),
    targets: () =>
      inner
        .targets()
        .map((column) => ({ ...column, fields: [...(state.bound?.scope.fieldsBy.get(column.name) ?? [])] })),
    leftOut: () => state.kept + state.blank,
    notes: () => [...(inner.notes?.() ?? []), ...mappingNotes(state)],
    warnings: () => mappingWarnings(state),
  };
}

function takeAll(state: MapperState, bind: () => BoundSection, from: OpenChunk, out: OpenChunk): void {
  from.entries.forEach((entry, i) => {
    const line = from.lines[i] ?? 0;
    const raw = from.raws?.[i] ?? '';
    if (entry.kind === 'unreadable') takeUnreadable(state, entry, { line, raw }, out);
    else take(state, bind(), { record: entry.item, line, raw }, out);
  });
}

/**
 * Handles a record that cannot be read: items that may lack it are refused, and written to the file of refused rows
 * with it.
 */
function takeUnreadable(
  state: MapperState,
  entry: UnreadableEntry,
  {
    line,
    raw,
    isUnsure = false,
    isKeyless = false,
  }: Omit<Read, 'record'> & { readonly isUnsure?: boolean; readonly isKeyless?: boolean },
  out: OpenChunk,
): void {
  const { bound: known, waiting, use } = state;
  const { rows } = use.mapped.section;
  const ways = entry.cells === undefined ? [] : rowAlignments(entry.cells, known?.columns?.length ?? 0);
  const above = isUnsure || isKeyless ? undefined : known?.fill?.interrupt(raw, line, ways);
  const isOpen = rows !== undefined || known?.fill !== undefined;
  const own: RawPart = isOpen ? { text: raw, line, isLoose: true } : { text: raw, ...(state.hasTables && { line }) };
  const context: RawPart[] =
    above === undefined || state.rowText === undefined
      ? []
      : [{ text: state.rowText(above), line: state.above, isLookedUp: true, isContext: true, isFilled: true }];
  const related = out.raws === undefined ? [] : relatedTo(state, entry, { line, raw, above });
  const parts = [...context, own, ...related];
  waiting.push({ entry, from: { line, origin: line, parts, isBack: false } });
  if (rows !== undefined) state.gap = widened(state.gap, line, isKeyless ? undefined : raw);
  // Whether it belongs to the group before it depends on the next record.
  if (rows === undefined || waiting.length >= mostWaiting) flush(state, out);
}

interface Read {
  readonly record: unknown;
  readonly line: number;
  readonly raw: string;
}

/** Takes the next record: its items are emitted, or it waits for the rest of its group. */
function take(
  state: MapperState,
  { columns, scope, fill, maker, origin, unused }: BoundSection,
  read: Read,
  out: OpenChunk,
): void {
  const { record } = read;
  state.records++;
  scope.members?.watch(record);
  if (columns !== undefined && isBlank(record)) return void state.blank++;
  const back = origin(record);
  // A reimported row was filled in its original file; here other rows precede it.
  const isOpen = back === undefined || (back.isLoose && !back.isFilled);
  // The first row of a key was not above the row that it is written for.
  if (!isOpen && back?.isEarlier !== true) fill?.follow(record as string[]);
  if (back?.isEarlier === true) for (const entry of maker.entries([record], back.line)) state.once?.know?.(entry);
  if (back?.isLookedUp === true) return void scope.takeLookedUp();
  unused.watch(record);
  const filled = isOpen ? fill?.fill(record as string[]) : undefined;
  state.above = back?.line ?? read.line;
  if (filled === 'unsure') return takeUnsure(state, read, out);
  const isFilled = filled === 'filled';
  const isKept = maker.keeps(record, state.refuse);
  const group = isKept ? maker.groupOf?.(record, state.refuse) : undefined;
  const [problem] = state.problems.splice(0);
  if (problem !== undefined)
    return takeUnplaced(state, undecidedRow(maker.entries([record], read.line), problem, state.use.key), read, out);
  if (!isKept) {
    scope.takeLookedUp();
    return void state.kept++;
  }
  if (isAlone(state, out, back)) return takeAlone(state, maker, read, out);
  if (group !== undefined && takeKeyless(state, { ...read, line: back?.line ?? read.line }, group, out)) return;
  const parts = out.raws === undefined ? [] : [...partsOf(state, read, back, isFilled), ...scope.takeLookedUp()];
  const whence = back?.line ?? read.line;
  const { held } = state;
  // Reimported rows from different places of the original file are separate items; an unreadable one joins only items
  // that may lack it.
  const isElsewhere = back && held?.origin !== whence && !(back.isLoose && !back.isApart && held?.isOpen);
  const isApart = group === undefined || group === '' || held?.group !== group || isElsewhere;
  const gap = state.waiting.length > 0 && !isApart ? state.gap?.line : gapBeside(state, group);
  if (held !== undefined && state.waiting.length > 0 && !isApart) held.gap = gap;
  if (isApart || state.waiting.length > 0) flush(state, out);
  state.held ??= {
    group: group ?? '',
    records: [],
    line: read.line,
    origin: whence,
    isBack: back !== undefined,
    isKeyless: false,
    isOpen: back?.isLoose === true || back?.isTorn === true,
    gap,
    parts: [],
  };
  state.gap = undefined;
  if (state.held.records.length >= mostTogether)
    throw new CatalogError(
      'input_unreadable',
      `${state.use.file}: line ${read.line}: more than ${mostTogether} rows belong together (rows:).`,
    );
  state.held.records.push(record);
  state.held.isKeyless ||= back?.isKeyless === true;
  // The rows of one item are reimported as one item, with one line.
  const { origin: first, gap: torn } = state.held;
  state.held.parts.push(...parts.flatMap((part) => placed(state, part, { first, torn, line: whence })));
  if (group === undefined) flush(state, out);
}

/**
 * Whether the items of a record depend on no other record, and nothing is kept of it for the file of refused rows: the
 * path of most files.
 */
function isAlone({ once, bound, held, waiting }: MapperState, { raws }: OpenChunk, back: RefusalOrigin | undefined) {
  const isUngrouped = once === undefined && bound?.maker.groupOf === undefined;
  return isUngrouped && raws === undefined && back === undefined && held === undefined && waiting.length === 0;
}

function takeAlone(state: MapperState, maker: SectionMapper, { record, line }: Read, out: OpenChunk): void {
  for (const entry of maker.entries([record], line)) {
    out.entries.push(entry);
    out.lines.push(line);
  }
  state.bound?.scope.takeLookedUp();
}

/** The line of an unreadable row beside a group, if it may belong to it. */
function gapBeside({ gap, bound: known, use }: MapperState, group: string | undefined): number | undefined {
  if (gap === undefined || group === undefined) return undefined;
  return mayHold(gap, group, use.mapped.section, known?.columns !== undefined) ? gap.line : undefined;
}

/** A row whose empty cells repeat those of an unreadable row. */
function takeUnsure(state: MapperState, { record, line, raw }: Read, out: OpenChunk): void {
  const [made] = state.bound?.maker.entries([record], line) ?? [];
  state.bound?.scope.takeLookedUp();
  if (made === undefined) return;
  const { key } = state.use;
  const entry = incomplete(made, key, state.bound?.fill?.interruptedAt() ?? line, 'cells repeated here');
  if (entry.kind !== 'unreadable') return;
  takeUnreadable(state, { ...entry, cells: record as string[] }, { line, raw, isUnsure: true }, out);
}

/** A row of a group whose key is missing: it may be of the group before it, of the one behind it, or of none. */
function takeKeyless(state: MapperState, read: Read, group: string, out: OpenChunk): boolean {
  if (group !== '' && !group.includes('\0')) return false;
  const entry = keylessRow(state.bound?.maker.entries([read.record], read.line) ?? [], group, state.use.key);
  if (entry === undefined) return false;
  takeUnplaced(state, entry, read, out);
  return true;
}

/** A record that is refused before it is known where it belongs. */
function takeUnplaced(state: MapperState, entry: UnreadableEntry, { record, line, raw }: Read, out: OpenChunk): void {
  state.bound?.scope.takeLookedUp();
  const cells = Array.isArray(record) ? { cells: record as string[] } : {};
  takeUnreadable(state, { ...entry, ...cells }, { line, raw, isKeyless: true }, out);
}

/** Emits the items of the collected records. */
function flush(state: MapperState, out: OpenChunk): void {
  const { held, bound: known } = state;
  // A row between two groups of one key: after its correction it must not join the first one if that was complete.
  const isApart = held !== undefined && state.gap !== undefined && gapBeside(state, held.group) === undefined;
  state.held = undefined;
  if (held !== undefined && known !== undefined) emitHeld(state, held, known, out);
  for (const [i, { entry, from: whence }] of state.waiting.splice(0).entries()) {
    const from = isApart && i === 0 ? { ...whence, parts: whence.parts.map(apart) } : whence;
    const before = state.once === undefined ? [] : state.once.miss(entry, from);
    if (before === undefined) continue;
    put(entry, from.line, out.raws === undefined ? '' : joinRaws([...before, ...from.parts]), out);
  }
}

function emitHeld(state: MapperState, held: HeldGroup, known: BoundSection, out: OpenChunk): void {
  const { once } = state;
  const { line, origin, isBack, parts } = held;
  const whole = known.maker.entries(held.records, origin);
  const gap = held.gap ?? gapBeside(state, held.group);
  const sure =
    gap === undefined ? whole : whole.map((entry) => incomplete(entry, state.use.key, gap, 'row of this record'));
  const made = held.isKeyless ? sure.map(rekeyed) : sure;
  parts.push(...known.scope.takeLookedUp());
  const raw = out.raws === undefined ? '' : joinRaws(parts);
  for (const entry of made) {
    const from = { line, origin, isBack, parts };
    if (once !== undefined && entry.kind === 'unreadable' && once.miss(entry, from) === undefined) continue;
    const given = once !== undefined && isItemEntry(entry) ? once.take(entry, from) : entry;
    if (given !== undefined) put(given, line, raw, out);
  }
}

function put(entry: Entry, line: number, raw: string, out: OpenChunk): void {
  out.entries.push(entry);
  out.lines.push(line);
  out.raws?.push(raw);
}

function isBlank(record: unknown): boolean {
  return Array.isArray(record) && record.every((cell) => typeof cell === 'string' && cell.trim() === '');
}
