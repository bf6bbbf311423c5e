// Imports in a separate thread, so that parsing, checking, deciding and committing a batch never block the thread that
// answers. This file has both ends: the importer that sends posts there, and the loop that runs them there.
import { hash } from 'node:crypto';
import type { MessagePort, Worker } from 'node:worker_threads';
import { CatalogError, type ErrorCode } from '../../../core/errors.js';
import { resources } from '../../../core/resources/index.js';
import { type Failure, failures } from '../../protocol.js';
import { giveBack } from '../admission/receive-body.js';
import type { Importer, ImportPost, ImportResponse, RunHeaders } from './import-batch.js';

/** A post sent to the thread. Its bytes are transferred, not copied. */
interface ThreadRequest {
  readonly id: number;
  readonly resource: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly owner: string;
  readonly idempotencyKey: string | undefined;
  readonly run: RunHeaders;
}

/** The result of a post. An error keeps what the failure is derived from, and details for the log. */
type ThreadResponse =
  | { readonly id: number; readonly result: ImportResponse | Failure }
  | { readonly id: number; readonly error: ImportError };

interface ImportError {
  /** The code of a failure of the call; undefined for a bug. */
  readonly code: ErrorCode | undefined;
  readonly message: string;
  readonly stack: string;
}

/**
 * Bytes of bodies that the thread is given at once: enough that small batches share a commit, and few enough that a
 * large one is alone, since it takes up to 20 times its length after parsing.
 */
const mostBytesAtOnce = 1024 * 1024;

interface PendingImport {
  readonly post: ImportPost;
  /** Bytes of its body. The buffer is empty after it was transferred. */
  readonly length: number;
  /** A hash of the request, by which it is known when it is sent again. */
  readonly fingerprint: string;
  readonly isAbandoned: () => boolean;
  readonly resolve: (result: ImportResponse | Failure) => void;
  readonly reject: (error: unknown) => void;
}

/** The end that answers requests. */
export interface ThreadImporter {
  readonly importBatch: Importer;
  /** Sends posts to this thread from now on. */
  use(thread: Worker): void;
  /**
   * The thread has ended: answers the posts that were sent to it. Those that wait go to the next one, or are answered
   * 503 where there is none.
   */
  interrupt(isLast?: boolean): void;
}

/** Requests that are remembered because the thread died while it had them. */
const mostRemembered = 1000;

/**
 * An importer that passes posts to a thread, a few at a time: those of one key in order, and the keys by turns. When the
 * thread dies, a post that it had alone is to blame, and refused from then on. Where it had several, each of them is a
 * suspect: it is run alone when it is sent again.
 */
export function threadImporter(): ThreadImporter {
  const queue = keyQueue();
  const sent = new Map<number, PendingImport>();
  const blamed = new Map<string, 'suspect' | 'killer'>();
  let thread: Worker | undefined;
  let nextId = 0;
  let bytesSent = 0;
  let isAlone = false;

  function sendSome(): void {
    for (let next = queue.first(); next !== undefined && thread !== undefined; next = queue.first()) {
      const isSuspect = blamed.has(next.fingerprint);
      if (sent.size > 0 && (isAlone || isSuspect || bytesSent + next.length > mostBytesAtOnce)) return;
      queue.shift();
      isAlone = isSuspect;
      if (blamed.get(next.fingerprint) === 'killer') next.resolve(failures.import_killed());
      else if (next.isAbandoned())
        next.resolve(failures.malformed_request('The client left before its batch was begun.'));
      else send(thread, next);
    }
  }

  function blame({ fingerprint }: PendingImport): void {
    blamed.set(fingerprint, sent.size === 1 ? 'killer' : 'suspect');
    const [oldest] = blamed.keys();
    if (blamed.size > mostRemembered && oldest !== undefined) blamed.delete(oldest);
  }

  function send(to: Worker, pending: PendingImport): void {
    const { resource, body, owner, idempotencyKey, run } = pending.post;
    const id = nextId++;
    const bytes = new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.length);
    const request: ThreadRequest = { id, resource: resource.name, body: bytes, owner, idempotencyKey, run };
    sent.set(id, pending);
    bytesSent += pending.length;
    to.postMessage(request, [bytes.buffer]);
  }

  function answer(result: ThreadResponse): void {
    const pending = sent.get(result.id);
    if (pending === undefined) return;
    sent.delete(result.id);
    bytesSent -= pending.length;
    blamed.delete(pending.fingerprint);
    if ('result' in result) pending.resolve(result.result);
    else pending.reject(errorOf(result.error));
    sendSome();
  }

  return {
    importBatch: (post, isAbandoned = () => false) =>
      new Promise((resolve, reject) => {
        const fingerprint = hash('sha256', post.body, 'base64');
        if (blamed.get(fingerprint) === 'killer') return resolve(failures.import_killed());
        queue.push({ post, length: post.body.length, fingerprint, isAbandoned, resolve, reject });
        sendSome();
      }),
    use(next) {
      thread = next;
      next.on('message', answer);
      sendSome();
    },
    interrupt(isLast = false) {
      thread = undefined;
      for (const pending of sent.values()) {
        if (!isLast) blame(pending);
        const isKiller = blamed.get(pending.fingerprint) === 'killer';
        pending.resolve(isKiller ? failures.import_killed() : failures.import_interrupted());
      }
      sent.clear();
      bytesSent = 0;
      if (!isLast) return;
      for (let next = queue.shift(); next !== undefined; next = queue.shift())
        next.resolve(failures.import_interrupted());
    },
  };
}

/** Posts that wait: those of one key in order, and the keys by turns. */
function keyQueue() {
  const byOwner = new Map<string, PendingImport[]>();
  const first = (): PendingImport | undefined => byOwner.values().next().value?.[0];
  return {
    first,
    push(pending: PendingImport): void {
      const { owner } = pending.post;
      const waiting = byOwner.get(owner);
      if (waiting === undefined) byOwner.set(owner, [pending]);
      else waiting.push(pending);
    },
    /** Takes the first one; the key of it is the last to have a turn again. */
    shift(): PendingImport | undefined {
      const [owner = '', waiting = []] = byOwner.entries().next().value ?? [];
      const taken = waiting.shift();
      byOwner.delete(owner);
      if (waiting.length > 0) byOwner.set(owner, waiting);
      return taken;
    },
  };
}

/** An error of the thread as it was thrown there: a failure of the call, or a bug with its stack. */
function errorOf({ code, message, stack }: ImportError): Error {
  if (code !== undefined) return new CatalogError(code, message);
  const error = new Error(message);
  error.stack = stack;
  return error;
}

const resourcesByName = new Map(resources.map((resource) => [resource.name, resource]));

/** Asks the thread to end after the posts it was sent. */
export const stopImports = 'stop';

/**
 * The end in the thread: runs each post that arrives at a port and sends back the result.
 * @returns when `stopImports` arrives
 */
export function runImports(port: MessagePort, importBatch: Importer): Promise<void> {
  async function run({ id, resource: name, body, ...posted }: ThreadRequest): Promise<void> {
    let result: ThreadResponse;
    try {
      const resource = resourcesByName.get(name);
      if (resource === undefined) throw new Error(`there is no resource ${name}`);
      const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
      result = { id, result: await importBatch({ ...posted, resource, body: bytes }) };
    } catch (thrown) {
      const { message, stack = '' } = thrown instanceof Error ? thrown : new Error(String(thrown));
      result = { id, error: { code: thrown instanceof CatalogError ? thrown.code : undefined, message, stack } };
    }
    giveBack(body.buffer);
    port.postMessage(result);
  }

  return new Promise((resolve) => {
    port.on('message', (message: ThreadRequest | typeof stopImports) => {
      if (message === stopImports) resolve();
      else void run(message);
    });
  });
}
