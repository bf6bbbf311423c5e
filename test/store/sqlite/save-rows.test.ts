// What is written of many new rows at once: what they have in common is part of the statement.
import { expect, it } from 'vitest';
import { slugSeries } from '../../../src/core/planning/slug.js';
import { column, defineTable, type Row, type Table } from '../../../src/core/rows/table.js';
import { openStore } from '../../../src/store/open.js';
import { newPath } from '../given.js';

it('many new rows are stored as they are, also where what all have in common changes from part to part', async () => {
  const table = slugSeries as Table;
  const store = await openStore({ file: newPath('parts.db'), create: true });
  const written: Row[] = [];
  for (const [part, last] of [2, 3, 4, 2, 5000, 5001, 6].entries()) {
    const created = Array.from({ length: 130 }, (_, i) => ({ stem: `part ${part}, it's ${i}`, last }));
    await store.save(new Map([[table, { created, changed: new Map() }]]));
    written.push(...created);
  }
  const found = await store.readAll(table);
  const stems = (rows: readonly Row[]) => new Map(rows.map(({ stem, last }) => [stem, last]));
  expect(stems(found)).toEqual(stems(written));
  await store.close();
});

it('texts that all have in common are stored as they are, whatever stands in them', async () => {
  const table: Table = defineTable(
    'file',
    { id: column.text, name: column.text, created_at: column.integer, updated_at: column.integer },
    { id: ['id'] },
  );
  const store = await openStore({ file: newPath('texts.db'), create: true });
  const written: Row[] = [];
  for (const [part, name] of ["it's", "'", '', 'NULL', '$&', 'ä\n?', 'x'.repeat(33)].entries()) {
    const created = Array.from({ length: 130 }, (_, i) => ({
      id: `${part}-${i}`,
      name,
      created_at: 1,
      updated_at: part,
    }));
    await store.save(new Map([[table, { created, changed: new Map() }]]));
    written.push(...created);
  }
  const byId = (rows: readonly Row[]) => new Map(rows.map((row) => [row['id'], row]));
  expect(byId(await store.readAll(table))).toEqual(byId(written));
  await store.close();
});
