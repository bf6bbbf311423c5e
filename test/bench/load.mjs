// Requests a second and p50/p99 of the server beside fastify's hello-world, in one run on one machine:
//   npm run build && node test/bench/load.mjs [seconds] [connections] [workers]
// CATALOG_BENCH_DB names another catalog than a new file: load-postgres.ts does.
// The client is this process, the server another: two cores, client included. hello-world is Fastify's own example, a route
// without a key, limits, a log or metrics: what its router and Node take is the least that a server on Fastify can cost.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bin, cpuOf, load, newKey, start } from './load-client.mjs';

const [seconds = 5, connections = 32, workers = 1] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'load-'));
const db = process.env.CATALOG_BENCH_DB ?? join(folder, 'catalog.db');

function product(i) {
  return {
    sku: `SKU-${i}`,
    name: `Phone ${i}, 64 GB, unlocked`,
    description: 'A phone that was looked over and cleaned, with a year of warranty.',
    currency: 'EUR',
    price: '199.90',
    stock: i % 50,
    weight: '0.174',
    status: 'activated',
    ean: '4006381333931',
    badge: 'sale',
  };
}

function post(path, key, body) {
  const text = JSON.stringify(body);
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n`;
  return Buffer.from(head + text);
}

/**
 * Loads a server and measures it. Each call of `next` makes a request; undefined ends it. Before it is measured it is warmed
 * up by a number of requests, so that the code that runs often is compiled, however slow the machine is.
 */
async function measure({ url, child }, next, warmUp = 3000) {
  let left = warmUp;
  await load(url, () => (left-- > 0 ? next() : undefined), { connections, isOver: () => false });
  const until = performance.now() + seconds * 1000;
  const before = cpuOf(child);
  const result = await load(url, next, { connections, isOver: () => performance.now() > until });
  return { ...result, cpu: (cpuOf(child) - before) / result.count };
}

function tell(name, { rate, p50, p99, cpu, statuses }, beside, of = 'hello world') {
  const share =
    beside === undefined
      ? ''
      : `   ${(rate / beside.rate).toFixed(2)} of ${of}'s rate, ${(cpu / beside.cpu).toFixed(1)} times its CPU`;
  console.log(
    `${name.padEnd(26)} ${rate.toFixed(0).padStart(6)} requests/s   p50 ${p50} ms   p99 ${p99} ms   ${cpu.toFixed(0).padStart(4)} µs CPU each   (${statuses})${share}`,
  );
}

const hello = `
  import('${import.meta.resolve('fastify')}').then(async ({ fastify }) => {
    const app = fastify();
    app.get('/', async () => ({ hello: 'world' }));
    console.log('listening on ' + (await app.listen({ port: 0 })));
  })`;
const helloServer = await start(['-e', hello]);
const key = newKey(db);
const server = await start([
  bin,
  'serve',
  '--db',
  db,
  '--port',
  '0',
  '--rate',
  '1000000',
  '--workers',
  String(workers),
]);
let count = 0;
const path = '/v1/product/import';
const bodies = Array.from({ length: 1200 * (seconds + 1) }, () =>
  post(path, key, { items: Array.from({ length: 40 }, () => product(count++)) }),
);
const sent = [];
const first = await measure(
  server,
  () => {
    const body = bodies.pop();
    if (body !== undefined) sent.push(body);
    return body;
  },
  300,
);
tell('POST of 40 new products', first);
let repeated = 0;
// Recognized as what was applied last: at most half of the time.
const again = await measure(server, () => sent[repeated++ % sent.length], 300);
tell('POST of the same 40 again', again, first, 'the first');
// Each connection had a last one made that it did not send.
const imported = count - (bodies.length + connections) * 40;

const get = (i) => `GET ${path}?sku=SKU-${i} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
const rounds = 3;
let asked = 0;
let turn = 0;
// In turns, so that what else the machine does weighs on all of them alike.
for (let round = 1; round <= rounds; round++) {
  const beside = await measure(helloServer, () => 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  tell('fastify hello world', beside);
  const last = (imported / rounds) * round;
  tell(
    'GET, not asked before',
    await measure(server, () => (asked < last ? get(count - 1 - asked++) : undefined)),
    beside,
  );
  tell('GET, asked before', await measure(server, () => get(count - 1 - (turn++ % 1000))), beside);
}
for (const { child } of [helloServer, server]) {
  child.removeAllListeners('exit').kill();
  await new Promise((resolve) => child.once('exit', resolve));
}
rmSync(folder, { recursive: true });
