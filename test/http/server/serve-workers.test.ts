// `serve --workers`: real processes that are stopped, killed and hang.
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execFileSync, lineOf, outcome, startChild, written } from '../../child.js';
import { typedHere } from '../../cli/typed.js';
import { isFull } from '../../tier.js';
import { settled, until } from '../../until.js';

const bin = fileURLToPath(new URL('../../../bin/catalog-import.js', import.meta.url));
const tls = fileURLToPath(new URL('../tls/key.pem', import.meta.url));
const product = '/v1/product/import';
let folder: string;
let db: string;
let key: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'catalog-workers-'));
  db = join(folder, 'catalog.db');
  key = (await typedHere(['keys', 'create', '--name', 'w', '--all', '--db', db])).stdout.trimEnd();
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Serving {
  readonly pid: number;
  readonly url: string;
  readonly ended: Promise<number | null>;
  /** Its stderr so far. */
  said(): string;
  /** The processes of its workers. */
  workers(): number[];
}

/** Types `serve` with two workers, in a group of processes of its own, and waits for its first line, or for its end. */
async function serveWithWorkers(...args: string[]): Promise<Serving> {
  const all = [bin, 'serve', '--db', db, '--port', '0', '--workers', '2', ...args];
  const child = startChild(process.execPath, all, { detached: true });
  const { pid = 0 } = child;
  const line = await lineOf(child, /^listening on (\S+)$/).catch(() => undefined);
  const workers = () =>
    execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)])
      .toString()
      .trim()
      .split(/\s+/)
      .map(Number);
  return {
    pid,
    url: line?.[1] ?? '',
    get ended() {
      return outcome(child).then(({ code }) => code);
    },
    said: () => written(child).stderr,
    workers,
  };
}

const agent = new Agent({ keepAlive: false });

/** Resolve when the requests that were begun have been sent. */
const sent: Promise<unknown>[] = [];

/** Sends a request; 0 where its connection was closed without an answer. */
function status(url: string, method = 'GET', body = ''): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return new Promise((resolve) => {
    const outgoing = request(url, { agent, method, headers }, (answer) => resolve(answer.resume().statusCode ?? 0));
    outgoing.on('error', () => resolve(0));
    sent.push(once(outgoing, 'finish'));
    outgoing.end(body);
  });
}

async function readyz(url: string): Promise<unknown> {
  const { response } = (await (await fetch(`${url}/readyz`)).json()) as { response: { workers: unknown } };
  return response.workers;
}

/** Ends a server by a signal to its whole group, as systemd does. */
async function endGroup({ pid, ended }: Serving): Promise<void> {
  process.kill(-pid, 'SIGTERM');
  expect(await ended).toBe(0);
}

it('answers every request that was sent before a SIGTERM to the whole group', async () => {
  for (let round = 0; round < (isFull ? 2 : 1); round++) {
    const serving = await serveWithWorkers();
    const items = Array.from({ length: 40 }, (_, i) => ({ sku: `G${round}-${i}`, currency: 'EUR' }));
    const answers = Array.from({ length: 12 }, () => status(serving.url + product, 'POST', JSON.stringify({ items })));
    await Promise.all(sent.splice(0));
    process.kill(-serving.pid, 'SIGTERM');
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
    expect(await serving.ended).toBe(0);
  }
});

it('keeps a connection that is kept alive, and closes one whose header does not come; serves on the same port after all workers died at once, and tells it', async () => {
  const serving = await serveWithWorkers();
  await expectOrderlyConnections(serving.url);
  expect(await readyz(serving.url)).toEqual({ wanted: 2, serving: 2 });
  for (const worker of serving.workers()) process.kill(worker, 'SIGKILL');
  // A connection waits for a worker.
  expect(await status(`${serving.url}/livez`)).toBe(200);
  await expect.poll(() => readyz(serving.url)).toEqual({ wanted: 2, serving: 2 });
  const lines = serving
    .said()
    .split('\n')
    .filter((line) => line.includes('died'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', message: 'a worker died and is replaced in 1 s', signal: 'SIGKILL', time: expect.any(String) },
    { level: 'error', message: 'a worker died and is replaced in 2 s', signal: 'SIGKILL', time: expect.any(String) },
  ]);
  await endGroup(serving);
});

it('answers connections that were handed to a worker that hangs and dies', async () => {
  const serving = await serveWithWorkers();
  const { hostname, port } = new URL(serving.url);
  const hung = serving.workers();
  for (const worker of hung) process.kill(worker, 'SIGSTOP');
  const answers: Promise<string>[] = [];
  for (let i = 0; i < 2; i++) {
    const socket = connect(Number(port), hostname);
    answers.push(settled('the end of an answer', text(socket)));
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await sleep(100);
  }
  for (const worker of hung) process.kill(worker, 'SIGKILL');
  for (const answer of await Promise.all(answers)) expect(answer).toContain('200 OK');
  expect(await status(`${serving.url}/livez`)).toBe(200);
  await endGroup(serving);
});

/** A connection is kept for the next request, and closed where the header of one does not come. */
async function expectOrderlyConnections(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  await expect.poll(() => text.match(/200 OK/g)?.length).toBe(2);
  socket.write('GET /livez HTTP/1.1\r\n');
  await settled('the end of the connection', once(socket, 'end'));
  expect(text).toContain('408 Request Timeout');
  socket.destroy();
}

it('ends at once with the reason where workers cannot start', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const none = join(folder, 'none.db');
  writeFileSync(none, 'this is not a catalog'.repeat(100));
  const ways: [args: string[], exit: number, words: string][] = [
    [['--tls-cert', tls, '--tls-key', tls], 5, 'name a certificate and its key'],
    [['--port', String((other.address() as AddressInfo).port)], 6, 'EADDRINUSE'],
    [['--db', none], 7, none],
  ];
  for (const [args, exit, words] of ways) {
    const { ended, said } = await serveWithWorkers(...args);
    expect([words, await ended]).toEqual([words, exit]);
    expect(said()).toContain(words);
  }
  other.close();
});

it.runIf(process.platform === 'linux')('ends at once where the system allows too few open files', async () => {
  const serve = ['-c', 'ulimit -n $0; exec "$@"'];
  // Node needs at most 22 open files to start, and a worker at least 31, depending on the version.
  const all = isFull ? ['24 1', '24 2', '26 2', '28 2', '30 1', '30 2'] : ['24 1', '28 2'];
  const pairs = all.map((pair) => pair.split(' ') as [string, string]);
  for (const [files, workers] of pairs) {
    const args = [process.execPath, bin, 'serve', '--db', db, '--port', '0', '--workers', workers];
    const { code, stderr } = await outcome(startChild('sh', [...serve, files, ...args]));
    expect([files, workers, code]).toEqual([files, workers, 5]);
    expect(stderr).toMatch(/^error: .*(EMFILE|ulimit)/);
  }
});

it.runIf(process.platform === 'linux')(
  'ends with exit code 6 and the signal where a worker is killed before it serves',
  async () => {
    /** A server of which a worker was killed; undefined where it served before, as this process had to wait. */
    const killedBy = async (signal: NodeJS.Signals) => {
      const child = startChild(process.execPath, [bin, 'serve', '--db', db, '--port', '0', '--workers', '2']);
      const pids = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
      await expect.poll(pids, { interval: 5 }).not.toBe('');
      process.kill(Number(pids().split(' ')[0]), signal);
      const isServing = await lineOf(child, /^listening/).then(
        () => true,
        () => false,
      );
      if (!isServing) return outcome(child);
      child.kill();
      await outcome(child);
      return undefined;
    };
    for (const signal of ['SIGKILL', 'SIGABRT'] as const) {
      let ended = await killedBy(signal);
      for (let again = 0; ended === undefined && again < 5; again++) ended = await killedBy(signal);
      const { code, stderr, stdout } = ended ?? expect.unreachable();
      expect([code, stdout]).toEqual([6, '']);
      expect(stderr).toContain(`A worker was ended by ${signal} before it served.`);
    }
  },
);

/** What /readyz tells of the workers over TLS, in one connection. */
async function readyOverTls(url: string, secure: TlsAgent): Promise<unknown> {
  const [answer] = await once(tlsRequest(`${url}/readyz`, { agent: secure }).end(), 'response');
  return JSON.parse(await text(answer)).response.workers;
}

it('serves https, also while its key is gone; a worker that needs it then is told, and started once it is back', async () => {
  const [cert, own] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  copyFileSync(tls.replace('key', 'cert'), cert);
  copyFileSync(tls, own);
  const serving = await serveWithWorkers('--tls-cert', cert, '--tls-key', own);
  expect(serving.url).toMatch(/^https:/);
  const secure = new TlsAgent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
  for (let i = 0; i < 2; i++) expect(await readyOverTls(serving.url, secure)).toEqual({ wanted: 2, serving: 2 });
  secure.destroy();
  writeFileSync(own, 'no key');
  rmSync(cert);
  const [first] = serving.workers();
  process.kill(Number(first), 'SIGKILL');
  await until('the replacement to fail', () => serving.said().includes('"code":5'));
  expect(serving.said()).toContain('The certificate or its key cannot be read');
  const each = new TlsAgent({ rejectUnauthorized: false });
  for (let i = 0; i < 4; i++) expect(await readyOverTls(serving.url, each)).toEqual({ wanted: 2, serving: 1 });
  copyFileSync(tls.replace('key', 'cert'), cert);
  copyFileSync(tls, own);
  await expect.poll(() => readyOverTls(serving.url, each)).toEqual({ wanted: 2, serving: 2 });
  process.kill(serving.pid, 'SIGHUP');
  expect(await serving.ended).toBe(0);
});
