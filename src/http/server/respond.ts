// Sends responses in the envelope, and closes connections whose body was not read. Shared by all routes.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../../core/api-key.js';
import { type Failure, failureBody, failureOf } from '../protocol.js';
import type { ByteBudget } from './admission/byte-budget.js';
import { hasUnreadBody, lingerAfterAnswer } from './lingering-close.js';
import { isKnownToClient } from './reads/entity-tag.js';

/** What the server keeps with a request. */
interface RequestState {
  /** The client's address. */
  address: string;
  /** The budget for bodies and large responses. */
  budget: ByteBudget;
  /** The API key of the request, if known. */
  apiKey: ApiKey | null;
  /** The code of the failure it was answered with, and details for the log. */
  failure: string;
  details: string;
}

declare module 'fastify' {
  interface FastifyRequest extends RequestState {}
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

/** Responses longer than this are charged to the budget until they are sent, since a client may read slowly. */
const smallAnswer = 64 * 1024;

/** Sends a JSON text that must not be cached. */
export function respond(reply: FastifyReply, body: string): FastifyReply {
  reply.header('content-type', jsonType).header('cache-control', 'no-store');
  return send(reply, body);
}

/** A body that the client may cache, with its ETag. */
interface Tagged {
  readonly body: string;
  readonly etag: string;
}

/**
 * Sends a JSON text, or 304 without a body to a client that has it (decisions 4.10). The client may cache it, but has
 * to validate it each time.
 */
export function respondTagged(request: FastifyRequest, reply: FastifyReply, { body, etag }: Tagged): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  if (isKnownToClient(request.headers['if-none-match'], etag)) return send(reply.code(304));
  reply.header('content-type', jsonType);
  return send(reply, body);
}

const jsonType = 'application/json; charset=utf-8';

/** Sends a body, or none. What was not read of its request is discarded, and the connection closed. */
function send(reply: FastifyReply, body?: string): FastifyReply {
  const { raw, budget } = reply.request;
  if (body !== undefined && body.length > smallAnswer) {
    const reservation = budget.reserve();
    reservation.force(body.length);
    reply.raw.once('close', reservation.release);
  }
  if (!hasUnreadBody(raw)) return reply.send(body);
  // A small body may follow the header directly and be parsed by then: the connection can be reused.
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

/** Answers with the failure for a thrown error. The log gets the stack of a bug, and the message of any other failure. */
export function respondThrown(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  const failure = failureOf(thrown);
  if (failure.status === 500 && thrown instanceof Error) request.details = String(thrown.stack);
  else if (failure.status >= 500) request.details = thrown instanceof Error ? thrown.message : String(thrown);
  return respondFailure(request, reply, failure);
}
