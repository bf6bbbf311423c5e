// The contract of every store. One suite of behaviours; each implementation runs it.
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { idempotencyTable } from '../../src/core/planning/idempotency-records.js';
import { categoryTable } from '../../src/core/resources/category.js';
import { characteristicTable } from '../../src/core/resources/characteristic-table.js';
import { attributeTable } from '../../src/core/resources/product-attributes.js';
import { gradeTable } from '../../src/core/resources/product-grades.js';
import { newProduct, type ProductRow, productTable } from '../../src/core/resources/product-table.js';
import type { Draft } from '../../src/core/rows/snapshot.js';
import type { Row, RowOf, Table } from '../../src/core/rows/table.js';
import { isLastPage, type Plan, type Store } from '../../src/store/store.js';
import { repetitions } from '../tier.js';
import { memoryStore } from './memory-store.js';

type GradeRow = RowOf<typeof gradeTable>;
type CharacteristicRow = RowOf<typeof characteristicTable>;

/** A plan that asks until nothing is pending, and gives what it found last. */
function asking<T>(ask: (draft: Draft) => T): Plan<T> {
  return function* (draft) {
    for (;;) {
      const found = ask(draft);
      if (!draft.hasPending()) return found;
      yield;
    }
  };
}

/** The plan of a scan that wants no more than its rows. */
// biome-ignore lint/correctness/useYield: nothing is asked for
function* gives<R>(rows: readonly R[]): Generator<void, readonly R[]> {
  return rows;
}

/** A plan that saves once everything it asks for is there. */
function saving<T>(save: (draft: Draft) => T): Plan<T> {
  return function* (draft) {
    for (;;) {
      draft.mark();
      const value = save(draft);
      if (!draft.hasPending()) return value;
      draft.rollback();
      yield;
    }
  };
}

function create(draft: Draft, sku: string, fields: Partial<ProductRow> = {}): ProductRow {
  const row = { ...newProduct(sku, draft.newId(productTable), 1), slug: `slug-${sku}`, currency: 'EUR', ...fields };
  draft.save(productTable, row, null);
  draft.endItem(true);
  return row;
}

/** Corrects a product that is there. */
function correct(draft: Draft, sku: string, fields: Partial<ProductRow>): ProductRow | undefined {
  const before = draft.find(productTable, 'sku', sku);
  if (before === undefined) return undefined;
  const row = { ...before, ...fields };
  draft.save(productTable, row, before);
  return row;
}

function grade(product: string, name: string, price: number): GradeRow {
  return { product, grade: name, price, stock: 1, status: 'activated', listed: 1, position: 0 };
}

function characteristic(id: string, name: string): CharacteristicRow {
  return {
    id,
    key: name.toLowerCase(),
    name,
    kind: 'custom',
    unit: '',
    scope: 'catalog',
    scope_ident: null,
    position: 0,
    status: 'activated',
    shared: 0,
    listed_values: 0,
    created_at: 1,
    updated_at: 1,
  };
}

/** Runs the suite. `open` makes an empty store; it is closed here. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  describe(`a store: ${name}`, () => {
    const opened: Store[] = [];
    let store: Store;
    beforeEach(async () => {
      store = await open();
      opened.push(store);
    });
    afterAll(async () => {
      for (const one of opened) await one.close();
    });

    const find = (table: Table, lookup: string, key: string, second?: string): Promise<Row | undefined> =>
      store.read(asking((draft) => draft.find(table, lookup, key, second)));

    it('finds what a plan saved, by every look-up, and nothing else', async () => {
      const saved = await store.write(saving((draft) => create(draft, 'A', { price: 1250, category: null })));
      expect(await find(productTable, 'sku', 'A')).toEqual(saved);
      expect(await find(productTable, 'slug', 'slug-A')).toEqual(saved);
      expect(await find(productTable, 'id', saved.id)).toEqual(saved);
      for (const [lookup, key] of [
        ['sku', 'a'],
        ['slug', 'slug-a'],
        ['id', `${saved.id}0`],
        ['id', 'prod_'],
        ['id', `prod_${'0'.repeat(26)}`],
      ] as const)
        expect(await find(productTable, lookup, key), key).toBeUndefined();
    });

    it('counts changes, where it counts them: another number after each, and the same one after a read', async () => {
      const count = () => store.changeCount?.();
      let before = count();
      if (before === undefined) return;
      for (const sku of ['A', 'B', 'C']) {
        await store.write(saving((draft) => create(draft, sku)));
        const after = count() ?? Number.NaN;
        expect(after).toBeGreaterThan(before);
        await find(productTable, 'sku', sku);
        expect(count()).toBe(after);
        before = after;
      }
    });

    it('gives new rows identifiers of their own, and the same ones when a batch is decided again', async () => {
      const rounds: string[][] = [];
      const ids = await store.write(
        saving((draft) => {
          // Asked for first: the plan is decided twice.
          draft.find(productTable, 'sku', 'nobody');
          const given = ['A', 'B', 'C'].map((sku) => create(draft, sku).id);
          rounds.push(given);
          return given;
        }),
      );
      expect(rounds.length).toBeGreaterThan(1);
      for (const round of rounds) expect(round).toEqual(ids);
      const more = await store.write(saving((draft) => create(draft, 'D').id));
      expect(new Set([...ids, more]).size).toBe(4);
      for (const id of [...ids, more]) expect(id).toMatch(/^prod_/);
    });

    it('gives the identifier of a refused item to the next', async () => {
      await store.write(
        saving((draft) => {
          const refused = draft.newId(productTable);
          draft.endItem(false);
          expect(create(draft, 'A').id).toBe(refused);
        }),
      );
    });

    it('keeps nothing of a look', async () => {
      await store.read(saving((draft) => create(draft, 'A')));
      expect(await find(productTable, 'sku', 'A')).toBeUndefined();
    });

    it('keeps nothing of a plan that throws, and runs the next', async () => {
      const failing: Plan<void> = function* (draft) {
        yield;
        create(draft, 'A');
        throw new Error('a rule failed');
      };
      await expect(store.write(failing)).rejects.toThrow('a rule failed');
      expect(await find(productTable, 'sku', 'A')).toBeUndefined();
      await store.write(saving((draft) => create(draft, 'B')));
      expect(await find(productTable, 'sku', 'B')).toBeDefined();
    });

    it('corrects rows, and finds them under their new keys only', async () => {
      await store.write(saving((draft) => create(draft, 'A')));
      const corrected = await store.write(saving((draft) => correct(draft, 'A', { slug: 'other', price: 5 })));
      expect(await find(productTable, 'slug', 'other')).toEqual(corrected);
      expect(await find(productTable, 'slug', 'slug-A')).toBeUndefined();
      expect(await find(productTable, 'sku', 'A')).toEqual(corrected);
    });

    it('lets two records trade their slugs in one transaction', async () => {
      await store.write(saving((draft) => [create(draft, 'A'), create(draft, 'B')]));
      await store.write(
        saving((draft) => [correct(draft, 'A', { slug: 'slug-B' }), correct(draft, 'B', { slug: 'slug-A' })]),
      );
      expect((await find(productTable, 'slug', 'slug-B'))?.['sku']).toBe('A');
      expect((await find(productTable, 'slug', 'slug-A'))?.['sku']).toBe('B');
    });

    it('gives the children of a parent, those of earlier transactions and of this one', async () => {
      const { id } = await store.write(
        saving((draft) => {
          const product = create(draft, 'A');
          draft.save(gradeTable, grade(product.id, 'new', 100), null);
          return product;
        }),
      );
      const seen = await store.write(
        saving((draft) => {
          const [before] = draft.children(gradeTable, id);
          if (before !== undefined) draft.save(gradeTable, { ...before, price: 90 }, before);
          draft.save(gradeTable, grade(id, 'good', 60), null);
          return draft.children(gradeTable, id);
        }),
      );
      const stored = await store.read(asking((draft) => draft.children(gradeTable, id)));
      const prices = (rows: readonly GradeRow[]) => rows.map(({ price }) => price ?? 0).sort((a, b) => a - b);
      expect(prices(seen)).toEqual([60, 90]);
      expect(prices(stored)).toEqual([60, 90]);
      for (const row of stored) expect(row.product).toBe(id);
    });

    it('keeps values of products of several characteristics, whoever made these', async () => {
      const { product, one, other } = await store.write(
        saving((draft) => {
          const made = { one: draft.newId(characteristicTable), other: draft.newId(characteristicTable) };
          draft.save(characteristicTable, characteristic(made.one, 'Colour'), null);
          draft.save(characteristicTable, characteristic(made.other, 'Size'), null);
          return { ...made, product: create(draft, 'A').id };
        }),
      );
      const row = { product, ordinal: 0, unit: '', position: 0, listed: 1 };
      await store.write(
        saving((draft) => {
          draft.find(characteristicTable, 'id', one);
          draft.save(attributeTable, { ...row, characteristic: one, value: 'red' }, null);
          draft.save(attributeTable, { ...row, characteristic: other, value: 'L' }, null);
        }),
      );
      const stored = await store.read(asking((draft) => draft.children(attributeTable, product)));
      const named = stored.map(({ characteristic: id, value }) => [
        id === one ? 'one' : id === other ? 'other' : id,
        value,
      ]);
      expect(named.sort()).toEqual([
        ['one', 'red'],
        ['other', 'L'],
      ]);
    });

    it('keeps texts and numbers as they are', async () => {
      const texts = ['', ' ', '\u{1F4A9}', 'a"b\\c\n\t', "x' OR 1=1", 'İ', '\u202e', 'é'.normalize('NFD'), 'null', '0'];
      await store.write(
        saving((draft) =>
          texts.forEach((text, i) => {
            create(draft, `T${i}`, {
              name: text,
              description: text,
              price: Number.MAX_SAFE_INTEGER,
              stock: -2147483648,
            });
          }),
        ),
      );
      for (const [i, text] of texts.entries())
        expect(await find(productTable, 'sku', `T${i}`)).toMatchObject({
          name: text,
          description: text,
          price: Number.MAX_SAFE_INTEGER,
          price_compare: null,
          stock: -2147483648,
        });
    });

    it('tells whether a table has rows', async () => {
      const some = () => store.read(asking((draft) => draft.some(categoryTable)));
      const anyProduct = () => store.read(asking((draft) => draft.some(productTable)));
      expect([await some(), await anyProduct()]).toEqual([false, false]);
      await store.write(saving((draft) => create(draft, 'A')));
      expect([await some(), await anyProduct()]).toEqual([false, true]);
    });

    it('runs changes that are asked for at once one behind the other, none on what another is about to change', async () => {
      await store.write(saving((draft) => create(draft, 'A', { stock: 0 })));
      const addOne: Plan<unknown> = saving((draft) => {
        const before = draft.find(productTable, 'sku', 'A');
        return before && correct(draft, 'A', { stock: before.stock + 1 });
      });
      await Promise.all(Array.from({ length: 25 }, () => store.write(addOne)));
      expect((await find(productTable, 'sku', 'A'))?.['stock']).toBe(25);
    });

    it('loads for others, and keeps what others decided, known or new', async () => {
      await store.write(saving((draft) => create(draft, 'A', { price: 1 })));
      const before = (await find(productTable, 'sku', 'A')) as ProductRow;
      const changed = { ...before, price: 2 };
      await store.save(new Map([[productTable, { created: [], changed: new Map([[changed, before]]) }]]));
      const found: Row[] = [];
      await store.load(
        {
          rows: new Map([[productTable, new Map([['sku', new Set(['A', 'B'])]])]]),
          children: new Map(),
          some: new Set(),
        },
        {
          missing: () => undefined,
          loaded: (_table, _lookup, _key, row) => void found.push(row),
          loadedChildren: () => undefined,
          loadedSome: () => undefined,
          addHeads: () => undefined,
        },
      );
      expect(found).toEqual([changed]);
    });

    /** The SKUs of all products, page by page, each with the prices of its grades. */
    async function skusByPage(limit: number): Promise<string[][]> {
      const pages: string[][] = [];
      for (let after: string | undefined; ; ) {
        const page = await store.scan(productTable, { limit, ...(after !== undefined && { after }) }, (rows, draft) =>
          asking(() =>
            rows.map((row) => ({ row, prices: draft.children(gradeTable, row.id).map(({ price }) => price) })),
          )(draft),
        );
        pages.push(page.map(({ row, prices }) => [row.sku, ...prices].join(' ')));
        const rows = page.map(({ row }) => row);
        if (isLastPage(productTable, rows, { limit })) return pages;
        after = rows.at(-1)?.id;
      }
    }

    it('returns the rows of a table page by page, each once, with their children', async () => {
      const skus = ['E', 'A', 'D', 'B', 'C'];
      await store.write(
        saving((draft) => {
          for (const sku of skus) draft.save(gradeTable, grade(create(draft, sku).id, 'new', 7), null);
        }),
      );
      await store.write(saving((draft) => correct(draft, 'D', { stock: 3 })));
      const expected = skus.map((sku) => `${sku} 7`).sort();
      for (const limit of [1, 2, 3, 5, 6]) {
        const pages = await skusByPage(limit);
        expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
        expect(pages.flat().sort(), `${limit} a page`).toEqual(expected);
      }
      expect(await skusByPage(2)).toEqual(await skusByPage(2));
    });

    it('ends a page with the row whose long texts are too many, however many rows it may have', async () => {
      const long = 'ä'.repeat(300_000);
      const names = ['C', 'A', 'E', 'B', 'D'];
      await store.write(
        saving((draft) => {
          for (const sku of names) create(draft, sku, { description: long });
        }),
      );
      for (const limit of [3, 5, 9]) {
        const pages = await skusByPage(limit);
        expect(pages.flat().sort()).toEqual([...names].sort());
        expect(Math.max(...pages.map((page) => page.length))).toBeLessThan(4);
      }
    });

    it('gives pages of rows that are found by their identifiers', async () => {
      const names = ['Size', 'Colour', 'Weight'];
      await store.write(
        saving((draft) => {
          for (const name of names) {
            draft.save(characteristicTable, characteristic(draft.newId(characteristicTable), name), null);
          }
        }),
      );
      const [first] = await store.scan(characteristicTable, { limit: 1 }, gives);
      const all = await store.scan(characteristicTable, { limit: 9 }, gives);
      const rest = await store.scan(characteristicTable, { after: first?.id ?? '', limit: 9 }, gives);
      expect(all.map(({ name }) => name).sort()).toEqual([...names].sort());
      expect(rest).toEqual(all.slice(1));
    });

    it('keeps nothing of a scan, and says so where the row to begin behind never was', async () => {
      await store.scan(productTable, { limit: 1 }, (_rows, draft) => saving((it) => create(it, 'X'))(draft));
      expect(await find(productTable, 'sku', 'X')).toBeUndefined();
      const none = store.scan(productTable, { after: 'prod_none', limit: 1 }, gives);
      await expect(none).rejects.toMatchObject({ code: 'not_found' });
    });

    it('deletes bookkeeping that is older than a time, and nothing else', async () => {
      const receipt = (key: string, time: number) => ({
        owner: 'o',
        key,
        fingerprint: 'f',
        report: '{}',
        created_at: time,
      });
      await store.write(
        saving((draft) => {
          for (const time of [1, 2, 3]) draft.save(idempotencyTable, receipt(`k${time}`, time), undefined);
        }),
      );
      await store.deleteExpired(idempotencyTable, 2);
      const kept = await Promise.all(['k1', 'k2', 'k3'].map((key) => find(idempotencyTable, 'id', 'o', key)));
      expect(kept.map((row) => row?.['key'])).toEqual([undefined, undefined, 'k3']);
    });

    it('deletes all of a bookkeeping table with what a plan saves, and nothing where the plan fails', async () => {
      const receipt = { owner: 'cleared', key: 'k', fingerprint: 'f', report: '{}', created_at: 5_000_000_000 };
      const kept = () => find(idempotencyTable, 'id', receipt.owner, receipt.key);
      await store.write(saving((draft) => draft.save(idempotencyTable, receipt, undefined)));
      const failing = saving((draft) => {
        draft.clear(idempotencyTable);
        throw new Error('refused');
      });
      await expect(store.write(failing)).rejects.toThrow('refused');
      expect(await kept()).toMatchObject(receipt);
      await store.write(
        saving((draft) => {
          draft.clear(idempotencyTable);
          create(draft, 'CLEARED');
        }),
      );
      expect(await kept()).toBeUndefined();
      expect(await find(productTable, 'sku', 'CLEARED')).toBeDefined();
    });

    it('says up to which time bookkeeping is beyond bounds of rows or bytes', async () => {
      const now = 4_000_000_000;
      await store.write(
        saving((draft) => {
          for (const [i, report] of ['é'.repeat(50), 'x'.repeat(10), 'x'.repeat(10), 'x'.repeat(10)].entries())
            draft.save(
              idempotencyTable,
              { owner: 'bounds', key: `b${i}`, fingerprint: 'f', report, created_at: now + i },
              undefined,
            );
        }),
      );
      const beyond = (rows: number, bytes: number) =>
        store.timeBeyond(idempotencyTable, { rows, column: 'report', bytes });
      expect(await beyond(100, 1_000_000)).toBeUndefined();
      expect(await beyond(3, 1_000_000)).toBe(now);
      expect(await beyond(2, 1_000_000)).toBe(now + 1);
      expect(await beyond(4, 129)).toBe(now);
      expect(await beyond(4, 20)).toBe(now + 1);
      await store.deleteExpired(idempotencyTable, now + 4);
      expect(await beyond(1, 1)).toBeUndefined();
    });

    it('does what the store in memory does, whatever is created, corrected and rolled back', async () => {
      const skus = ['A', 'B', 'C', 'D', 'E', 'F'];
      const change = fc.record({
        sku: fc.constantFrom(...skus),
        price: fc.nat(9),
        slug: fc.constantFrom('s1', 's2', 's3', 's4', 's5', 's6', 's7'),
        graded: fc.option(fc.constantFrom('new', 'good', 'poor'), { nil: undefined }),
      });
      const transaction = fc.record({ changes: fc.array(change, { minLength: 1, maxLength: 6 }), kept: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(fc.array(transaction, { maxLength: 8 }), async (transactions) => {
          const one = await open();
          const model = memoryStore();
          try {
            for (const { changes, kept } of transactions) {
              const plan = saving((draft) => {
                for (const each of changes) {
                  const holder = draft.find(productTable, 'slug', each.slug);
                  const free = holder === undefined || holder.sku === each.sku;
                  const fields = { price: each.price, ...(free && { slug: each.slug }) };
                  const row =
                    draft.find(productTable, 'sku', each.sku) === undefined
                      ? create(draft, each.sku, fields)
                      : correct(draft, each.sku, fields);
                  if (row === undefined || each.graded === undefined) continue;
                  const stored = draft.children(gradeTable, row.id).find((found) => found.grade === each.graded);
                  draft.save(gradeTable, grade(row.id, each.graded, each.price), stored ?? null);
                }
              });
              for (const target of [one, model]) await (kept ? target.write(plan) : target.read(plan));
            }
            const seen = asking((draft) =>
              skus.map((sku) => {
                const row = draft.find(productTable, 'sku', sku);
                const bySlug = row && draft.find(productTable, 'slug', row.slug);
                const grades = row === undefined ? [] : draft.children(gradeTable, row.id);
                const { id: _, ...fields } = row ?? { id: '' };
                return {
                  fields,
                  bySlug: bySlug?.sku,
                  grades: grades.map(({ grade: name, price }) => `${name} ${price}`).sort(),
                };
              }),
            );
            expect(await one.read(seen)).toEqual(await model.read(seen));
          } finally {
            await one.close();
          }
        }),
        { numRuns: repetitions('TRANSACTIONS', { fast: 6, moderate: 8, full: 200 }) },
      );
    });
  });
}
