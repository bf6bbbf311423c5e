// By how much the memory of a server grows where it keeps nothing: bodies that are refused, and large records that are read.
// The clients of hostile-load.ts meet the peaks of both at once only now and then.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { lineOf, outcome, startChild } from '../child.js';
import { bin, runProgram } from './program.js';

const folder = mkdtempSync(join(tmpdir(), 'catalog-server-memory-'));
afterAll(() => rmSync(folder, { recursive: true }));
const mebibyte = 1024 * 1024;

interface Asking {
  /** Posted first, one after the other. */
  readonly stored?: readonly string[];
  /** What the clients ask for again and again: bodies to post, or a path to read. */
  readonly asked: readonly (Buffer | string)[];
  readonly clients: number;
  readonly times: number;
}

/** The MiB by which the peak of a server's resident memory lies above what it takes when it has started. */
async function growth(name: string, { stored = [], asked, clients, times }: Asking): Promise<number> {
  const db = join(folder, `${name}.db`);
  const made = await runProgram(['keys', 'create', '--name', 'own', '--all', '--db', db]);
  const key = /cik_\w+/.exec(made.lines.join('\n'))?.[0];
  const server = startChild(process.execPath, [bin, 'serve', '--db', db, '--port', '0']);
  const [url] = await lineOf(server, /http:\/\/[\d.:]+/);
  const own = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;

  async function ask(what: Buffer | string): Promise<number> {
    const post = Buffer.isBuffer(what) && { method: 'POST', body: what };
    const headers = { ...own, ...(post && post.body[0] === 0x1f && { 'content-encoding': 'gzip' }) };
    const answer = await fetch(url + (post ? '/v1/product/import' : what), { ...post, headers });
    await answer.arrayBuffer();
    return answer.status;
  }

  const before = peak();
  for (const text of stored) expect(await ask(Buffer.from(text))).toBe(200);
  const client = async () => {
    for (let i = 0; i < times; i++) await ask(asked[i % asked.length] as Buffer | string);
  };
  await Promise.all(Array.from({ length: clients }, client));
  const after = peak();
  server.kill('SIGTERM');
  await outcome(server);
  return after - before;
}

it.runIf(process.platform === 'linux')('large bodies that are refused leave no garbage of their size', async () => {
  const body = Buffer.from(`{"items":[${'{},'.repeat((15 * mebibyte) / 3)}{}]}`);
  const asked = [body, gzipSync(body, { level: 1 })];
  const grown = await growth('bodies', { asked, clients: 4, times: 3 });
  expect(grown).toBeLessThan(115);
});

it.runIf(process.platform === 'linux')('large records that are read leave no garbage of several', async () => {
  const long = 'a'.repeat(mebibyte);
  const texts = Object.fromEntries(
    ['description', 'seo_description', 'badge', 'tag', 'note'].map((name) => [name, long]),
  );
  const stored = [1, 2, 3].map((i) => JSON.stringify({ items: [{ sku: `LARGE-${i}`, currency: 'EUR', ...texts }] }));
  const asked = [1, 2, 3].map((i) => `/v1/product/import?sku=LARGE-${i}`);
  const grown = await growth('reads', { stored, asked, clients: 6, times: 8 });
  expect(grown).toBeLessThan(210);
});
