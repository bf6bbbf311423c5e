// Messages of a reading thread in any order of arrival: worker threads that send what a test has them send.
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { key } from '../../../src/core/fields/fields.js';
import type { Chunk } from '../../../src/source/record-reader.js';
import { openInThread } from '../../../src/source/worker/thread-source.js';

/** Tells two chunks and ends, or dies, in one go once it is let; nothing of it is taken meanwhile. */
const code = `
const { parentPort, workerData: { go, dies } } = require('node:worker_threads');
parentPort.once('message', ({ port }) => {
  port.postMessage({ kind: 'opened', found: {} });
  Atomics.wait(go, 0, 0);
  const state = { progress: { read: 1, size: 1 }, unknown: new Map(), overflowed: false, notes: [] };
  for (const line of [1, 2]) port.postMessage({ kind: 'chunk', items: [{ sku: 'S-' + line }], lines: [line], refused: [], ...state });
  if (dies) throw new Error('it died');
  port.postMessage({ kind: 'ended', ...state });
  port.close();
});
`;

/** Blocks this thread, as deciding and writing do. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

it.each([false, true])('messages of a thread are received before its end (it dies: %s)', async (dies) => {
  const go = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(code, { eval: true, workerData: { go, dies } });
  const order = { fields: { sku: key('') }, keyField: 'sku', options: { file: 'any.csv' } };
  const source = await openInThread(worker, order);
  const lines: number[] = [];
  let failure: unknown;
  const reading = (async () => {
    try {
      for await (const chunk of source.chunks as AsyncIterable<Chunk>) {
        lines.push(...chunk.lines);
        // Long enough for the end of the thread to be known.
        block(100);
        await sleep(1);
      }
    } catch (cause) {
      failure = cause;
    }
  })();
  await sleep(5);
  Atomics.store(go, 0, 1);
  Atomics.notify(go, 0);
  block(300);
  await reading;
  expect(lines).toEqual([1, 2]);
  expect(failure).toEqual(dies ? new Error('it died') : undefined);
  await source.close();
});
