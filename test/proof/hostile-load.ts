// Clients that generate harm against a server of its own process: what they ask for and post is chosen at random from
// dimensions that each have to be bounded. Meanwhile a client that does no harm measures what it waits for.
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { lineOf, outcome, startChild } from '../child.js';
import type { OwnServer } from '../postgres/own-server.js';
import { randomFrom } from '../random.js';
import { bin, runProgram, tamper } from './program.js';

/** What an hour, or ten seconds, of it showed. */
export interface HostileOutcome {
  /**
   * Milliseconds that the harmless client waited, in order: less those in which the machine gave its processor to others, and not to
   * the server, its database or the client, though they had something to do.
   */
  readonly waits: readonly number[];
  /** The longest turn of the server's event loop, in milliseconds of the processor. */
  readonly longestTurn: number;
  /** The peak of the server's resident memory, in MiB. */
  readonly mebibytes: number;
  /** Statuses of all responses, counted; 0 where the connection was closed without one. */
  readonly statuses: ReadonlyMap<number, number>;
  /** How often each dimension was used. */
  readonly attacks: ReadonlyMap<string, number>;
  readonly log: string;
}

type Random = (below: number) => number;

/** One request of a client; `pace` is how it reads: as it comes, 64 KiB a second, or not at all. */
interface Hostile {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** A body that is compressed already. */
  readonly packed?: Buffer;
  readonly pace?: 'slow' | 'never';
}

const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T;
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const longTexts = ['description', 'seo_description', 'badge', 'tag', 'note', 'ean'];
/** Each takes another number of bytes stored, as JSON, and in memory. */
const characters = ['\u0001', 'a', '"', '\u20ac', '\u{1f600}'];

function largeProduct(random: Random) {
  const text = pick(random, characters);
  const bytes = pick(random, [1024 * 1024, 300_000, 100_000]);
  const long = text.repeat(Math.floor(bytes / Buffer.byteLength(text)));
  return { sku: `LARGE-${random(12)}`, currency: 'EUR', ...Object.fromEntries(longTexts.map((name) => [name, long])) };
}

const items = (list: readonly unknown[], more: object = {}): string => JSON.stringify({ items: list, ...more });
const filled = (entry: string, mebibytes: number): string =>
  entry.repeat(Math.floor((mebibytes * 1024 * 1024) / entry.length));

const noBytes = gzipSync('');

/** The dimensions by name. */
const dimensions: Readonly<Record<string, (random: Random) => Hostile>> = {
  'bytes out: a large record': (random) => ({
    method: 'GET',
    path: `/v1/product/import?sku=LARGE-${random(12)}${pick(random, ['', '&include=attributes,media,grades'])}`,
  }),
  'bytes out: a list of large records': (random) => ({
    method: 'GET',
    path: `/v1/product/list?limit=${pick(random, [1, 100, 500])}${pick(random, ['', '&include=media', '&status=activated', '&updated_since=1'])}`,
  }),
  'slow readers': (random) => ({
    method: 'GET',
    path: pick(random, [`/v1/product/import?sku=LARGE-${random(12)}`, '/v1/product/list', '/openapi.json']),
    pace: pick(random, ['slow', 'never']),
  }),
  'bytes in: large records': (random) => ({
    method: 'POST',
    path: '/v1/product/import',
    body: items([largeProduct(random)], pick(random, [{}, { diff: true }, { dry_run: true, diff: true }])),
  }),
  'bytes in: a body of many values': (random) => ({
    method: 'POST',
    path: `/v1/${pick(random, ['product', 'attribute'])}/import`,
    body: pick(random, [
      `{"items":[{"sku":"A","x":[${filled('{},', 15)}{}]}]}`,
      `{"items":[${filled('{},', 15)}{}]}`,
      `{"items":[{"sku":"A","x":[${filled('[[[[]]]],', 15)}0]}]}`,
    ]),
  }),
  'bytes in: compressed bytes that give nothing': (random) => ({
    method: 'POST',
    path: '/v1/product/import',
    packed: Buffer.concat([...times(pick(random, [1000, 100_000, 700_000]), () => noBytes), gzipSync('{"items":[]}')]),
  }),
  'small batches over large records': (random) => ({
    method: 'POST',
    path: '/v1/product/import',
    body: items(
      times(12, (i) => ({
        ...{ sku: `LARGE-${i}`, currency: 'EUR', stock: random(9) },
        ...(random(2) === 0 && Object.fromEntries(longTexts.map((name) => [name, `${random(9)}`]))),
      })),
      pick(random, [{}, { diff: true }, { dry_run: true, diff: true }]),
    ),
  }),
  'paths that look like addresses': (random) => ({
    method: 'GET',
    path: `/@=${pick(random, ['a-', '=a:x', 'a:', 'x://a:b,', "key='"]).repeat(3000)}@`,
  }),
  'work per record': (random) => ({
    method: 'POST',
    path: '/v1/attribute/import',
    body: items(
      times(25, (i) => ({
        name: `Colour ${random(3)}`,
        values: times(400, (j) => ({ label: `${i} ${j} ${random(1_000_000)}` })),
      })),
    ),
  }),
  'repetition across batches': (random) => ({
    method: 'POST',
    path: '/v1/product/import',
    body: items(
      times(20, () => ({
        sku: 'SAME',
        currency: 'EUR',
        grades: times(20, () => ({ name: `g${random(1_000_000)}`, price: '1' })),
        media: times(250, () => ({ file: `file_${random(1_000_000)}` })),
      })),
    ),
  }),
  'words that are nearly right': (random) => ({
    method: 'POST',
    path: '/v1/product/import',
    body: items(
      times(40, (i) => ({ sku: `N${i}`, currency: 'EUR', [`descriptio${random(99)}`]: 'x', status: `activate${i}` })),
    ),
  }),
};

/** The client that does no harm, in a thread of its own so that the others do not keep it waiting. */
const probe = `
const { workerData: { url, key, every, server, database }, parentPort } = require('node:worker_threads');
const { readFileSync } = require('node:fs');
const { request, Agent } = require('node:http');
const read = (file) => { try { return readFileSync(file, 'latin1').split(' '); } catch { return []; } };
// https://docs.kernel.org/scheduler/sched-stats.html: time on the processor, and time waited for it, in nanoseconds.
const heldUp = (task) => Number(read('/proc/' + task + '/schedstat')[1] ?? 0) / 1e6;
const backends = () => database === undefined ? [] : read('/proc/' + database + '/task/' + database + '/children').filter(Boolean);
const delays = () => [heldUp('thread-self'), heldUp(server + '/task/' + server), new Map(backends().map((pid) => [pid, heldUp(pid)]))];
// Its connections work side by side: the one that was held up longest is the one that it may have waited for.
const since = ([client, main, each]) => {
  const [clientNow, mainNow, eachNow] = delays();
  return clientNow - client + mainNow - main + Math.max(0, ...[...eachNow].map(([pid, now]) => now - (each.get(pid) ?? now)));
};
const agent = new Agent({ keepAlive: true });
let isOver = false;
parentPort.on('message', () => { isOver = true; });
const ask = (path) => new Promise((resolve) => request(url + path, { agent, headers: { authorization: 'Bearer ' + key } }, (answer) => answer.resume().on('end', resolve)).on('error', resolve).end());
(async () => {
  // Not counted: the client loads its own modules for the first one.
  await ask('/v1/product/import?sku=SMALL');
  parentPort.postMessage('ready');
  const waits = [];
  for (let i = 0; !isOver; i++) {
    const before = delays();
    const began = performance.now();
    await ask(i % 2 ? '/v1/product/import?sku=SMALL' : '/v1/product/import?sku=NONE' + i);
    waits.push(Math.max(0, performance.now() - began - since(before)));
    await new Promise((resolve) => setTimeout(resolve, every));
  }
  agent.destroy();
  parentPort.postMessage(waits);
})();`;

/** Starts that client. @param processes the server, and its database where that is one */
async function measureWaits(
  url: string,
  key: string,
  processes: { readonly server: number; readonly database: number | undefined },
): Promise<() => Promise<number[]>> {
  const worker = new Worker(probe, { eval: true, workerData: { url, key, every: 20, ...processes } });
  await new Promise((resolve) => worker.once('message', resolve));
  return async () => {
    const waits = new Promise<number[]>((resolve) => worker.once('message', resolve));
    worker.postMessage('end');
    const list = await waits;
    await worker.terminate();
    return list.sort((a, b) => a - b);
  };
}

/** Sends one request; its status, 0 where there was none. */
function send(
  url: URL,
  agent: Agent,
  hostile: Hostile & { readonly headers: OutgoingHttpHeaders; readonly bytes?: Buffer },
) {
  return new Promise<number>((resolve) => {
    const { method, path, headers, bytes } = hostile;
    const sent = request({ host: url.hostname, port: url.port, method, path, headers, agent }, (answer) => {
      answer.resume().on('close', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', () => resolve(0)).end(bytes);
  });
}

/** Asks and reads as slowly as it is said, until the server closes or 15 s are over. */
async function readSlowly(url: URL, key: string, { path, pace }: Hostile): Promise<number> {
  const socket = connect(Number(url.port), url.hostname)
    .pause()
    .on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  for (let second = 0; second < 15 && !socket.destroyed; second++) {
    await sleep(1000);
    if (pace === 'slow') socket.read(64 * 1024) ?? socket.read();
  }
  socket.destroy();
  return 0;
}

/** What a folder's configuration must not decide: nothing outside is written, whatever it says. */
async function attackByFolder(folder: string, random: Random): Promise<void> {
  const victim = join(folder, 'victim');
  writeFileSync(victim, 'mine');
  const names = [
    'report-file',
    'refused-file',
    'status-file',
    'db',
    'remote',
    'history',
    'plan',
    'host',
    'api-key-file',
  ];
  const name = pick(random, names);
  writeFileSync(join(folder, 'catalog-import.yaml'), `defaults:\n  ${name}: ${victim}\n`);
  writeFileSync(join(folder, 'feed.csv'), `sku,currency\nA${random(9)},EUR\n,EUR\n`);
  await runProgram(['products', 'feed.csv', '--db', 'own.db', '--quiet'], { cwd: folder });
  if (readFileSync(victim, 'utf8') !== 'mine') throw new Error(`the folder's ${name} overwrote a file`);
}

/** Attacks a server for so many milliseconds, with so many clients that ask, that post, and that read slowly. @param on its catalog in PostgreSQL; otherwise it is a file */
export async function attack(
  folder: string,
  {
    milliseconds,
    clients,
    seed,
    on,
  }: { readonly milliseconds: number; readonly clients: number; readonly seed: number; readonly on?: OwnServer },
): Promise<HostileOutcome> {
  const db = on?.address ?? join(folder, 'catalog.db');
  const chance = randomFrom(seed);
  const random: Random = (below) => Math.floor(chance() * below);
  const keys: string[] = [];
  for (const name of ['own', 'a', 'b', 'c', 'd']) {
    const made = await runProgram(['keys', 'create', '--name', name, '--all', '--db', db]);
    keys.push(/cik_\w+/.exec(made.lines.join('\n'))?.[0] ?? '');
  }
  const turns = join(folder, 'turns');
  const server = startChild(process.execPath, ['--import', tamper, bin, 'serve', '--db', db, '--port', '0'], {
    env: { ...process.env, TAMPER: `turns:${turns}` },
  });
  const [address] = await lineOf(server, /http:\/\/[\d.:]+/);
  const url = new URL(address);
  const own = { authorization: `Bearer ${keys[0]}`, 'content-type': 'application/json' };
  const agent = new Agent({ keepAlive: true });
  for (const item of [{ sku: 'SMALL', currency: 'EUR' }, ...times(6, () => largeProduct(random))])
    await send(url, agent, {
      method: 'POST',
      path: '/v1/product/import',
      headers: own,
      bytes: Buffer.from(items([item])),
    });
  const statuses = new Map<number, number>();
  const attacks = new Map<string, number>();
  const end = await measureWaits(url.origin, keys[0] as string, { server: Number(server.pid), database: on?.pid() });
  const until = performance.now() + milliseconds;

  async function client(kinds: readonly string[]): Promise<void> {
    while (performance.now() < until) {
      const name = pick(random, kinds);
      const hostile = (dimensions[name] as (typeof dimensions)[string])(random);
      const key = pick(random, keys.slice(1));
      const status = hostile.pace === undefined ? await post(hostile, key) : await readSlowly(url, key, hostile);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      attacks.set(name, (attacks.get(name) ?? 0) + 1);
      if (status === 503 || status === 429) await sleep(200);
    }
  }

  function post(hostile: Hostile, key: string): Promise<number> {
    const isPacked = hostile.packed !== undefined || (hostile.body !== undefined && random(2) === 0);
    const body = Buffer.from(hostile.body ?? '');
    const packed = () => hostile.packed ?? gzipSync(body, { level: 1 });
    const headers = {
      authorization: `Bearer ${key}`,
      ...(hostile.method === 'POST' && { 'content-type': 'application/json' }),
      ...(isPacked && { 'content-encoding': 'gzip' }),
    };
    return send(url, agent, { ...hostile, headers, bytes: isPacked ? packed() : body });
  }

  async function folders(): Promise<void> {
    while (performance.now() < until) {
      await attackByFolder(folder, random);
      attacks.set('options from a file', (attacks.get('options from a file') ?? 0) + 1);
      await sleep(5000);
    }
  }

  const names = Object.keys(dimensions);
  const readers = names.filter((name) => name.startsWith('bytes out'));
  const posters = names.filter((name) => !name.startsWith('bytes out') && name !== 'slow readers');
  await Promise.all([
    ...times(clients, () => client(readers)),
    ...times(clients, () => client(posters)),
    ...times(clients, () => client(['slow readers'])),
    folders(),
  ]);
  const waits = await end();
  agent.destroy();
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1];
  server.kill('SIGTERM');
  const { stderr: log } = await outcome(server);
  return {
    waits,
    longestTurn: Number(readFileSync(turns, 'utf8')),
    mebibytes: Number(peak) / 1024,
    statuses,
    attacks,
    log,
  };
}
