// GET of one record and of a list. Responses to reads of one record are cached until anything in the catalog changes.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Catalog } from '../../../core/catalog.js';
import type { Resource } from '../../../core/resource.js';
import { failures, isFailure, listPathOf, pathOf, scopeOf, successBody } from '../../protocol.js';
import { admit } from '../admission/admit.js';
import type { Authorize } from '../admission/authorize.js';
import { queryOf, respondFailure, respondTagged } from '../respond.js';
import type { AnswerCache } from './answer-cache.js';
import { entityTag } from './entity-tag.js';
import { listPage } from './list-page.js';
import { parseSelector, readListRequest } from './query-selector.js';

/** The collaborators of routes that read. */
export interface ReadRouteContext {
  readonly catalog: Catalog;
  readonly authorize: Authorize;
  readonly answers: AnswerCache;
}

/** Serves one record of a resource. */
export function serveRead(
  app: FastifyInstance,
  { catalog, authorize, answers }: ReadRouteContext,
  resource: Resource,
): void {
  /** Resolves without the reply: otherwise Fastify would wait for its end, with four listeners. */
  async function read(request: FastifyRequest, reply: FastifyReply, changes: number | undefined): Promise<void> {
    const asked = parseSelector(resource, queryOf(request));
    if (isFailure(asked)) return void respondFailure(request, reply, asked);
    const record = await catalog.read(resource, asked.selector, asked.include);
    if (record === undefined) return void respondFailure(request, reply, failures.not_found(resource, asked.param));
    const body = successBody(JSON.stringify(record));
    const answer = { body, etag: entityTag(body) };
    if (changes !== undefined) answers.set(request.url, changes, answer);
    respondTagged(request, reply, answer);
  }

  const onRequest = admit(authorize, scopeOf(resource, 'read'));
  // Not async: a cached response needs no turn of the event loop.
  app.get(pathOf(resource), { onRequest }, (request, reply) => {
    // Read before the record: a change in between makes the cached response outdated.
    const changes = catalog.changeCount?.();
    const known = changes === undefined ? undefined : answers.get(request.url, changes);
    return known === undefined ? read(request, reply, changes) : respondTagged(request, reply, known);
  });
}

/** Serves the list of a resource. */
export function serveList(app: FastifyInstance, { catalog, authorize }: ReadRouteContext, resource: Resource): void {
  const onRequest = admit(authorize, scopeOf(resource, 'read'));
  app.get(listPathOf(resource), { onRequest }, async (request, reply) => {
    const asked = readListRequest(resource, queryOf(request), Math.floor(Date.now() / 1000));
    if (isFailure(asked)) return respondFailure(request, reply, asked);
    const page = await listPage(catalog, resource, asked);
    if (isFailure(page)) return respondFailure(request, reply, page);
    const body = successBody(page);
    return respondTagged(request, reply, { body, etag: entityTag(body) });
  });
}
