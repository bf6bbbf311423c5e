// The protocol: paths, scopes, envelope, failures and their statuses. Client and server take it from this file; no
// other file defines any of it.
import { STATUS_CODES } from 'node:http';
import { CatalogError } from '../core/errors.js';
import type { Resource } from '../core/resource.js';

/** The path of a resource: POST imports a batch, GET reads one record. */
export function pathOf(resource: Resource): string {
  return `/v1/${resource.name.replaceAll('_', '-')}/import`;
}

/** The path of the list of a resource's records: GET returns a page of them. */
export function listPathOf(resource: Resource): string {
  return `/v1/${resource.name.replaceAll('_', '-')}/list`;
}

/** Records of a page: the limit, and the default. */
export const pageLimits = { most: 250, usual: 100 } as const;

/** The scope a request on a resource needs. Writing does not imply reading. */
export function scopeOf(resource: Resource, right: 'read' | 'write'): string {
  return `${resource.name}:${right}`;
}

/** A failed request, as it is answered. */
export interface Failure {
  readonly status: number;
  /** The stable word that clients branch on. */
  readonly error: string;
  readonly message: string;
  /** The query parameter, body member or header at fault, or ''. */
  readonly param: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && 'error' in value && 'status' in value;
}

/** The body of a success, from a response that is JSON already. */
export function successBody(response: string): string {
  return `{"code":200,"title":"OK","response":${response}}`;
}

/** The body of a failure. */
export function failureBody({ status, error, message, param }: Failure, requestId: string): string {
  const response = { object: 'error', error, message, param, request_id: requestId };
  return JSON.stringify({ code: status, title: STATUS_CODES[status] ?? 'Error', response });
}

function failure(status: number, error: string, message: string, param = ''): Failure {
  return { status, error, message, param };
}

function retryLater(seconds: number, about: Failure): Failure {
  return { ...about, headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))) } };
}

/** RFC 6750: an error code only if a key was sent. */
function challenge(about: Failure, details: string): Failure {
  return { ...about, headers: { 'www-authenticate': `Bearer realm="catalog-import"${details}` } };
}

const keyMessages = {
  invalid_api_key: 'This API key is not known.',
  expired_api_key: 'This API key has expired.',
  revoked_api_key: 'This API key was revoked.',
} as const;

/** Every failure response of the server, by its code. */
export const failures = {
  missing_parameter: (param: string) =>
    failure(400, 'missing_parameter', `Missing required parameter: ${param}.`, param),
  invalid_parameter: (param: string, message: string) => failure(400, 'invalid_parameter', message, param),
  invalid_json: (message: string) => failure(400, 'invalid_json', message),
  malformed_request: (message: string, param = '') => failure(400, 'malformed_request', message, param),
  missing_api_key: () =>
    challenge(
      failure(401, 'missing_api_key', 'An API key is needed: Authorization: Bearer <API_KEY>.', 'Authorization'),
      '',
    ),
  refused_api_key: (error: keyof typeof keyMessages) =>
    challenge(
      failure(401, error, keyMessages[error], 'Authorization'),
      `, error="invalid_token", error_description="${keyMessages[error]}"`,
    ),
  insufficient_scope: (scope: string) =>
    challenge(
      failure(403, 'insufficient_scope', `This API key lacks the scope ${scope}.`, 'Authorization'),
      `, error="insufficient_scope", scope="${scope}"`,
    ),
  not_found: (resource: Resource, param: string) =>
    failure(404, `${resource.name}_not_found`, `${resource.title} not found.`, param),
  route_not_found: () => failure(404, 'route_not_found', 'There is nothing at this path; /openapi.json lists what is.'),
  method_not_allowed: (allow: string): Failure => ({
    ...failure(405, 'method_not_allowed', `This path accepts ${allow}.`),
    headers: { allow },
  }),
  request_timeout: () => failure(408, 'request_timeout', 'The request did not arrive in time.'),
  idempotency_key_in_use: () =>
    retryLater(
      1,
      failure(
        409,
        'idempotency_key_in_use',
        'A request with this Idempotency-Key is still being worked on.',
        'Idempotency-Key',
      ),
    ),
  batch_too_large: (count: number, limit: number) =>
    failure(413, 'batch_too_large', `items holds ${count} entries; at most ${limit} are accepted.`, 'items'),
  batch_of_long_texts: () =>
    failure(
      413,
      'batch_too_large',
      'The items are of records with more than 64 MiB of stored texts, or replace more than 8 MiB of them; nothing was stored. Send them in smaller batches.',
      'items',
    ),
  body_too_large: (limit: number) =>
    failure(413, 'body_too_large', `The body is larger than the ${limit} bytes accepted here.`),
  too_many_objects: (limit: number) =>
    failure(413, 'body_too_large', `The body holds more than ${limit} objects and arrays.`),
  unsupported_content_type: () =>
    failure(
      415,
      'unsupported_content_type',
      'A POST needs Content-Type: application/json, and a body in UTF-8.',
      'Content-Type',
    ),
  unsupported_content_encoding: (): Failure => ({
    ...failure(
      415,
      'unsupported_content_encoding',
      'A body may be sent with Content-Encoding: gzip, or uncompressed.',
      'Content-Encoding',
    ),
    headers: { 'accept-encoding': 'gzip' },
  }),
  idempotency_key_reused: () =>
    failure(
      422,
      'idempotency_key_reused',
      'This Idempotency-Key was used for another body, Catalog-Feed or Catalog-Run-End; use a new one.',
      'Idempotency-Key',
    ),
  import_killed: () =>
    failure(
      422,
      'import_killed',
      'The importing thread died of this request, so it is not tried again. Send fewer or smaller items.',
    ),
  rate_limited: (seconds: number, message: string) => retryLater(seconds, failure(429, 'rate_limited', message)),
  headers_too_large: () => failure(431, 'headers_too_large', 'The header lines are larger than 16 KiB.'),
  internal_error: () => failure(500, 'internal_error', 'An unexpected error occurred.'),
  unsupported_transfer_coding: () =>
    failure(501, 'unsupported_transfer_coding', 'Only Transfer-Encoding: chunked is supported.', 'Transfer-Encoding'),
  busy: () =>
    retryLater(
      1,
      failure(503, 'busy', 'The catalog is being written by another process; nothing was stored, send it again.'),
    ),
  too_many_bytes: () =>
    retryLater(
      1,
      failure(
        503,
        'busy',
        'The server holds as many bytes of requests as it may. Nothing was stored; send the request again.',
      ),
    ),
  too_many_answers: () =>
    retryLater(
      1,
      failure(
        503,
        'busy',
        'Too many bytes of answers are being sent, to this key or address or in all; read these, and send the request again.',
      ),
    ),
  import_interrupted: () =>
    retryLater(
      1,
      failure(
        503,
        'busy',
        'The import was interrupted. Send the batch again: items already stored are unchanged then.',
      ),
    ),
  catalog_unavailable: () =>
    retryLater(
      30,
      failure(
        503,
        'catalog_unavailable',
        'The catalog cannot be reached, or not be used as it is; nothing was stored.',
      ),
    ),
  shutting_down: () => retryLater(5, failure(503, 'shutting_down', 'The server is stopping; send the request again.')),
  storage_full: () => failure(507, 'storage_full', 'The storage is full. Nothing was stored; reads keep working.'),
} as const;

/** The failure for a thrown error. Details that the client cannot act on go to the log only. */
export function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof CatalogError)) return failures.internal_error();
  if (thrown.code === 'catalog_locked') return failures.busy();
  if (thrown.code === 'catalog_unavailable' || thrown.code === 'catalog_unusable')
    return failures.catalog_unavailable();
  if (thrown.code === 'batch_too_large') return failures.batch_of_long_texts();
  if (thrown.code === 'catalog_full') return failures.storage_full();
  if (thrown.code === 'interrupted') return failures.shutting_down();
  return failures.internal_error();
}
