// Classifies a response of the remote: success, worth a retry, or a permanent failure. A response that does not follow
// the protocol is a failure of its own, different from a network error.
import * as z from 'zod';
import { CatalogError } from '../../core/errors.js';
import { type Retryable, retryAfter } from './retry.js';
import type { SendLimits, Transport, TransportRequest, TransportResponse } from './transport.js';
import { TransportError } from './transport-error.js';

/** A response with status 200, without its envelope. */
export interface Success {
  readonly response: object;
  /** Whether the remote stores the report under the Idempotency-Key of the request. */
  readonly remembered: boolean;
}

/** The body was too large, or contained too many items. */
export interface TooLarge {
  readonly tooLarge: string;
}

/** The record does not exist. */
export interface NotFound {
  readonly missing: true;
}

const success = z.object({ code: z.literal(200), title: z.string(), response: z.looseObject({}) });
const failed = z.object({ response: z.object({ error: z.string(), message: z.string() }) });

/** Statuses that a retry may change. */
const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Permanent connection failures, each with its remedy. */
const permanentFailures: readonly (readonly [code: RegExp, remedy: string])[] = [
  [/OSSL_PEM|OSSL_ASN1/, 'The file given with --ca-file has no valid certificate.'],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_/,
    'The certificate cannot be trusted. Where your organisation has an authority of its own, name its certificate with --ca-file.',
  ],
  [/WRONG_VERSION|SSL_PACKET/, 'There is no TLS at this address; check the port and https://.'],
  [/TOO_LONG/, 'That is not a report.'],
];

/**
 * Sends a request once and classifies the outcome.
 * @param limits its time limits; `known`: whether the remote has answered before. If not, an unknown host name is a
 * mistake in the address, and no retry helps.
 * @throws CatalogError `key_refused`, or `remote_failed` with the cause if a retry does not help
 */
export async function sendOnce(
  transport: Transport,
  sending: TransportRequest,
  { known, ...limits }: SendLimits & { readonly known: boolean },
): Promise<Success | TooLarge | NotFound | Retryable> {
  let answer: TransportResponse;
  try {
    answer = await transport.send(sending, limits);
  } catch (cause) {
    if (cause instanceof TransportError) return classifyError(cause, known);
    throw cause;
  }
  return classify(answer, sending);
}

function classifyError(cause: TransportError, known: boolean): Retryable {
  const remedy =
    permanentFailures.find(([code]) => code.test(cause.code))?.[1] ??
    (cause.code === 'ENOTFOUND' && !known ? 'Check the address given with --remote.' : undefined);
  if (remedy !== undefined)
    throw new CatalogError('remote_failed', `The remote ${cause.message}. ${remedy}`, { cause });
  return { again: cause.message };
}

function classify(answer: TransportResponse, { method }: TransportRequest): Success | TooLarge | NotFound | Retryable {
  const { status } = answer;
  if (status === 200) return readSuccess(answer);
  const { error, said } = readFailure(answer);
  if (status >= 300 && status < 400) {
    const location = answer.header('location');
    throw new CatalogError(
      'remote_failed',
      `The remote answered ${status}${location === '' ? '' : ` and points to ${cut(location)}`}. No redirect is followed, ` +
        'since the key belongs to the address it was given for: give the final address with --remote.',
    );
  }
  if (status === 401 || status === 403) {
    throw new CatalogError('key_refused', `The remote refused the API key: it answered ${status}${said}.`);
  }
  if (status === 413) return { tooLarge: `answered 413${said}` };
  if (status === 404 && method === 'GET' && error.endsWith('_not_found') && error !== 'route_not_found') {
    return { missing: true };
  }
  if (transientStatuses.has(status) || (status === 409 && error === 'idempotency_key_in_use')) {
    const after = retryAfter(answer.header('retry-after'), answer.header('date'), Date.now());
    return {
      again: `answered ${status}${said}`,
      ...(after === undefined ? {} : { after }),
      ...(status === 429 ? { tooMany: true } : {}),
    };
  }
  // A response with the interface's error envelope has its own message.
  const remedy = error === '' || error === 'route_not_found' ? ' Check that --remote is the address of a catalog.' : '';
  throw new CatalogError(
    'remote_failed',
    `The remote answered ${status}${said}, and another try would not change that.${remedy}`,
  );
}

function readSuccess(answer: TransportResponse): Success | Retryable {
  const json = parse(answer.body);
  // Incomplete JSON was cut off in transit, whatever Content-Length is.
  if (json === undefined && answer.body.trimStart().startsWith('{'))
    return { again: 'sent an answer that was cut off' };
  const envelope = success.safeParse(json);
  if (envelope.success) {
    const remembered = ['idempotency-key', 'idempotency-replayed'].some((name) => answer.header(name) !== '');
    return { response: envelope.data.response, remembered };
  }
  const type = answer.header('content-type') || 'no content type';
  throw invalidResponse(`it answered 200 with ${cut(type)}: ${cut(answer.body)}`);
}

/** The failure of a remote that violates the protocol. */
export function invalidResponse(what: string): CatalogError {
  return new CatalogError(
    'remote_failed',
    `The remote was reached, but did not answer as a catalog: ${what}. ` +
      'Check that --remote is the address of a catalog of the same version.',
  );
}

/** The error code of a failure, and its message in parentheses to be appended to ours. */
function readFailure({ body }: TransportResponse): { readonly error: string; readonly said: string } {
  const envelope = failed.safeParse(parse(body));
  if (envelope.success) {
    const { error, message } = envelope.data.response;
    return { error, said: ` (${cut(message.replace(/\.$/, ''))})` };
  }
  return { error: '', said: body.trim() === '' ? '' : ` (${cut(body)})` };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** A text of the remote for a message: one line, at most 120 characters; of an HTML page the visible text. */
function cut(text: string): string {
  const head = text.slice(0, 4000);
  const words = /^\s*</.test(head) ? head.replace(/<(style|script)\b.*?<\/\1>|<[^>]*>/gis, ' ') : head;
  const line = words.slice(0, 400).replace(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
