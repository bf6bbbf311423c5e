// Changes that follow each other, decided ahead of the lock: while one is committed, the next is decided and the one behind it
// looks up what it refers to. Each takes the lock for writing only. If others committed meanwhile, it holds where they wrote
// nothing that it read; otherwise it is decided again under the lock, as are those that were decided on top of it.
import { channel } from 'node:diagnostics_channel';
import { movesEpoch } from '../../core/rows/reference-epoch.js';
import { stepChannel, type TimedStep } from '../../core/timed-step.js';
import { loadIdSeries } from '../identifiers.js';
import type { Plan } from '../store.js';
import type { ChangeJournal } from './change-journal.js';
import { committer } from './commit.js';
import { commitAhead } from './commit-ahead.js';
import { commitTokens } from './commit-outcome.js';
import { type Decided, decideAhead, type End, type Flight } from './decide-ahead.js';
import type { RowLoader } from './load-rows.js';
import { NotAhead } from './not-ahead.js';
import { type Overlay, overlayOf } from './overlay.js';
import { productNumbers } from './product-numbers.js';
import type { RowSaver } from './save-rows.js';
import { asCatalogError, CommitUnknown, type ServerName } from './server-error.js';
import type { SessionPool } from './session-pool.js';

export interface WriteAheadOptions {
  readonly pool: SessionPool;
  readonly server: ServerName;
  readonly version: number;
  readonly loader: RowLoader;
  readonly rowsOf: RowSaver;
  readonly journal: ChangeJournal;
  readonly patience: number;
  /** Runs a plan under the lock. */
  readonly underLock: <T>(plan: Plan<T>) => Promise<T>;
}

/** How many changes are in progress at most; each has a connection while it is decided, and one is left for what is committed. */
const most = 3;

/** How many changes go under the lock after one that met another writer, at first and at most. */
const fewestUnderLock = 4;
const mostUnderLock = 64;

const steps = channel(stepChannel);

/** The changes of one writer that are decided ahead of the lock. */
export interface WriteAhead {
  write<T>(plan: Plan<T>): Promise<T>;
  close(): Promise<void>;
}

/** A change on its way. */
interface ChangeAhead<T> {
  readonly plan: Plan<T>;
  readonly flight: Flight;
  /** Those in progress before it. */
  readonly before: readonly Flight[];
  readonly onDecided: (overlay: Overlay | undefined) => void;
}

/** Longer than a screen: the steps of a change, which share those in progress and the reserved numbers. */
export function writeAhead(options: WriteAheadOptions): WriteAhead {
  const { pool, server, patience, underLock } = options;
  const { schema } = server;
  const tokens = commitTokens(schema);
  const numbers = productNumbers(pool, schema);
  const commit = committer(pool, tokens, patience);
  const committing = { ...options, schema, numbers, commit };
  const flights: Flight[] = [];
  let toGoUnderLock = 0;
  let nextPause = fewestUnderLock;

  /** @returns whether it is committed; otherwise it has to be decided again */
  async function tryCommit(decided: Decided<unknown>, { flight, before }: ChangeAhead<unknown>): Promise<boolean> {
    try {
      await commitAhead(committing, { decided, flight, before });
      nextPause = fewestUnderLock;
      return true;
    } catch (error) {
      if (error instanceof CommitUnknown) throw asCatalogError(server, error);
      if (error instanceof NotAhead) {
        toGoUnderLock = nextPause;
        nextPause = Math.min(2 * nextPause, mostUnderLock);
      }
      return false;
    }
  }

  /** Decides a change ahead if that is worth it. A failure that keeps it from that shows again under the lock. */
  async function tryAhead<T>({ plan, flight, before, onDecided }: ChangeAhead<T>): Promise<Decided<T> | undefined> {
    if (toGoUnderLock > 0) {
      toGoUnderLock--;
      return undefined;
    }
    let decided: Decided<T> | undefined;
    const started = performance.now();
    const found = (result: Decided<T>): void => {
      decided = result;
      flight.mark = tokens.mark();
      // How far the epoch moves is not among the rows.
      flight.isVoid = result.saved.some(movesEpoch);
      if (flight.isVoid) toGoUnderLock = fewestUnderLock;
      onDecided(flight.isVoid ? undefined : overlayOf(result.saved));
      if (steps.hasSubscribers)
        steps.publish({ name: 'decide', milliseconds: performance.now() - started } satisfies TimedStep);
    };
    try {
      await numbers.reserveMissing();
      const ids = await loadIdSeries();
      const deciding = { plan, newId: ids(Date.now()), before, onDecided: found };
      await decideAhead({ ...options, numbers, tokens }, deciding);
    } catch {
      // A connection that breaks after the decision does not matter.
    }
    return decided;
  }

  async function run<T>(change: ChangeAhead<T>): Promise<{ readonly end: End; readonly value: T }> {
    const { plan, flight, before, onDecided } = change;
    const hasVoid = before.some(({ isVoid }) => isVoid);
    let decided = hasVoid ? undefined : await tryAhead(change);
    let end = await lastEnd(before);
    if (decided === undefined && before.length > 0) {
      // Those before it have ended: it begins anew.
      decided = await tryAhead({ ...change, before: [] });
      end = 'kept';
    }
    if (decided !== undefined && end === 'kept' && (await tryCommit(decided, change)))
      return { end: 'kept', value: decided.value };
    for (const other of flights.slice(flights.indexOf(flight))) other.isVoid = true;
    onDecided(undefined);
    return { end: 'redone', value: await underLock(plan) };
  }

  return {
    async write<T>(plan: Plan<T>): Promise<T> {
      const before = flights.slice(1 - most);
      const tooEarly = flights.at(-most);
      const decided = withResolver<Overlay | undefined>();
      const ended = withResolver<End>();
      const flight = { decided: decided.promise, ended: ended.promise, mark: undefined, left: 0, isVoid: false };
      flights.push(flight);
      try {
        await tooEarly?.ended;
        const { end, value } = await run({ plan, flight, before, onDecided: decided.resolve });
        ended.resolve(end);
        return value;
      } catch (failure) {
        decided.resolve(undefined);
        ended.resolve({ failure });
        throw failure;
      } finally {
        flights.splice(flights.indexOf(flight), 1);
      }
    },
    async close() {
      await Promise.all(flights.map(({ ended }) => ended));
      const last = [...(tokens.areUsed() ? [tokens.cleanUp()] : []), ...numbers.giveBack()];
      if (last.length > 0) await pool.use((session) => session.run(last)).catch(() => undefined);
    },
  };
}

/** How the last of the changes before one ended, after which all have. */
async function lastEnd(before: readonly Flight[]): Promise<'kept' | 'redone'> {
  const end = (await before.at(-1)?.ended) ?? 'kept';
  if (typeof end === 'object') throw end.failure;
  return end;
}

function withResolver<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
