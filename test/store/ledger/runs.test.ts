// What a run keeps of itself while it is under way.
import { expect, it } from 'vitest';
import { storeCatalog } from '../../../src/store/catalog.js';
import { batchOf } from '../../entries.js';
import { products, shopOn } from '../ledger-shop.js';
import { memoryStore } from '../memory-store.js';

it('which items of its plan it did is kept with what they changed, and to its end; of a run without a plan nothing', async () => {
  for (const plan of ['digest', undefined]) {
    const { ledger, store } = shopOn(memoryStore());
    const open = await ledger.begin({ feed: '', detail: { command: 'apply', files: [], ...(plan && { plan }) } });
    const catalog = storeCatalog(store, { recorder: open.addFile({ file: 'a.plan', resource: 'product' }) });
    const progress = async () => (await ledger.runs()).map(({ detail }) => detail.progress);
    const send = async (...items: readonly unknown[]) => {
      for await (const _ of catalog.importBatches(products, [batchOf(items)]));
    };
    await send({ sku: 'A', currency: 'EUR' }, { sku: 'B' }, { sku: 'C', currency: 'EUR' });
    expect(await progress()).toEqual([plan && [1, 1, 1]]);
    // What changes nothing writes nothing: it is kept with the next change, or with the end.
    await send({ sku: 'A', currency: 'EUR' });
    expect(await progress()).toEqual([plan && [1, 1, 1]]);
    await send({ sku: 'D', currency: 'EUR' });
    expect(await progress()).toEqual([plan && [1, 1, 3]]);
    await send({ sku: 'A', currency: 'EUR' });
    await open.end({ state: 'done', exit: 3 });
    expect(await progress()).toEqual([plan && [1, 1, 4]]);
  }
});
