// Counts and logs every request once, from its header to the end of its response.
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteBudget } from '../admission/byte-budget.js';
import type { CrossOrigin } from '../cors.js';
import { pathname } from '../respond.js';
import type { Metrics } from './metrics.js';
import type { RequestLog } from './request-log.js';

export interface RequestTracker {
  /** Requests whose response has not ended. */
  inFlight(): number;
  /** Begins a request: sets its state and the headers of every response, and awaits its end. */
  begin(request: FastifyRequest, reply: FastifyReply): void;
}

interface RequestContext {
  readonly answers: ByteBudget;
  readonly origins: CrossOrigin;
  readonly addressOf: (request: IncomingMessage) => string;
}

/** Creates the tracker of a server. */
export function trackRequests(
  metrics: Metrics,
  log: RequestLog,
  { answers, origins, addressOf }: RequestContext,
): RequestTracker {
  let inFlight = 0;

  function end(request: FastifyRequest, { statusCode, raw }: FastifyReply, ms: number): void {
    inFlight--;
    // A client that left before the whole response was sent did not get it.
    if (!raw.writableFinished && request.failure === '') request.failure = 'client_closed';
    metrics.requestEnded(request.method, request.routeOptions.url ?? 'none', statusCode, ms / 1000);
    log.write({
      request_id: request.id,
      method: request.method,
      path: pathname(request).slice(0, 200),
      status: statusCode,
      ms: Math.round(ms * 100) / 100,
      address: request.address,
      key: request.apiKey?.id ?? '',
      ...(request.failure === '' ? {} : { error: request.failure }),
      ...(request.details === '' ? {} : { details: request.details }),
    });
  }

  return {
    inFlight: () => inFlight,
    begin(request, reply) {
      const began = performance.now();
      inFlight++;
      metrics.requestStarted();
      request.address = addressOf(request.raw);
      request.answers = answers;
      reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
      origins.allow(request, reply);
      // Not a hook of Fastify: it is not called if a client leaves, or if no route was looked up.
      reply.raw.once('close', () => end(request, reply, performance.now() - began));
    },
  };
}
