// Authorizes a request by its header, before the body is read, in the order of the rules (key, scope, rate, content
// type).
import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import type { ApiKey, Keys, Verdict as KeyVerdict } from '../../../core/api-key.js';
import { type Failure, failures } from '../../protocol.js';
import { networkOf } from './client-address.js';
import { minuteCounts, tokenBuckets } from './rate-limit.js';
import { contentCoding } from './receive-body.js';

export interface RateLimits {
  /** Requests a second and key. */
  readonly rate: number;
  /** Failed authentications a minute and address. */
  readonly authFailures: number;
}

/** The remaining rate as the headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). */
interface RateState {
  readonly policy: string;
  readonly left: string;
}

/** The key of a request, if known, what is left of its rate, and the reason of a refusal. */
export interface Authorization {
  readonly key?: ApiKey;
  readonly rate?: RateState;
  readonly failure?: Failure;
}

export type Authorize = (
  request: IncomingMessage,
  scope: string,
  address: string,
) => Authorization | Promise<Authorization>;

/** Creates the check of one server. */
export function newAuthorize(keys: Keys, limits: RateLimits): Authorize {
  const takeToken = tokenBuckets(limits.rate);
  const countFailure = minuteCounts(limits.authFailures);
  const keyPolicy = `"key";q=${limits.rate};w=1`;
  const failurePolicy = `"auth-failures";q=${limits.authFailures};w=60`;

  function unidentified(verdict: Exclude<KeyVerdict, ApiKey>, address: string): Authorization {
    const wait = countFailure(networkOf(address), performance.now());
    if (wait === 0) return { failure: failures.refused_api_key(`${verdict}_api_key`) };
    return {
      rate: { policy: failurePolicy, left: `"auth-failures";r=0;t=${Math.ceil(wait)}` },
      failure: failures.rate_limited(wait, 'Too many failed authentications from this address.'),
    };
  }

  function judged(verdict: KeyVerdict, scope: string, address: string): Authorization {
    if (typeof verdict !== 'object') return unidentified(verdict, address);
    const key = verdict;
    if (!key.scopes.includes(scope)) return { key, failure: failures.insufficient_scope(scope) };
    const { wait, left, untilFull } = takeToken(key.id, performance.now());
    const rate = { policy: keyPolicy, left: `"key";r=${left};t=${untilFull}` };
    if (wait === 0) return { key, rate };
    const message = `This API key may send ${limits.rate} requests a second.`;
    return { key, rate, failure: failures.rate_limited(wait, message) };
  }

  return (request, scope, address) => {
    const shown = bearer(request.headers.authorization);
    if (shown === '') return { failure: failures.missing_api_key() };
    const verdict = keys.verify(shown);
    // A cached key needs no turn of the event loop.
    if (verdict instanceof Promise) return verdict.then((found) => judged(found, scope, address));
    return judged(verdict, scope, address);
  };
}

/** The failure of a request whose key was revoked or has expired since its header was checked: a body may take a minute. */
export async function lateFailure(keys: Keys, request: IncomingMessage): Promise<Failure | undefined> {
  const verdict = await keys.verify(bearer(request.headers.authorization));
  return typeof verdict === 'object' ? undefined : failures.refused_api_key(`${verdict}_api_key`);
}

/** The token of a Bearer header, or '': another scheme counts as no key. */
function bearer(header: string | undefined): string {
  if (header === undefined || header.slice(0, 7).toLowerCase() !== 'bearer ') return '';
  return header.slice(7).trim();
}

/** Whether the type, characters and coding of a body are accepted: undefined, or the failure. */
export function contentFailure(request: IncomingMessage): Failure | undefined {
  if (!isJson(request.headers['content-type'] ?? '')) return failures.unsupported_content_type();
  const coding = contentCoding(request);
  return coding === '' || coding === 'gzip' ? undefined : failures.unsupported_content_encoding();
}

/** Whether a type is JSON in UTF-8, by whichever of its names: another charset would be read as characters that were not sent. */
function isJson(type: string): boolean {
  try {
    const { essence, params } = new MIMEType(type);
    return essence === 'application/json' && new TextDecoder(params.get('charset') ?? 'utf-8').encoding === 'utf-8';
  } catch {
    return false;
  }
}
