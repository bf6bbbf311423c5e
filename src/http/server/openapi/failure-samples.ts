// Every failure as a response, for the code lists and the examples of /openapi.json.
import type { Resource } from '../../../core/resource.js';
import { type Failure, failures, pageLimits } from '../../protocol.js';
import { bodyLimit, mostObjects } from '../imports/request-envelope.js';

/** Failures of the server, one or more of each kind; those that depend on the resource are given for this one. */
export function failureSamples(resource: Resource): readonly Failure[] {
  const samples: Readonly<Record<keyof typeof failures, readonly Failure[]>> = {
    missing_parameter: [failures.missing_parameter(resource.key)],
    invalid_parameter: [
      failures.invalid_parameter('limit', `limit must be a whole number from 1 to ${pageLimits.most}.`),
    ],
    invalid_json: [failures.invalid_json('The body is not JSON.')],
    malformed_request: [failures.malformed_request('The request was cut off.')],
    missing_api_key: [failures.missing_api_key()],
    refused_api_key: (['invalid_api_key', 'expired_api_key', 'revoked_api_key'] as const).map(failures.refused_api_key),
    insufficient_scope: [failures.insufficient_scope(`${resource.name}:read`)],
    not_found: [failures.not_found(resource, resource.key)],
    route_not_found: [failures.route_not_found()],
    method_not_allowed: [failures.method_not_allowed('GET, HEAD, OPTIONS, POST')],
    request_timeout: [failures.request_timeout()],
    idempotency_key_in_use: [failures.idempotency_key_in_use()],
    batch_too_large: [failures.batch_too_large(resource.limit + 1, resource.limit)],
    batch_of_long_texts: [failures.batch_of_long_texts()],
    body_too_large: [failures.body_too_large(bodyLimit(resource))],
    too_many_objects: [failures.too_many_objects(mostObjects)],
    unsupported_content_type: [failures.unsupported_content_type()],
    unsupported_content_encoding: [failures.unsupported_content_encoding()],
    idempotency_key_reused: [failures.idempotency_key_reused()],
    rate_limited: [failures.rate_limited(1, 'This API key may send 500 requests a second.')],
    headers_too_large: [failures.headers_too_large()],
    internal_error: [failures.internal_error()],
    unsupported_transfer_coding: [failures.unsupported_transfer_coding()],
    busy: [failures.busy()],
    import_killed: [failures.import_killed()],
    too_many_bytes: [failures.too_many_bytes()],
    too_many_answers: [failures.too_many_answers()],
    import_interrupted: [failures.import_interrupted()],
    catalog_unavailable: [failures.catalog_unavailable()],
    shutting_down: [failures.shutting_down()],
    storage_full: [failures.storage_full()],
  };
  return Object.values(samples).flat();
}
