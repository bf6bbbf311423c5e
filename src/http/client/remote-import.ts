// Sends the batches of one import: prepares the bodies, sends each with an Idempotency-Key, retries, merges the
// responses into one report and writes it to the journal. Through this a remote import reports everything exactly once.
import { basename } from 'node:path';
import type { Batch, ImportOptions } from '../../core/catalog.js';
import { notices } from '../../core/diagnostics/refusal-codes.js';
import { CatalogError } from '../../core/errors.js';
import type { Line, Report } from '../../core/import-report.js';
import type { Environment, ImportMode } from '../../core/planning/item-task.js';
import type { Resource } from '../../core/resource.js';
import { digestOf } from '../../files/digests.js';
import { encodeLines } from '../line-ranges.js';
import { pathOf } from '../protocol.js';
import { invalidResponse, type Success, sendOnce, type TooLarge } from './classify-response.js';
import type { ConcurrencyLimiter } from './concurrency-limiter.js';
import type { OrderedTask } from './ordered-concurrency.js';
import { keptReport, parseReport } from './report-schema.js';
import {
  encodeBody,
  join,
  type PreparedBatch,
  pack,
  type RequestBody,
  splitInHalves,
  withBatchIndexes,
} from './request-bodies.js';
import { isRetryable, type RetryPolicy, retryWithBackoff } from './retry.js';
import type { Journal } from './run-journal.js';
import type { Transport } from './transport.js';

/** The connection to a remote, and its state. */
export interface Wire {
  /** The headers that identify the run on the remote, equal in every POST of a command. */
  readonly runHeaders: Readonly<Record<string, string>>;
  readonly transport: Transport;
  readonly traffic: ConcurrencyLimiter;
  readonly policy: RetryPolicy;
  /** Whether the remote has ever answered. */
  known: boolean;
}

/** One call of `importBatches`. */
export interface RemoteImport {
  readonly wire: Wire;
  readonly resource: Resource;
  readonly environment: Environment;
  readonly options: ImportOptions;
  /** Identifies the run: the same run sends the same batch with the same Idempotency-Key. */
  readonly run: string;
  readonly journal: Journal | undefined;
  /** Cancels all waits when the import has failed. */
  readonly signal: AbortSignal;
  /** Called with the number of acknowledged items, and whether an earlier run sent them. */
  readonly onAcknowledged: (items: number, earlier: boolean) => void;
}

interface SentBatch extends PreparedBatch {
  readonly lines: readonly number[];
}

/** A body with its own Idempotency-Key. `place` identifies the part of a batch: `12`, `12.1`, `12.1.0`. */
interface KeyedBody {
  readonly body: RequestBody;
  readonly place: string;
  readonly mode: ImportMode;
  /** The lines of the batch's items in their file, if known. */
  readonly lines: readonly number[];
}

/**
 * Creates the sender of one import.
 * @returns for each batch the task that `runOrdered` runs
 */
export function newBatchSender(given: RemoteImport): (batch: Batch, index: number) => OrderedTask<Report> {
  const { resource, environment, options, journal } = given;
  const { dryRun = false, diff: showsChanges = false, comparesLists = false, only } = options;
  // The protocol compares lists in a dry run where it lists the changes.
  const asOnly = only === undefined ? {} : { only };
  const mode: ImportMode = { dryRun, diff: showsChanges || (dryRun && comparesLists), comparesLists: true, ...asOnly };
  const asked = newTurnstile();
  let stopped = false;

  /** Calls `accept` in the order of the batches; after it has returned false, it is not called again. */
  async function accepted(index: number, report: Report): Promise<boolean> {
    await asked.turn(index);
    if (!stopped && options.accept?.(report) === false) stopped = true;
    return !stopped;
  }

  async function apply(packed: SentBatch, index: number): Promise<Report | undefined> {
    const journaled = journal !== undefined && packed.bodies.length > 0 && !mode.dryRun;
    const digest = journaled ? digestOf(...packed.bodies.map((body) => encodeBody(body, mode))) : '';
    const kept = journaled ? keptReport(await journal.find(index, digest), resource, packed.judged.length) : undefined;
    const foreseen = kept ?? (await foresee(packed, index));
    if (foreseen !== undefined && !(await accepted(index, foreseen))) return undefined;
    if (kept !== undefined) given.onAcknowledged(kept.total, true);
    if (kept !== undefined || (mode.dryRun && foreseen !== undefined)) return kept ?? foreseen;
    const report = await send(packed, index, mode);
    if (journaled) await journal.add(index, digest, report);
    return report;
  }

  /** If there is an `accept`, it decides on the report of a dry run on the remote, before anything is applied. */
  async function foresee(packed: SentBatch, index: number): Promise<Report | undefined> {
    return options.accept === undefined ? undefined : send(packed, index, { ...mode, dryRun: true });
  }

  async function send(packed: SentBatch, index: number, how: ImportMode): Promise<Report> {
    const { lines } = packed;
    const reported: Line[] = [];
    for (const [part, body] of packed.bodies.entries()) {
      const place = packed.bodies.length === 1 ? String(index) : `${index}.${part}`;
      reported.push(...(await sendBody({ body, place, mode: how, lines }, given)));
    }
    const asked = showsChanges ? reported : reported.map(({ changes: _, ...line }) => line);
    return join(resource, how.dryRun, packed, asked);
  }

  return (batch, index) => {
    const packed = {
      ...pack(resource, batch, { environment, mode: { ...mode, diff: showsChanges } }),
      lines: options.linesOf?.(batch) ?? [],
    };
    return {
      keys: packed.keys,
      async run() {
        try {
          return await apply(packed, index);
        } catch (cause) {
          stopped = true;
          throw cause;
        } finally {
          asked.pass(index);
        }
      },
    };
  };
}

/** Sends a body, or its two halves if the remote finds it too large. */
async function sendBody(post: KeyedBody, given: RemoteImport): Promise<readonly Line[]> {
  const { body, place, mode, lines: ofBatch } = post;
  const answer = await postOnce(post, given);
  if ('tooLarge' in answer) {
    const parts = splitInHalves(body);
    if (parts === undefined) throw tooLarge(answer, body);
    const lines: Line[] = [];
    for (const [part, half] of parts.entries()) {
      if (half.items.length > 0)
        lines.push(...(await sendBody({ body: half, place: `${place}.${part}`, mode, lines: ofBatch }, given)));
    }
    return lines;
  }
  const expected = { resource: given.resource, keys: body.keys, mode };
  const lines = parseReport(answer.response, expected);
  if (!mode.dryRun) given.onAcknowledged(lines.length, false);
  const doubtful = answer.repeated && !answer.remembered && !mode.dryRun;
  return withBatchIndexes(body, doubtful ? lines.map(sentAgain) : lines);
}

/** Sends one body, with retries, until it is answered. */
async function postOnce(
  { body, place, mode, lines }: KeyedBody,
  { wire, resource, run, signal, options }: RemoteImport,
): Promise<(Success & { readonly repeated: boolean }) | TooLarge> {
  const bytes = encodeBody(body, mode);
  const key = `ci-${digestOf(run, place, bytes)}`;
  const origin = originHeaders(
    body.indexes.map((index) => lines[index]),
    options.file,
  );
  const headers = { 'content-type': 'application/json', 'idempotency-key': key, ...wire.runHeaders, ...origin };
  let sent = 0;
  const answer = await retryWithBackoff(
    async (limits) => {
      sent++;
      const outcome = await sendOnce(
        wire.transport,
        { method: 'POST', path: pathOf(resource), body: bytes, headers },
        { ...limits, known: wire.known },
      );
      if (!isRetryable(outcome)) wire.known = true;
      return outcome;
    },
    wire.policy,
    wire.traffic,
    signal,
  );
  if ('missing' in answer) throw invalidResponse('it answered "not found" to an import');
  return 'tooLarge' in answer ? answer : { ...answer, repeated: sent > 1 };
}

/** The origin of the items: a remote that does not know these headers ignores them. */
function originHeaders(lines: readonly (number | undefined)[], file: string | undefined): Record<string, string> {
  const ranges = encodeLines(lines);
  // Only the file's name: its path would reveal details of this machine.
  const name = file === undefined || file === '-' ? '' : encodeURIComponent(basename(file).toWellFormed());
  return {
    ...(ranges !== undefined && { 'catalog-lines': ranges }),
    ...(name !== '' && name.length <= 500 && { 'catalog-file': name }),
  };
}

function tooLarge({ tooLarge: said }: TooLarge, { items }: RequestBody): CatalogError {
  const size = Buffer.byteLength(items[0] ?? '');
  return new CatalogError(
    'remote_failed',
    `The remote ${said} to a single item of ${size} bytes, which cannot be sent in smaller parts. ` +
      'Shorten the item, or raise what the remote or a proxy before it accepts.',
  );
}

/** Adds a notice to an accepted item that an earlier attempt, whose response was lost, may have applied. */
function sentAgain(line: Line): Line {
  if (line.action === 'refused') return line;
  return { ...line, notice: [...line.notice, { code: 'sent_again', field: '', message: notices.sent_again.meaning }] };
}

/** Lets callers pass in the order of their numbers. */
function newTurnstile(): { turn(index: number): Promise<void>; pass(index: number): void } {
  const passed = new Set<number>();
  const waiting = new Map<number, () => void>();
  let next = 0;
  return {
    turn: (index) =>
      new Promise((resolve) => {
        if (index <= next) resolve();
        else waiting.set(index, resolve);
      }),
    pass(index) {
      passed.add(index);
      while (passed.delete(next)) {
        next++;
        waiting.get(next)?.();
        waiting.delete(next);
      }
    },
  };
}
