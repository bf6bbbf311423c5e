// Cross-origin requests of browser pages (the Fetch standard), for the origins that the operator named. Keys are sent
// in a header that a page has to set itself, never in a cookie: credentials are not allowed for any origin.
import type { FastifyReply, FastifyRequest } from 'fastify';

const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Content-Encoding',
  'Idempotency-Key',
  'If-None-Match',
  'X-Request-Id',
  'Catalog-Run',
  'Catalog-Feed',
  'Catalog-Run-End',
  'Catalog-File',
  'Catalog-Lines',
].join(', ');

const answerHeaders = [
  'ETag',
  'Idempotency-Key',
  'Idempotency-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

/** Seconds for which a browser may cache the answer to a preflight request. */
const remembered = '600';

export interface CrossOrigin {
  /** Allows the page of a named origin to read the response, whatever it is. */
  allow(request: FastifyRequest, reply: FastifyReply): void;
  /** Answers a preflight request with what a page may send. */
  preflight(request: FastifyRequest, reply: FastifyReply, methods: string): void;
}

/** @param origins the allowed origins, such as `https://shop.example`; `*` for all */
export function crossOrigin(origins: readonly string[]): CrossOrigin {
  const isOpen = origins.includes('*');
  const named = new Set(origins);

  /** The allowed origin for a request's origin; undefined if it has none, or one that is not allowed. */
  function allowed(request: FastifyRequest): string | undefined {
    const { origin } = request.headers;
    if (origin === undefined) return undefined;
    if (isOpen) return '*';
    return named.has(origin) ? origin : undefined;
  }

  return {
    allow(request, reply) {
      if (origins.length === 0) return;
      // A cache must not give the response for one origin to another.
      if (!isOpen) reply.header('vary', 'Origin');
      const origin = allowed(request);
      if (origin === undefined) return;
      reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', answerHeaders);
    },
    preflight(request, reply, methods) {
      if (allowed(request) === undefined || request.headers['access-control-request-method'] === undefined) return;
      reply
        .header('access-control-allow-methods', methods)
        .header('access-control-allow-headers', requestHeaders)
        .header('access-control-max-age', remembered);
    },
  };
}
