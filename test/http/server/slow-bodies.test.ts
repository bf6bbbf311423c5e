// Bodies made to be slow: the time they take grows with their bytes and not with their square, and meanwhile others are
// answered within 100 ms. The server is a process of its own, and who asks it for /livez a thread of its own.
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lineOf, outcome, startChild } from '../../child.js';
import { typedHere } from '../../cli/typed.js';
import { allowed, repetitions } from '../../tier.js';
import { settled } from '../../until.js';
import { type SlowBody, slowBodies } from './slow-bodies.js';

const bin = join(import.meta.dirname, '../../../bin/catalog-import.js');
const folder = mkdtempSync(join(tmpdir(), 'slow-bodies-'));
const db = join(folder, 'catalog.db');

/** Bytes of the larger body; the smaller one has a quarter. */
const bytes = repetitions('SLOW_BYTES', { fast: 1_000_000, moderate: 1_000_000, full: 16_000_000 });

/** Milliseconds in which /livez and reads are answered, during any post; on a shared machine, in addition to the wait of an idle server. */
const longestWait = allowed(100);

/** Four times the bytes may take this many times as long: of the square it would be 16. */
const mostGrowth = 8;

/** What takes less than this says nothing about growth. */
const negligible = 150;

/** Other jobs of the machine get in the way now and then, but not every time. */
const tries = 4;

const poller = `
  const { parentPort, workerData: url } = require('node:worker_threads');
  const { get, Agent } = require('node:http');
  const agent = new Agent({ keepAlive: true });
  let worst = 0;
  function poll() {
    const began = performance.now();
    get(url, { agent }, (answer) => answer.resume().on('end', () => {
      worst = Math.max(worst, performance.now() - began);
      setTimeout(poll, 5);
    }));
  }
  parentPort.on('message', () => { parentPort.postMessage(worst); worst = 0; });
  poll();`;

const key = (await typedHere(['keys', 'create', '--name', 'slow', '--all', '--db', db])).stdout.trim();
const server = startChild(process.execPath, [bin, 'serve', '--db', db, '--port', '0'], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
let url: URL;
let livez: Worker;

beforeAll(async () => {
  url = new URL((await lineOf(server, /^listening on (\S+)$/))[1] ?? '');
  livez = new Worker(poller, { eval: true, workerData: `${url.origin}/livez` });
  // What the first batch loads is not measured.
  for (const { path } of slowBodies) await post(path, '{"items":[{}]}');
});
afterAll(async () => {
  await livez.terminate();
  server.kill();
  await outcome(server);
  rmSync(folder, { recursive: true });
});

/** The longest time that /livez took since it was asked for last. */
async function worstWait(): Promise<number> {
  livez.postMessage('worst');
  const [worst] = await settled('the longest wait', once(livez, 'message'));
  return worst as number;
}

/** The longest time that /livez takes while nothing is posted for so long. */
async function idleWait(milliseconds: number): Promise<number> {
  await worstWait();
  await sleep(Math.max(200, milliseconds));
  return worstWait();
}

function post(
  path: string,
  text: string,
): Promise<{ readonly status: number; readonly ms: number; readonly length: number }> {
  const body = Buffer.from(text);
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': body.length,
  };
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const outgoing = request(url, { method: 'POST', path, headers }, (incoming) => {
      let length = 0;
      incoming.on('data', (part: Buffer) => {
        length += part.length;
      });
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, ms: performance.now() - began, length }));
    });
    outgoing.on('error', reject).end(body);
  });
}

/**
 * The processor time of the server so far, in milliseconds: others on the machine do not prolong it. Where the system does
 * not tell it, the time that passes.
 */
function serverTime(): number {
  const file = `/proc/${server.pid}/stat`;
  if (!existsSync(file)) return performance.now();
  const [user = 0, system = 0] = readFileSync(file, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13)
    .map(Number);
  const ticksPerSecond = 100;
  return ((user + system) * 1000) / ticksPerSecond;
}

async function measure({ path, make }: SlowBody, size: number) {
  const text = make(size);
  await worstWait();
  const began = serverTime();
  const { status, length, ms: passed } = await post(path, text);
  return { status, length, passed, ms: serverTime() - began, wait: await worstWait() };
}

it.each(slowBodies.map((body) => [body.name, body] as const))(
  `%s: time grows with the bytes, up to ${bytes / 1e6} MB, and /livez answers meanwhile`,
  async (_name, body) => {
    let growth = Number.POSITIVE_INFINITY;
    let wait = Number.POSITIVE_INFINITY;
    let idle = 0;
    for (let i = 0; i < tries && (growth > mostGrowth || wait > longestWait + idle); i++) {
      const small = await measure(body, bytes / 4);
      const large = await measure(body, bytes);
      for (const { status, length } of [small, large]) {
        expect([200, 413]).toContain(status);
        // At most 16 KiB for each of the most items that an endpoint takes.
        expect(length).toBeLessThan(250 * 16 * 1024);
      }
      growth = Math.min(growth, large.ms < negligible ? 0 : large.ms / Math.max(small.ms, negligible / mostGrowth));
      wait = Math.min(wait, Math.max(small.wait, large.wait));
      if (wait > longestWait) idle = Math.max(idle, await idleWait(large.passed));
    }
    expect({ growth, wait }).toEqual({
      growth: expect.toSatisfy((g) => g <= mostGrowth),
      wait: expect.toSatisfy((w) => w <= longestWait + idle),
    });
  },
);

it('the server keeps nothing of it in memory', async () => {
  const { status } = await post('/v1/product/import', '{"items":[{"sku":"after","currency":"EUR"}]}');
  expect(status).toBe(200);
});
