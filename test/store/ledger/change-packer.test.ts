// What a transaction changed, as it is stored and read back.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newChangeLog, recordItem } from '../../../src/core/ledger/change-log.js';
import { keptAfter, type RecordedChange } from '../../../src/core/ledger/recorded-change.js';
import { column, defineTable, type Row } from '../../../src/core/rows/table.js';
import { addToFilter, mayHold, newFilter } from '../../../src/store/ledger/change-filter.js';
import { packChanges } from '../../../src/store/ledger/change-packer.js';
import { unpackChanges } from '../../../src/store/ledger/change-reader.js';

const root = defineTable(
  'thing',
  {
    id: column.text,
    name: column.text,
    price: column.nullableInteger,
    mark: column.integer,
    updated_at: column.integer,
  },
  { id: ['id'], fingerprint: ['mark'] },
);
const part = defineTable(
  'part',
  { thing: column.text, kind: column.text, count: column.nullableInteger },
  { id: ['thing', 'kind'], parent: 'thing' },
);

/** Identifiers as they are made, and any others. */
const ids = fc.oneof(
  fc.nat(2000).map((number) => `thng_01m853e5s5fzzah4v8gh${String(number).padStart(6, '0')}`),
  fc.string({ minLength: 1, unit: 'grapheme' }),
  fc.string({ minLength: 60, maxLength: 200 }),
);
const integers = fc.option(fc.oneof(fc.integer(), fc.maxSafeInteger()));
const contents = fc.record({ name: fc.string({ maxLength: 60 }), price: integers, count: integers, mark: fc.nat(3) });
const items = fc.array(
  fc.record({ id: ids, line: fc.nat(9), before: fc.option(contents), next: contents, child: fc.boolean() }),
  { maxLength: 60 },
);

type Item = typeof items extends fc.Arbitrary<readonly (infer I)[]> ? I : never;

function thing(id: string, { name, price, mark }: NonNullable<Item['before']>, now: number): Row {
  return { id, name, price, mark, updated_at: now };
}

function childOf(id: string, { count }: NonNullable<Item['before']>): Row {
  return { thing: id, kind: 'only', count };
}

/** The rows of an item: its own, and that of its child. */
function rowsOf({ id, before, next, child }: Item) {
  const own = { table: root, before: before === null ? undefined : thing(id, before, 1), next: thing(id, next, 2) };
  const of = { table: part, before: before === null ? undefined : childOf(id, before), next: childOf(id, next) };
  return { own, children: child ? [of] : [] };
}

/** The changes of a row as a reader expects them. */
function expected(item: Item): Pick<RecordedChange, 'record' | 'table' | 'line' | 'columns' | 'before' | 'after'>[] {
  const { own, children } = rowsOf(item);
  return [own, ...(item.before === null ? [] : children)].flatMap(({ table, before, next }) => {
    const all: readonly string[] = table.columns;
    const columns = before === undefined ? [] : all.filter((name) => before[name] !== next[name]);
    const told = columns.filter((name) => name !== 'updated_at' && name !== 'mark');
    if (before !== undefined && told.length === 0) return [];
    const kept = told.map((name) => keptAfter(next[name] ?? null));
    const values = before === undefined ? [] : told.map((name) => before[name] ?? null);
    return [{ record: item.id, table: table.name, line: item.line, columns: told, before: values, after: kept }];
  });
}

function packed(all: readonly Item[]) {
  const log = newChangeLog();
  log.batch = all.map(({ line }) => line);
  for (const [index, item] of all.entries()) {
    const { own, children } = rowsOf(item);
    recordItem(log, index, own, { saves: children, count: children.length });
  }
  return packChanges(log, { resource: 'thing', file: 3 });
}

const byText = (changes: readonly object[]): string[] => changes.map((change) => JSON.stringify(change)).sort();

describe('changes of a transaction', () => {
  it('are read back as they were made, and the filter holds their records', () => {
    fc.assert(
      fc.property(items, (all) => {
        const stored = packed(all);
        const changes = stored === undefined ? [] : unpackChanges(stored.body);
        const shown = changes.map(({ record, table, line, columns, before, after }) => {
          return { record, table, line, columns, before, after };
        });
        expect(byText(shown)).toEqual(byText(all.flatMap(expected)));
        for (const { record, resource, file } of changes) {
          expect(mayHold(stored?.filter ?? '', record)).toBe(true);
          expect([resource, file]).toEqual(['thing', 3]);
        }
      }),
    );
  });

  it('come in the order of their lines, or of their items where lines do not tell it', () => {
    const content = { name: '', price: 1, count: 1, mark: 0 };
    const records = (lines: readonly number[]) => {
      const all = lines.map((line, i) => ({
        ...{ id: `thng_${lines.length - i}`, line, before: i % 2 === 0 ? content : null, child: false },
        next: { ...content, price: 2 },
      }));
      return unpackChanges(packed(all)?.body ?? '').map(({ record }) => record);
    };
    expect(records([4, 5, 9])).toEqual(['thng_3', 'thng_2', 'thng_1']);
    expect(records([1, 1, 1])).toEqual(['thng_3', 'thng_2', 'thng_1']);
    expect(records([9, 4])).toEqual(['thng_2', 'thng_1']);
    expect(records([4, 9, 9, 9])).toEqual(['thng_4', 'thng_3', 'thng_2', 'thng_1']);
  });

  it('have the new value where a difference would not be exact', () => {
    const [low, high] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
    const all = [
      [low, high - 1],
      [high - 1, low],
    ].map(([from, to], i) => {
      const content = { name: '', price: from as number, count: null, mark: 0 };
      return { id: `thng_${i}`, line: i, before: content, next: { ...content, price: to as number }, child: false };
    });
    const changes = unpackChanges(packed(all)?.body ?? '');
    expect(changes.map(({ after }) => after)).toEqual([[high - 1], [low]]);
  });

  it('are refused with a sentence in the form of a build before 0.1.0', () => {
    expect(() => unpackChanges('{"s":"thing","f":0,"d":[]}')).toThrow('a build before 0.1.0');
  });

  it('have a filter that leaves out most other records', () => {
    const content = { name: '', price: 1, count: 1, mark: 0 };
    const name = (number: number) => `thng_01m853e5s5fzzah4v8gh${String(number).padStart(6, '0')}`;
    const all = Array.from({ length: 500 }, (_, i) => {
      return { id: name(i), line: i, before: null, next: content, child: false };
    });
    const filter = packed(all)?.filter ?? '';
    const others = Array.from({ length: 2000 }, (_, i) => mayHold(filter, name(500 + i))).filter(Boolean);
    expect(others.length).toBeLessThan(80);
  });

  it('have the filter that catalogs have since the first version', () => {
    const filter = newFilter(3);
    const records = ['prod_01m853e5s5fzzah4v8gh000001', 'short', ''];
    for (const record of records) addToFilter(filter, record);
    expect(filter.toString('base64')).toBe('cYACMEA=');
    for (const record of records) expect(mayHold('cYACMEA=', record)).toBe(true);
    expect(mayHold('cYACMEA=', 'prod_01m853e5s5fzzah4v8gh000002')).toBe(false);
  });
});
