// Sends responses in the envelope, and closes connections whose body was not read. Shared by all routes.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../../core/api-key.js';
import { type Failure, failureBody } from '../protocol.js';
import type { ByteBudget } from './admission/byte-budget.js';
import { hasUnreadBody, lingerAfterAnswer } from './lingering-close.js';
import { isKnownToClient } from './reads/entity-tag.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address. */
    address: string;
    /** What bodies and large answers are charged to. */
    budget: ByteBudget;
    /** The API key of the request, if known. */
    apiKey: ApiKey | null;
    /** The word of the failure it was answered with, and details for the log. */
    failure: string;
    details: string;
  }
}

/** The path of the request target, as it was sent. */
export function pathname({ url }: FastifyRequest): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** The query string, as it was sent; '' where there is none. */
export function queryOf({ url }: FastifyRequest): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** Answers longer than this are charged to the budget until they are sent: a client may be slow to take them. */
const smallAnswer = 64 * 1024;

/** Sends a body that is JSON already, and must not be cached. */
export function respond(reply: FastifyReply, body: string): FastifyReply {
  reply.header('content-type', jsonType).header('cache-control', 'no-store');
  return send(reply, body);
}

/** A body that may be kept by who asked for it, with its ETag. */
interface Tagged {
  readonly body: string;
  readonly etag: string;
}

/**
 * Sends a body that is JSON already, or 304 and nothing to a client that has it (decisions 4.10). It may keep it, but has
 * to ask each time whether it still holds.
 */
export function respondTagged(request: FastifyRequest, reply: FastifyReply, { body, etag }: Tagged): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  if (isKnownToClient(request.headers['if-none-match'], etag)) return send(reply.code(304));
  reply.header('content-type', jsonType);
  return send(reply, body);
}

const jsonType = 'application/json; charset=utf-8';

/** Sends a body, or none. What its request left unread is discarded, and the connection closed. */
function send(reply: FastifyReply, body?: string): FastifyReply {
  const { raw, budget } = reply.request;
  if (body !== undefined && body.length > smallAnswer) {
    const reservation = budget.reserve();
    reservation.force(body.length);
    reply.raw.once('close', reservation.release);
  }
  if (!hasUnreadBody(raw)) return reply.send(body);
  // A small body may stand right behind the header and be parsed by then: the connection can be used again.
  setImmediate(() => {
    if (hasUnreadBody(raw)) {
      reply.header('connection', 'close');
      lingerAfterAnswer(raw);
    }
    reply.send(body);
  });
  return reply;
}

/** Sends a failure in the envelope. */
export function respondFailure(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply {
  request.failure = failure.error;
  if (failure.headers !== undefined) reply.headers(failure.headers);
  return respond(reply.code(failure.status), failureBody(failure, request.id));
}
