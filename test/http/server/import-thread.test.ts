// The importing thread: the same answers as without it, and the responses to posts when it dies.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resources } from '../../../src/core/resources/index.js';
import { isFailure } from '../../../src/http/protocol.js';
import { stopImports, threadImporter } from '../../../src/http/server/imports/import-thread.js';
import { type LocalCatalog, openCatalog } from '../../../src/store/open.js';
import { openDatabase } from '../../../src/store/sqlite/database.js';
import { built } from '../../built.js';

const code = join(await built('cli/serve/import-thread'), 'import-thread.js');
const product = resources.find(({ name }) => name === 'product') ?? expect.unreachable();

let folder: string;
let file: string;
let catalog: LocalCatalog;
let thread: Worker;
const importer = threadImporter();

function start(): void {
  thread = new Worker(code, { workerData: { file } });
  thread.once('exit', () => importer.interrupt());
  importer.use(thread);
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'import-thread-'));
  file = join(folder, 'catalog.db');
  catalog = await openCatalog({ file, create: true });
  start();
});
afterEach(async () => {
  await thread.terminate();
  await catalog.close();
  rmSync(folder, { recursive: true });
});

function post(body: string, isAbandoned?: () => boolean, idempotencyKey?: string, owner = 'o') {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(body));
  bytes.write(body);
  const run = { user: 'test', token: undefined, feed: undefined };
  return importer.importBatch({ resource: product, body: bytes, owner, idempotencyKey, run }, isAbandoned);
}

const batch = (sku: string) => JSON.stringify({ items: [{ sku, currency: 'EUR' }] });

describe('requests that are passed to the import thread', () => {
  it('are answered as in this thread: reports, failures, replays', async () => {
    expect(await post(batch('A'))).toMatchObject({ replayed: false, stored: { created: 1, total: 1 } });
    expect(await post('{')).toMatchObject({ status: 400, error: 'invalid_json' });
    const first = await post(batch('K'), undefined, 'k');
    expect(await post(batch('K'), undefined, 'k')).toEqual({
      report: (first as { report: string }).report,
      replayed: true,
    });
    expect(await post(batch('L'), undefined, 'k')).toMatchObject({ error: 'idempotency_key_reused' });
    expect(await catalog.read(product, { key: 'A' })).toMatchObject({ sku: 'A' });
  });

  it('are not started where their client has disconnected', async () => {
    const large = JSON.stringify({ items: [{ sku: 'large', currency: 'EUR', description: 'x'.repeat(1_000_000) }] });
    let isGone = false;
    const waiting = [post(large), post(large), post(batch('gone'), () => isGone)];
    isGone = true;
    const results = await Promise.all(waiting);
    expect(results.map(isFailure)).toEqual([false, false, true]);
    expect(await catalog.read(product, { key: 'gone' })).toBeUndefined();
  });

  it('throw the errors of the catalog', async () => {
    await post(batch('A'));
    for (const part of ['', '-wal', '-shm']) rmSync(file + part);
    await expect(post(batch('B'))).rejects.toMatchObject({ code: 'catalog_unavailable' });
  });

  it('are answered 503 where it dies, and later ones go to a new thread', async () => {
    await post(batch('A'));
    const other = openDatabase(file, true);
    other.exec('BEGIN IMMEDIATE');
    const lost = [post(batch('B')), post(batch('C'))];
    await thread.terminate();
    for (const result of await Promise.all(lost)) expect(result).toMatchObject({ status: 503, error: 'busy' });
    other.exec('ROLLBACK');
    other.close();
    start();
    expect(await post(batch('B'))).toMatchObject({ stored: { created: 1 } });
  });

  it('are refused when the thread died of them alone, and take no others along', async () => {
    await post(batch('A'));
    const other = openDatabase(file, true);
    other.exec('BEGIN IMMEDIATE');
    const large = JSON.stringify({ items: [{ sku: 'KILLS', currency: 'EUR', description: 'x'.repeat(1_200_000) }] });
    const killer = post(large);
    const waiting = post(batch('W'));
    await thread.terminate();
    other.exec('ROLLBACK');
    other.close();
    expect(await killer).toMatchObject({ status: 422, error: 'import_killed' });
    expect(await post(large)).toMatchObject({ status: 422, error: 'import_killed' });
    start();
    expect(await waiting).toMatchObject({ stored: { created: 1 } });
  });

  it('of one key do not keep those of another waiting', async () => {
    const large = (i: number) =>
      JSON.stringify({ items: [{ sku: `L${i}`, currency: 'EUR', description: 'x'.repeat(1_000_000) }] });
    const order: string[] = [];
    const many = Array.from({ length: 6 }, (_, i) => post(large(i)).then(() => order.push('many')));
    const one = post(batch('one'), undefined, undefined, 'other').then(() => order.push('one'));
    await Promise.all([...many, one]);
    expect(order.indexOf('one')).toBeLessThanOrEqual(2);
  });

  it('are completed before it stops', async () => {
    const last = post(batch('last'));
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    expect(await last).toMatchObject({ stored: { created: 1 } });
    thread.postMessage(stopImports);
    expect(await ended).toBe(0);
  });
});
