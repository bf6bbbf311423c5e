// The records of a file on their way through a mapping: a reader of records in, a reader of items out. It holds back no
// more than the records that belong together, and what `once: merge` collects.
import { type Entry, rawEntry } from '../../core/entry.js';
import { CatalogError } from '../../core/errors.js';
import type { KeyOf } from '../../core/key-of.js';
import { behindRefused } from '../header.js';
import { joinRaws, type OpenChunk, openChunk, type RawPart, type RecordReader } from '../records.js';
import type { Writing } from '../type-value.js';
import { cutWords, decisionWords, lostWords } from './decision-words.js';
import type { LookupTable } from './expression.js';
import type { Mapped } from './mapping.js';
import { type Once, onceOf } from './once.js';
import { type FileScope, fileScope } from './scope.js';
import { type ItemMaker, itemMaker } from './section.js';

/** Most records that make one item. */
const mostTogether = 5_000;

/** What a mapping must know of the file it is used on. */
export interface Use {
  readonly file: string;
  readonly mapped: Mapped;
  readonly tables: ReadonlyMap<string, LookupTable>;
  /** Last parts of category paths that occur under several parents. */
  readonly repeated: ReadonlySet<string>;
  readonly key: KeyOf;
  readonly set: ReadonlyMap<string, string>;
  readonly writing: Writing;
}

interface Held {
  readonly group: string;
  readonly records: unknown[];
  readonly line: number;
  readonly raws: RawPart[];
}

/** A reader of items that takes records from a reader of records. */
export function mappedRecords(inner: RecordReader, use: Use): RecordReader {
  const { mapped, key, file } = use;
  const { section } = mapped;
  let maker: ItemMaker | undefined;
  let scope: FileScope | undefined;
  let fillDown: ((record: unknown) => void) | undefined;
  let held: Held | undefined;
  const once: Once | undefined = section.once && onceOf(section.once, key, file);
  const leftOut = { kept: 0, blank: 0 };
  let records = 0;

  function begin(): ItemMaker {
    const columns = inner.columns?.();
    scope = fileScope(mapped, columns, use.tables, use.repeated);
    fillDown = fillerOf(use, scope, columns);
    maker = itemMaker({ section, place: mapped.place }, scope, key, { columns, set: use.set, writing: use.writing });
    return maker;
  }

  function give(made: Entry, line: number, raw: string, out: OpenChunk): void {
    const entry =
      once !== undefined && made.kind === 'raw' && isItem(made.item) ? once.take(made.item, line, raw) : made;
    if (entry !== undefined) put(entry, line, raw, out);
  }

  function flush(out: OpenChunk): void {
    if (held === undefined || maker === undefined) return;
    const { records: together, line, raws } = held;
    held = undefined;
    for (const made of maker.entries(together, line)) give(made, line, joinRaws(raws), out);
  }

  function take(record: unknown, line: number, raw: string, out: OpenChunk): void {
    const make = maker ?? begin();
    records++;
    const columns = inner.columns?.();
    if (columns !== undefined && isBlank(record)) return void leftOut.blank++;
    fillDown?.(record);
    if (!make.keeps(record)) return void leftOut.kept++;
    if (make.groupOf === undefined) {
      for (const made of make.entries([record], line)) give(made, line, raw, out);
      return;
    }
    const group = make.groupOf(record);
    if (held !== undefined && (held.group !== group || group === '')) flush(out);
    held ??= { group, records: [], line, raws: [] };
    if (held.records.length >= mostTogether)
      throw new CatalogError(
        'input_unreadable',
        `${file}: line ${line}: more than ${mostTogether} rows belong together (rows:).`,
      );
    held.records.push(record);
    if (out.raws !== undefined) held.raws.push({ text: raw });
  }

  function drop(chunk: OpenChunk, from: OpenChunk): void {
    from.entries.forEach((entry, i) => {
      const line = from.lines[i] ?? 0;
      const raw = from.raws?.[i] ?? '';
      if (entry.kind === 'unreadable') {
        flush(chunk);
        give(entry, line, raw, chunk);
      } else take(entry.item, line, raw, chunk);
    });
  }

  return {
    get ready() {
      return maker !== undefined;
    },
    read(block, last, chunk) {
      const read = openChunk(chunk.raws !== undefined);
      try {
        inner.read(block, last, read);
      } finally {
        if (maker === undefined && inner.ready) begin();
        drop(chunk, read);
      }
      if (!last) return;
      flush(chunk);
      // Only of a file that was read to its end: half of a list would deactivate its other half.
      for (const { item, line, raw } of once?.rest() ?? []) put(rawEntry(item), line, raw, chunk);
    },
    unknown: () => (section.others === true ? unusedColumns(inner.columns?.(), scope, records) : new Map()),
    notes: () => [
      ...(inner.notes?.() ?? []),
      ...leftOutWords(leftOut, records),
      ...(once?.notes() ?? []),
      ...(scope === undefined
        ? []
        : [...decisionWords(scope.decisions), ...lostWords(scope.lost), ...cutWords(scope.truncated)]),
    ],
  };
}

function put(entry: Entry, line: number, raw: string, out: OpenChunk): void {
  out.entries.push(entry);
  out.lines.push(line);
  out.raws?.push(raw);
}

function isItem(item: unknown): item is Record<string, unknown> {
  return typeof item === 'object' && item !== null;
}

/** Puts the cell above into empty cells of the columns to be filled down. */
function fillerOf({ mapped }: Use, scope: FileScope, columns: readonly string[] | undefined) {
  const { fill } = mapped.section;
  if (fill === undefined) return undefined;
  const place = `${mapped.place}.fill`;
  if (columns === undefined) return scope.fail(place, 'records of JSON have no row above; fill is for tables');
  const at = (name: string): number => {
    if (scope.column(name) === undefined) scope.noColumn(name, place);
    const exact = columns.findIndex((column) => column.trim() === name.trim());
    return exact === -1
      ? columns.findIndex((column) => column.trim().toLowerCase() === name.trim().toLowerCase())
      : exact;
  };
  const filled = fill.columns.map(at);
  const within = fill.within === undefined ? -1 : at(fill.within);
  let above: readonly string[] = [];
  let inside: string | undefined;
  return (record: unknown): void => {
    const cells = record as string[];
    const same = within === -1 || cells[within]?.trim() === inside;
    if (within !== -1) inside = cells[within]?.trim();
    for (const index of filled) {
      if (same && cells[index]?.trim() === '' && above[index] !== undefined) cells[index] = above[index] ?? '';
    }
    above = cells;
  };
}

function isBlank(record: unknown): boolean {
  return Array.isArray(record) && record.every((cell) => typeof cell === 'string' && cell.trim() === '');
}

function unusedColumns(columns: readonly string[] | undefined, scope: FileScope | undefined, records: number) {
  const unused = (columns ?? []).filter(
    (column) => scope !== undefined && !scope.used.has(column) && !behindRefused.includes(column),
  );
  return new Map(unused.map((column, i) => [column === '' ? `column ${i + 1}` : column, records]));
}

function leftOutWords({ kept, blank }: { kept: number; blank: number }, of: number): string[] {
  return [
    ...(kept > 0 ? [`${kept} of ${of} records left out by keep and skip`] : []),
    ...(blank > 0 ? [`${blank} rows of empty cells left out`] : []),
  ];
}
