// What an undo makes of records that are no products, and how it tells what it changed.
import { describe, expect, it } from 'vitest';
import { storeCatalog } from '../../../src/store/catalog.js';
import { batchOf } from '../../entries.js';
import { type Item, resourceCalled } from '../../given.js';
import { type Shop, shopOn } from '../ledger-shop.js';
import { memoryStore } from '../memory-store.js';

/** Imports items of a resource. @returns the number of the run, and what it did with each item */
async function send({ store, ledger }: Shop, word: string, ...items: readonly Item[]) {
  const resource = resourceCalled(word);
  const open = await ledger.begin({ feed: '', detail: { command: word, files: [] } });
  const recorder = open.addFile({ file: 'c.csv', resource: resource.name });
  const actions: string[] = [];
  for await (const { data } of storeCatalog(store, { recorder }).importBatches(resource, [batchOf(items)]))
    actions.push(...data.map(({ action }) => action));
  await open.end({ state: 'done', exit: 0 });
  return { run: open.number, actions };
}

/** The records of a resource. */
async function recordsOf({ store }: Shop, word: string, include: readonly string[] = []) {
  const { records } = await storeCatalog(store).list(resourceCalled(word), { limit: 10, include });
  return records as readonly Item[];
}

describe('an undo', () => {
  it('puts categories back that a run turned upside down', async () => {
    const shop = shopOn(memoryStore());
    const parents = async () =>
      Object.fromEntries(
        (await recordsOf(shop, 'categories', ['names'])).map((record) => [record['name'], record['parent_name']]),
      );
    const sent = async (...items: readonly Item[]) => (await send(shop, 'categories', ...items)).run;
    await sent({ name: 'A' }, { name: 'B', parent: 'A' }, { name: 'C', parent: 'B' });
    const before = await parents();
    const run = await sent(
      { name: 'B', parent: '' },
      { name: 'C', parent: '' },
      { name: 'B', parent: 'C' },
      { name: 'A', parent: 'B' },
    );
    const turned = await parents();
    expect(turned).toEqual({ A: 'B', B: 'C', C: '' });
    const { run: undone, ...done } = await shop.undo(run);
    expect(done).toMatchObject({ restored: 3, kept: 0 });
    expect(await parents()).toEqual(before);
    expect(await shop.undo(undone)).toMatchObject({ restored: 3, kept: 0 });
    expect(await parents()).toEqual(turned);
    // A stays where a later run put it, below B: so B stays, and C above it.
    await sent({ name: 'D', parent: 'B' }, { name: 'A', parent: 'D' });
    const { keptFields } = await shop.undo(run);
    expect(keptFields.map(({ key, reason }) => `${key} ${reason}`).sort()).toEqual([
      'A changed_since',
      'B parent_below',
      'C parent_below',
    ]);
  });

  it('of the creation of a category leaves it to be created anew, at its place', async () => {
    const shop = shopOn(memoryStore());
    const items = [
      { name: 'Lamps', status: 'activated' },
      { name: 'Desk lamps', parent: 'Lamps', status: 'activated' },
    ];
    const { run } = await send(shop, 'categories', ...items);
    const before = await recordsOf(shop, 'categories', ['names']);
    expect(await shop.undo(run)).toMatchObject({ items: 2, suspended: 2, kept: 0 });
    expect((await recordsOf(shop, 'categories')).map(({ status }) => status)).toEqual(['suspended', 'suspended']);
    expect((await send(shop, 'categories', ...items)).actions).toEqual(['updated', 'updated']);
    const told = (all: readonly Item[]) =>
      all.map(({ id, name, parent_name, status }) => [id, name, parent_name, status]);
    expect(told(await recordsOf(shop, 'categories', ['names']))).toEqual(told(before));
  });

  it('of the creation of a review rejects it', async () => {
    const shop = shopOn(memoryStore());
    await send(shop, 'products', { sku: 'A', currency: 'EUR' });
    await send(shop, 'customers', { external_id: 'c' });
    const review = { external_id: 'r', customer_external_id: 'c', product_sku: 'A', rating: 5, status: 'published' };
    const { run } = await send(shop, 'reviews', review);
    expect(await shop.undo(run)).toMatchObject({ items: 1, suspended: 1, kept: 0 });
    expect(await recordsOf(shop, 'reviews')).toMatchObject([{ external_id: 'r', status: 'rejected' }]);
    expect((await send(shop, 'reviews', review)).actions).toEqual(['updated']);
    expect(await recordsOf(shop, 'reviews')).toMatchObject([{ rating: 5, status: 'published' }]);
  });

  it('tells each change of a record once', async () => {
    const shop = shopOn(memoryStore());
    const grades = (price: string) => [{ grade: 'good', price, stock: 1 }];
    const sent = (price: string) => ({
      ...{
        A: { currency: 'EUR', price },
        B: { currency: 'EUR', price },
        C: { currency: 'EUR', grades: grades(price) },
      },
    });
    await shop.run('', sent('1.00'));
    const { run } = await shop.run('', sent('2.00'));
    const { run: undo } = await shop.undo(run);
    const told: string[] = [];
    for await (const changes of shop.ledger.changes((await shop.ledger.runs()).at(undo - 1) as never))
      for (const { key, fields } of changes)
        told.push(...fields.map(({ field, before, value }) => `${key} ${field} ${before} ${value}`));
    expect(told.sort()).toEqual([
      ...['A price 2.00 1.00', 'B price 2.00 1.00', 'C grades[good].price 2.00 1.00', 'C price 2.00 1.00'],
    ]);
  });
});
