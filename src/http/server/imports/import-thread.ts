// Imports in a separate thread, so that parsing, checking, deciding and committing a batch never block the thread that
// answers. This file has both ends: the importer that sends posts there, and the loop that runs them there.
import type { MessagePort, Worker } from 'node:worker_threads';
import { CatalogError, type ErrorCode } from '../../../core/errors.js';
import { resources } from '../../../core/resources/index.js';
import { type Failure, failures } from '../../protocol.js';
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
  readonly isAbandoned: () => boolean;
  readonly resolve: (result: ImportResponse | Failure) => void;
  readonly reject: (error: unknown) => void;
}

/** The end that answers requests. */
export interface ThreadImporter {
  readonly importBatch: Importer;
  /** Sends posts to this thread from now on. */
  use(thread: Worker): void;
  /** The thread has ended: answers 503 to all posts that were sent to it or wait for it. */
  interrupt(): void;
}

/** An importer that passes posts to a thread, in order, a few at a time. */
export function threadImporter(): ThreadImporter {
  const queue: PendingImport[] = [];
  const sent = new Map<number, PendingImport>();
  let thread: Worker | undefined;
  let nextId = 0;
  let bytesSent = 0;

  function sendSome(): void {
    for (let next = queue[0]; next !== undefined && thread !== undefined; next = queue[0]) {
      if (sent.size > 0 && bytesSent + next.length > mostBytesAtOnce) return;
      queue.shift();
      if (next.isAbandoned()) next.resolve(failures.malformed_request('The client left before its batch was begun.'));
      else send(thread, next);
    }
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
    if ('result' in result) pending.resolve(result.result);
    else pending.reject(errorOf(result.error));
    sendSome();
  }

  return {
    importBatch: (post, isAbandoned = () => false) =>
      new Promise((resolve, reject) => {
        queue.push({ post, length: post.body.length, isAbandoned, resolve, reject });
        sendSome();
      }),
    use(next) {
      thread = next;
      next.on('message', answer);
      sendSome();
    },
    interrupt() {
      thread = undefined;
      const lost = [...sent.values(), ...queue.splice(0)];
      sent.clear();
      bytesSent = 0;
      for (const { resolve } of lost) resolve(failures.import_interrupted());
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
    port.postMessage(result);
  }

  return new Promise((resolve) => {
    port.on('message', (message: ThreadRequest | typeof stopImports) => {
      if (message === stopImports) resolve();
      else void run(message);
    });
  });
}
