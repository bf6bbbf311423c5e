// The catalog over HTTP: routes, hooks and the life of the server. Every answer leaves in the envelope.
import type { AddressInfo } from 'node:net';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { ApiKey, Keys } from '../core/api-key.js';
import type { Catalog } from '../core/catalog.js';
import type { Resource } from '../core/resource.js';
import { resources } from '../core/resources/index.js';
import { bodyLimit } from './body.js';
import { addressOf, contentFailure, type Limits, newGate } from './gate.js';
import { connectionFailure, newHttpServer, refuseSocket, requestIdOf, type Tls } from './http-server.js';
import { newImporter } from './import-batch.js';
import { newMetrics, type Series } from './metrics.js';
import { openApi } from './openapi.js';
import { newRequestLog } from './request-log.js';
import { readSelector } from './selector.js';
import { type Failure, failureBody, failureOf, failures, isFailure, pathOf, scopeOf, successBody } from './wire.js';

/** What is served. */
export interface Served {
  readonly catalog: Catalog;
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

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that passed the gate. */
    apiKey: ApiKey | null;
    /** The word of the failure it was answered with, and details for the log. */
    failure: string;
    details: string;
  }
}

/** How long requests in flight may take once the server is to stop. */
const drainTime = 25_000;

/** Serves a catalog until it is stopped. Throws where the address cannot be listened on. */
export async function serveCatalog(served: Served, options: ServerOptions): Promise<Server> {
  const metrics = newMetrics();
  const log = newRequestLog(options.print);
  const state = { stopping: false, inFlight: 0 };
  const app = fastify({
    logger: false,
    exposeHeadRoutes: true,
    return503OnClosing: false,
    genReqId: requestIdOf,
    routerOptions: { querystringParser: () => ({}) },
    serverFactory: (listener) => newHttpServer(listener, options.tls),
    clientErrorHandler: (error, socket) => refuseSocket(socket, connectionFailure(error)),
    frameworkErrors: (_error, request, reply) => {
      begin(request, reply);
      answerFailure(request, reply, failures.route_not_found());
    },
  });
  app.decorateRequest('apiKey', null);
  app.decorateRequest('failure', '');
  app.decorateRequest('details', '');

  function begin(request: FastifyRequest, reply: FastifyReply): void {
    state.inFlight++;
    metrics.began();
    reply.header('x-request-id', request.id);
  }

  app.addHook('onRequest', (request, reply, done) => {
    begin(request, reply);
    const failure = unserved(request, state.stopping);
    if (failure === undefined) done();
    else if (request.method === 'OPTIONS' && failure.status === 405)
      reply
        .code(204)
        .headers(failure.headers ?? {})
        .send();
    else answerFailure(request, reply, failure);
  });
  app.addHook('onResponse', (request, reply, done) => {
    state.inFlight--;
    const route = request.routeOptions.url ?? 'none';
    metrics.answered(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    log.write({
      request_id: request.id,
      method: request.method,
      path: pathname(request).slice(0, 200),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
      address: addressOf(request.raw, options.behindProxy),
      key: request.apiKey?.id ?? '',
      ...(request.failure === '' ? {} : { error: request.failure }),
      ...(request.details === '' ? {} : { details: request.details }),
    });
    done();
  });
  app.setErrorHandler((thrown, request, reply) => {
    const failure = frameworkFailure(thrown, request) ?? failureOf(thrown);
    if (failure.status === 500) request.details = thrown instanceof Error ? String(thrown.stack) : String(thrown);
    answerFailure(request, reply, failure);
  });
  app.setNotFoundHandler((request, reply) => answerFailure(request, reply, failures.route_not_found()));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  serveResources(app, served, { ...options, imported: metrics.imported });
  serveHealth(app, served.catalog, state);

  await app.listen({ host: options.host, port: options.port });
  return {
    url: urlOf(app.server.address() as AddressInfo, options),
    metrics: metrics.series,
    async stop() {
      state.stopping = true;
      const deadline = Date.now() + drainTime;
      while (state.inFlight > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
      if (state.inFlight > 0) app.server.closeAllConnections();
      await app.close();
      log.flush();
    },
  };
}

function urlOf({ address, family, port }: AddressInfo, { tls }: ServerOptions): string {
  return `${tls === undefined ? 'http' : 'https'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function serveResources(
  app: FastifyInstance,
  { catalog, keys }: Served,
  { limits, behindProxy, imported }: ServerOptions & { readonly imported: Parameters<typeof newImporter>[1] },
): void {
  const gate = newGate(keys, limits);
  const importBatch = newImporter(catalog, imported);

  /** Lets a request of this scope pass, or answers why not. */
  function admit(scope: string, hasBody: boolean) {
    return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
      const admitted = gate(request.raw, scope, addressOf(request.raw, behindProxy));
      const failure = isFailure(admitted) ? admitted : hasBody ? contentFailure(request.raw) : undefined;
      if (!isFailure(admitted)) request.apiKey = admitted;
      if (failure === undefined) done();
      else answerFailure(request, reply, failure);
    };
  }

  function serveResource(resource: Resource): void {
    const path = pathOf(resource);
    app.get(path, { onRequest: admit(scopeOf(resource, 'read'), false) }, async (request, reply) => {
      const asked = readSelector(resource, queryOf(request));
      if (isFailure(asked)) return answerFailure(request, reply, asked);
      const record = await catalog.read(resource, asked.selector);
      if (record === undefined) return answerFailure(request, reply, failures.not_found(resource, asked.param));
      return answer(reply, successBody(JSON.stringify(record)));
    });
    const post = { onRequest: admit(scopeOf(resource, 'write'), true), bodyLimit: bodyLimit(resource) };
    app.post(path, post, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const idempotencyKey = request.headers['idempotency-key'];
      const done = await importBatch({
        resource,
        body,
        apiKey: request.apiKey as ApiKey,
        idempotencyKey: idempotencyKey as string | undefined,
      });
      if (isFailure(done)) return answerFailure(request, reply, done);
      if (done.replayed) reply.header('idempotency-replayed', 'true');
      return answer(reply, successBody(done.report));
    });
  }
  for (const resource of resources) serveResource(resource);
}

function serveHealth(app: FastifyInstance, catalog: Catalog, state: { readonly stopping: boolean }): void {
  const health = (status: string) => successBody(JSON.stringify({ object: 'health', status }));
  app.get('/livez', (_request, reply) => answer(reply, health('live')));
  app.get('/readyz', async (request, reply) => {
    if (state.stopping) return answerFailure(request, reply, failures.shutting_down());
    for (const resource of resources.slice(0, 1)) await catalog.read(resource, { id: `${resource.prefix}0` });
    return answer(reply, health('ready'));
  });
  let document: string | undefined;
  app.get('/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(openApi(resources));
    return answer(reply, document);
  });
}

const methodsOf: ReadonlyMap<string, string> = new Map([
  ...resources.map((resource) => [pathOf(resource), 'GET, HEAD, OPTIONS, POST'] as const),
  ...['/livez', '/readyz', '/openapi.json'].map((path) => [path, 'GET, HEAD, OPTIONS'] as const),
]);

/** Why no route takes a request: stopping, unknown path, unknown method. */
function unserved(request: FastifyRequest, stopping: boolean): Failure | undefined {
  if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
    return failures.malformed_request('The Host header is missing.');
  }
  if (request.is404) {
    const allow = methodsOf.get(pathname(request));
    return allow === undefined ? failures.route_not_found() : failures.method_not_allowed(allow);
  }
  return stopping && request.url.startsWith('/v1/') ? failures.shutting_down() : undefined;
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

function pathname({ url }: FastifyRequest): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

function queryOf({ url }: FastifyRequest): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

function answer(reply: FastifyReply, body: string): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'no-store').send(body);
}

function answerFailure(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply {
  request.failure = failure.error;
  if (failure.headers !== undefined) reply.headers(failure.headers);
  return answer(reply.code(failure.status), failureBody(failure, request.id));
}
