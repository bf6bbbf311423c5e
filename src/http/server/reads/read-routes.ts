// GET of one record and of a list. Responses to reads of one record are cached until anything in the catalog changes.
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Catalog } from '../../../core/catalog.js';
import type { Resource } from '../../../core/resource.js';
import { failures, isFailure, listPathOf, pathOf, scopeOf, successBody } from '../../protocol.js';
import { admit } from '../admission/admit.js';
import type { Authorize } from '../admission/authorize.js';
import { queryOf, respondFailure, respondLarge, respondTagged } from '../respond.js';
import type { AnswerCache } from './answer-cache.js';
import { entityTag } from './entity-tag.js';
import { jsonPieces, type LargeText, largeRecord, textLength } from './json-pieces.js';
import { listPage } from './list-page.js';
import { parseSelector, type RecordQuery, readListRequest } from './query-selector.js';

export interface ReadRouteContext {
  readonly catalog: Catalog;
  readonly authorize: Authorize;
  readonly answers: AnswerCache;
}

export function serveRecord(app: FastifyInstance, context: ReadRouteContext, resource: Resource): void {
  const { catalog, authorize, answers } = context;
  const countChanges = countedTogether(catalog);
  const onRequest = admit(authorize, scopeOf(resource, 'read'));
  app.get(pathOf(resource), { onRequest }, async (request, reply) => {
    const asked = parseSelector({ resource, query: queryOf(request), scopes: request.apiKey?.scopes ?? [] });
    if (isFailure(asked)) return respondFailure(request, reply, asked);
    // What is included depends on the key, too.
    const target = asked.include.length === 0 ? request.url : `${request.url} ${asked.include.join()}`;
    // The count is from before the record is read: a change in between makes the cached response outdated.
    const isOfNow = asked.include.some((word) => resource.details[word]?.isOfNow === true);
    const changes = isOfNow ? undefined : await countChanges?.();
    const known = changes === undefined ? undefined : answers.get(target, changes);
    if (known === undefined) return readRecord(asked, { target, changes }, reply);
    respondTagged(request, reply, known);
    // For the end of a reply that is the result Fastify waits with four listeners.
    return reply.sent ? undefined : reply;
  });

  async function readRecord(
    { selector, include, param }: RecordQuery,
    { target, changes }: { readonly target: string; readonly changes: number | undefined },
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const record = await catalog.read(resource, selector, include);
    if (record === undefined) return respondFailure(reply.request, reply, failures.not_found(resource, param));
    const held = textLength(record);
    if (held > largeRecord) return respondLarge(reply, enveloped({ pieces: () => jsonPieces(record), held }));
    const body = successBody(JSON.stringify(record));
    const answer = { body, etag: entityTag(body) };
    if (changes !== undefined) answers.set(target, changes, answer);
    return respondTagged(reply.request, reply, answer);
  }
}

/** A read that waited longer for others of its turn, in milliseconds, was behind work that takes its time. */
const longestTurn = 20;

/** For how long no read waits for others after that, in milliseconds. */
const pause = 2_000;

/**
 * Counts the changes of a catalog once for all requests that arrive in one turn of the event loop, after they have arrived: a count
 * takes a tenth of the time of an answer, and answers that are written one after the other take half of it. Not beside large
 * reads and bodies: where each read waited for the end of its turn there, 99 % of them took 59 ms for 42. Undefined where changes
 * cannot be counted.
 */
function countedTogether({ changeCount }: Catalog): (() => Promise<number | undefined>) | undefined {
  if (changeCount === undefined) return undefined;
  let next: Promise<number | undefined> | undefined;
  let aloneUntil = 0;
  async function atEndOfTurn(): Promise<number | undefined> {
    const began = performance.now();
    await setImmediate();
    next = undefined;
    const now = performance.now();
    if (now - began > longestTurn) aloneUntil = now + pause;
    return changeCount?.();
  }
  return async () => {
    if (next === undefined && performance.now() < aloneUntil) return changeCount();
    next ??= atEndOfTurn();
    return next;
  };
}

export function serveList(app: FastifyInstance, { catalog, authorize }: ReadRouteContext, resource: Resource): void {
  const onRequest = admit(authorize, scopeOf(resource, 'read'));
  app.get(listPathOf(resource), { onRequest }, async (request, reply) => {
    const scopes = request.apiKey?.scopes ?? [];
    const asked = readListRequest({ resource, query: queryOf(request), scopes }, Math.floor(Date.now() / 1000));
    if (isFailure(asked)) return respondFailure(request, reply, asked);
    const page = await listPage(catalog, resource, asked);
    if (isFailure(page)) return respondFailure(request, reply, page);
    if (typeof page !== 'string') return respondLarge(reply, enveloped(page));
    const body = successBody(page);
    return respondTagged(request, reply, { body, etag: entityTag(body) });
  });
}

/** A large text in the envelope of a success. */
function enveloped({ pieces, held }: LargeText): LargeText {
  const [head = '', tail = ''] = successBody('\n').split('\n');
  return {
    held,
    *pieces() {
      yield head;
      yield* pieces();
      yield tail;
    },
  };
}
