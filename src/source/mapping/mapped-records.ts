// Applies a section of a mapping to a record reader: records in, items out. It buffers no more than the records of one item
// (`rows:`) and what `once: merge` collects.

import type { Problem } from '../../core/diagnostics/refusal-codes.js';
import { type Entry, rawEntry, type UnreadableEntry } from '../../core/entry.js';
import { CatalogError } from '../../core/errors.js';
import { writtenMembers } from '../column-targets.js';
import { rowAlignments } from '../csv/row-alignments.js';
import type { RowOrigin, RowPlace } from '../file-place.js';
import { type OpenChunk, openChunk, type RecordReader } from '../record-reader.js';
import { writtenItem } from '../written-item.js';
import { bindSection } from './bind-section.js';
import type { BoundSection, MapperState, MappingContext } from './mapper-state.js';
import { mappingNotes, mappingWarnings } from './mapping-notes.js';
import { isBlankRow } from './rows/blank-row.js';
import { deduplicator } from './rows/deduplicate.js';
import { type GroupGap, incomplete, keylessRow, mayHold, undecidedRow, widened } from './rows/group-gap.js';
import { joinsRecords } from './rows/joins-records.js';
import { parentsFirst } from './rows/parents-first.js';
import { possibleKeys } from './rows/possible-keys.js';
import type { OneValue } from './values/known-number.js';

/** Maximum records for one item. */
const mostTogether = 5_000;

/** Maximum records that wait for the one after them. */
const mostWaiting = 1_000;

/** A reader of items, based on a reader of records. */
export function mappedRecords(inner: RecordReader, use: MappingContext): RecordReader {
  const { mapped, key, file } = use;
  const problems: Problem[] = [];
  const state: MapperState = {
    use,
    rowText: inner.rowText,
    once: deduplicator(mapped.section, key, file),
    order: parentsFirst(mapped, use.before),
    isJoined: joinsRecords(mapped),
    bound: undefined,
    held: undefined,
    waiting: [],
    guess: undefined,
    guesses: 0,
    gap: undefined,
    problems,
    refuse: (problem) => void problems.push(problem),
    ...{ read: 0, records: 0, kept: 0, blank: 0, partless: 0 },
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
      const { rows, fill, once } = mapped.section;
      const read = openChunk(chunk.raws !== undefined || (rows ?? fill ?? once) !== undefined);
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
      for (const { entry, lines, number } of state.once?.rest() ?? [])
        emit(state, entry, { line: lines[0] ?? 0, lines, number, raw: '' }, chunk);
      for (const { entry, from } of state.order?.rest() ?? []) put(state, entry, from, chunk);
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
  for (const [i, entry] of from.entries.entries()) {
    const line = from.lines[i] ?? 0;
    const raw = from.raws?.[i] ?? '';
    const number = ++state.read;
    if (entry.kind !== 'unreadable') {
      takeRecord(state, bind(), { record: entry.item, line, number, raw }, out);
      continue;
    }
    const ways = entry.cells === undefined ? [] : rowAlignments(entry.cells, state.bound?.columns?.length ?? 0);
    const { fill } = state.bound ?? {};
    fill?.interrupt(raw, line, ways);
    const problem = { ...entry.problem, message: entry.problem.message + (fill?.hint ?? '') };
    takeUnreadable(state, { ...entry, problem, item: { [writtenMembers.unread]: raw } }, { line, number, raw }, out);
  }
}

interface Read extends RowPlace {
  readonly record: unknown;
  readonly raw: string;
}

/**
 * Handles a record of which something could not be read: items that may lack it are refused, too.
 * @param shows whether its text shows to which group it belongs
 */
function takeUnreadable(
  state: MapperState,
  entry: UnreadableEntry,
  { line, number, raw }: Omit<Read, 'record'>,
  out: OpenChunk,
  shows = true,
): void {
  const { rows } = state.use.mapped.section;
  const refused = { ...entry, possibleKeys: possibleKeys(state, entry, { line, number }, raw) };
  state.waiting.push({ entry: refused, from: { line, lines: [line], number, raw } });
  if (rows !== undefined) state.gap = widened(state.gap, { line, number }, shows ? raw : undefined);
  // Whether it belongs to the group before it depends on the next record.
  if (rows !== undefined && state.waiting.length < mostWaiting) return;
  flush(state, out);
  // Not even the text of so many rows shows to which group they belong.
  if (state.gap !== undefined) state.gap = { ...state.gap, text: undefined };
}

/** Takes the next record: its items are emitted, or it waits for the rest of its group. */
function takeRecord(state: MapperState, bound: BoundSection, read: Read, out: OpenChunk): void {
  const { columns, fill, maker, lineOf, unused } = bound;
  const { record, number } = read;
  state.records++;
  bound.scope.members?.watch(record);
  if (columns !== undefined && isBlankRow(record)) return void state.blank++;
  unused.watch(record);
  const before = lineOf(record);
  // A row that was refused before was filled then: here other rows precede it.
  const filled = before === undefined ? fill?.fill(record as OneValue[]) : undefined;
  const isChanged = filled === 'filled' || filled === 'unsure';
  const raw = isChanged && out.raws !== undefined ? (state.rowText?.(record as unknown[]) ?? read.raw) : read.raw;
  const place = { line: before ?? read.line, number };
  if (filled === 'unsure') return takeUnsure(state, bound, { ...read, raw }, out);
  const isKept = maker.keeps(record, state.refuse);
  const group = isKept ? maker.groupOf?.(record, state.refuse) : undefined;
  const [problem] = state.problems.splice(0);
  if (problem !== undefined)
    return takeUnplaced(
      state,
      undecidedRow(maker.entries([record], [place]), problem, state.use.key),
      { ...read, raw },
      out,
    );
  if (!isKept) return void state.kept++;
  if (group === undefined) {
    const made = maker.entries([record], [place]);
    if (made.length === 0) state.partless++;
    return give(state, made, { line: read.line, lines: [place.line], number, raw }, out);
  }
  if (!takeKeyless(state, read, group, out)) takeOfGroup(state, read, group, out);
}

/** Takes a row of a group. */
function takeOfGroup(state: MapperState, { record, line, number }: Read, group: string, out: OpenChunk): void {
  const { held } = state;
  if (held?.group !== group) {
    const gap = gapOfGroup(state, group);
    flush(state, out);
    state.held = { group, records: [record], places: [{ line, number }], gap };
  } else {
    if (held.records.length >= mostTogether)
      throw new CatalogError(
        'input_unreadable',
        `${state.use.file}: line ${line}: more than ${mostTogether} rows belong together (rows:).`,
      );
    held.gap ??= state.gap;
    held.records.push(record);
    held.places.push({ line, number });
  }
  state.gap = undefined;
}

/** The unreadable rows next to a group, if one may belong to it. */
function gapOfGroup({ gap, bound: known, use }: MapperState, group: string): GroupGap | undefined {
  if (gap === undefined) return undefined;
  return mayHold(gap, group, use.mapped.section, known?.columns !== undefined) ? gap : undefined;
}

/** A row whose empty cells repeat those of an unreadable row. */
function takeUnsure(state: MapperState, { maker, fill }: BoundSection, read: Read, out: OpenChunk): void {
  // Without those cells it may have no part for each.
  const [made = rawEntry({})] = maker.entries([read.record], [read]);
  const line = fill?.interruptedAt() ?? read.line;
  const gap = { line, number: 0, text: read.raw };
  const entry = incomplete(made, state.use.key, gap, { role: 'cells repeated here', at: read.line });
  if (entry.kind === 'unreadable') takeUnreadable(state, { ...entry, cells: textsOf(read.record) }, read, out);
}

/** A row of a group whose key is missing: it may be of the group before it, of the one after it, or of none. */
function takeKeyless(state: MapperState, read: Read, group: string, out: OpenChunk): boolean {
  if (group !== '' && !group.includes('\0')) return false;
  const entry = keylessRow(state.bound?.maker.entries([read.record], [read]) ?? [], group, state.use.key);
  if (entry === undefined) return false;
  takeUnplaced(state, entry, read, out);
  return true;
}

/** A record that is refused before it is known where it belongs. */
function takeUnplaced(state: MapperState, entry: UnreadableEntry, read: Read, out: OpenChunk): void {
  const cells = Array.isArray(read.record) ? { cells: textsOf(read.record) } : {};
  takeUnreadable(state, { ...entry, ...cells }, read, out, false);
}

/** Emits the items of the collected records. */
function flush(state: MapperState, out: OpenChunk): void {
  const { held, bound, use } = state;
  state.held = undefined;
  if (held !== undefined && bound !== undefined) {
    const { records, places, group } = held;
    const lines = places.map(({ line }) => line);
    const { line, number } = places[0] ?? { line: 0, number: 0 };
    const gap = held.gap ?? gapOfGroup(state, group);
    const whole = bound.maker.entries(records, places);
    const as = { role: 'row of this record', at: line } as const;
    const made = gap === undefined ? whole : whole.map((one) => incomplete(one, use.key, gap, as));
    give(state, made, { line, lines, number, raw: '' }, out);
  }
  for (const { entry, from } of state.waiting.splice(0)) give(state, [entry], from, out);
}

function give(state: MapperState, entries: readonly Entry[], from: RowOrigin, out: OpenChunk): void {
  for (const entry of entries) {
    const kept = state.once === undefined ? entry : state.once.take(entry, from);
    if (kept !== undefined) emit(state, kept, from, out);
  }
}

function emit(state: MapperState, entry: Entry, from: RowOrigin, out: OpenChunk): void {
  for (const one of state.order?.take({ entry, from }) ?? [{ entry, from }]) put(state, one.entry, one.from, out);
}

function put({ isJoined }: MapperState, entry: Entry, { line, lines, number, raw }: RowOrigin, out: OpenChunk): void {
  out.entries.push(entry);
  out.lines.push(line);
  out.numbers ??= [];
  out.numbers.push(number);
  out.raws?.push(isJoined ? JSON.stringify({ ...writtenItem(entry), [writtenMembers.lines]: lines }) : raw);
}

function textsOf(cells: unknown): string[] {
  return (cells as readonly unknown[]).map(String);
}
