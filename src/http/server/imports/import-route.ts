// POST of a batch: received within the budget of bytes, imported by another thread, answered with its report.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Keys } from '../../../core/api-key.js';
import type { Resource } from '../../../core/resource.js';
import { type Failure, isFailure, pathOf, scopeOf, successBody } from '../../protocol.js';
import { admit } from '../admission/admit.js';
import { type Authorize, contentFailure, lateFailure } from '../admission/authorize.js';
import type { ByteBudget } from '../admission/byte-budget.js';
import { type BodyLimits, lengthFailure, receiveBody } from '../admission/receive-body.js';
import { unexpectedQuery } from '../reads/query-selector.js';
import { holdersOf, queryOf, respond, respondFailure } from '../respond.js';
import type { Importer, ImportResponse } from './import-batch.js';
import { bodyLimit } from './request-envelope.js';

/** The collaborators of routes that import. */
export interface ImportRouteContext {
  readonly authorize: Authorize;
  readonly keys: Keys;
  readonly importBatch: Importer;
  readonly budget: ByteBudget;
  /** Called for each batch that was stored. */
  readonly imported: (resource: Resource, counts: NonNullable<ImportResponse['stored']>) => void;
}

export function serveImport(app: FastifyInstance, context: ImportRouteContext, resource: Resource): void {
  const limitsOf = (request: FastifyRequest): BodyLimits => ({
    limit: bodyLimit(resource),
    budget: context.budget,
    holders: holdersOf(request),
  });
  const refusalOf = (request: FastifyRequest) =>
    unexpectedQuery(queryOf(request), 'A POST takes dry_run and diff in its body.') ??
    contentFailure(request.raw) ??
    lengthFailure(request.raw, limitsOf(request));
  const onRequest = admit(context.authorize, scopeOf(resource, 'write'), refusalOf);
  app.post(pathOf(resource), { onRequest }, async (request, reply) => {
    const idempotencyKey = request.headers['idempotency-key']?.toString();
    const done = await importBody(request, reply, { context, resource, limits: limitsOf(request), idempotencyKey });
    if (isFailure(done)) return respondFailure(request, reply, done);
    if (done.stored !== undefined) context.imported(resource, done.stored);
    // Sent back, so that a client knows that a retry is safe here.
    if (idempotencyKey !== undefined) reply.header('idempotency-key', idempotencyKey);
    if (done.replayed) reply.header('idempotency-replayed', 'true');
    return respond(reply, successBody(done.report));
  });
}

interface Import {
  readonly context: ImportRouteContext;
  readonly resource: Resource;
  readonly limits: BodyLimits;
  readonly idempotencyKey: string | undefined;
}
/** Receives and imports the body of a request. Its bytes are released from the budget after the import. */
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
    const refusal = await lateFailure(context.keys, request.raw);
    if (refusal !== undefined) return refusal;
    const { id: owner = '', name: user = '' } = request.apiKey ?? {};
    const header = (name: string): string | undefined => request.headers[name]?.toString();
    const run = {
      ...{ user, token: header('catalog-run'), feed: header('catalog-feed'), end: header('catalog-run-end') },
      ...{ file: header('catalog-file'), lines: header('catalog-lines') },
    };
    return await context.importBatch({ resource, body, owner, idempotencyKey, run }, () => socket.destroyed);
  } finally {
    reservation.release();
  }
}
