// Requests a second and p50/p99 of the server beside fastify's hello-world, in one run on one machine:
//   npm run build && node test/bench/load.mjs [seconds] [connections] [workers]
// The client is this process, the server another: two cores, client included.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [seconds = 5, connections = 32, workers = 1] = process.argv.slice(2).map(Number);
const bin = fileURLToPath(new URL('../../bin/catalog-import.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'load-'));
const db = join(folder, 'catalog.db');

/** Starts a server that prints `listening on <url>`. */
function start(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    child.stdout.on('data', (data) => {
      const url = /listening on (\S+)/.exec(String(data))?.[1];
      if (url) resolve({ child, url: new URL(url) });
    });
  });
}

/** Sends requests over kept-alive connections until the time is over; `next` makes the bytes of each. */
async function load(url, next, until) {
  const times = [];
  const statuses = new Map();
  async function converse() {
    const socket = connect(Number(url.port), url.hostname).setNoDelay(true);
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    let answered;
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
      if (text.length < head + 4 + length) return;
      const status = text.slice(9, 12);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      text = '';
      answered();
    });
    for (let bytes = next(); bytes !== undefined && performance.now() < until; bytes = next()) {
      const began = performance.now();
      const answer = new Promise((resolve) => {
        answered = resolve;
      });
      socket.write(bytes);
      await answer;
      times.push(performance.now() - began);
    }
    socket.destroy();
  }
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, converse));
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]?.toFixed(2);
  const rate = times.length / ((performance.now() - began) / 1000);
  return { rate, count: times.length, p50: at(0.5), p99: at(0.99), statuses: [...statuses].join(' ') };
}

/** CPU time of a process so far, in microseconds; where /proc tells it. */
function cpuOf({ pid }) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return Number.NaN;
  }
}

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
  await load(url, next, performance.now() + 1000);
  const before = cpuOf(child);
  const { rate, p50, p99, count, statuses } = await load(url, next, performance.now() + seconds * 1000);
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

const key = String(
  execFileSync(process.execPath, [bin, 'keys', 'create', '--name', 'load', '--all', '--db', db], {
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
).trim();
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
  { length: 10_000 },
  (_, i) => `GET ${path}?sku=SKU-${count - 1 - i} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`,
);
let turn = 0;
await timed('GET of a product', server, () => gets[turn++ % gets.length]);
server.child.removeAllListeners('exit').kill();
await new Promise((resolve) => server.child.once('exit', resolve));
rmSync(folder, { recursive: true });
