// The responses of /openapi.json with their headers and examples.
import type { JsonSchema } from '../../../core/fields/json-schema.js';
import type { Resource } from '../../../core/resource.js';
import { type Failure, failureBody } from '../../protocol.js';
import { failureSamples } from './failure-samples.js';
import { ref, string } from './schema-parts.js';

const requestId = 'req_4f0c2f9d1b7a4d56a2c8e1f300000017';

export const headers: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': {
    description: 'The id of the request, also in the log. That of the client where it sent one.',
    schema: string,
    example: requestId,
  },
  ETag: {
    description: 'A digest of the answer. Sent back in `If-None-Match`, it earns 304 while the answer is the same.',
    schema: string,
    example: '"kJ3xq0Zb7cY1mW9vT4sR2g"',
  },
  'RateLimit-Policy': {
    description: 'The limit of the key: `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers).',
    schema: string,
    example: '"key";q=500;w=1',
  },
  RateLimit: {
    description: 'What is left of it: `r` requests now, all of them in `t` seconds.',
    schema: string,
    example: '"key";r=499;t=1',
  },
  'Retry-After': {
    description: 'Seconds to wait before the request is sent again.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'WWW-Authenticate': {
    description: 'RFC 6750: `Bearer`, with an error where a key was sent, and the scope that it lacks.',
    schema: string,
    example: 'Bearer realm="catalog-import", error="insufficient_scope", scope="product:read"',
  },
  'Idempotency-Key': { description: 'The key of the request, where it had one.', schema: string, example: 'monday-1' },
  'Idempotency-Replayed': {
    description: '`true` where the report is that of an earlier request, and nothing was imported now.',
    schema: { const: 'true' },
    example: 'true',
  },
};

function headersNamed(...names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const rate = ['RateLimit-Policy', 'RateLimit'] as const;

const statuses: Readonly<Record<number, string>> = {
  400: 'A parameter, the body or the request itself is malformed',
  401: 'No key, or one that is unknown, expired or revoked',
  403: 'The key lacks the scope',
  404: 'Not found',
  409: 'A request with this Idempotency-Key is still being worked on',
  413: 'The batch or the body is too large; nothing was written',
  415: 'The body is of another type or coding',
  422: 'The Idempotency-Key was used for another request, or the importing thread died of this one',
  429: 'Too many requests; Retry-After says when to ask again',
  500: 'An unexpected error',
  503: 'Busy, stopping, or without its catalog; nothing was written, Retry-After says when to ask again',
  507: 'No room left to store the batch; nothing was written',
};

/** Headers of failures in addition to X-Request-Id, by status. */
const headersOf: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  404: rate,
  409: ['Retry-After', ...rate],
  429: ['Retry-After', ...rate],
  503: ['Retry-After'],
};

function exampleOf(failure: Failure): JsonSchema {
  return { summary: failure.message, value: JSON.parse(failureBody(failure, requestId)) };
}

/**
 * Failures with these statuses, and any other.
 * @param resource the resource of the examples; without it there are none
 */
export function failed(wanted: readonly number[], resource?: Resource): JsonSchema {
  const samples = resource === undefined ? [] : failureSamples(resource);
  const content = { 'application/json': { schema: ref('Error') } };
  const all = wanted.map((status) => {
    const shown = samples.filter((one) => one.status === status && one.error !== 'route_not_found');
    const examples = Object.fromEntries(shown.map((one) => [one.error, exampleOf(one)]));
    const named = headersNamed('X-Request-Id', ...(headersOf[status] ?? []));
    const body = shown.length === 0 ? content : { 'application/json': { schema: ref('Error'), examples } };
    return [status, { description: statuses[status], headers: named, content: body }] as const;
  });
  const other = { description: 'Any other failure', headers: headersNamed('X-Request-Id'), content };
  return { ...Object.fromEntries(all), default: other };
}

interface SuccessResponse {
  readonly description: string;
  readonly schema: JsonSchema;
  /** The headers in addition to X-Request-Id. */
  readonly headers?: readonly string[];
  readonly example?: unknown;
}

export function succeeded({ description, schema, headers: names = [], example }: SuccessResponse): JsonSchema {
  const content = { 'application/json': { schema, ...(example !== undefined && { example }) } };
  return { 200: { description, headers: headersNamed('X-Request-Id', ...names), content } };
}

/** The headers of a read, and the response to a client that has the record already. */
export const readHeaders = ['ETag', ...rate] as const;
export const notModified: JsonSchema = {
  304: {
    description: 'The answer is the one whose ETag was sent',
    headers: headersNamed('X-Request-Id', ...readHeaders),
  },
};

export const importHeaders = ['Idempotency-Key', 'Idempotency-Replayed', ...rate] as const;
