// The catalog over HTTP: the life of the server, and what holds for every request. Every answer leaves in the envelope.
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Keys } from '../core/api-key.js';
import type { IdempotentCatalog } from '../core/receipts.js';
import { addressOf, type Limits, newGate } from './gate.js';
import { connectionFailure, newHttpServer, refuseSocket, requestIdOf, type Tls } from './http-server.js';
import { newImporter } from './import-batch.js';
import { type Metrics, newMetrics, type Series } from './metrics.js';
import { answerFailure, pathname } from './reply.js';
import { newRequestLog, type RequestLog } from './request-log.js';
import { serveHealth, serveResources, unserved } from './routes.js';
import { type Failure, failureOf, failures } from './wire.js';

/** What is served. */
export interface Served {
  readonly catalog: IdempotentCatalog;
  readonly keys: Keys;
}

export interface ServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly tls?: Tls;
  /** Whether the last address of X-Forwarded-For is believed. */
  readonly behindProxy: boolean;
  readonly limits: Limits;
  /** Takes the lines of the request log. */
  readonly print: (lines: string) => void;
}

export interface Server {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly url: string;
  metrics(): Series;
  /** Lets requests in flight finish, then closes. New ones are answered 503 meanwhile. */
  stop(): Promise<void>;
}

/** How long requests in flight may take once the server is to stop, in milliseconds. */
const drainTime = 25_000;

/** Serves a catalog until it is stopped. Throws where the address cannot be listened on. */
export async function serveCatalog({ catalog, keys }: Served, options: ServerOptions): Promise<Server> {
  const metrics = newMetrics();
  const log = newRequestLog(options.print);
  const requests = trackRequests(metrics, log, options.behindProxy);
  const state = { stopping: false };
  const app = newApp(options.tls, requests.begin);
  app.addHook('onRequest', (request, reply, done) => {
    requests.begin(request, reply);
    const failure = unserved(request, state.stopping);
    if (failure === undefined) done();
    else if (request.method === 'OPTIONS' && failure.status === 405) tellMethods(reply, failure);
    else answerFailure(request, reply, failure);
  });
  serveResources(app, {
    catalog,
    gate: newGate(keys, options.limits),
    importBatch: newImporter(catalog, metrics.imported),
  });
  serveHealth(app, catalog, () => state.stopping);
  await app.listen({ host: options.host, port: options.port });
  return {
    url: urlOf(app.server.address() as AddressInfo, options),
    metrics: metrics.series,
    async stop() {
      state.stopping = true;
      const deadline = Date.now() + drainTime;
      while (requests.inFlight() > 0 && Date.now() < deadline) await sleep(10);
      // Whoever is connected and has not asked anything, or takes too long, is not waited for.
      const late = setTimeout(() => app.server.closeAllConnections(), 1000);
      await app.close();
      clearTimeout(late);
      log.flush();
    },
  };
}

type Begin = (request: FastifyRequest, reply: FastifyReply) => void;

/** Fastify with its own words taken from it: bodies come as bytes, and every error is answered by us. */
function newApp(tls: Tls | undefined, begin: Begin): FastifyInstance {
  const app = fastify({
    logger: false,
    return503OnClosing: false,
    genReqId: requestIdOf,
    routerOptions: { querystringParser: () => ({}) },
    serverFactory: (listener) => newHttpServer(listener, tls),
    clientErrorHandler: (error, socket) => refuseSocket(socket, connectionFailure(error)),
    // An address that cannot be decoded; no hook is called for it.
    frameworkErrors: (_error, request, reply) => {
      begin(request, reply);
      answerFailure(request, reply, failures.route_not_found());
    },
  });
  app.decorateRequest('address', '');
  app.decorateRequest('apiKey', null);
  app.decorateRequest('failure', '');
  app.decorateRequest('details', '');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setNotFoundHandler((request, reply) => answerFailure(request, reply, failures.route_not_found()));
  app.setErrorHandler((thrown, request, reply) => {
    const failure = frameworkFailure(thrown, request) ?? failureOf(thrown);
    if (failure.status === 500) request.details = thrown instanceof Error ? String(thrown.stack) : String(thrown);
    answerFailure(request, reply, failure);
  });
  return app;
}

/** Failures that the framework finds while it takes in a body. */
function frameworkFailure(thrown: unknown, request: FastifyRequest): Failure | undefined {
  if (request.raw.destroyed && !request.raw.complete) return failures.malformed_request('The request was cut off.');
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return failures.body_too_large(request.routeOptions.bodyLimit);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return failures.unsupported_content_type();
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') {
    return failures.malformed_request('The body is not as long as Content-Length says.');
  }
  return undefined;
}

/** Counts and logs every request once, from its header to the end of its answer. */
function trackRequests(metrics: Metrics, log: RequestLog, behindProxy: boolean) {
  let inFlight = 0;

  function end(request: FastifyRequest, { statusCode }: FastifyReply, ms: number): void {
    inFlight--;
    metrics.answered(request.method, request.routeOptions.url ?? 'none', statusCode, ms / 1000);
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
      metrics.began();
      request.address = addressOf(request.raw, behindProxy);
      reply.header('x-request-id', request.id);
      // Not the hook onResponse: it keeps silent where a client leaves, or where no route could be looked for.
      reply.raw.once('close', () => end(request, reply, performance.now() - began));
    },
  };
}

function tellMethods(reply: FastifyReply, { headers = {} }: Failure): void {
  reply.code(204).headers(headers).send();
}

function urlOf({ address, family, port }: AddressInfo, { tls }: ServerOptions): string {
  return `${tls === undefined ? 'http' : 'https'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
