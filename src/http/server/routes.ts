// The routes: resources, health, and the description of the interface.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Catalog } from '../../core/catalog.js';
import { resources } from '../../core/resources/index.js';
import { type Failure, failures, listPathOf, pathOf, successBody } from '../protocol.js';
import { malformedRequest } from './admission/malformed-request.js';
import { docsPaths, serveDocs } from './docs-routes.js';
import { type ImportRouteContext, serveImport } from './imports/import-route.js';
import { openApi } from './openapi/openapi.js';
import type { Answer } from './reads/answer-cache.js';
import { entityTag } from './reads/entity-tag.js';
import { unexpectedQuery } from './reads/query-selector.js';
import { type ReadRouteContext, serveList, serveRecord } from './reads/read-routes.js';
import { pathname, queryOf, respond, respondFailure, respondTagged } from './respond.js';

/** Serves POST and GET of every resource, and its list. */
export function serveResources(app: FastifyInstance, context: ReadRouteContext & ImportRouteContext): void {
  for (const resource of resources) {
    serveRecord(app, context, resource);
    serveList(app, context, resource);
    serveImport(app, context, resource);
  }
}

/** What /readyz tells of this process, and of all that serve the catalog. */
export interface ServingState {
  readonly isStopping: () => boolean;
  readonly workers: () => { readonly wanted: number; readonly serving: number };
}

/**
 * Serves the endpoints without a key. `readyz` reports whether the catalog can be read and this process accepts
 * requests, and how many workers do.
 */
export function serveHealth(app: FastifyInstance, catalog: Catalog, { isStopping, workers }: ServingState): void {
  const health = (status: string, details = {}) =>
    successBody(JSON.stringify({ object: 'health', status, ...details }));
  app.get('/livez', (_request, reply) => respond(reply, health('live')));
  app.get('/readyz', async (request, reply) => {
    if (isStopping()) return respondFailure(request, reply, failures.shutting_down());
    const [first] = resources;
    if (first !== undefined) await catalog.read(first, { id: `${first.prefix}0` });
    return respond(reply, health('ready', { workers: workers() }));
  });
}

/** Serves what describes the service: where to look, /openapi.json, and the reference in a browser. They need no key. */
export function serveDescription(app: FastifyInstance): void {
  const root = { object: 'service', name: 'catalog-import', docs: '/docs', openapi: '/openapi.json' };
  const sendPage = serveDocs(app);
  app.get('/', async (request, reply) => {
    reply.header('vary', [reply.getHeader('vary'), 'accept'].filter(Boolean).join(', '));
    // Browsers ask for HTML by name, programs for anything or for JSON.
    const isBrowser = /\btext\/html\b/i.test(String(request.headers.accept ?? ''));
    return isBrowser ? sendPage(request, reply) : respond(reply, successBody(JSON.stringify(root)));
  });
  let document: Answer | undefined;
  app.get('/openapi.json', (request, reply) => {
    document ??= describe();
    return respondTagged(request, reply, document);
  });
}

function describe(): Answer {
  const body = JSON.stringify(openApi(resources));
  return { body, etag: entityTag(body) };
}

const methodsOf: ReadonlyMap<string, string> = new Map([
  ...resources.map((resource) => [pathOf(resource), 'GET, HEAD, OPTIONS, POST'] as const),
  ...[...resources.map(listPathOf), '/', '/livez', '/readyz', '/openapi.json', ...docsPaths].map(
    (path) => [path, 'GET, HEAD, OPTIONS'] as const,
  ),
]);

/**
 * Why no route accepts a request: malformed, unknown path, unknown method, stopping, or a query where there is no key that may
 * know of it. Undefined if one may.
 */
export function unserved(request: FastifyRequest, stopping: boolean): Failure | undefined {
  const fault = malformedRequest(request.raw);
  if (fault !== undefined) return fault;
  if (request.is404) {
    const allow = methodsOf.get(pathname(request));
    return allow === undefined ? failures.route_not_found() : failures.method_not_allowed(allow);
  }
  if (!request.url.startsWith('/v1/')) return unexpectedQuery(queryOf(request));
  return stopping ? failures.shutting_down() : undefined;
}
