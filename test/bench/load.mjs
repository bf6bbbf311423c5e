// Requests a second and p50/p99 of the server beside fastify's hello-world, in one run on one machine:
//   npm run build && node test/bench/load.mjs [seconds] [connections] [workers]
// The client is this process, the server another: two cores, client included.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bin, cpuOf, load, newKey, start } from './load-client.mjs';

const [seconds = 5, connections = 32, workers = 1] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'load-'));
const db = join(folder, 'catalog.db');

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

async function timed(name, { url, child }, next) {
  const during = (time) => {
    const until = performance.now() + time * 1000;
    return { connections, isOver: () => performance.now() > until };
  };
  await load(url, next, during(1));
  const before = cpuOf(child);
  const { rate, p50, p99, count, statuses } = await load(url, next, during(seconds));
  const cpu = ((cpuOf(child) - before) / count).toFixed(0);
  console.log(
    `${name.padEnd(24)} ${rate.toFixed(0).padStart(6)} requests/s   p50 ${p50} ms   p99 ${p99} ms   server ${cpu} µs CPU each   (${statuses})`,
  );
}

const hello = `
  import('${import.meta.resolve('fastify')}').then(async ({ fastify }) => {
    const app = fastify();
    app.get('/', async () => ({ hello: 'world' }));
    console.log('listening on ' + (await app.listen({ port: 0 })));
  })`;
const helloServer = await start(['-e', hello]);
await timed('fastify hello world', helloServer, () => 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
helloServer.child.removeAllListeners('exit').kill();

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
await timed('POST of 40 new products', server, () => bodies.pop());
const gets = Array.from(
  { length: 1000 },
  (_, i) => `GET ${path}?sku=SKU-${count - 1 - i} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`,
);
let turn = 0;
await timed('GET of a product', server, () => gets[turn++ % gets.length]);
server.child.removeAllListeners('exit').kill();
await new Promise((resolve) => server.child.once('exit', resolve));
rmSync(folder, { recursive: true });
