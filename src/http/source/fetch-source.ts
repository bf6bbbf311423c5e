// Fetches a file by its address, whole or not at all: into a file, with bounds on bytes and time. A download whose
// connection is lost is continued once if the server confirms by its ETag that the rest is of the same file; otherwise
// it begins again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { CatalogError } from '../../core/errors.js';
import { shownAddress } from '../../core/text/mask-credentials.js';
import { openAgent } from '../client/agent.js';
import { timedRequest } from '../client/timed-request.js';
import { digestHeaders, type SentDigest, sentDigests, wrongDigest } from './digests.js';
import { answered, failed, type HeaderReader, Lost, lost, shown } from './fetch-failures.js';

/** What a server says of the state of a file. */
export interface Validators {
  readonly etag?: string | undefined;
  /** Its Last-Modified. */
  readonly modified?: string | undefined;
}

/** Bounds, in bytes and milliseconds. */
export interface FetchLimits {
  readonly bytes: number;
  readonly total: number;
  /** Without a byte. */
  readonly idle: number;
  /** Before a try that follows a failed one. */
  readonly pauses: readonly number[];
}

/** The file that is being written. */
export interface FetchedFile {
  readonly path: string;
  write(bytes: Buffer): void;
  close(): void;
}

export interface SourceRequest {
  readonly url: URL;
  /** The value of the header, if there are credentials. */
  readonly authorization?: string | undefined;
  /** The state of a copy that is kept: the server may say that there is no newer one. */
  readonly known?: Validators | undefined;
  readonly ca: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly limits: FetchLimits;
  readonly signal: AbortSignal;
  open(): FetchedFile;
}

/** A file that arrived, or that did not change since the copy that is kept. */
export interface FetchedSource extends Validators {
  /** Undefined where it did not change. */
  readonly path: string | undefined;
  /** A header of the response by its lower-case name, '' where it is missing. */
  header(name: string): string;
}

const mostRedirects = 5;

/** What arrived so far. */
interface Arrival {
  file: FetchedFile | undefined;
  length: number;
  /** The length of the whole file where the server announced it, else NaN. */
  whole: number;
  etag: string;
  /** Digests of the whole file. */
  digests: readonly SentDigest[];
  isContinued: boolean;
}

interface Fetching {
  readonly request: SourceRequest;
  readonly agent: Dispatcher;
  readonly signal: AbortSignal;
  /** When it has to be there, by `performance.now()`. */
  readonly until: number;
  readonly arrival: Arrival;
}

/**
 * Fetches it.
 * @throws CatalogError `input_unreadable` where it did not arrive whole, `key_refused`, or `interrupted`
 */
export async function fetchSource(request: SourceRequest): Promise<FetchedSource> {
  const { url, ca, env, limits, signal } = request;
  const ending = new AbortController();
  const agent = await openAgent({ base: url, connections: 1, ca, env }, ending.signal);
  const late = AbortSignal.timeout(limits.total);
  const until = performance.now() + limits.total;
  const arrival: Arrival = { file: undefined, length: 0, whole: Number.NaN, etag: '', digests: [], isContinued: false };
  const fetching = { request, agent, signal: AbortSignal.any([signal, late]), until, arrival };
  try {
    return await trying(fetching);
  } catch (cause) {
    if (signal.aborted)
      throw new CatalogError('interrupted', `Interrupted while ${shown(url)} was fetched; nothing was imported.`, {
        cause: signal.reason,
      });
    if (late.aborted) throw failed(url, `did not arrive within ${limits.total / 1000} s (--source-max-time)`);
    throw cause;
  } finally {
    arrival.file?.close();
    ending.abort();
    await agent.destroy();
  }
}

async function trying(fetching: Fetching): Promise<FetchedSource> {
  const { request, signal, until } = fetching;
  for (const pause of [...request.limits.pauses, undefined]) {
    try {
      return await tryOnce(fetching);
    } catch (cause) {
      if (!(cause instanceof Lost) || signal.aborted) throw cause;
      const wait = Math.max(pause ?? 0, cause.after);
      if (pause === undefined || wait > until - performance.now()) throw failed(request.url, cause.message);
      await sleep(wait, undefined, { signal });
    }
  }
  throw new Error('unreachable');
}

async function tryOnce(fetching: Fetching): Promise<FetchedSource> {
  const { request, arrival } = fetching;
  const { file, length, etag } = arrival;
  const isRest = file !== undefined && length > 0 && etag !== '' && !arrival.isContinued;
  const response = await respond(
    fetching,
    isRest ? { range: `bytes=${length}-`, 'if-range': etag } : conditions(request),
  );
  const header = headersOf(response);
  const validators = validatorsOf(header);
  const { statusCode: status } = response;
  if (status === 304 && request.known !== undefined) {
    await response.body.dump();
    return { ...request.known, ...validators, path: undefined, header };
  }
  if (isRest) arrival.isContinued = true;
  const isNext = status === 206 && isRest && follows(arrival, header);
  if (status === 200) beginAnew(arrival, request.open(), header);
  else if (!isNext) {
    await response.body.dump();
    arrival.etag = '';
    throw isRest ? new Lost('changed while it was fetched') : answered(request.url, status, header);
  }
  await receive(fetching, response, header);
  const whole = arrival.file as FetchedFile;
  await refuseWrongDigest(request.url, whole.path, arrival.digests);
  return { ...validators, path: whole.path, header };
}

/** Whether it is the rest of what arrived, of the same file and up to its end: a server may send less than it was asked for. */
function follows({ length, whole, etag }: Arrival, header: HeaderReader): boolean {
  const [, start, last, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(header('content-range')) ?? [];
  const end = Number(last) + 1;
  const isLast = total === '*' ? end === whole : end === Number(total) && (Number.isNaN(whole) || end === whole);
  return Number(start) === length && isLast && [etag, ''].includes(header('etag'));
}

function beginAnew(arrival: Arrival, file: FetchedFile, header: HeaderReader): void {
  arrival.file?.close();
  const etag = header('etag');
  Object.assign(arrival, {
    file,
    length: 0,
    whole: announcedLength(header),
    // A weak ETag does not vouch for each byte.
    etag: etag.startsWith('"') && header('accept-ranges') !== 'none' ? etag : '',
    digests: digestHeaders.flatMap((name) => sentDigests(name, header(name))),
  });
}

/** Sends the request, and follows redirects within the origin. */
async function respond(
  { request, agent, signal }: Fetching,
  more: Readonly<Record<string, string>>,
): Promise<Dispatcher.ResponseData> {
  const { url: first, authorization, limits } = request;
  const headers = {
    accept: '*/*',
    // A compressed file has its own name; compressed on the way, its length would not be known.
    'accept-encoding': 'identity',
    'user-agent': 'catalog-import',
    ...(authorization !== undefined && { authorization }),
    ...more,
  };
  let url = first;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const { origin, pathname, search } = url;
    const ended = timedRequest(`GET ${shownAddress(url.href)}`);
    const timeouts = { headersTimeout: limits.idle, bodyTimeout: limits.idle };
    const sent = agent.request({ origin, path: pathname + search, method: 'GET', headers, signal, ...timeouts });
    const response = await sent.catch((cause: unknown) => {
      throw lost(first, cause);
    });
    ended(String(response.statusCode));
    const location = headersOf(response)('location');
    if (![301, 302, 303, 307, 308].includes(response.statusCode) || location === '') return response;
    await response.body.dump();
    url = redirected(first, URL.canParse(location, url.href) ? new URL(location, url) : undefined);
  }
  throw failed(first, `redirects more than ${mostRedirects} times`);
}

/** @throws CatalogError for another origin: who named the first one did not name it, and credentials must not go there */
function redirected(first: URL, next: URL | undefined): URL {
  if (next?.origin === first.origin && next.username === '' && next.password === '') return next;
  const where = next === undefined ? 'something that is no address' : shown(next);
  throw failed(first, `redirects to ${where}, and only redirects within one origin are followed: name that address`);
}

/** Writes what arrives. */
async function receive(
  { request: { url, limits }, arrival }: Fetching,
  response: Dispatcher.ResponseData,
  header: HeaderReader,
): Promise<void> {
  const announced = announcedLength(header);
  const before = arrival.length;
  const refuseLong = (length: number): void => {
    if (length <= limits.bytes) return;
    response.body.destroy();
    throw failed(url, `has more than ${limits.bytes} bytes (--source-max-size)`);
  };
  if (announced > 0) refuseLong(before + announced);
  try {
    for await (const block of response.body as AsyncIterable<Buffer>) {
      refuseLong(arrival.length + block.length);
      arrival.file?.write(block);
      arrival.length += block.length;
    }
  } catch (cause) {
    throw cause instanceof CatalogError ? cause : lost(url, cause);
  }
  if (announced >= 0 && arrival.length - before !== announced)
    throw new Lost(`sent ${arrival.length - before} bytes of ${announced}`);
}

function announcedLength(header: HeaderReader): number {
  return Number(header('content-length') || Number.NaN);
}

async function refuseWrongDigest(url: URL, path: string, digests: readonly SentDigest[]): Promise<void> {
  const wrong = await wrongDigest(path, digests);
  if (wrong !== undefined) throw failed(url, `arrived damaged: its ${wrong.header} is of another content`);
}

function conditions({ known }: SourceRequest): Record<string, string> {
  const { etag, modified } = known ?? {};
  if (etag !== undefined) return { 'if-none-match': etag };
  return modified === undefined ? {} : { 'if-modified-since': modified };
}

function headersOf({ headers }: Dispatcher.ResponseData): HeaderReader {
  return (name) => [headers[name] ?? ''].flat().join(', ');
}

function validatorsOf(header: HeaderReader): Validators {
  const [etag, modified] = [header('etag'), header('last-modified')];
  return { ...(etag !== '' && { etag }), ...(modified !== '' && { modified }) };
}
