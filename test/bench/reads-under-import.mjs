// 1,000 reads a second, first alone and then while an import of 200,000 rows writes into the same file:
//   npm run build && node test/bench/reads-under-import.mjs [rows] [reads a second]
// Aim: p99 of 10 ms alone and 25 ms under the import.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bin, load, newKey, start } from './load-client.mjs';

const [rows = 200_000, pace = 1000] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'reads-'));
const db = join(folder, 'catalog.db');
const feed = join(folder, 'products.csv');
const lines = Array.from(
  { length: rows },
  (_, i) => `SKU-${i},Phone ${i},"64 GB, unlocked",EUR,${i % 900}.90,${i % 50}\n`,
);
writeFileSync(feed, `sku,name,description,currency,price,stock\n${lines.join('')}`);

/** Imports the feed; resolves once it is done. */
function importFeed(...options) {
  const child = spawn(process.execPath, [bin, 'products', feed, '--db', db, '--quiet', ...options], {
    stdio: 'ignore',
  });
  return new Promise((resolve) => child.once('exit', resolve));
}

const key = newKey(db);
await importFeed('--limit', '1000');
const server = await start([bin, 'serve', '--db', db, '--port', '0', '--rate', '1000000']);
const next = () =>
  `GET /v1/product/import?sku=SKU-${Math.floor(Math.random() * 1000)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;

async function measure(name, isOver) {
  const { rate, p50, p99, statuses } = await load(server.url, next, { isOver, connections: 16, pace });
  console.log(
    `${name.padEnd(28)} ${rate.toFixed(0).padStart(5)} reads/s   p50 ${p50} ms   p99 ${p99} ms   (${statuses})`,
  );
}

const until = performance.now() + 4000;
await measure('alone', () => performance.now() > until);
let done = false;
const began = performance.now();
const code = importFeed().then((ended) => {
  done = true;
  return ended;
});
await measure(`while ${rows} rows come in`, () => done);
console.log(`the import took ${((performance.now() - began) / 1000).toFixed(1)} s and ended with ${await code}`);
server.child.removeAllListeners('exit').kill();
await new Promise((resolve) => server.child.once('exit', resolve));
rmSync(folder, { recursive: true });
