// Sends one request to the remote and receives the response, on pooled connections. Adds the key, and never sends to
// another origin: redirects are not followed. Each request has a deadline of its own, since retries inside undici do
// not respect it.
import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import { type AgentOptions, openAgent, passingHandler } from './agent.js';
import { timedRequest } from './timed-request.js';
import { TransportError, transportError } from './transport-error.js';

export interface TransportOptions extends AgentOptions {
  readonly key: string;
  /** Milliseconds a request may take, from the first byte sent to the last one received. */
  readonly timeout: number;
}

/** A request. `path` is relative to the base address. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TransportResponse {
  readonly status: number;
  /** The value of a header by its lower-case name, '' where it is missing. */
  header(name: string): string;
  readonly body: string;
}

export interface SendLimits {
  /** Milliseconds it may take, if less than the time-out of the transport. */
  readonly within?: number;
  /** Cancels it: at once if nothing was sent yet, else after a second in which the response may still arrive. */
  readonly cancelled?: AbortSignal;
}

export interface Transport {
  /** Sends and receives. Throws TransportError. */
  send(sending: TransportRequest, limits?: SendLimits): Promise<TransportResponse>;
  close(): Promise<void>;
}

/** Maximum length of a response; the report on a legal batch is a tenth of it. */
export const longestAnswer = 256 * 1024 * 1024;

/**
 * Milliseconds in which a response may still arrive after cancellation, since the remote has committed what it reports.
 */
const gracePeriod = 1_000;

export async function openTransport(options: TransportOptions): Promise<Transport> {
  const { base, key, timeout } = options;
  const dispatcher = await openDispatcher(options);
  const prefix = base.pathname.replace(/\/$/, '');
  const authorization = `Bearer ${key}`;

  async function send(
    { method, path, body, headers }: TransportRequest,
    limits: SendLimits = {},
  ): Promise<TransportResponse> {
    const deadline = newDeadline(limits, timeout);
    const ended = timedRequest(`${method} ${path}`);
    try {
      const received = await deadline.orEnd(
        dispatcher.request({
          origin: base.origin,
          path: prefix + path,
          method,
          headers: { authorization, accept: 'application/json', ...headers },
          ...(body === undefined ? {} : { body }),
          opaque: deadline,
          signal: deadline.signal,
        }),
      );
      const text = await deadline.orEnd(readText(received.body));
      ended(String(received.statusCode));
      return {
        status: received.statusCode,
        header: (name) => String(received.headers[name] ?? '').replaceAll(key, '[key]'),
        // The server may echo the key; it is removed here.
        body: text.includes(key) ? text.replaceAll(key, '[key]') : text,
      };
    } catch (cause) {
      const failure = cause instanceof TransportError ? cause : transportError(cause);
      ended(failure.code);
      throw failure;
    } finally {
      deadline.done();
    }
  }

  return { send, close: () => dispatcher.destroy() };
}

/** Ends one request on time-out or cancellation. */
interface Deadline {
  readonly signal: AbortSignal;
  /** Waits for `work` until the deadline: a request that waits for a connection ignores its signal. */
  orEnd<T>(work: Promise<T>): Promise<T>;
  /** Called when the request was written to a connection. */
  started(): void;
  /** Called when the request has ended: clears the timers. */
  done(): void;
}

function newDeadline({ within = Number.POSITIVE_INFINITY, cancelled }: SendLimits, timeout: number): Deadline {
  const abort = new AbortController();
  const time = Math.min(timeout, within);
  const late = (): void =>
    abort.abort(new TransportError('TIMEOUT', `gave no answer within ${Math.ceil(time / 1000)} s`));
  const given = (): void => abort.abort(new TransportError('CANCELLED', 'gave no answer before this was ended'));
  const timers = [setTimeout(late, time)];
  let started = false;
  const cancel = (): void => {
    if (started) timers.push(setTimeout(given, gracePeriod));
    else given();
  };
  const ended = new Promise<never>((_, reject) => {
    abort.signal.addEventListener('abort', () => reject(abort.signal.reason), { once: true });
  });
  ended.catch(() => undefined);
  cancelled?.addEventListener('abort', cancel);
  if (cancelled?.aborted) cancel();
  return {
    signal: abort.signal,
    orEnd(work) {
      work.catch(() => undefined);
      return Promise.race([work, ended]);
    },
    started() {
      started = true;
    },
    done() {
      for (const timer of timers) clearTimeout(timer);
      cancelled?.removeEventListener('abort', cancel);
    },
  };
}

/** The part of undici's dispatcher that is used here. */
type Requests = Pick<Dispatcher, 'request' | 'destroy'>;

async function openDispatcher(options: TransportOptions): Promise<Requests> {
  const DecoratorHandler = await passingHandler();
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const agent = await openAgent(options, closing.signal);
  const watched = agent.compose((dispatch) => (given, handler) => {
    const { opaque } = given as { readonly opaque?: Deadline };
    const start = handler.onRequestStart?.bind(handler);
    const watching = Object.assign(new DecoratorHandler(handler), {
      onRequestStart(...args: Parameters<NonNullable<typeof start>>) {
        opaque?.started();
        start?.(...args);
      },
    });
    return dispatch(given, watching);
  });
  return {
    request: watched.request.bind(watched),
    destroy() {
      // A connecting socket would keep the process alive until its time-out.
      closing.abort();
      return agent.destroy();
    },
  };
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > longestAnswer)
      throw new TransportError('TOO_LONG', `sent an answer of more than ${longestAnswer} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
