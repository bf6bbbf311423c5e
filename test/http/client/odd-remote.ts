// A remote that answers as a test says: proxies, portals and other makes of instance do. It keeps what it was asked.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** When its last byte came, in milliseconds. */
  readonly at: number;
  /** The items of a POST. */
  readonly items: readonly Record<string, unknown>[];
  /** How many came before it. */
  readonly nth: number;
}

export interface OddRemote {
  readonly url: string;
  readonly port: number;
  readonly asked: Asked[];
  /** Most requests that were open at once. */
  most(): number;
  stop(): Promise<void>;
}

/** What a remote does with a request. */
export type Behaviour = (asked: Asked, answer: ServerResponse) => unknown;

/** Starts it; with `tls` it serves https. */
export async function oddRemote(
  behave: Behaviour,
  tls?: { readonly cert: Buffer; readonly key: Buffer },
): Promise<OddRemote> {
  const asked: Asked[] = [];
  let open = 0;
  let most = 0;
  const listener: RequestListener = (incoming, outgoing) => {
    open++;
    most = Math.max(most, open);
    outgoing.on('close', () => open--);
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const body = Buffer.concat(parts).toString();
      const { method = '', url: path = '', headers } = incoming;
      const items = body === '' ? [] : (JSON.parse(body) as { items: Record<string, unknown>[] }).items;
      asked.push({ method, path, headers, body, items, nth: asked.length, at: performance.now() });
      behave(asked.at(-1) as Asked, outgoing);
    });
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    asked,
    most: () => most,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with JSON. */
export function answerJson(
  answer: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  answer.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** The report of a remote that creates whatever it is sent. */
export function reportOn({ items, body, path }: Asked): Record<string, unknown> {
  return {
    object: 'list',
    resource: path
      .replace(/^.*\/v1\//, '')
      .replace(/\/import$/, '')
      .replaceAll('-', '_'),
    dry_run: body.includes('"dry_run":true'),
    data: items.map((item, index) => ({
      index,
      external_id: String(item['sku'] ?? item['external_id'] ?? item['name'] ?? ''),
      action: 'created',
      id: `prod_${String(item['sku'])}`,
      code: null,
      title: null,
      reason: null,
      notice: [],
    })),
    created: items.length,
    updated: 0,
    unchanged: 0,
    refused: 0,
    total: items.length,
  };
}

/** A success, as the interface says it. */
export function answerReport(
  asked: Asked,
  answer: ServerResponse,
  headers: Readonly<Record<string, string>> = {},
): void {
  answerJson(answer, 200, { code: 200, title: 'OK', response: reportOn(asked) }, headers);
}
