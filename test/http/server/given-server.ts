// A real server on a real file, and a client that holds every answer against /openapi.json.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postedRuns } from '../../../src/cli/serve/recorded-posts.js';
import { resources } from '../../../src/core/resources/index.js';
import { newImporter } from '../../../src/http/server/imports/import-batch.js';
import { type Server, type ServerOptions, serveCatalog } from '../../../src/http/server/server.js';
import type { KeyStore } from '../../../src/store/api-keys/api-keys.js';
import { type LocalCatalog, openCatalog } from '../../../src/store/open.js';
import { schemaFault } from './schema-check.js';

/** Every scope there is. */
export const allScopes = resources.flatMap(({ name }) => [`${name}:read`, `${name}:write`]);

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body as JSON, undefined where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by tests that know its shape
  readonly body: any;
}

interface Sending {
  /** The key; '' sends none. The server's own key when absent. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is where it is text or bytes, else as JSON. */
  readonly body?: unknown;
}

export interface GivenServer {
  readonly file: string;
  readonly catalog: LocalCatalog;
  readonly keys: KeyStore;
  readonly server: Server;
  /** A key with every scope. */
  readonly key: string;
  /** Lines of the request log. */
  readonly log: string[];
  call(method: string, target: string, sending?: Sending): Promise<Answer>;
  get(target: string, sending?: Sending): Promise<Answer>;
  post(path: string, body: unknown, sending?: Sending): Promise<Answer>;
  /** Sends bytes over a bare connection; everything that came back until it was closed. */
  raw(bytes: string | Buffer): Promise<string>;
  /** The sum of a metric over its labels. */
  metric(name: string): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a server. `limits` are generous by default; `lockTimeout` is the store's. */
export async function givenServer(
  options: Partial<ServerOptions> & { readonly lockTimeout?: number; readonly file?: string } = {},
): Promise<GivenServer> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-http-'));
  const { lockTimeout = 30_000, file = join(folder, 'catalog.db') } = options;
  const catalog = await openCatalog({ file, create: true, lockTimeout });
  const keys = await catalog.keys();
  const { text: key } = await keys.create({ name: 'test', scopes: allScopes, expiresAt: null });
  const log: string[] = [];
  const server = await serveCatalog(
    { catalog, keys, importBatch: newImporter(postedRuns(catalog)) },
    {
      address: { host: '127.0.0.1', port: 0 },
      trustedProxies: [],
      limits: { rate: 1_000_000, authFailures: 1_000_000 },
      log: { write: (line) => void log.push(line) },
      ...options,
    },
  );
  const url = new URL(server.url);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });

  async function call(method: string, target: string, sending: Sending = {}): Promise<Answer> {
    const answer = await send(url, agent, { method, target, key, ...sending });
    // A path may be spelled with escapes of ASCII.
    const path = target.replace(/\?.*/s, '').replace(/%[0-7][\da-f]/gi, decodeURIComponent);
    if (answer.body !== undefined) {
      const fault = schemaFault(method, path, answer.status, answer.body);
      if (fault !== '') throw new Error(`${method} ${target} → ${answer.status}: ${fault}`);
    }
    if (answer.headers['x-content-type-options'] !== 'nosniff') throw new Error(`${method} ${target}: not nosniff`);
    if (!answer.headers['x-request-id']) throw new Error(`${method} ${target}: no X-Request-Id`);
    return answer;
  }

  return {
    file,
    catalog,
    keys,
    server,
    key,
    log,
    call,
    get: (target, sending) => call('GET', target, sending),
    post: (path, body, sending = {}) =>
      call('POST', path, { ...sending, body, headers: { 'content-type': 'application/json', ...sending.headers } }),
    raw: (bytes) => rawAnswer(url, bytes),
    async metric(name) {
      const values = (await server.metrics()).find((metric) => metric.name === name)?.values ?? [];
      return values.reduce((sum, { value }) => sum + value, 0);
    },
    async stop() {
      agent.destroy();
      await server.stop();
      await catalog.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Sends bytes over a bare connection; everything that came back until it was closed. */
export function rawAnswer(url: URL, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname, () => socket.write(bytes));
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

function send(
  url: URL,
  agent: Agent,
  sending: Sending & { readonly method: string; readonly target: string },
): Promise<Answer> {
  const { method, target, key, headers = {}, body } = sending;
  const payload = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        host: url.hostname,
        port: url.port,
        method,
        path: target,
        headers: {
          ...(key ? { authorization: `Bearer ${key}` } : {}),
          ...(payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }),
          ...headers,
        },
      },
      (incoming) => {
        const parts: Buffer[] = [];
        incoming.on('data', (part: Buffer) => parts.push(part));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(parts).toString();
          const json = text === '' ? undefined : JSON.parse(text);
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: json });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}
