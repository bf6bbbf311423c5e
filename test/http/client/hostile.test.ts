// Peers that keep a client busy without ever answering: proxies and remotes that close, hang or talk on and on. Each ends
// within the limits of the client, and at once when it is asked to end.
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { RemoteOptions } from '../../../src/http/client/remote-catalog.js';
import { outcome, start } from '../../cli/started.js';
import { folder, products, typed } from '../../cli/typed.js';
import { resourceCalled } from '../../given.js';
import { allowed } from '../../tier.js';
import { client } from './given-remote.js';

interface Peer {
  readonly port: number;
  /** Connections so far. */
  connections(): number;
}

const servers: { readonly server: Server; readonly sockets: Set<Socket> }[] = [];
afterEach(() => {
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});

/** Starts a peer that does something with each connection, and something with what comes on it first. */
async function peer(
  onConnection: (socket: Socket) => void,
  onData?: (socket: Socket, text: string) => void,
): Promise<Peer> {
  let count = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    count++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    onConnection(socket);
    if (onData !== undefined) socket.once('data', (data) => onData(socket, data.toString()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push({ server, sockets });
  return { port: (server.address() as { port: number }).port, connections: () => count };
}

/** Writes a piece again and again for as long as there is a connection. */
function chatter(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 2);
  socket.on('close', () => clearInterval(timer));
}

const nothing = (): void => undefined;
const opened = 'HTTP/1.1 200 Connection established\r\n\r\n';
const begun = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{';

/** What the peer does, as proxy of a remote by https or as the remote itself. */
const proxies: Readonly<Record<string, () => Promise<Peer>>> = {
  'closes after CONNECT': () => peer(nothing, (socket) => socket.end()),
  'resets after CONNECT': () => peer(nothing, (socket) => socket.resetAndDestroy()),
  'closes at once': () => peer((socket) => socket.destroy()),
  'never answers CONNECT': () => peer(nothing),
  'answers CONNECT with a half line': () => peer(nothing, (socket) => socket.end('HTTP/1.1 200')),
  'refuses CONNECT': () => peer(nothing, (socket) => socket.end('HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n')),
  'opens the tunnel and closes it': () => peer(nothing, (socket) => socket.end(opened)),
  'opens the tunnel and says nothing': () => peer(nothing, (socket) => socket.write(opened)),
  'sends interim answers to CONNECT without end': () =>
    peer(nothing, (socket) => chatter(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n')),
};
const remotes: Readonly<Record<string, () => Promise<Peer>>> = {
  'closes at once': () => peer((socket) => socket.destroy()),
  'closes after the request': () => peer(nothing, (socket) => socket.end()),
  'never answers': () => peer(nothing, nothing),
  'sends interim answers without end': () =>
    peer(nothing, (socket) => chatter(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n')),
  'sends headers without end': () =>
    peer(nothing, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      chatter(socket, 'x: y\r\n');
    }),
  'sends its answer byte by byte': () =>
    peer(nothing, (socket) => {
      socket.write(begun);
      chatter(socket, ' ');
    }),
  'stops in the middle of its answer': () => peer(nothing, (socket) => socket.write(begun)),
};

const shortly = { base: 4, longest: 20, tries: 1000, maxTime: 600 };

function optionsFor(kind: string, { port }: Peer): { readonly url: string; readonly options: Partial<RemoteOptions> } {
  // A short time-out, in place of the ten seconds that a first attempt always has.
  const options = { retryPolicy: shortly, timeout: 500 };
  if (kind === 'remote') return { url: `http://127.0.0.1:${port}`, options };
  return { url: 'https://shop.example', options: { ...options, env: { https_proxy: `http://127.0.0.1:${port}` } } };
}

const all = [
  ...Object.entries(proxies).map(([what, start]) => ['proxy', what, start] as const),
  ...Object.entries(remotes).map(([what, start]) => ['remote', what, start] as const),
];

/** Reads a record, and gives the failure with how long it took and how often the peer was connected to. */
async function failureOf(kind: string, one: Peer, cancel: boolean) {
  const { url, options } = optionsFor(kind, one);
  const remote = await client(
    url,
    'cik_x',
    cancel ? { ...options, timeout: 60_000, retryPolicy: { ...shortly, maxTime: 60_000 } } : options,
  );
  const since = performance.now();
  const failed = remote.read(resourceCalled('products'), { key: 'A' }).then(
    () => undefined,
    (error: { readonly code: string }) => error.code,
  );
  let cancelled = since;
  if (cancel) {
    await expect.poll(one.connections).toBeGreaterThan(0);
    cancelled = performance.now();
    remote.cancel();
  }
  const code = await failed;
  const took = performance.now() - cancelled;
  await remote.close();
  return { code, took, connections: one.connections() };
}

describe('a peer that never answers', () => {
  it.each(all)('%s %s: it is given up within the limits', async (kind, _what, start) => {
    const { code, took, connections } = await failureOf(kind, await start(), false);
    expect(code).toBe('remote_failed');
    expect(took).toBeLessThan(allowed(2_500));
    // Each attempt connects once or twice; the waits between are 4 ms and more.
    expect(connections).toBeLessThan(300);
  });

  it.each(all)('%s %s: it is left at once where this is to end', async (kind, _what, start) => {
    const { code, took } = await failureOf(kind, await start(), true);
    expect(['interrupted', 'remote_failed']).toContain(code);
    expect(took).toBeLessThan(allowed(2_000));
  });
});

describe('the command with such a proxy', () => {
  it.each([
    ['closes after CONNECT', 'SIGTERM', 143],
    ['never answers CONNECT', 'SIGTERM', 143],
    ['opens the tunnel and says nothing', 'SIGHUP', 129],
  ] as const)('%s: %s ends it at once', async (what, signal, code) => {
    const one = await proxies[what]?.();
    const cwd = folder({ 'feed.csv': products(50) });
    const env = { https_proxy: `http://127.0.0.1:${one?.port}`, CATALOG_API_KEY: 'cik_x', XDG_STATE_HOME: cwd };
    const child = start(cwd, ['products', 'feed.csv', '--remote', 'https://shop.example'], env);
    const ended = outcome(child);
    await expect.poll(() => one?.connections()).toBeGreaterThan(0);
    const since = performance.now();
    child.kill(signal);
    expect((await ended).code).toBe(code);
    expect(performance.now() - since).toBeLessThan(allowed(4_000));
  });

  it('gives up with exit 6 within --retry-max-time', async () => {
    const one = await proxies['closes after CONNECT']?.();
    const cwd = folder({ 'feed.csv': products(50) });
    const env = { https_proxy: `http://127.0.0.1:${one?.port}`, CATALOG_API_KEY: 'cik_x', XDG_STATE_HOME: cwd };
    const args = ['products', 'feed.csv', '--remote', 'https://shop.example', '--retry-max-time', '2s'];
    const since = performance.now();
    const { code, stderr } = await typed(cwd, args, { env });
    expect([code, stderr]).toEqual([6, expect.stringContaining('the proxy closed the connection')]);
    expect(performance.now() - since).toBeLessThan(allowed(10_000));
    expect(one?.connections()).toBeLessThan(50);
  });
});
