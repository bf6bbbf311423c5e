// The main thread's side of the reading thread: a `Source` fed by messages.

import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import type { FileNote } from '../../core/diagnostics/file-notes.js';
import type { Warning } from '../../core/diagnostics/warning-codes.js';
import { CatalogError, type ErrorCode } from '../../core/errors.js';
import type { Fields } from '../../core/fields/fields.js';
import { encoderOf } from '../bytes/decoder.js';
import type { ReadProgress } from '../bytes/open-bytes.js';
import type { SourceColumn } from '../column-targets.js';
import type { ExpectedFigure } from '../contract/contract.js';
import type { Chunk } from '../record-reader.js';
import type { Source, SourceDescription, SourceForm, SourceOptions } from '../source.js';
import { type EncodedEntries, itemDecoder } from './item-codec.js';

/**
 * How far the thread reads ahead, in blocks of 64 KiB; a chunk with a longer record counts as several. What was read
 * waits outside the heap. With a third of this number the thread would stop while this one still loads the rest of the
 * program.
 */
const blocksAhead = 24;

export interface ReadOrder {
  /** One number: the blocks that it may still send. It waits until this is above 0. */
  readonly credit: Int32Array;
  /** The key of the hashes of items, its high and its low half; the first number is 0 before it is known. */
  readonly hashKey: Int32Array;
  /** One number: 1 while the main thread waits for a message. The thread then wakes it by an empty one from the worker itself. */
  readonly isAwaited: Int32Array;
  /** The port it posts to. */
  readonly port: MessagePort;
  readonly fields: Fields;
  readonly keyField: string;
  readonly options: SourceOptions;
}

/** The state of a file so far. */
export interface ThreadState {
  readonly progress: ReadProgress;
  readonly unknown: ReadonlyMap<string, number>;
  /** Only if values are counted; otherwise the columns stay as they were when the file was opened. */
  readonly columns?: readonly SourceColumn[];
  readonly leftOut: number;
  readonly overflowed: boolean;
  readonly notes: readonly FileNote[];
  readonly warnings: readonly Warning[];
  /** At its end. */
  readonly expected?: readonly ExpectedFigure[];
}

/** The syntax of a file. Its encoder cannot be sent, and is made again on this side. */
export type SentForm = Omit<SourceForm, 'encode'>;

export type ThreadMessage =
  | {
      readonly kind: 'opened';
      readonly found: SourceDescription;
      readonly columns: readonly SourceColumn[];
      readonly form?: SentForm;
    }
  | (Omit<Chunk, 'entries' | 'blocks'> &
      EncodedEntries &
      ThreadState & { readonly kind: 'chunk'; readonly blocks: number })
  | (ThreadState & { readonly kind: 'ended' })
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string; readonly state?: ThreadState }
  | { readonly kind: 'bug'; readonly cause: unknown };

/**
 * Opens a file in a thread of its own.
 * @param worker a thread that waits for its task
 * @throws what opening it here would throw
 */
export async function openInThread(
  worker: Worker,
  order: Omit<ReadOrder, 'credit' | 'hashKey' | 'isAwaited' | 'port'>,
): Promise<Source> {
  const { port1, port2: port } = new MessageChannel();
  const isAwaited = new Int32Array(new SharedArrayBuffer(4));
  const { listen, isEmpty } = mailbox(worker, port1, isAwaited);
  // Counted in shared memory: a message for each chunk that was taken costs forty times as much.
  const credit = new Int32Array(new SharedArrayBuffer(4)).fill(blocksAhead);
  const hashKey = new Int32Array(new SharedArrayBuffer(12));
  const decode = itemDecoder();
  let closed = false;
  let state: ThreadState = {
    progress: { read: 0, size: undefined },
    unknown: new Map(),
    leftOut: 0,
    overflowed: false,
    notes: [],
    warnings: [],
  };

  async function open(): Promise<ThreadMessage & { readonly kind: 'opened' }> {
    try {
      worker.postMessage({ ...order, credit, hashKey, isAwaited, port } satisfies ReadOrder, [port]);
      const told = await listen();
      if (told.kind === 'opened') return told;
      throw failureOf(told);
    } catch (cause) {
      // A thread that waits keeps the process from ending.
      await worker.terminate();
      throw cause;
    }
  }

  async function* chunks(): AsyncGenerator<Chunk> {
    try {
      for (;;) {
        const reported = await listen();
        if (closed) return;
        if (reported.kind === 'failed' && reported.state !== undefined) state = reported.state;
        if (reported.kind === 'failed' || reported.kind === 'bug') throw failureOf(reported);
        if (reported.kind === 'opened') continue;
        state = stateOf(reported);
        if (reported.kind === 'ended') return;
        const entries = decode(reported);
        const { lines, raws, numbers, repeats, blocks } = reported;
        Atomics.add(credit, 0, blocks);
        Atomics.notify(credit, 0);
        yield { entries, lines, ...(raws && { raws }), ...(numbers && { numbers }), ...(repeats && { repeats }) };
      }
    } finally {
      await worker.terminate();
    }
  }
  const opened = await open();
  const form = opened.form && { ...opened.form, encode: await encoderOf(opened.form.encoding) };
  return {
    found: opened.found,
    ...(form && { form }),
    chunks: chunks(),
    isAhead: () => !isEmpty(),
    hashWith({ high, low }) {
      if (hashKey[0] !== 0) return;
      hashKey.set([high, low], 1);
      Atomics.store(hashKey, 0, 1);
    },
    progress: () => state.progress,
    unknown: () => state.unknown,
    columns: () => state.columns ?? opened.columns,
    leftOut: () => state.leftOut,
    overflowed: () => state.overflowed,
    notes: () => state.notes,
    warnings: () => state.warnings,
    expected: () => state.expected ?? [],
    async close() {
      closed = true;
      await worker.terminate();
    },
  };
}

/** The state without the other parts of a message. */
function stateOf({ progress, unknown, columns, expected, ...state }: ThreadState): ThreadState {
  const { leftOut, overflowed, notes, warnings } = state;
  const more = { ...(columns && { columns }), ...(expected && { expected }) };
  return { progress, unknown, leftOut, overflowed, notes, warnings, ...more };
}

/**
 * Receives the messages of the thread in order, each when it is asked for. Until then it waits at the port, outside the heap: as
 * objects, most of the chunks that are read ahead would be promoted to the old generation. So the port has no listener, to
 * which the event loop would deliver; the thread wakes a waiting `listen` by an empty message from the worker itself.
 */
function mailbox(
  worker: Worker,
  port: MessagePort,
  isAwaited: Int32Array,
): { listen(): Promise<ThreadMessage>; isEmpty(): boolean } {
  let next: ThreadMessage | undefined;
  let end: ThreadMessage | undefined;
  let wake = () => {};
  const isEmpty = (): boolean => {
    next ??= receiveMessageOnPort(port)?.message as ThreadMessage | undefined;
    return next === undefined && end === undefined;
  };
  // The end of the thread may be reported before its last messages are taken.
  const ended = (cause: unknown): void => {
    end ??= { kind: 'bug', cause };
    wake();
  };
  worker.on('message', () => wake());
  worker.on('error', ended);
  worker.on('exit', () => ended(new Error('The reading thread ended early.')));

  return {
    isEmpty,
    async listen() {
      while (isEmpty()) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        Atomics.store(isAwaited, 0, 1);
        // It may have posted before it could see this.
        if (isEmpty()) await woken;
        Atomics.store(isAwaited, 0, 0);
      }
      const taken = (next ?? end) as ThreadMessage;
      next = undefined;
      return taken;
    },
  };
}

function failureOf(reported: ThreadMessage): unknown {
  if (reported.kind === 'failed') return new CatalogError(reported.code, reported.message);
  return reported.kind === 'bug' ? reported.cause : new Error(`The reading thread sent ${reported.kind} unexpectedly.`);
}
