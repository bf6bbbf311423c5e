// Messages of a reading thread in any order of arrival: worker threads that send what a test has them send.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { key } from '../../../src/core/fields/fields.js';
import type { Chunk } from '../../../src/source/record-reader.js';
import { openInThread } from '../../../src/source/worker/thread-source.js';

/** How the reading thread tells something. */
const tellCode = `const tell = (message) => {
    port.postMessage(message);
    if (Atomics.exchange(isAwaited, 0, 0) === 1) parentPort.postMessage(null);
  };`;

/** Tells two chunks and ends, or dies, in one go once it is let; nothing of it is taken meanwhile. */
const code = `
const { parentPort, workerData: { go, dies } } = require('node:worker_threads');
parentPort.once('message', ({ port, isAwaited }) => {
  ${tellCode}
  tell({ kind: 'opened', found: {} });
  Atomics.wait(go, 0, 0);
  const state = { progress: { read: 1, size: 1 }, unknown: new Map(), overflowed: false, notes: [] };
  for (const line of [1, 2]) tell({ kind: 'chunk', items: [{ sku: 'S-' + line }], lines: [line], blocks: 1, refused: [], ...state });
  if (dies) throw new Error('it died');
  tell({ kind: 'ended', ...state });
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

/** Tells chunks with pauses between them, so that the reader waits for each. */
const slowCode = `
const { parentPort } = require('node:worker_threads');
parentPort.once('message', ({ port, isAwaited }) => {
  ${tellCode}
  const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3);
  tell({ kind: 'opened', found: {} });
  const state = { progress: { read: 1, size: 1 }, unknown: new Map(), overflowed: false, notes: [] };
  for (let line = 1; line <= 50; line++) {
    if (line % 3 !== 0) pause();
    tell({ kind: 'chunk', entries: [], lines: [line], blocks: 1, ...state });
  }
  tell({ kind: 'ended', ...state });
  port.close();
});
`;

it('a reader that waits is woken by each chunk', async () => {
  const worker = new Worker(slowCode, { eval: true });
  const order = { fields: { sku: key('') }, keyField: 'sku', options: { file: 'any.csv' } };
  const source = await openInThread(worker, order);
  const lines: number[] = [];
  for await (const chunk of source.chunks as AsyncIterable<Chunk>) {
    lines.push(...chunk.lines);
    // At times the reader is slower than the thread.
    if (chunk.lines[0] === 20) await sleep(50);
  }
  expect(lines).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  await source.close();
});

it('a reader that waits ends with the thread', async () => {
  const worker = new Worker(
    "require('node:worker_threads').parentPort.once('message', () => setTimeout(() => process.exit(0), 20));",
    { eval: true },
  );
  const order = { fields: { sku: key('') }, keyField: 'sku', options: { file: 'any.csv' } };
  await expect(openInThread(worker, order)).rejects.toThrow('The reading thread ended early.');
});

it('a thread whose task cannot be sent is ended: the process would wait for it for ever', async () => {
  const worker = new Worker("require('node:worker_threads').parentPort.once('message', () => {});", { eval: true });
  const ended = once(worker, 'exit');
  const options = { file: 'any.csv', decimal: (() => '.') as unknown as ',' };
  const order = { fields: { sku: key('') }, keyField: 'sku', options };
  await expect(openInThread(worker, order)).rejects.toThrow('could not be cloned');
  await ended;
});

it('the form of a file comes with what encodes it, which cannot be sent', async () => {
  const opened = `
const { parentPort } = require('node:worker_threads');
parentPort.once('message', ({ port, isAwaited }) => {
  ${tellCode}
  tell({ kind: 'opened', found: {}, form: { format: 'csv', encoding: 'windows-1252', newline: '\\r', header: 'sku' } });
});
`;
  const worker = new Worker(opened, { eval: true });
  const order = { fields: { sku: key('') }, keyField: 'sku', options: { file: 'any.csv' } };
  const { form, close } = await openInThread(worker, order);
  expect(form).toMatchObject({ format: 'csv', encoding: 'windows-1252', newline: '\r', header: 'sku' });
  expect(form?.encode('é', true)).toEqual(Buffer.from([0xe9]));
  await close();
});
