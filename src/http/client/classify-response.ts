// What an answer of the remote means: what was asked for, something to try again, or the end. What is no answer of
// this interface is told apart from a network that failed.
import { z } from 'zod';
import { CatalogError } from '../../core/errors.js';
import { type Again, retryAfter } from './retry.js';
import { type Answer, type Exchange, type Limits, NoAnswer, type Sending } from './transport.js';

/** An answer with status 200, its `response` taken out of the envelope. */
export interface Answered {
  readonly response: object;
  /** Whether the remote keeps the report under the Idempotency-Key that was sent. */
  readonly remembered: boolean;
}

/** The body was too large, or held too many items. */
export interface TooLarge {
  readonly tooLarge: string;
}

/** Where there is no such record. */
export interface Missing {
  readonly missing: true;
}

const success = z.object({ code: z.literal(200), title: z.string(), response: z.looseObject({}) });
const failed = z.object({ response: z.object({ error: z.string(), message: z.string() }) });

const worthAnotherTry: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Failures of a connection that no waiting mends, and what does. */
const hopeless: readonly (readonly [code: RegExp, remedy: string])[] = [
  [/OSSL_PEM|OSSL_ASN1/, 'The file given with --ca-file holds no sound certificate.'],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_/,
    'The certificate cannot be trusted. Where your organisation has an authority of its own, name its certificate with --ca-file.',
  ],
  [/WRONG_VERSION|SSL_PACKET/, 'There is no TLS at this address; check the port and https://.'],
  [/TOO_LONG/, 'That is no report.'],
];

/**
 * Sends once and says what came of it.
 * @param limits when to end it; `known`: whether the remote has answered before: a name that was never found is a slip of
 *   the pen
 * @throws CatalogError `key_refused`, or `remote_failed` with what came where trying again is of no use
 */
export async function attempt(
  exchange: Exchange,
  sending: Sending,
  { known, ...limits }: Limits & { readonly known: boolean },
): Promise<Answered | TooLarge | Missing | Again> {
  let answer: Answer;
  try {
    answer = await exchange.send(sending, limits);
  } catch (cause) {
    if (cause instanceof NoAnswer) return lost(cause, known);
    throw cause;
  }
  return judge(answer, sending);
}

function lost(cause: NoAnswer, known: boolean): Again {
  const remedy =
    hopeless.find(([code]) => code.test(cause.code))?.[1] ??
    (cause.code === 'ENOTFOUND' && !known ? 'Check the address given with --remote.' : undefined);
  if (remedy !== undefined)
    throw new CatalogError('remote_failed', `The remote ${cause.message}. ${remedy}`, { cause });
  return { again: cause.message };
}

function judge(answer: Answer, { method }: Sending): Answered | TooLarge | Missing | Again {
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
  if (worthAnotherTry.has(status) || (status === 409 && error === 'idempotency_key_in_use')) {
    const after = retryAfter(answer.header('retry-after'), answer.header('date'), Date.now());
    return {
      again: `answered ${status}${said}`,
      ...(after === undefined ? {} : { after }),
      ...(status === 429 ? { tooMany: true } : {}),
    };
  }
  // An error of the interface says by itself what is wrong.
  const remedy = error === '' || error === 'route_not_found' ? ' Check that --remote is the address of a catalog.' : '';
  throw new CatalogError(
    'remote_failed',
    `The remote answered ${status}${said}, and another try would not change that.${remedy}`,
  );
}

function readSuccess(answer: Answer): Answered | Again {
  const json = parse(answer.body);
  // JSON that ends before its end was cut off on the way, whatever the length in the header says.
  if (json === undefined && answer.body.trimStart().startsWith('{'))
    return { again: 'sent an answer that was cut off' };
  const envelope = success.safeParse(json);
  if (envelope.success) {
    const remembered = ['idempotency-key', 'idempotency-replayed'].some((name) => answer.header(name) !== '');
    return { response: envelope.data.response, remembered };
  }
  const type = answer.header('content-type') || 'no content type';
  throw noReport(`it answered 200 with ${cut(type)}: ${cut(answer.body)}`);
}

/** The failure of a remote that answers something else than was agreed on: no matter of the network. */
export function noReport(what: string): CatalogError {
  return new CatalogError(
    'remote_failed',
    `The remote was reached, and its answer is none of a catalog: ${what}. ` +
      'Check that --remote is the address of a catalog, and that it is of the same version.',
  );
}

/** What a failure says: its word, and its sentence in brackets for a message. */
function readFailure({ body }: Answer): { readonly error: string; readonly said: string } {
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

/** A text of the remote for a message: one line, at most 120 characters; of a web page what a reader would see. */
function cut(text: string): string {
  const head = text.slice(0, 4000);
  const words = /^\s*</.test(head) ? head.replace(/<(style|script)\b.*?<\/\1>|<[^>]*>/gis, ' ') : head;
  const line = words.slice(0, 400).replace(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
