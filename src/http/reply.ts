// How a request is read and answered here, whatever its route.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../core/api-key.js';
import { type Failure, failureBody } from './wire.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where it came from. */
    address: string;
    /** The key it came with, where that is known. */
    apiKey: ApiKey | null;
    /** The word of the failure it was answered with, and details for the log. */
    failure: string;
    details: string;
  }
}

/** What stands before the `?` of the address, as it was sent. */
export function pathname({ url }: FastifyRequest): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** What stands behind the `?`, as it was sent; '' where there is none. */
export function queryOf({ url }: FastifyRequest): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** Sends a body that is JSON already. */
export function answer(reply: FastifyReply, body: string): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'no-store').send(body);
}

/** Sends a failure in the envelope. */
export function answerFailure(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply {
  request.failure = failure.error;
  if (failure.headers !== undefined) reply.headers(failure.headers);
  return answer(reply.code(failure.status), failureBody(failure, request.id));
}
