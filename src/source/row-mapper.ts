// Maps a row or a JSON record to an item, with values coerced to the types of the resource's fields. Names are resolved once
// per file; per record, prepared writers run in order. With a mapping file, its section runs before this.
import { type Entry, rawEntry } from '../core/entry.js';
import type { WrittenAmount } from '../core/fields/currencies.js';
import type { Fields } from '../core/fields/fields.js';
import type { RecordKey } from '../core/fields/record-key.js';
import { quote } from '../core/text/text.js';
import { type Coercion, cellCoercion, memberCoercion, recordCoercion, type ValueSyntax } from './cells/coerce-value.js';
import type { CoercionNotes } from './cells/coercion-notes.js';
import { columnFiller, type FieldColumn, type Filler } from './column-filler.js';
import {
  type ColumnOptions,
  type ColumnTarget,
  columnTarget,
  columnTargets,
  isAdded,
  refusalColumns,
  renameColumns,
  writtenMembers,
} from './column-targets.js';
import { unusedColumns } from './mapping/unused-columns.js';
import type { ReaderContext } from './record-reader.js';
import { refusedItem } from './refused-item.js';
import { readWritten } from './written-item.js';

type RawItem = Record<string, unknown>;

/** Maximum names of unknown members that are kept; a hostile file may have a million. */
const mostUnknown = 1000;

/** A column with its target, and the index of its cell or a constant. */
interface Column {
  readonly target: ColumnTarget;
  readonly index: number;
  readonly constant?: string;
}

interface HeaderPart {
  readonly index: number;
  readonly constant: string | undefined;
  readonly member: string;
  readonly type: Coercion;
}

/** A list entry filled from columns. */
interface Slot {
  readonly at: number | string;
  readonly entryKey: string;
  readonly parts: HeaderPart[];
}

/** Compiles columns into functions that fill an item, so that names are parsed once. */
function fillerOf(columns: readonly Column[], writing: ValueSyntax): Filler {
  const plain: FieldColumn[] = [];
  const lists = new Map<string, Map<number | string, Slot>>();
  for (const { target, index, constant } of columns) {
    const type = cellCoercion(target.field, target.path, writing);
    if (target.entry === undefined) {
      plain.push({ name: target.name, index, constant, type });
      continue;
    }
    const { at, list, member } = target.entry;
    const slots = lists.get(target.name) ?? new Map<number | string, Slot>();
    lists.set(target.name, slots);
    const slot = slots.get(at) ?? { at, entryKey: list.entryKey, parts: [] };
    slots.set(at, slot);
    slot.parts.push({ index, constant, member, type });
  }
  const filled = [...lists].map(([name, slots]) => ({ name, slots: inOrder([...slots.values()]) }));
  const fillPlain = columnFiller(plain);
  if (filled.length === 0) return fillPlain;
  return (item, cells, notes) => {
    fillPlain(item, cells, notes);
    for (const { name, slots } of filled) {
      const entries: RawItem[] = [];
      for (const slot of slots) {
        const entry = entryOf(slot, cells, notes);
        if (entry !== undefined) entries.push(entry);
      }
      // A list without entries would deactivate every stored one: it counts as not sent.
      if (entries.length > 0) item[name] = entries;
    }
  };
}

/** Entries by position first, in the order of their positions; then those by key, in the order of their columns. */
function inOrder(slots: Slot[]): Slot[] {
  const placed = slots.filter((slot) => typeof slot.at === 'number').sort((a, b) => Number(a.at) - Number(b.at));
  return [...placed, ...slots.filter((slot) => typeof slot.at === 'string')];
}

/** The entry of a slot, or undefined if all its cells are empty. */
function entryOf(slot: Slot, cells: readonly unknown[], notes: CoercionNotes): RawItem | undefined {
  const entry: RawItem = typeof slot.at === 'string' ? { [slot.entryKey]: slot.at } : {};
  let sent = slot.parts.every((part) => part.constant !== undefined);
  for (const { index, constant, member, type } of slot.parts) {
    const cell = constant ?? cells[index];
    if (constant === undefined && cell !== undefined && !(typeof cell === 'string' && cell.trim() === '')) sent = true;
    const value = type(cell, notes);
    if (value !== undefined) entry[member] = value;
  }
  return sent ? entry : undefined;
}

/** The constants of `--set` as columns. */
function constantsOf(set: ColumnOptions['set'], fields: Fields): Column[] {
  return [...set].flatMap(([header, constant]) => {
    const target = columnTarget(header, fields);
    return target === undefined ? [] : [{ target, index: -1, constant }];
  });
}

/** Member names longer than this are not cached: those of fields and columns are shorter. */
const longestName = 200;

/** Counts names: at most a thousand, by their first hundred characters. */
function tally(): { readonly counts: Map<string, number>; add(name: string): void } {
  const counts = new Map<string, number>();
  return {
    counts,
    add(name) {
      const cut = name.slice(0, 100);
      const count = counts.get(cut);
      if (count !== undefined || counts.size < mostUnknown) counts.set(cut, (count ?? 0) + 1);
    },
  };
}

/** Maps the rows of one CSV file to items. */
export interface RowMapper {
  /** The item of a row that has as many cells as the header. */
  item(cells: readonly unknown[]): Entry;
  readonly targets: readonly (ColumnTarget | undefined)[];
  unknown(): ReadonlyMap<string, number>;
}

/**
 * Compiles the header of a CSV file.
 * @throws CatalogError `usage` for invalid names
 */
export function rowMapper(
  header: readonly string[],
  key: RecordKey,
  given: ColumnOptions,
  writing: ValueSyntax,
): RowMapper {
  const names = renameColumns(header, given.rename);
  const targets = columnTargets(names, key.fields, given.set);
  const columns = targets.flatMap((target, index) => (target === undefined ? [] : [{ target, index }]));
  const isSentBack = refusalColumns.every((name) => header.includes(name));
  const fill = fillerOf([...columns, ...constantsOf(given.set, key.fields)], { ...writing, isSentBack });
  const members = tally();
  const amounts: WrittenAmount[] = [];
  const notes: CoercionNotes = { problems: [], amounts, numberInText: false, unknown: members.add };
  const columnOf = (path: string): string =>
    `column ${quote(header[targets.findIndex((target) => target?.path === path)] ?? path)}`;
  const used = new Set(names.filter((name) => columnTarget(name, key.fields) !== undefined));
  const unused = unusedColumns(names, used);
  // Items begin with every field of the header, since objects of one shape cost less, here and later.
  const plain = targets.flatMap((target) => (target === undefined || target.entry !== undefined ? [] : [target.name]));
  const blank = Object.fromEntries(plain.map((name) => [name, undefined]));
  return {
    targets,
    item(cells) {
      unused.watch(cells);
      const item: RawItem = { ...blank };
      notes.problems.length = 0;
      fill(item, cells, notes);
      const [first, ...others] = notes.problems;
      const shown = amounts.length === 0 ? amounts : amounts.splice(0);
      if (first === undefined && shown.length === 0) return rawEntry(item);
      if (first === undefined)
        return { ...rawEntry(item), amounts: shown.map((one) => ({ ...one, source: columnOf(one.field) })) };
      const unread = notes.problems.map(({ field }) => field).join(', ');
      return {
        ...refusedItem([first, ...others], item, key),
        item: { ...item, [writtenMembers.unread]: unread },
      };
    },
    unknown: () => new Map([...[...unused.counts()].slice(0, mostUnknown), ...members.counts]),
  };
}

export interface RecordMapper {
  /** The item of a parsed record; `again` if it was mapped before, so that nothing is counted twice. */
  item(record: unknown, again?: 'again'): Entry;
  pathsOf(name: string): readonly string[];
  hadNumberInText(): boolean;
  unknown(): ReadonlyMap<string, number>;
}

/** Makes the mapper of a JSON file: members are named like columns of a CSV file, list entries are JSON. */
export function recordMapper({
  key,
  given,
  writing,
  named,
}: Pick<ReaderContext, 'key' | 'given' | 'writing' | 'named'>): RecordMapper {
  const { fields } = key;
  const members = memberFinder(fields, given, writing);
  const copied = recordCoercion((name) => {
    const member = members(name);
    return member?.name === name && !isAdded(name) ? member.type : undefined;
  });
  // Targets of `--rename` in list entries, and values of `--set`, are filled as from a row of these members.
  const moved = [...given.rename]
    .filter(([, to]) => columnTarget(to, fields)?.entry !== undefined)
    .map(([from]) => from);
  const columns = moved.flatMap((from, index) => {
    const target = columnTarget(given.rename.get(from) ?? '', fields);
    return target === undefined ? [] : [{ target, index }];
  });
  const fill = fillerOf([...columns, ...constantsOf(given.set, fields)], writing);
  const extra = columns.length + given.set.size > 0;
  const unknown = tally();
  const notes: CoercionNotes = { problems: [], numberInText: false, unknown: unknown.add };

  function renamedItem(record: RawItem): RawItem {
    const item: RawItem = {};
    for (const name of Object.keys(record)) {
      const member = members(name);
      if (isAdded(name)) continue;
      if (member === undefined || (member.name !== name && Object.hasOwn(record, member.name))) notes.unknown(name);
      else if (member.name !== '') item[member.name] = member.type(record[name], notes);
    }
    return item;
  }

  return {
    pathsOf(name) {
      const target = columnTarget(given.rename.get(name) ?? name, fields);
      return target === undefined || (target.entry !== undefined && !given.rename.has(name)) ? [] : [target.path];
    },
    hadNumberInText: () => notes.numberInText,
    item(record, again) {
      // Not an object: refused as such, whatever it contains; nested arrays are not followed.
      if (Array.isArray(record)) return rawEntry([]);
      if (typeof record !== 'object' || record === null) return rawEntry(record);
      named?.watch(record);
      notes.problems.length = 0;
      notes.numberInText = false;
      notes.unknown = again === undefined ? unknown.add : () => {};
      const typed = copied(record as RawItem, notes) as RawItem | undefined;
      const item = typed ?? renamedItem(record as RawItem);
      if (extra)
        addTo(
          item,
          fill,
          moved.map((from) => (record as RawItem)[from]),
          notes,
        );
      const [first, ...others] = notes.problems;
      if (first !== undefined) return refusedItem([first, ...others], item, key);
      return typed === undefined ? readWritten(record as RawItem, rawEntry(item), key) : rawEntry(item);
    },
    unknown: () => unknown.counts,
  };
}

/** Finds the field of a member; results are cached up to a limit. */
function memberFinder(fields: Fields, given: ColumnOptions, writing: ValueSyntax) {
  interface Member {
    /** '' for a member that fills an entry of a list. */
    readonly name: string;
    readonly type: Coercion;
  }
  const known = new Map<string, Member | undefined>();
  const find = (member: string): Member | undefined => {
    const target = columnTarget(given.rename.get(member) ?? member, fields);
    if (target === undefined) return undefined;
    if (target.entry !== undefined) return given.rename.has(member) ? { name: '', type: (value) => value } : undefined;
    return { name: target.name, type: memberCoercion(target.field, target.path, writing) };
  };
  return (member: string): Member | undefined => {
    const before = known.get(member);
    if (before !== undefined || known.has(member)) return before;
    const found = find(member);
    if (known.size < mostUnknown && member.length <= longestName) known.set(member, found);
    return found;
  };
}

/** Adds filled fields to an item; list entries are appended to existing ones. */
function addTo(item: RawItem, fill: Filler, cells: readonly unknown[], notes: CoercionNotes): void {
  const added: RawItem = {};
  fill(added, cells, notes);
  for (const [name, value] of Object.entries(added)) {
    const there = item[name];
    item[name] = Array.isArray(there) && Array.isArray(value) ? [...there, ...value] : value;
  }
}
