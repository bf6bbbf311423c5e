// Node's HTTP(S) server with every limit set, and what is answered where no request could be made of the bytes.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { type Failure, failureBody, failures } from './wire.js';

/** Certificate and private key, as PEM. */
export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Slow clients: 10 s for the header, 60 s for a whole request, looked at every second. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
  // A missing Host is answered by us, in the envelope.
  requireHostHeader: false,
} as const;

const mostConnections = 10_000;

/** Makes the server; it does not listen yet. */
export function newHttpServer(listener: RequestListener, tls: Tls | undefined): Server {
  const server =
    tls === undefined
      ? createServer(limits, listener)
      : createTlsServer({ ...limits, ...tls, handshakeTimeout: 10_000 }, listener);
  server.maxConnections = mostConnections;
  // Expectations other than 100-continue are ignored, which RFC 9110 allows, instead of a bare 417.
  server.on('checkExpectation', listener);
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    refuseSocket(socket, failures.method_not_allowed('GET, HEAD, OPTIONS, POST'));
  });
  return server;
}

/** The failure that an error of the connection is answered with. */
export function connectionFailure(error: NodeJS.ErrnoException): Failure {
  if (error.code === 'HPE_HEADER_OVERFLOW') return failures.headers_too_large();
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return failures.request_timeout();
  return failures.malformed_request('The request is no well-formed HTTP/1.1.');
}

/** Answers a connection that has no request, and closes it. */
export function refuseSocket(socket: Duplex, failure: Failure): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = newRequestId();
  const body = failureBody(failure, requestId);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
    ...failure.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\n${lines.join('')}\r\n${body}`, () =>
    socket.destroy(),
  );
}

/** A request id of ours. */
function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}

/** The id a client sent along, where it is one we can repeat without harm, else one of ours. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  const sound = typeof sent === 'string' && /^[A-Za-z0-9._~:@/+=-]{1,128}$/.test(sent) && !sent.includes('cik_');
  return sound ? sent : newRequestId();
}
