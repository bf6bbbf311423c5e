// GET of one record and of a list. Responses to reads of one record are cached until anything in the catalog changes.
import type { FastifyInstance } from 'fastify';
import type { Catalog } from '../../../core/catalog.js';
import type { Resource } from '../../../core/resource.js';
import { failures, isFailure, listPathOf, pathOf, scopeOf, successBody } from '../../protocol.js';
import { admit } from '../admission/admit.js';
import type { Authorize } from '../admission/authorize.js';
import type { AdmissionHook, ServerReply, ServerRequest } from '../exchange.js';
import { queryOf, respondFailure, respondTagged } from '../respond.js';
import type { AnswerCache } from './answer-cache.js';
import { entityTag } from './entity-tag.js';
import { listPage } from './list-page.js';
import { parseSelector, type RecordQuery, readListRequest } from './query-selector.js';

/** The collaborators of routes that read. */
export interface ReadRouteContext {
  readonly catalog: Catalog;
  readonly authorize: Authorize;
  readonly answers: AnswerCache;
}

/** The GET of one record. */
export interface RecordRoute {
  readonly path: string;
  readonly admit: AdmissionHook;
  /**
   * Answers an admitted request. A cached response needs no turn of the event loop.
   * @param changes `Catalog.changeCount`, called after the request was received
   */
  readonly answer: (
    request: ServerRequest,
    reply: ServerReply,
    changes: number | undefined,
  ) => ServerReply | Promise<void>;
}

/** The GET of a record of each resource. */
export function recordRoutes(context: ReadRouteContext, resources: readonly Resource[]): RecordRoute[] {
  return resources.map((resource) => recordRoute(context, resource));
}

function recordRoute({ catalog, authorize, answers }: ReadRouteContext, resource: Resource): RecordRoute {
  /** Resolves without the reply: otherwise Fastify would wait for its end, with four listeners. */
  async function read(
    asked: RecordQuery,
    reply: ServerReply,
    { target, changes }: { readonly target: string; readonly changes: number | undefined },
  ): Promise<void> {
    const { request } = reply;
    const record = await catalog.read(resource, asked.selector, asked.include);
    if (record === undefined) return void respondFailure(request, reply, failures.not_found(resource, asked.param));
    const body = successBody(JSON.stringify(record));
    const answer = { body, etag: entityTag(body) };
    if (changes !== undefined) answers.set(target, changes, answer);
    respondTagged(request, reply, answer);
  }

  return {
    path: pathOf(resource),
    admit: admit(authorize, scopeOf(resource, 'read')),
    // The count is from before the record is read: a change in between makes the cached response outdated.
    answer(request, reply, changes) {
      const asked = parseSelector({ resource, query: queryOf(request), scopes: request.apiKey?.scopes ?? [] });
      if (isFailure(asked)) return respondFailure(request, reply, asked);
      // What is included depends on the key, too.
      const target = asked.include.length === 0 ? request.url : `${request.url} ${asked.include.join()}`;
      const known = changes === undefined ? undefined : answers.get(target, changes);
      return known === undefined ? read(asked, reply, { target, changes }) : respondTagged(request, reply, known);
    },
  };
}

/** Serves the list of a resource. */
export function serveList(app: FastifyInstance, { catalog, authorize }: ReadRouteContext, resource: Resource): void {
  const onRequest = admit(authorize, scopeOf(resource, 'read'));
  app.get(listPathOf(resource), { onRequest }, async (request, reply) => {
    const scopes = request.apiKey?.scopes ?? [];
    const asked = readListRequest({ resource, query: queryOf(request), scopes }, Math.floor(Date.now() / 1000));
    if (isFailure(asked)) return respondFailure(request, reply, asked);
    const page = await listPage(catalog, resource, asked);
    if (isFailure(page)) return respondFailure(request, reply, page);
    const body = successBody(page);
    return respondTagged(request, reply, { body, etag: entityTag(body) });
  });
}
