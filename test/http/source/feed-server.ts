// A server of feeds that does what a test says: slow, cut at a byte, redirecting, lying. It keeps what it was asked.
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as it arrived. */
export interface AskedFile {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** How many came before it. */
  readonly nth: number;
}

export interface FeedServer {
  readonly url: string;
  readonly asked: AskedFile[];
  stop(): Promise<void>;
}

/** Starts it; with `tls` it serves https. */
async function feedServer(
  behave: (asked: AskedFile, answer: ServerResponse) => unknown,
  tls?: { readonly cert: Buffer; readonly key: Buffer },
): Promise<FeedServer> {
  const asked: AskedFile[] = [];
  const listener: RequestListener = (request, response) => {
    const one = { path: request.url ?? '', headers: request.headers, nth: asked.length };
    asked.push(one);
    behave(one, response);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    asked,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends the first `bytes` of a body, and closes the connection. */
export function cutAt(answer: ServerResponse, body: Buffer, bytes: number): void {
  answer.write(body.subarray(0, bytes), () => setTimeout(() => answer.destroy(), 20));
}

/** A server that ends with its test. */
export async function givenFeedServer(
  behave: (asked: AskedFile, answer: ServerResponse) => unknown,
): Promise<FeedServer> {
  const server = await feedServer(behave);
  onTestFinished(() => server.stop());
  return server;
}
