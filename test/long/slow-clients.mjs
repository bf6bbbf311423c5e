// 1,000 sockets that dribble: half of them their header, half of them a body. All must be closed within 15 s and 65 s,
// and others must not notice:  npm run build && node test/long/slow-clients.mjs [sockets]
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const sockets = Number(process.argv[2] ?? 1000);
const bin = fileURLToPath(new URL('../../bin/catalog-import.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'slow-'));
const db = join(folder, 'catalog.db');
const node = (...args) =>
  execFileSync(process.execPath, [bin, ...args, '--db', db], { stdio: ['ignore', 'pipe', 'ignore'] });
const key = String(node('keys', 'create', '--name', 'slow', '--all')).trim();
const server = spawn(process.execPath, [bin, 'serve', '--db', db, '--port', '0'], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
const url = new URL(
  /listening on (\S+)/.exec(String(await new Promise((resolve) => server.stdout.once('data', resolve))))[1],
);
const header = 'GET /livez HTTP/1.1\r\nHost: x\r\n';
const body = `POST /v1/product/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"items":[`;

/** Seconds until the server closed a socket that sends `drop` again and again. */
function dribble(start, drop) {
  return new Promise((resolve) => {
    const began = performance.now();
    const socket = connect(Number(url.port), url.hostname, () => socket.write(start));
    const drip = setInterval(() => socket.writable && socket.write(drop), 1000);
    socket.on('error', () => {});
    socket.resume().on('close', () => {
      clearInterval(drip);
      resolve((performance.now() - began) / 1000);
    });
  });
}

let done = false;
const headers = Promise.all(Array.from({ length: sockets / 2 }, () => dribble(header, 'A: b\r\n')));
const bodies = Promise.all(Array.from({ length: sockets / 2 }, () => dribble(body, ' ')));
const others = (async () => {
  const times = [];
  while (!done) {
    const began = performance.now();
    const { status } = await fetch(`${url.origin}/v1/product/import?sku=x`, {
      headers: { authorization: `Bearer ${key}` },
    });
    if (status !== 404) throw new Error(`another client was answered ${status}`);
    times.push(performance.now() - began);
    await sleep(20);
  }
  return times.sort((a, b) => a - b);
})();
const slowestHeader = Math.max(...(await headers));
const slowestBody = Math.max(...(await bodies));
done = true;
const times = await others;
console.log(`headers closed within ${slowestHeader.toFixed(1)} s, bodies within ${slowestBody.toFixed(1)} s`);
console.log(`others: ${times.length} requests, p99 ${times[Math.floor(times.length * 0.99)].toFixed(1)} ms`);
server.kill();
await new Promise((resolve) => server.once('exit', resolve));
rmSync(folder, { recursive: true });
if (slowestHeader > 15 || slowestBody > 65) process.exitCode = 1;
