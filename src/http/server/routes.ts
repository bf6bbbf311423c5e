// The routes: fifteen endpoints made of the list of resources, health, and the description of it all.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Catalog } from '../../core/catalog.js';
import type { Resource } from '../../core/resource.js';
import { resources } from '../../core/resources/index.js';
import { type Failure, failures, isFailure, listPathOf, pathOf, scopeOf, successBody } from '../protocol.js';
import { type Authorize, contentFailure } from './admission/authorize.js';
import type { ByteBudget } from './admission/byte-budget.js';
import { malformedRequest } from './admission/malformed-request.js';
import { type BodyLimits, lengthFailure, receiveBody } from './admission/receive-body.js';
import type { Importer, ImportResponse } from './import-batch.js';
import { listPage } from './list-page.js';
import { openApi } from './openapi.js';
import { parseSelector, readListRequest } from './query-selector.js';
import { bodyLimit } from './request-envelope.js';
import { pathname, queryOf, respond, respondFailure } from './respond.js';

/** What the routes of the resources use. */
export interface RouteContext {
  readonly catalog: Catalog;
  readonly authorize: Authorize;
  readonly importBatch: Importer;
  readonly budget: ByteBudget;
  /** Called for each batch that was stored. */
  readonly imported: (resource: Resource, counts: NonNullable<ImportResponse['stored']>) => void;
}

/** Serves POST and GET of every resource, and its list. */
export function serveResources(app: FastifyInstance, context: RouteContext): void {
  for (const resource of resources) {
    serveRead(app, context, resource);
    serveList(app, context, resource);
    serveImport(app, context, resource);
  }
}

/** Requires a key with this scope. */
function admit(authorize: Authorize, scope: string, contentOf: (request: FastifyRequest) => Failure | undefined) {
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const settle = ({ key, failure: refusal }: Awaited<ReturnType<Authorize>>): void => {
      // Also of a request that may not pass the log tells whose it is, where that is known.
      if (key !== undefined) request.apiKey = key;
      const failure = refusal ?? contentOf(request);
      if (failure === undefined) done();
      else respondFailure(request, reply, failure);
    };
    const verdict = authorize(request.raw, scope, request.address);
    if (verdict instanceof Promise) verdict.then(settle).catch(done);
    else settle(verdict);
  };
}

function serveRead(app: FastifyInstance, { catalog, authorize }: RouteContext, resource: Resource): void {
  const onRequest = admit(authorize, scopeOf(resource, 'read'), () => undefined);
  app.get(pathOf(resource), { onRequest }, async (request, reply) => {
    const asked = parseSelector(resource, queryOf(request));
    if (isFailure(asked)) return respondFailure(request, reply, asked);
    const record = await catalog.read(resource, asked.selector, asked.include);
    if (record === undefined) return respondFailure(request, reply, failures.not_found(resource, asked.param));
    return respond(reply, successBody(JSON.stringify(record)));
  });
}

function serveList(app: FastifyInstance, { catalog, authorize }: RouteContext, resource: Resource): void {
  const onRequest = admit(authorize, scopeOf(resource, 'read'), () => undefined);
  app.get(listPathOf(resource), { onRequest }, async (request, reply) => {
    const asked = readListRequest(resource, queryOf(request), Math.floor(Date.now() / 1000));
    if (isFailure(asked)) return respondFailure(request, reply, asked);
    const page = await listPage(catalog, resource, asked);
    return isFailure(page) ? respondFailure(request, reply, page) : respond(reply, successBody(page));
  });
}

function serveImport(app: FastifyInstance, context: RouteContext, resource: Resource): void {
  const limits: BodyLimits = { limit: bodyLimit(resource), budget: context.budget };
  const refusalOf = ({ raw }: FastifyRequest) => contentFailure(raw) ?? lengthFailure(raw, limits);
  const onRequest = admit(context.authorize, scopeOf(resource, 'write'), refusalOf);
  app.post(pathOf(resource), { onRequest }, async (request, reply) => {
    const idempotencyKey = request.headers['idempotency-key']?.toString();
    const done = await importBody(request, reply, { context, resource, limits, idempotencyKey });
    if (isFailure(done)) return respondFailure(request, reply, done);
    if (done.stored !== undefined) context.imported(resource, done.stored);
    // Returned, so that a client knows that a retry is safe here.
    if (idempotencyKey !== undefined) reply.header('idempotency-key', idempotencyKey);
    if (done.replayed) reply.header('idempotency-replayed', 'true');
    return respond(reply, successBody(done.report));
  });
}

interface Import {
  readonly context: RouteContext;
  readonly resource: Resource;
  readonly limits: BodyLimits;
  readonly idempotencyKey: string | undefined;
}

/** Receives and imports the body of a request. Its bytes are given back to the budget once it is imported. */
async function importBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { context, resource, limits, idempotencyKey }: Import,
): Promise<ImportResponse | Failure> {
  const received = await receiveBody(request.raw, reply.raw, limits);
  if (isFailure(received)) return received;
  const { bytes: body, reservation } = received;
  const { socket } = request.raw;
  try {
    const owner = request.apiKey?.id ?? '';
    return await context.importBatch({ resource, body, owner, idempotencyKey }, () => socket.destroyed);
  } finally {
    reservation.release();
  }
}

/** Serves what needs no key. `readyz` tells whether the catalog can be read and requests should still be sent here. */
export function serveHealth(app: FastifyInstance, catalog: Catalog, isStopping: () => boolean): void {
  const health = (status: string) => successBody(JSON.stringify({ object: 'health', status }));
  app.get('/livez', (_request, reply) => respond(reply, health('live')));
  app.get('/readyz', async (request, reply) => {
    if (isStopping()) return respondFailure(request, reply, failures.shutting_down());
    const [first] = resources;
    if (first !== undefined) await catalog.read(first, { id: `${first.prefix}0` });
    return respond(reply, health('ready'));
  });
  let document: string | undefined;
  app.get('/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(openApi(resources));
    return respond(reply, document);
  });
}

const methodsOf: ReadonlyMap<string, string> = new Map([
  ...resources.map((resource) => [pathOf(resource), 'GET, HEAD, OPTIONS, POST'] as const),
  ...[...resources.map(listPathOf), '/livez', '/readyz', '/openapi.json'].map(
    (path) => [path, 'GET, HEAD, OPTIONS'] as const,
  ),
]);

/** Why no route is to take a request: malformed, unknown path, unknown method, stopping. Undefined where one may. */
export function unserved(request: FastifyRequest, stopping: boolean): Failure | undefined {
  const fault = malformedRequest(request.raw);
  if (fault !== undefined) return fault;
  if (request.is404) {
    const allow = methodsOf.get(pathname(request));
    return allow === undefined ? failures.route_not_found() : failures.method_not_allowed(allow);
  }
  return stopping && request.url.startsWith('/v1/') ? failures.shutting_down() : undefined;
}
