// Node's HTTP(S) server with every limit set, and the responses to connections whose bytes are not a valid request.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Failure, failureBody, failures } from '../protocol.js';
import { endGently } from './lingering-close.js';

/** Certificate and private key, as PEM. */
export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Slow clients: 10 s for the header, 60 s for a whole request, checked every second. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
  // We answer a missing Host ourselves, in the envelope.
  requireHostHeader: false,
} as const;

const mostConnections = 10_000;

/**
 * Milliseconds without any byte either way before a connection is closed while its request is processed or answered.
 */
const stalledTimeout = 120_000;

/** Connections that failed before they had a request, by fault. */
export type ConnectionFault = 'malformed' | 'headers_too_large' | 'timeout' | 'reset' | 'tls';

/** Called once for each connection that failed. `status` is that of the response, 0 where none could be sent. */
export type OnConnectionFault = (fault: ConnectionFault, status: number, address: string) => void;

/** Makes the server; it does not listen yet. */
export function newHttpServer(listener: RequestListener, tls: Tls | undefined, onFault: OnConnectionFault): Server {
  // A request after a response that closes the connection is ignored: it could not be answered.
  const listen: RequestListener = (request, response) => {
    if (!request.socket.writableEnded) listener(request, response);
  };
  const server =
    tls === undefined
      ? createServer(limits, listen)
      : createTlsServer({ ...limits, ...tls, handshakeTimeout: 10_000 }, listen);
  server.maxConnections = mostConnections;
  // A client that does not read its response.
  server.timeout = stalledTimeout;
  // `100 Continue` is sent where the body is read, after every check that may refuse it.
  server.on('checkContinue', listen);
  // Expectations other than 100-continue are ignored, which RFC 9110 allows, instead of a bare 417.
  server.on('checkExpectation', listen);
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    refuseSocket(socket, failures.method_not_allowed('GET, HEAD, OPTIONS, POST'));
  });
  // Read while it is connected: a broken connection has no address.
  server.on('connection', (socket: Socket) => void socket.remoteAddress);
  server.on('tlsClientError', (_error: Error, socket: Socket) => onFault('tls', 0, socket.remoteAddress ?? ''));
  return server;
}

/** Connections that another process has accepted. */
const taken = new Set<Socket>();

/** Prepares a server that does not listen for `takeConnection`. */
export function beginTaking(server: Server): void {
  // From this event on, Node keeps a list of the connections, which their deadlines and their end need.
  server.emit('listening');
}

/** Serves a connection that another process has accepted. */
export function takeConnection(server: Server, socket: Socket): void {
  if (taken.size >= mostConnections) return void socket.destroy();
  taken.add(socket);
  socket.once('close', () => taken.delete(socket));
  server.emit('connection', socket);
  socket.resume();
}

/** Closes idle connections, and resolves once the others are closed, too. */
export async function endTaking(server: Server): Promise<void> {
  server.close(() => {});
  while (taken.size > 0) await sleep(10);
}

/** The fault of a connection without a request, and the failure to answer with. */
function connectionFault(error: NodeJS.ErrnoException): readonly [ConnectionFault, Failure] {
  if (error.code === 'HPE_HEADER_OVERFLOW') return ['headers_too_large', failures.headers_too_large()];
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return ['timeout', failures.request_timeout()];
  if (error.code === 'HPE_INVALID_TRANSFER_ENCODING' && hasForeignCoding(error)) {
    return ['malformed', failures.unsupported_transfer_coding()];
  }
  return ['malformed', failures.malformed_request('The request is not well-formed HTTP/1.1.')];
}

/** Whether the parser stopped at an unknown transfer coding, and not at one next to Content-Length. */
function hasForeignCoding(error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer }): boolean {
  const header = error.rawPacket?.toString('latin1').split('\r\n\r\n')[0] ?? '';
  return !/^content-length:/im.test(header) && !/^transfer-encoding:[ \t]*chunked[ \t]*\r?$/im.test(header);
}

const refused = new WeakSet<Duplex>();

/** Responds to a connection whose bytes are not a request, and logs it. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket, onFault: OnConnectionFault): void {
  // The parser reports an error for all later bytes too.
  if (refused.has(socket)) return;
  refused.add(socket);
  const address = socket.remoteAddress ?? '';
  if (!socket.writable || error.code === 'ECONNRESET') {
    onFault('reset', 0, address);
    socket.destroy();
    return;
  }
  const [fault, failure] = connectionFault(error);
  onFault(fault, failure.status, address);
  refuseSocket(socket, failure);
}

/** Answers a connection that has no request, and closes it. */
function refuseSocket(socket: Socket, failure: Failure): void {
  const requestId = newRequestId();
  const body = failureBody(failure, requestId);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    connection: 'close',
    ...failure.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\n${lines.join('')}\r\n${body}`);
  endGently(socket);
}

/** The prefix of this process's request ids, unique among processes. */
const processId = `req_${randomBytes(12).toString('hex')}`;
let requests = 0;

/** A request id of ours. Counted up, since a random one takes 1.5 µs. */
function newRequestId(): string {
  return processId + (requests++).toString(16).padStart(8, '0');
}

/** The client's own id if it is safe to repeat, else one of ours. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  const sound = typeof sent === 'string' && /^[A-Za-z0-9._~:@/+=-]{1,128}$/.test(sent) && !sent.includes('cik_');
  return sound ? sent : newRequestId();
}

/** The target of a request as a path: a client that takes the server for a proxy sends scheme and host before it (RFC 9112, 3.2.2). */
export function originForm({ url = '/' }: IncomingMessage): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*\/?/i, '/');
}
