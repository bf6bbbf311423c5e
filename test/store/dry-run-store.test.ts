// A dry run around a catalog: what it wrote counts for it, and nothing else of it changes. Every promise of a store: stores.test.ts.
import { expect, it } from 'vitest';
import { idempotencyTable } from '../../src/core/planning/idempotency-records.js';
import { newProduct, productTable } from '../../src/core/resources/product-table.js';
import type { Heads } from '../../src/core/rows/snapshot.js';
import type { Row, Table } from '../../src/core/rows/table.js';
import { dryRunStore } from '../../src/store/dry-run-store.js';
import type { Store } from '../../src/store/store.js';
import { memoryStore } from './memory-store.js';

const created = (rows: readonly (readonly [Table, Row])[]) =>
  new Map(rows.map(([table, row]) => [table, { created: [row], changed: new Map() }]));

const productRow = (sku: string, updated_at: number) => {
  const row = { ...newProduct(sku, `prod_${sku}`, 1), slug: sku.toLowerCase(), currency: 'EUR', updated_at };
  return [productTable as unknown as Table, row as Row] as const;
};

it('gives the heads of records, of each the newer one', async () => {
  const base = memoryStore();
  for (const sku of ['A', 'B', 'C']) await base.save(created([productRow(sku, 1)]));
  const dry = dryRunStore(base, memoryStore());
  for (const sku of ['B', 'E']) await dry.save(created([productRow(sku, 2)]));
  let found = {} as Heads;
  const nothing = () => undefined;
  await dry.load(
    {
      ...{ rows: new Map(), children: new Map(), some: new Set() },
      heads: { table: productTable as unknown as Table, column: 'sku', keys: ['A', 'B', 'C', 'D', 'E'] },
    },
    {
      ...{ missing: nothing, loaded: nothing, loadedChildren: nothing, loadedSome: nothing },
      addHeads(heads) {
        found = heads;
      },
    },
  );
  const { indexes, ids, fingerprints } = found;
  expect(indexes).toEqual([0, 2, 1, 4]);
  expect(ids).toEqual(['prod_A', 'prod_C', 'prod_B', 'prod_E']);
  expect(fingerprints.map((values) => values.length)).toEqual((productTable.fingerprint ?? []).map(() => 4));
});

it('deletes of a bookkeeping table what is too old, or too much, of its own rows alone', async () => {
  const receipt = (store: Store, created_at: number) =>
    store.save(
      created([
        [
          idempotencyTable as unknown as Table,
          { owner: 'o', key: `k${created_at}`, fingerprint: '', report: 'text', created_at },
        ],
      ]),
    );
  const base = memoryStore();
  const dry = dryRunStore(base, memoryStore());
  await receipt(base, 1);
  for (const time of [2, 3, 4]) await receipt(dry, time);
  const times = async (store: Store) => (await store.readAll(idempotencyTable)).map(({ created_at }) => created_at);
  expect(await dry.timeBeyond(idempotencyTable as unknown as Table, { rows: 1, column: 'report', bytes: 100 })).toBe(3);
  expect(await dry.timeBeyond(idempotencyTable as unknown as Table, { rows: 9, column: 'report', bytes: 8 })).toBe(2);
  await dry.deleteExpired(idempotencyTable as unknown as Table, 3);
  expect([await times(base), await times(dry)]).toEqual([[1], [1, 4]]);
});
