// The catalog over HTTP: starts and stops the server, and tracks every request. Fastify routes, parses headers and runs
// hooks; bodies, errors and logging are handled here, so that every response has the envelope and every limit is ours.
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Keys } from '../../core/api-key.js';
import type { Catalog } from '../../core/catalog.js';
import { type Failure, failureOf, failures } from '../protocol.js';
import { newAuthorize, type RateLimits } from './admission/authorize.js';
import { type ByteBudget, byteBudget } from './admission/byte-budget.js';
import { clientAddress } from './admission/client-address.js';
import { malformedRequest } from './admission/malformed-request.js';
import { type CrossOrigin, crossOrigin } from './cors.js';
import { newHttpServer, type OnConnectionFault, refuseConnection, requestIdOf, type Tls } from './http-server.js';
import type { Importer } from './imports/import-batch.js';
import { type Metrics, type MetricValues, newMetrics } from './monitoring/metrics.js';
import { newRequestLog, type RequestLog, stderrLines } from './monitoring/request-log.js';
import { answerCache } from './reads/answer-cache.js';
import { pathname, respondFailure } from './respond.js';
import { serveDescription, serveHealth, serveResources, unserved } from './routes.js';

/** The catalog, keys and importer that are served. */
export interface Served {
  /** Read from. */
  readonly catalog: Catalog;
  readonly keys: Keys;
  /** The writer, in a thread of its own if reads should not wait for it. */
  readonly importBatch: Importer;
}

export interface ServerOptions {
  readonly host: string;
  /** 0 chooses a free one. */
  readonly port: number;
  readonly tls?: Tls;
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  readonly limits: RateLimits;
  /** Origins whose pages may call the interface from a browser: `https://shop.example`, or `*`; none if undefined. */
  readonly cors?: readonly string[];
  /** Maximum bytes of bodies and large responses held at once; 128 MiB if undefined. */
  readonly bytesInFlight?: number;
  /** Receives the lines of the request log; stderr if undefined. */
  readonly log?: { write(line: string): void };
}

export interface Server {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly url: string;
  metrics(): Promise<MetricValues>;
  /** Waits for requests in flight, then closes. New ones are answered 503 meanwhile. */
  stop(): Promise<void>;
}

/** Eight of the largest batches of products, or hundreds of usual ones. */
const defaultBytesInFlight = 128 * 1024 * 1024;

/** Bytes of cached responses to reads: some 15,000 products. */
const bytesOfAnswers = 32 * 1024 * 1024;

/** Milliseconds for requests in flight when the server is stopping. */
const drainTime = 25_000;

/** Serves a catalog until it is stopped. Throws if it cannot listen on the address. */
export async function serveCatalog(served: Served, options: ServerOptions): Promise<Server> {
  const { catalog, keys, importBatch } = served;
  const budget = byteBudget(options.bytesInFlight ?? defaultBytesInFlight);
  const metrics = newMetrics(budget.used);
  const log = newRequestLog(options.log ?? stderrLines());
  const origins = crossOrigin(options.cors ?? []);
  const requests = trackRequests(metrics, log, { budget, origins });
  const state = { stopping: false };
  const app = newApp(options, requests.begin, (fault, status, address) => {
    metrics.connectionFailed(fault);
    log.write({ status, address, error: `connection_${fault}` });
  });
  app.addHook('onRequest', (request, reply, done) => {
    requests.begin(request, reply);
    const failure = unserved(request, state.stopping);
    if (failure === undefined) done();
    else if (request.method === 'OPTIONS' && failure.status === 405) tellMethods(request, reply, { failure, origins });
    else respondFailure(request, reply, failure);
  });
  const authorize = newAuthorize(keys, options.limits);
  const answers = answerCache(bytesOfAnswers);
  serveResources(app, { catalog, authorize, answers, importBatch, budget, imported: metrics.batchImported });
  serveHealth(app, catalog, () => state.stopping);
  serveDescription(app);
  await app.listen({ host: options.host, port: options.port });
  return {
    url: urlOf(app.server.address() as AddressInfo, options),
    metrics: metrics.values,
    async stop() {
      state.stopping = true;
      const deadline = Date.now() + drainTime;
      while (requests.inFlight() > 0 && Date.now() < deadline) await sleep(10);
      // Idle and slow connections are not waited for.
      const late = setTimeout(() => app.server.closeAllConnections(), 1000);
      await app.close();
      clearTimeout(late);
      await log.flush();
    },
  };
}

type Begin = (request: FastifyRequest, reply: FastifyReply) => void;

/** Fastify without its own error responses: bodies arrive as streams, and every error gets our envelope. */
function newApp({ tls, trustedProxies }: ServerOptions, begin: Begin, onFault: OnConnectionFault): FastifyInstance {
  const app = fastify({
    logger: false,
    return503OnClosing: false,
    genReqId: requestIdOf,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    routerOptions: { querystringParser: () => ({}) },
    serverFactory: (listener) => newHttpServer(listener, tls, onFault),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, onFault),
    // An address that cannot be decoded; no hook is called for it.
    frameworkErrors: (_error, request, reply) => {
      begin(request, reply);
      respondFailure(request, reply, malformedRequest(request.raw) ?? failures.route_not_found());
    },
  });
  app.decorateRequest('address', '');
  app.decorateRequest('budget');
  app.decorateRequest('apiKey', null);
  app.decorateRequest('failure', '');
  app.decorateRequest('details', '');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.setNotFoundHandler((request, reply) => respondFailure(request, reply, failures.route_not_found()));
  app.setErrorHandler((thrown, request, reply) => {
    const failure = isForeignType(thrown) ? failures.unsupported_content_type() : failureOf(thrown);
    // The log gets the stack of a bug, and the message of any other failure.
    if (failure.status === 500 && thrown instanceof Error) request.details = String(thrown.stack);
    else if (failure.status >= 500) request.details = thrown instanceof Error ? thrown.message : String(thrown);
    respondFailure(request, reply, failure);
  });
  return app;
}

/** A Content-Type that Fastify cannot parse. */
function isForeignType(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
}

/** Counts and logs every request once, from its header to the end of its response. */
function trackRequests(
  metrics: Metrics,
  log: RequestLog,
  { budget, origins }: { readonly budget: ByteBudget; readonly origins: CrossOrigin },
) {
  let inFlight = 0;

  function end(request: FastifyRequest, { statusCode, raw }: FastifyReply, ms: number): void {
    inFlight--;
    // A client that left before the whole response was sent did not get it.
    if (!raw.writableFinished && request.failure === '') request.failure = 'client_closed';
    metrics.requestEnded(request.method, request.routeOptions.url ?? 'none', statusCode, ms / 1000);
    log.write({
      request_id: request.id,
      method: request.method,
      path: pathname(request).slice(0, 200),
      status: statusCode,
      ms: Math.round(ms * 100) / 100,
      address: request.address,
      key: request.apiKey?.id ?? '',
      ...(request.failure === '' ? {} : { error: request.failure }),
      ...(request.details === '' ? {} : { details: request.details }),
    });
  }

  return {
    inFlight: () => inFlight,
    begin(request: FastifyRequest, reply: FastifyReply): void {
      const began = performance.now();
      inFlight++;
      metrics.requestStarted();
      request.address = clientAddress(request.ip, request.socket.remoteAddress ?? '');
      request.budget = budget;
      reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
      origins.allow(request, reply);
      // Not the hook onResponse: it is not called if a client leaves, or if no route was looked up.
      reply.raw.once('close', () => end(request, reply, performance.now() - began));
    },
  };
}

/** Answers OPTIONS: the methods of the path, and what a page of another origin may send. */
function tellMethods(
  request: FastifyRequest,
  reply: FastifyReply,
  { failure, origins }: { readonly failure: Failure; readonly origins: CrossOrigin },
): void {
  const { headers = {} } = failure;
  origins.preflight(request, reply, headers['allow'] ?? '');
  reply.code(204).headers(headers).send();
}

function urlOf({ address, family, port }: AddressInfo, { tls }: ServerOptions): string {
  return `${tls === undefined ? 'http' : 'https'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
