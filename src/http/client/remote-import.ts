// One batch on its way to the remote: packed, sent with an Idempotency-Key, tried again, joined to one report, and
// written to the journal. Here is what makes a remote import tell everything exactly once.
import type { Batch, ImportOptions } from '../../core/catalog.js';
import { CatalogError } from '../../core/errors.js';
import type { Line, Report } from '../../core/line.js';
import { notices } from '../../core/messages.js';
import type { Resource } from '../../core/resource.js';
import type { Environment, Mode } from '../../core/task.js';
import { pathOf } from '../protocol.js';
import { type Answered, attempt, noReport, type TooLarge } from './classify-response.js';
import type { Traffic } from './concurrency-limiter.js';
import type { Lane } from './ordered-concurrency.js';
import { readReport } from './report-schema.js';
import { bodyOf, halves, join, type Packed, type Parcel, pack, unpack } from './request-bodies.js';
import { isAgain, type Patience, persist } from './retry.js';
import { digestOf, type Journal } from './run-journal.js';
import type { Exchange } from './transport.js';

/** What is known of a remote for as long as it is open. */
export interface Wire {
  readonly exchange: Exchange;
  readonly traffic: Traffic;
  readonly patience: Patience;
  /** Whether the remote has ever answered. */
  known: boolean;
}

/** One call of `importBatches`. */
export interface RemoteImport {
  readonly wire: Wire;
  readonly resource: Resource;
  readonly environment: Environment;
  readonly options: ImportOptions;
  /** Names the run: an Idempotency-Key is the same whenever the same run sends the same batch. */
  readonly run: string;
  readonly journal: Journal | undefined;
  /** Ends all waiting once the import failed. */
  readonly signal: AbortSignal;
  /** Told how many items were acknowledged, and whether by an earlier run. */
  readonly onAcknowledged: (items: number, earlier: boolean) => void;
}

/** A body that went out under one Idempotency-Key. `place` tells parts of a batch apart: `12`, `12.1`, `12.1.0`. */
interface Post {
  readonly parcel: Parcel;
  readonly place: string;
  readonly mode: Mode;
}

/**
 * Makes the lanes of one import.
 * @returns what `inOrder` opens each batch with
 */
export function newLanes(given: RemoteImport): (batch: Batch, index: number) => Lane<Report> {
  const { resource, environment, options, journal } = given;
  const mode: Mode = { dryRun: options.dryRun ?? false, diff: options.diff ?? false };
  const asked = newTurns();
  let stopped = false;

  /** Asks `accept` in the order of the batches; once it said no, it is not asked again. */
  async function accepted(index: number, report: Report): Promise<boolean> {
    await asked.turn(index);
    if (!stopped && options.accept?.(report) === false) stopped = true;
    return !stopped;
  }

  async function apply(packed: Packed, index: number): Promise<Report | undefined> {
    const journaled = journal !== undefined && packed.parcels.length > 0 && !mode.dryRun;
    const digest = journaled ? digestOf(...packed.parcels.map((parcel) => bodyOf(parcel, mode))) : '';
    const kept = journaled ? await journal.find(index, digest) : undefined;
    const foreseen = kept ?? (await foresee(packed, index));
    if (foreseen !== undefined && !(await accepted(index, foreseen))) return undefined;
    if (kept !== undefined) given.onAcknowledged(kept.total, true);
    if (kept !== undefined || (mode.dryRun && foreseen !== undefined)) return kept ?? foreseen;
    const report = await send(packed, index, mode);
    if (journaled) await journal.add(index, digest, report);
    return report;
  }

  /** A remote applies what it is sent: where somebody has to agree first, it is asked what would happen. */
  async function foresee(packed: Packed, index: number): Promise<Report | undefined> {
    return options.accept === undefined ? undefined : send(packed, index, { ...mode, dryRun: true });
  }

  async function send(packed: Packed, index: number, how: Mode): Promise<Report> {
    const told: Line[] = [];
    for (const [part, parcel] of packed.parcels.entries()) {
      const place = packed.parcels.length === 1 ? String(index) : `${index}.${part}`;
      told.push(...(await sendParcel({ parcel, place, mode: how }, given)));
    }
    return join(resource, how.dryRun, packed, told);
  }

  return (batch, index) => {
    const packed = pack(resource, batch, { environment, mode });
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

/** Sends a parcel, in halves where the remote finds it too large. */
async function sendParcel(post: Post, given: RemoteImport): Promise<readonly Line[]> {
  const { parcel, place, mode } = post;
  const answer = await postOnce(post, given);
  if ('tooLarge' in answer) {
    const parts = halves(parcel);
    if (parts === undefined) throw tooLarge(answer, parcel);
    const lines: Line[] = [];
    for (const [part, half] of parts.entries()) {
      if (half.items.length > 0)
        lines.push(...(await sendParcel({ parcel: half, place: `${place}.${part}`, mode }, given)));
    }
    return lines;
  }
  const expected = { resource: given.resource, keys: parcel.keys, dryRun: mode.dryRun };
  const lines = readReport(answer.response, expected);
  if (!mode.dryRun) given.onAcknowledged(lines.length, false);
  const doubtful = answer.repeated && !answer.remembered && !mode.dryRun;
  return unpack(parcel, doubtful ? lines.map(sentAgain) : lines);
}

/** Sends one body until it is answered. */
async function postOnce(
  { parcel, place, mode }: Post,
  { wire, resource, run, signal }: RemoteImport,
): Promise<(Answered & { readonly repeated: boolean }) | TooLarge> {
  const body = bodyOf(parcel, mode);
  const headers = { 'content-type': 'application/json', 'idempotency-key': `ci-${digestOf(run, place, body)}` };
  let sent = 0;
  const answer = await persist(
    async (limits) => {
      sent++;
      const outcome = await attempt(
        wire.exchange,
        { method: 'POST', path: pathOf(resource), body, headers },
        { ...limits, known: wire.known },
      );
      if (!isAgain(outcome)) wire.known = true;
      return outcome;
    },
    wire.patience,
    wire.traffic,
    signal,
  );
  if ('missing' in answer) throw noReport('it found nothing where a report is due');
  return 'tooLarge' in answer ? answer : { ...answer, repeated: sent > 1 };
}

function tooLarge({ tooLarge: said }: TooLarge, { items }: Parcel): CatalogError {
  const size = Buffer.byteLength(items[0] ?? '');
  return new CatalogError(
    'remote_failed',
    `The remote ${said} to a single item of ${size} bytes, which cannot be sent in smaller parts. ` +
      'Shorten the item, or raise what the remote or a proxy before it accepts.',
  );
}

/** What is told of an accepted item that may have been applied before, by an answer that was lost. */
function sentAgain(line: Line): Line {
  if (line.action === 'refused') return line;
  return { ...line, notice: [...line.notice, { code: 'sent_again', field: '', message: notices.sent_again.meaning }] };
}

/** Lets one after the other pass, in the order of their numbers. */
function newTurns(): { turn(index: number): Promise<void>; pass(index: number): void } {
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
