// What a run is said to have changed: fields as reads name and show them.
import { describe, expect, it } from 'vitest';
import type { RecordedChange } from '../../../src/core/ledger/recorded-change.js';
import { storeCatalog } from '../../../src/store/catalog.js';
import { describeChanges } from '../../../src/store/ledger/change-description.js';
import { ledgerOf } from '../../../src/store/ledger/ledger.js';
import { batchOf } from '../../entries.js';
import { type Item, resourceCalled } from '../../given.js';
import { shopOn } from '../ledger-shop.js';
import { memoryStore } from '../memory-store.js';

/** A catalog whose imports are told. */
function toldCatalog() {
  const store = memoryStore();
  const ledger = ledgerOf({ store, importing: (origin) => storeCatalog(store, origin) }, 5000);

  /** Imports items as a run. @returns what it changed, as `key field: before → value` */
  async function changesOf(word: string, ...items: readonly Item[]): Promise<string[]> {
    const resource = resourceCalled(word);
    const open = await ledger.begin({ feed: '', detail: { command: word, files: [] } });
    const recorder = open.addFile({ file: word, resource: resource.name });
    for await (const { data } of storeCatalog(store, { recorder }).importBatches(resource, [batchOf(items)]))
      for (const { action, reason } of data) expect(action, String(reason)).not.toBe('refused');
    await open.end({ state: 'done', exit: 0 });
    const told: string[] = [];
    for await (const changes of ledger.changes((await ledger.runs()).at(-1) as never))
      for (const { key, isNew, fields } of changes)
        told.push(
          ...(isNew ? [`${key} is new`] : []),
          ...fields.map(({ field, before, value }) => `${key} ${field}: ${JSON.stringify([before, value])}`),
        );
    return told.sort();
  }

  /** The values of a field of a product, the latest first: each with the one before. */
  async function valuesOf(sku: string, field: string): Promise<unknown[]> {
    const { fields } = (await ledger.explain(resourceCalled('products'), sku)) ?? { fields: [] };
    return fields.filter((one) => one.field === field).map(({ before, value }) => [before, value]);
  }

  return { changesOf, valuesOf };
}

describe('what a run changed', () => {
  it('is told of a new entry of a list by what identifies it, with its other values, and nothing that no read shows', async () => {
    const { changesOf } = toldCatalog();
    await changesOf('products', { sku: 'A', currency: 'EUR' });
    await changesOf('characteristics', { name: 'Size' }, { kind: 'colour' }, { name: 'Fit' });
    await changesOf('groups', { name: 'G' });
    const sizes = [{ label: 'S' }, { label: 'M', description: 'Medium' }];
    expect(await changesOf('characteristics', { name: 'Size', values: sizes })).toEqual([
      'Size values[M].description: [null,"Medium"]',
      'Size values[M].position: [null,1]',
      'Size values[M].status: [null,"activated"]',
      'Size values[S].position: [null,0]',
      'Size values[S].status: [null,"activated"]',
    ]);
    const red = { kind: 'colour', values: [{ label: 'Red', hex: 'ff0000' }] };
    expect(await changesOf('characteristics', red)).toContain('Colour values[Red].hex: [null,"#ff0000"]');
    expect(await changesOf('groups', { name: 'G', axes: [{ attribute: 'Size' }] })).toEqual([
      'G axes[Size].kind: [null,"pill"]',
      'G axes[Size].position: [null,0]',
      'G axes[Size].status: [null,"activated"]',
    ]);
    expect(await changesOf('products', { sku: 'A', attributes: [{ type: 'Fit', value: 'slim' }] })).toEqual([
      'A attributes[Fit].position: [null,0]',
      'A attributes[Fit].value: [null,"slim"]',
    ]);
    expect(await changesOf('products', { sku: 'A', attributes: [{ type: 'Fit', value: 'wide' }] })).toEqual([
      'A attributes[Fit].value: ["slim","wide"]',
    ]);
  });

  it('is told of a long text that a later item of the batch changed again', async () => {
    const { changesOf } = toldCatalog();
    const named = (sign: string) => ({ sku: 'A', currency: 'EUR', name: sign.repeat(50) });
    await changesOf('products', named('a'));
    expect(await changesOf('products', named('b'), named('c'))).toEqual([
      `A name: ${JSON.stringify(['a'.repeat(50), 'b'.repeat(50)])}`,
      `A name: ${JSON.stringify(['b'.repeat(50), 'c'.repeat(50)])}`,
    ]);
  });

  it('is told of the price of a grade with its decimals, and of one that had none without', async () => {
    const { changesOf, valuesOf } = toldCatalog();
    const grade = (more: Item) => ({ sku: 'A', currency: 'EUR', grades: [{ grade: 'new', ...more }] });
    await changesOf('products', { sku: 'A', currency: 'EUR' });
    expect(await changesOf('products', grade({}))).toEqual([
      'A grades[new].position: [null,0]',
      'A grades[new].status: [null,"activated"]',
    ]);
    expect(await changesOf('products', grade({ price: 5 }))).toEqual([
      'A grades[new].price: [null,"5.00"]',
      'A price: ["0.00","5.00"]',
    ]);
    expect(await changesOf('products', grade({ price: 6.5, stock: 2 }))).toEqual([
      'A grades[new].price: ["5.00","6.50"]',
      'A grades[new].stock: [null,2]',
      'A price: ["5.00","6.50"]',
      'A stock: [0,2]',
    ]);
    expect(await valuesOf('A', 'grades[new].price')).toEqual([
      ['5.00', '6.50'],
      [null, '5.00'],
    ]);
  });

  it('is told of a price of one cent, and of none, as of any other', async () => {
    const { changesOf } = toldCatalog();
    await changesOf('products', { sku: 'A', currency: 'EUR' });
    expect(await changesOf('products', { sku: 'A', price: '0.01' })).toEqual(['A price: ["0.00","0.01"]']);
    expect(await changesOf('products', { sku: 'A', price: '0.02' })).toEqual(['A price: ["0.01","0.02"]']);
  });

  it('is told as it was where the field changed since outside the history', async () => {
    const shop = shopOn(memoryStore());
    await shop.run('', { A: { currency: 'EUR', name: 'Cup' } });
    const { run } = await shop.run('', { A: { name: 'Mug' } });
    await shop.unrecorded({ A: { name: 'Bowl' } });
    const [told] = (await shop.ledger.runs()).filter(({ number }) => number === run);
    const changed = [];
    for await (const some of shop.ledger.changes(told as never)) changed.push(...some);
    expect(changed).toMatchObject([{ key: 'A', fields: [{ field: 'name', before: 'Cup', value: 'Mug' }] }]);
  });

  it('is told of a record that is not there any more without its fields, and as new only where it was', async () => {
    const change = {
      ...{ resource: 'product', file: 0, line: 7, markBefore: 1, markAfter: 2, record: 'prod_gone', row: {} },
      ...{ columns: ['price'], before: [100], after: [200] },
    };
    const told = async (more: Pick<RecordedChange, 'table' | 'isNew'>) => {
      const changes = [{ ...change, ...more }];
      const [one] = await describeChanges(memoryStore(), { chunk: '', changes }, () => resourceCalled('products'));
      return one;
    };
    const nothing = { resource: 'product', key: '', id: 'prod_gone', fields: [], line: 7 };
    expect(await told({ table: 'product', isNew: false })).toMatchObject({ ...nothing, isNew: false });
    expect(await told({ table: 'product_grade', isNew: true })).toMatchObject({ ...nothing, isNew: false });
    expect(await told({ table: 'product', isNew: true })).toMatchObject({ ...nothing, isNew: true });
  });

  it('names the feed whose value a run of another feed passed on, of a characteristic and a field alike', async () => {
    const shop = shopOn(memoryStore());
    await shop.characteristics('Capacity');
    await shop.ledger.setFeeds((settings) => ({ ...settings, order: ['erp', 'a'] }));
    const night = (feed: string, price: string, value: string) =>
      shop.run(feed, { A: { currency: 'EUR', price, attributes: [{ type: 'Capacity', value }] } });
    const { run } = await night('a', '9.00', '64');
    const { run: higher } = await night('erp', '10.00', '128');
    await shop.run('erp', {});
    const { fields } = (await shop.ledger.explain(resourceCalled('products'), 'A')) ?? { fields: [] };
    for (const [field, value, before] of [
      ['price', '9.00', '10.00'],
      ['attributes[Capacity].value', '64', '128'],
    ]) {
      const own = fields.filter((one) => one.field === field);
      expect(own[0]).toMatchObject({ value, from: { feed: 'a', run, file: 0, line: 2 } });
      expect(own[1]).toMatchObject({ value: before, run: higher });
      expect(own.slice(1).map(({ from }) => from)).toEqual(own.slice(1).map(() => undefined));
    }
  });

  it('of an entry that leaves its list, or comes back, is told by its value alone; of one that another replaces by what differs', async () => {
    const { changesOf } = toldCatalog();
    await changesOf('products', { sku: 'A', currency: 'EUR' });
    await changesOf('characteristics', { name: 'Fit' });
    const sent = (...values: readonly string[]) =>
      changesOf('products', { sku: 'A', attributes: values.map((value) => ({ type: 'Fit', value })) });
    await sent('slim', 'wide');
    expect(await sent('slim')).toEqual(['A attributes[Fit].value: ["wide",""]']);
    expect(await sent('slim', 'wide')).toEqual(['A attributes[Fit].value: ["","wide"]']);
    expect(await sent('slim', 'loose')).toEqual(['A attributes[Fit].value: ["wide","loose"]']);
    expect(await sent('loose', 'slim')).toEqual([]);
    expect(await sent('high')).toEqual([
      'A attributes[Fit].value: ["loose",""]',
      'A attributes[Fit].value: ["slim","high"]',
    ]);
  });

  it('of an entry that takes the place of one with a unit, and has none, is told by its value', async () => {
    const { changesOf } = toldCatalog();
    await changesOf('products', { sku: 'A', currency: 'EUR' });
    await changesOf('characteristics', { name: 'Weight' });
    const sent = (...attributes: readonly Item[]) =>
      changesOf('products', { sku: 'A', attributes: attributes.map((one) => ({ type: 'Weight', ...one })) });
    await sent({ value: 'light' }, { value: '5', unit: 'kg' });
    expect(await sent({ value: 'light' })).toEqual(['A attributes[Weight].value: ["5",""]']);
    expect(await sent({ value: 'light' }, { value: 'heavy' })).toEqual(['A attributes[Weight].value: ["","heavy"]']);
  });

  it('is told of a suspended entry that leaves its list', async () => {
    const { changesOf, valuesOf } = toldCatalog();
    const grades = [{ grade: 'new', status: 'suspended' }, { grade: 'good' }];
    await changesOf('products', { sku: 'A', currency: 'EUR', grades });
    expect(await changesOf('products', { sku: 'A', grades: [{ grade: 'good' }] })).toEqual([
      'A grades[new].listed: [true,false]',
    ]);
    expect(await valuesOf('A', 'grades[new].listed')).toEqual([[true, false]]);
    expect(await changesOf('products', { sku: 'A', grades: [] })).toEqual([
      'A grades[good].status: ["activated","suspended"]',
    ]);
  });

  it('is told of another product of a review by its SKU, whether it is there or not', async () => {
    const { changesOf } = toldCatalog();
    await changesOf('products', { sku: 'A', currency: 'EUR' });
    await changesOf('customers', { external_id: 'c' });
    const review = { external_id: 'r', customer_external_id: 'c', rating: 5 };
    await changesOf('reviews', { ...review, product_sku: 'A' });
    expect(await changesOf('reviews', { ...review, product_sku: 'B' })).toEqual(['r product_sku: ["A","B"]']);
    expect(await changesOf('reviews', { ...review, product_sku: 'A' })).toEqual(['r product_sku: ["B","A"]']);
  });

  it('is told of another place of an entry by both, of a text that was emptied by what it was, and of a new record as new', async () => {
    const { changesOf } = toldCatalog();
    const grades = (...names: readonly string[]) => ({ grades: names.map((grade) => ({ grade, price: 1 })) });
    expect(
      await changesOf('products', { sku: 'A', currency: 'EUR', ...grades('new', 'good') }, { sku: 'A', note: 'x' }),
    ).toEqual(['A is new', 'A note: ["","x"]']);
    const placed = (position: number) => ({ name: 'Fit', values: [{ label: 'slim', position }] });
    await changesOf('characteristics', placed(3));
    expect(await changesOf('characteristics', placed(5))).toEqual(['Fit values[slim].position: [3,5]']);
    const slim = (more: Item) => ({ sku: 'A', attributes: [{ type: 'Fit', value: 'slim', ...more }] });
    await changesOf('products', slim({ position: 3 }));
    expect(await changesOf('products', slim({ position: 5 }))).toEqual(['A attributes[Fit].position: [3,5]']);
    const size = (description: string) => ({ name: 'Size', values: [{ label: 'M', description }] });
    await changesOf('characteristics', size('Medium'));
    expect(await changesOf('characteristics', size(''))).toEqual(['Size values[M].description: ["Medium",""]']);
  });

  it('is told of an older run by what its entries were then, whatever took their places since', async () => {
    const shop = shopOn(memoryStore());
    await shop.characteristics('Fit');
    const night = (A: readonly string[], B: readonly string[]) => {
      const item = (values: readonly string[]) => ({
        ...{ currency: 'EUR', attributes: values.map((value) => ({ type: 'Fit', value })) },
      });
      return shop.run('', { A: item(A), B: item(B) });
    };
    await night(['slim', 'wide'], ['slim', 'wide']);
    const { run } = await night(['slim'], ['slim']);
    await night(['slim', 'loose'], ['slim']);
    await night(['slim', 'high'], ['slim', 'low']);
    const told: string[] = [];
    for await (const some of shop.ledger.changes((await shop.ledger.runs()).find((one) => one.number === run) as never))
      for (const { key, fields } of some)
        told.push(...fields.map(({ field, before, value }) => `${key} ${field}: ${JSON.stringify([before, value])}`));
    expect(told).toEqual(['A attributes[Fit].value: ["wide",""]', 'B attributes[Fit].value: ["wide",""]']);
  });

  it('is told of an entry that left without its value where that is not known any more', async () => {
    const shop = shopOn(memoryStore());
    await shop.characteristics('Fit');
    const item = (...values: readonly string[]) => ({
      A: { currency: 'EUR', attributes: values.map((value) => ({ type: 'Fit', value })) },
    });
    await shop.run('', item('slim', 'wide'));
    const { run } = await shop.run('', item('slim'));
    await shop.unrecorded(item('slim', 'loose'));
    const told: unknown[] = [];
    for await (const some of shop.ledger.changes((await shop.ledger.runs()).find((one) => one.number === run) as never))
      for (const { fields } of some) told.push(...fields.map(({ field, before, value }) => [field, before, value]));
    expect(told).toEqual([['attributes[Fit].value', undefined, '']]);
  });
});
