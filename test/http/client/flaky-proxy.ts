// A proxy between a client and a served instance that spoils a share of the requests, from a seed: it drops, delays,
// truncates, repeats, and answers errors of its own. Real sockets, real HTTP.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomFrom } from '../../random.js';

/** What is done to a request. `after`: the instance has done it, and its answer is lost. */
export const harms = [
  'drop before',
  'drop after',
  'delay',
  'truncate',
  'repeat',
  'repeat at once',
  'answer 429',
  'answer 500',
  'answer 502',
  'answer 503',
  'answer 502 after',
  'answer 504 after',
] as const;
export type Harm = (typeof harms)[number];

export interface FlakyProxy {
  readonly url: string;
  /** How often each harm was done, and how many requests there were. */
  readonly done: ReadonlyMap<Harm | 'none', number>;
  stop(): Promise<void>;
}

interface Upstream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Harms in a row for one request: a client that tries eight times gets through. */
const retryPolicy = 4;

/** Of how many requests 12 are spoilt, each in another way: 30 %. */
const round = 40;

/**
 * What becomes of one request after the other: of every 40 each harm meets exactly one, in an order of chance. Proxies
 * that share it spoil in every way as soon as 40 requests went through them together, whatever the seed.
 */
export function dealtHarms(seed: number): () => Harm | 'none' {
  const next = randomFrom(seed);
  let left: (Harm | 'none')[] = [];
  return () => {
    if (left.length === 0) left = [...harms, ...Array<'none'>(round - harms.length).fill('none')];
    return left.splice(Math.floor(next() * left.length), 1)[0] ?? 'none';
  };
}

/**
 * Starts a proxy before `target`.
 * @param options `forgetful` takes the Idempotency-Key off, as if the instance did not know it; `deal` says what becomes
 *   of the next request, and is the proxy's own where it is left out
 */
export async function flakyProxy(
  target: string,
  seed: number,
  {
    forgetful = false,
    deal = dealtHarms(seed),
  }: { forgetful?: boolean; deal?: (request: IncomingMessage) => Harm | 'none' } = {},
): Promise<FlakyProxy> {
  const next = randomFrom(seed);
  const agent = new Agent({ keepAlive: true });
  const done = new Map<Harm | 'none', number>();
  const inARow = new Map<string, number>();

  function choose(incoming: IncomingMessage): Harm | 'none' {
    const name = String(incoming.headers['idempotency-key'] ?? incoming.url);
    const before = inARow.get(name) ?? 0;
    const harm = before < retryPolicy ? deal(incoming) : 'none';
    inARow.set(name, harm === 'none' ? 0 : before + 1);
    done.set(harm, (done.get(harm) ?? 0) + 1);
    return harm;
  }

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await bytesOf(incoming);
    const harm = choose(incoming);
    if (forgetful) delete incoming.headers['idempotency-key'];
    const pass = () => forward(target, agent, incoming, body);
    if (harm === 'drop before') return void outgoing.destroy();
    if (/^answer \d+$/.test(harm)) return refuse(outgoing, Number(harm.slice(7)));
    if (harm === 'delay') await new Promise((resolve) => setTimeout(resolve, next() * 40));
    if (harm === 'repeat') await pass();
    const answers = await Promise.all(harm === 'repeat at once' ? [pass(), pass()] : [pass()]);
    // Of two at once one may have been told that the other is still under way: the client gets the later answer.
    const answer = answers.at(-1) as Upstream;
    if (harm === 'drop after') return void outgoing.destroy();
    if (harm.endsWith(' after')) return refuse(outgoing, Number(harm.slice(7, 10)));
    const { connection, 'keep-alive': _, ...headers } = answer.headers;
    outgoing.writeHead(answer.status, headers);
    if (harm !== 'truncate') return void outgoing.end(answer.body);
    outgoing.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)), () => outgoing.destroy());
  }

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    done,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
    },
  };
}

function refuse(outgoing: ServerResponse, status: number): void {
  const retry = status === 429 ? { 'retry-after': '0' } : {};
  outgoing.writeHead(status, { 'content-type': 'text/html', ...retry }).end('<h1>out of order</h1>');
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function forward(
  target: string,
  agent: Agent,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<Upstream> {
  const { hostname, port } = new URL(target);
  return new Promise((resolve, reject) => {
    const { connection, host, ...passed } = headers;
    const outgoing = request({ agent, hostname, port, method, path: url, headers: passed }, (answer) => {
      bytesOf(answer).then(
        (bytes) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: bytes }),
        reject,
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
