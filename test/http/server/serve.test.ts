// `serve` and `keys` as they are typed: real processes, real signals.
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execFileSync, lineOf, linesOf, outcome, startChild, written } from '../../child.js';
import { typedHere } from '../../cli/typed.js';
import { freePort } from '../../free-port.js';
import { allowed } from '../../tier.js';
import { until } from '../../until.js';

const bin = fileURLToPath(new URL('../../../bin/catalog-import.js', import.meta.url));
const tls = (name: string) => fileURLToPath(new URL(`../tls/${name}.pem`, import.meta.url));
const product = '/v1/product/import';
let folder: string;
let db: string;
let key: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'catalog-serve-'));
  db = join(folder, 'catalog.db');
  key = await keys('create', '--name', 'test', '--all');
});
afterAll(() => rmSync(folder, { recursive: true }));

async function keys(...args: string[]): Promise<string> {
  return (await typedHere(['keys', ...args, '--db', db])).stdout.trimEnd();
}

interface Serving {
  readonly child: ChildProcess;
  readonly url: string;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
  /** Everything on stdout and stderr so far. */
  said(): { readonly out: string; readonly err: string };
}

/** Types `serve` with these options, and waits for its first line. */
async function typeServe(...given: readonly (string | SpawnOptions)[]): Promise<Serving> {
  const args = given.filter((arg) => typeof arg === 'string');
  const options = given.find((arg) => typeof arg === 'object') ?? {};
  const child = startChild(process.execPath, [bin, 'serve', '--db', db, '--port', '0', ...args], options);
  const [, url = ''] = await lineOf(child, /^listening on (\S+)$/);
  return {
    child,
    url,
    get ended() {
      return outcome(child).then(({ code }) => code);
    },
    said() {
      const { stdout: out, stderr: err } = written(child);
      return { out, err };
    },
  };
}

/** Where a `serve` with --metrics-port says that its metrics are. */
async function metricsOf({ child }: Serving): Promise<string> {
  return (await lineOf(child, /metrics on (\S+)/))[1] ?? '';
}

/** A `serve` that does not start. What is wrong with its command line is seen without a process, and before there is a catalog. */
async function expectRefused(args: readonly string[], words: string, exit = 2): Promise<void> {
  const fresh = join(folder, 'refused.db');
  const line = ['serve', '--db', exit === 2 ? fresh : db, '--port', '0', ...args];
  const { code, stderr } = await (exit === 2 ? typedHere(line) : outcome(startChild(process.execPath, [bin, ...line])));
  expect([args, code]).toEqual([args, exit]);
  expect(stderr).toContain(words);
  expect(existsSync(fresh)).toBe(false);
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by tests that know its shape
  readonly body: any;
}

function call(url: string, method: string, body?: unknown, withKey = key): Promise<Answer> {
  const send = url.startsWith('https') ? tlsRequest : request;
  const headers = { authorization: `Bearer ${withKey}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { method, headers, rejectUnauthorized: false }, (incoming) => {
      let text = '';
      incoming.on('data', (part) => {
        text += part;
      });
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, body: /^[{[]/.test(text) ? JSON.parse(text) : text }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const batch = (from: number, count: number, price = 1) => ({
  items: Array.from({ length: count }, (_, i) => ({ sku: `S${from + i}`, currency: 'EUR', price })),
});

describe('serve', () => {
  it('prints where it listens as its first line, answers, and ends with 0 on SIGINT', async () => {
    const serving = await typeServe();
    expect(serving.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await call(`${serving.url}/readyz`, 'GET')).status).toBe(200);
    serving.child.kill('SIGINT');
    expect(await serving.ended).toBe(0);
    const { err } = serving.said();
    expect(JSON.parse(err.trim())).toMatchObject({ method: 'GET', path: '/readyz', status: 200 });
    expect(err).not.toContain(key);
  });

  it('serves /metrics on a loopback port of its own, lets a request in flight finish once it is to stop, and answers 503 to others', async () => {
    const serving = await typeServe('--metrics-port', '0');
    const { hostname, port } = new URL(serving.url);
    const metrics = await metricsOf(serving);
    await call(serving.url + product, 'POST', batch(1000, 3));
    const { body: counted } = await call(metrics, 'GET');
    expect(counted).toContain('catalog_http_requests_total{method="POST",route="/v1/product/import",status="200"} 1\n');
    expect(counted).toContain('catalog_items_total{resource="product",action="created"} 3\n');
    expect((await call(`${serving.url}/metrics`, 'GET')).status).toBe(404);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const text = JSON.stringify(batch(0, 1));
    const slow = request({ hostname, port, method: 'POST', path: product, headers });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      slow.on('response', (incoming) => resolve(incoming.resume().statusCode)).on('error', reject);
    });
    slow.write(text.slice(0, 5));
    await expect
      .poll(async () => (await call(metrics, 'GET')).body)
      .toMatch(/^catalog_http_requests_in_flight(\{.*\})? 1$/m);
    serving.child.kill('SIGTERM');
    const ready = async (): Promise<unknown> => {
      const { status, body } = await call(`${serving.url}/readyz`, 'GET');
      return [status, body.response.error];
    };
    await expect.poll(ready).toEqual([503, 'shutting_down']);
    expect((await call(`${serving.url}${product}?sku=x`, 'GET')).body.response.error).toBe('shutting_down');
    slow.end(text.slice(5));
    expect(await answered).toBe(200);
    expect(await serving.ended).toBe(0);
  });

  it('refuses to be reached by other machines in clear text, with exit code 2', async () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.1']) await expectRefused(['--host', host], '--tls-cert');
    const proxied = await typeServe('--host', '0.0.0.0', '--behind-proxy');
    expect(proxied.url).toMatch(/^http:\/\/0\.0\.0\.0:/);
    proxied.child.kill();
    await proxied.ended;
  });

  it('serves https with a certificate and its key, and ends with 0 on SIGHUP', async () => {
    const serving = await typeServe('--tls-cert', tls('cert'), '--tls-key', tls('key'));
    expect(serving.url).toMatch(/^https:/);
    expect((await call(`${serving.url}/livez`, 'GET')).body.response.status).toBe('live');
    serving.child.kill('SIGHUP');
    expect(await serving.ended).toBe(0);
    await expectRefused(['--tls-cert', tls('cert')], '--tls-key');
  });

  it('reports an invalid certificate, with exit code 5', async () => {
    const args = ['--tls-cert', tls('key'), '--tls-key', tls('key')];
    await expectRefused(args, 'name a certificate and its key, both as PEM', 5);
    await expectRefused(['--tls-cert', 'none.pem', '--tls-key', tls('key')], 'none.pem', 5);
  });

  it('reports a port that is in use, with exit code 6', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const port = String((other.address() as AddressInfo).port);
    for (const args of [
      ['--port', port],
      ['--metrics-port', port],
      ['--metrics-port', port, '--workers', '2'],
    ])
      await expectRefused(args, 'EADDRINUSE', 6);
    other.close();
  });

  it('keeps the counts of a worker that died: no counter of /metrics decreases', async () => {
    const serving = await typeServe('--metrics-port', '0', '--workers', '2');
    const url = await metricsOf(serving);
    const livez = 'catalog_http_requests_total{method="GET",route="/livez",status="200"}';
    const counted = async () => {
      const { body } = await call(url, 'GET');
      return Number(new RegExp(`^${livez.replace(/[{}]/g, '\\$&')} (\\d+)$`, 'm').exec(String(body))?.[1] ?? 0);
    };
    for (let i = 0; i < 20; i++) await call(`${serving.url}/livez`, 'GET');
    await expect.poll(counted).toBe(20);
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(serving.child.pid)])
      .toString()
      .trim()
      .split(/\s+/);
    // One of them stays: it holds the free port.
    process.kill(Number(children[0]), 'SIGKILL');
    await lineOf(serving.child, /a worker died/, 'stderr');
    expect(await counted()).toBe(20);
    await expect
      .poll(() =>
        call(`${serving.url}/livez`, 'GET').then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    await expect.poll(counted).toBeGreaterThan(20);
    serving.child.kill();
    expect(await serving.ended).toBe(0);
  });

  it('keeps answering while its log is not read, and drops no line that fits into 16 MiB', async () => {
    const serving = await typeServe();
    serving.child.stderr?.pause();
    const missing = `/${'x'.repeat(190)}`;
    for (let i = 0; i < 24; i++) {
      const calls = Array.from({ length: 50 }, () => call(serving.url + missing, 'GET'));
      for (const { status } of await Promise.all(calls)) expect(status).toBe(404);
    }
    expect((await call(`${serving.url}/livez`, 'GET')).status).toBe(200);
    serving.child.stderr?.resume();
    // At its end the server waits 2 s for who reads its log, however busy the machine is.
    await linesOf(serving.child, /./, 1200, 'stderr');
    serving.child.kill();
    expect(await serving.ended).toBe(0);
    const lines = serving.said().err.trimEnd().split('\n');
    expect(lines).toHaveLength(1201);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: 'info', method: 'GET' });
  });

  it('keeps answering where its log cannot be written, counts the lines, and ends on SIGTERM', async () => {
    const log = openSync('/dev/full', 'w');
    const serving = await typeServe({ stdio: ['ignore', 'pipe', log] }, '--metrics-port', '0');
    closeSync(log);
    const metrics = await metricsOf(serving);
    // A line is dropped once its writing has failed, which is after its request was answered.
    await until('a line that was dropped', async () => {
      expect((await call(`${serving.url}/livez`, 'GET')).status).toBe(200);
      return /^catalog_log_lines_dropped_total [1-9]/m.test((await call(metrics, 'GET')).body);
    });
    serving.child.kill('SIGTERM');
    expect(await serving.ended).toBe(0);
  });

  it('ends on SIGTERM although nobody reads its log', async () => {
    const serving = await typeServe();
    serving.child.stderr?.pause();
    const missing = `/${'x'.repeat(199)}`;
    for (let i = 0; i < 24; i++)
      await Promise.all(Array.from({ length: 50 }, () => call(serving.url + missing, 'GET')));
    const exited = new Promise((resolve) => serving.child.once('exit', resolve));
    serving.child.kill('SIGTERM');
    expect(await exited).toBe(0);
    serving.child.stderr?.resume();
    await serving.ended;
  });

  it('answers others while a large batch is imported', async () => {
    const serving = await typeServe();
    const text = `{"items":[{"sku":"large","currency":"EUR",${Array.from({ length: 200_000 }, (_, i) => `"u${i}":1`).join(',')}}]}`;
    const large = call(serving.url + product, 'POST', JSON.parse(text));
    let isDone = false;
    const done = large.finally(() => {
      isDone = true;
    });
    let answered = 0;
    while (!isDone) {
      expect((await call(`${serving.url}${product}?sku=none`, 'GET')).status).toBe(404);
      answered++;
      // Not as fast as it can: a key may send so many requests a minute.
      await sleep(20);
    }
    expect((await done).status).toBe(200);
    expect(answered).toBeGreaterThan(0);
    serving.child.kill();
    await serving.ended;
  });

  it('takes --cors, --rate and --auth-failures from the command line', async () => {
    const origin = 'https://shop.example';
    const { child, url, ended } = await typeServe('--cors', origin, '--rate', '1', '--auth-failures', '1');
    const read = `${url}${product}?sku=none`;
    const asked = (withKey: string) => fetch(read, { headers: { origin, authorization: `Bearer ${withKey}` } });
    const first = await asked(key);
    expect([first.status, first.headers.get('access-control-allow-origin')]).toEqual([404, origin]);
    const burst = async () =>
      (await Promise.all(Array.from({ length: 20 }, () => asked(key)))).map(({ status }) => status);
    await expect.poll(burst).toContain(429);
    const failures = await Promise.all(Array.from({ length: 5 }, () => asked('cik_wrong')));
    expect(failures.map(({ status }) => status).sort()).toEqual([401, 429, 429, 429, 429]);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('refuses a proxy that is not an address, with exit code 2', async () => {
    for (const proxies of ['proxy.example', '10.0.0.0/33', '10.0.0.1,', '::1/129', '1.2.3.4/8/8'])
      await expectRefused(['--behind-proxy', proxies], 'is not an IP address or network');
  });

  it('serves consistent records while several workers write, and ends with all of them', async () => {
    // Nobody else listens on its port once it has ended.
    const serving = await typeServe('--workers', '2', '--port', String(await freePort()));
    const { url } = serving;
    const writes = Array.from({ length: 40 }, (_, i) => call(url + product, 'POST', batch(2000 + (i % 4) * 20, 40, i)));
    const reads = Array.from({ length: 100 }, () => call(`${url}${product}?sku=S2000`, 'GET'));
    for (const { status, body } of await Promise.all(writes)) {
      expect(status).toBe(200);
      expect(body.response).toMatchObject({ refused: 0, total: 40 });
    }
    for (const { status } of await Promise.all(reads)) expect([200, 404]).toContain(status);
    const counts = await Promise.all(writes.map(async (write) => (await write).body.response.created as number));
    expect(counts.reduce((sum, n) => sum + n, 0)).toBe(100);
    // The last batch that wrote a record wrote all of its records.
    const prices = await Promise.all(
      Array.from(
        { length: 20 },
        async (_, i) => (await call(`${url}${product}?sku=S${2000 + i}`, 'GET')).body.response.price,
      ),
    );
    expect(new Set(prices).size).toBe(1);
    serving.child.kill();
    expect(await serving.ended).toBe(0);
    await expect(call(`${url}/livez`, 'GET')).rejects.toThrow();
  });
});

describe('keys', () => {
  it('prints the key alone and once, and lists it without its secret', async () => {
    const text = await keys('create', '--name', 'erp', '--scope', 'product:write,product:read', '--expires', '90d');
    expect(text).toMatch(/^cik_\w{8}_\w{38}$/);
    const listed = await keys('list');
    const line = listed.split('\n').find((one) => one.startsWith(text.slice(4, 12)));
    expect(line).toMatch(/ until \d{4}-.* erp +product:write product:read$/);
    expect(listed).not.toContain(text.slice(13));
  });

  it('refuses a revoked key on a running server within a second', async () => {
    const text = await keys('create', '--name', 'gone', '--scope', 'product:read');
    const serving = await typeServe('--workers', '2');
    expect((await call(`${serving.url}${product}?sku=-`, 'GET', undefined, text)).status).toBe(404);
    await keys('revoke', `cik_${text.slice(4, 12)}`);
    // Each worker looks again by itself, within a second.
    let refusals = 0;
    const areRefused = async () => {
      const { status, body } = await call(`${serving.url}${product}?sku=-`, 'GET', undefined, text);
      refusals = status === 401 && body.response.error === 'revoked_api_key' ? refusals + 1 : 0;
      return refusals === 6;
    };
    await until('six refusals one after the other', areRefused, { within: allowed(1_000) });
    serving.child.kill();
    await serving.ended;
  });

  it.each([
    [['create', '--name', 'x'], 2, '--scope'],
    [['create', '--name', 'x', '--scope', 'prodcut:write'], 2, 'product:write'],
    [['create', '--name', 'x', '--all', '--expires', '90'], 2, '90d'],
    [['revoke', 'xxxxxxxx'], 9, 'keys list'],
  ])('%j ends with %i and words that help', async (args, code, words) => {
    const typed = await typedHere(['keys', ...args, '--db', db]);
    expect(typed.code).toBe(code);
    expect(typed.stderr).toContain(words);
  });
});
