// What is kept of runs: while they are under way, and when they are old.
import { expect, it } from 'vitest';
import { runId } from '../../../src/core/ledger/run-tables.js';
import { storeCatalog } from '../../../src/store/catalog.js';
import { runHeads } from '../../../src/store/ledger/runs.js';
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

it('an old run that is shown to nobody is deleted once it has ended, and its place is free', async () => {
  const { ledger, store } = shopOn(memoryStore());
  const begin = () => ledger.begin({ feed: 'erp', detail: { command: 'undo', files: [], unrecorded: true } });
  const ended = await begin();
  await ended.end({ state: 'done', exit: 0 });
  const open = await begin();
  await ledger.forget(-100, await ledger.runs());
  expect((await runHeads(store)).map(({ id }) => id)).toEqual([runId(open.number)]);
});

it('the last 16 complete runs of each feed are never too old, nor are their undos; others are', async () => {
  const { ledger } = shopOn(memoryStore());
  const done = async (feed: string, undoes?: readonly number[]): Promise<number> => {
    const open = await ledger.begin({ feed, detail: { command: 'products', files: [], ...(undoes && { undoes }) } });
    await open.end({ state: 'done', exit: 0 });
    return open.number;
  };
  const kept: number[] = [];
  for (let nth = 0; nth < 18; nth++) {
    await done('');
    const runs = [await done('erp'), await done('a')];
    if (nth === 1) for (const number of runs) await done('erp', [number]);
    if (nth > 1) kept.push(...runs);
    if (nth === 9) kept.push(await done('erp', runs));
  }
  const all = await ledger.runs();
  expect(await ledger.forget(-100, all)).toMatchObject({ runs: all.length - kept.length });
  expect((await ledger.runs()).map(({ number }) => number)).toEqual(kept.sort((a, b) => a - b));
});
