// A member of a record is declared once: column, initial value, write field, view, read shape, schemas, typing of cells,
// export and SQL follow from the declaration.
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rawEntry } from '../../../src/core/entry.js';
import { choice, decimal, integer, key, reference, text } from '../../../src/core/fields/fields.js';
import { itemSchema, readSchema } from '../../../src/core/fields/json-schema.js';
import { constant, identifier, type RecordMembers, stored, timestamp } from '../../../src/core/fields/members.js';
import { applySentOf, makeRowOf, viewOf } from '../../../src/core/fields/record-functions.js';
import { recordKey } from '../../../src/core/fields/record-key.js';
import { defineRecord } from '../../../src/core/fields/record-type.js';
import { exportFields, exportItem } from '../../../src/core/reading/export-item.js';
import type { Resource } from '../../../src/core/resource.js';
import { resources } from '../../../src/core/resources/index.js';
import { newDraft } from '../../../src/core/rows/draft.js';
import { columnTarget } from '../../../src/source/column-targets.js';
import { storeCatalog } from '../../../src/store/catalog.js';
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import type { Store } from '../../../src/store/store.js';
import { typedHere } from '../../cli/typed.js';
import { newDatabase } from '../../store/given.js';
import { memoryStore } from '../../store/memory-store.js';

/** A resource whose rules know its key and nothing else of it. */
function resourceOf(members: RecordMembers): Resource {
  const record = defineRecord('gadget', members, { id: ['id'], lookups: { name: ['name'] }, prefix: 'gadg_' } as never);
  return {
    name: 'gadget',
    command: 'gadgets',
    words: ['gadget'],
    title: 'Gadget',
    limit: 10,
    key: 'name',
    prefix: 'gadg_',
    fields: record.fields,
    tables: [record.table],
    externalId: recordKey(record.fields, 'name').of,
    prefetch: [],
    decide(task) {
      const name = String(task.item['name']);
      const before = task.snapshot.find(record.table, 'name', name);
      const next = before ?? record.newRow(task.snapshot.newId(record.table), task.environment.now);
      const row = { ...next, name };
      record.applySent(task.item as never, row as never);
      task.saveRecord(record.table, before, row);
    },
    find: (selector, snapshot) =>
      'id' in selector
        ? snapshot.find(record.table, 'id', selector.id)
        : snapshot.find(record.table, 'name', selector.key),
    readShape: record.readShape,
    view: record.view,
    details: {},
  };
}

const members = {
  object: constant('gadget'),
  id: identifier(),
  name: stored(key('the name'), { decided: true }),
  created_at: timestamp(),
  updated_at: timestamp(),
};

const added = {
  colour: [stored(text('its colour')), 'TEXT NOT NULL', '', 'red', 'red'],
  state: [stored(choice('its state', ['old', 'new']), { initial: 'old' }), 'TEXT NOT NULL', 'old', 'new', 'new'],
  height: [stored(integer('its height')), 'INTEGER NOT NULL', 0, 5, 5],
  fee: [stored(decimal('what it costs', 2)), 'INTEGER', '', '1.5', '1.50'],
  maker: [stored(reference('who makes it', 'maker', []), { column: 'made_by' }), 'TEXT', '', 'acme', 'acme'],
} as const;

async function inSqlite(column: string): Promise<Store> {
  const { file, database, version } = await newDatabase(`record-${column.replaceAll(' ', '-')}.db`);
  database.exec(`CREATE TABLE gadget (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, ${column}, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
  ) STRICT`);
  return sqliteStore(database, { file: join(file), lockTimeout: 1000, version });
}

describe.each(Object.entries(added))('a field that is declared: %s', (name, [member, type, initial, sent, read]) => {
  const resource = resourceOf({ ...members, [name]: member });
  const column = member.column.name || name;

  it('can be sent: by an item, in a column of a file, as the schema says', () => {
    expect(resource.fields[name]).toBe(member.field);
    expect(itemSchema(resource)).toMatchObject({ properties: { [name]: { description: expect.anything() } } });
    expect(columnTarget(name, resource.fields)).toMatchObject({ name, field: member.field });
  });

  it('is kept: a column of its table, with its initial value in a new row', () => {
    const [table] = resource.tables;
    expect(table?.columns).toContain(column);
    const row = { id: 'a', name: 'b', [column]: 1 };
    expect(table?.same(row, { ...row, [column]: 2 })).toBe(false);
  });

  it('is read: in the read shape and its schema, and in an export', () => {
    expect(Object.keys(resource.readShape)).toContain(name);
    expect(readSchema(resource.readShape)).toMatchObject({ required: expect.arrayContaining([name]) });
    expect(exportFields(resource)).toContain(name);
    const record = { object: 'gadget', id: 'gadg_1', name: 'n', [name]: read, created_at: 1, updated_at: 1 };
    expect(exportItem(resource, record, () => {})).toMatchObject({ [name]: read });
  });

  it.each([
    ['in memory', async () => memoryStore()],
    ['in SQLite', () => inSqlite(`${column} ${type}`)],
  ])('goes from an item to a row and back %s', async (_, open) => {
    const catalog = storeCatalog(await open());
    const actions: string[] = [];
    for (const item of [{ name: 'a' }, { name: 'a', [name]: sent }, { name: 'a' }, { name: 'b', [name]: sent }]) {
      for await (const { data } of catalog.importBatches(resource, [[rawEntry(item)]], { diff: true })) {
        actions.push(String(data[0]?.action));
        if (data[0]?.action === 'updated') expect(data[0].changes).toEqual([{ field: name, from: initial, to: read }]);
      }
    }
    expect(actions).toEqual(['created', 'updated', 'unchanged', 'created']);
    expect(await catalog.read(resource, { key: 'a' })).toMatchObject({ [name]: read });
    expect(await catalog.read(resource, { key: 'b' })).toMatchObject({ [name]: read });
    await catalog.close();
  });
});

describe('the order of a read', () => {
  it('is that of the declarations, but for members that name the one they follow', () => {
    const { readShape } = resourceOf({
      ...members,
      last: stored(text(''), { readAfter: 'id' }),
      kept: stored(text('')),
    });
    expect(Object.keys(readShape)).toEqual(['object', 'id', 'last', 'name', 'created_at', 'updated_at', 'kept']);
  });

  it('names no member that is not there', () => {
    const wrong = { ...members, last: stored(text(''), { readAfter: 'nothing' }) };
    expect(() => resourceOf(wrong)).toThrow('last is read after nothing');
  });
});

describe.each(resources.map((resource) => [resource.command, resource] as const))('%s', (_, resource) => {
  it('have every field in the template, and every column that is not internal in the read shape', async () => {
    const { stdout } = await typedHere(['template', resource.command, '--quiet']);
    const header = stdout.split('\n')[0]?.split(',') ?? [];
    for (const [name, { kind }] of Object.entries(resource.fields))
      expect(header.some((column) => column === name || (kind === 'list' && column.startsWith(`${name}[`)))).toBe(true);
    const read = new Set(Object.keys(resource.readShape));
    const renamed: Readonly<Record<string, string>> = { product_group: 'group', shop_order: 'order' };
    const internal = new Set([
      'key',
      'listed_values',
      'listed_grades',
      'former_prices',
      ...(resource.tables[0]?.fingerprint ?? []),
    ]);
    const columns = (resource.tables[0]?.columns ?? []).filter((column) => !internal.has(column));
    expect(columns.filter((column) => !read.has(renamed[column] ?? column))).toEqual([]);
  });
});

describe('functions compiled for a record do what its declaration says', () => {
  const columns = [
    { column: 'id', initial: '', isTime: false },
    { column: 'made', initial: 0, isTime: true },
    { column: 'word', initial: '\'"\\\u2028', isTime: false },
    { column: 'amount', initial: null, isTime: false },
  ];
  const fields = [
    { name: 'word', column: 'word', isBoolean: false },
    { name: 'sum', column: 'amount', isBoolean: false },
    { name: 'main', column: 'is_main', isBoolean: true },
  ];
  const shown = [
    { name: 'id', column: 'id', show: undefined, compute: undefined },
    { name: 'sum', column: 'amount', show: (value: unknown) => value ?? '', compute: undefined },
    { name: 'made', column: '', show: undefined, compute: (row: { id?: unknown }) => `of ${row.id}` },
  ];

  it('for any row and item', () => {
    const item = fc.record(
      { word: fc.string(), sum: fc.option(fc.integer()), main: fc.boolean(), other: fc.anything() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.string(), fc.integer(), item, (id, now, sent) => {
        const row = makeRowOf(columns)(id, now);
        expect(row).toEqual({ id, made: now, word: '\'"\\\u2028', amount: null });
        applySentOf(fields)(sent, row);
        const { word = row['word'], sum = row['amount'], main } = sent;
        expect(row).toEqual({ id, made: now, word, amount: sum, ...(main !== undefined && { is_main: Number(main) }) });
        expect(viewOf(shown)(row, newDraft())).toEqual({ id, sum: row['amount'] ?? '', made: `of ${id}` });
      }),
    );
  });
});
