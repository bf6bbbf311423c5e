// Optimistic concurrency control for the batches of an import: while one batch is committed, the next is decided on a snapshot,
// and the one behind it loads its rows. Each takes the lock only to write; its new rows are sent before, while the batch before it
// is committed. If other writers committed since its snapshot, their write sets are compared with its read set: where they meet,
// it is decided again under the lock, and so are the batches that were decided on top of it.
import { channel } from 'node:diagnostics_channel';
import { movesEpoch } from '../../core/rows/reference-epoch.js';
import { stepChannel, type TimedStep } from '../../core/timed-step.js';
import { loadIdSeries } from '../identifiers.js';
import type { Plan } from '../store.js';
import type { ChangeJournal } from './change-journal.js';
import { committer } from './commit.js';
import { commitTokens } from './commit-outcome.js';
import { type Decided, decideOnSnapshot, type End, type Flight } from './decide-on-snapshot.js';
import type { RowLoader } from './load-rows.js';
import { MustLock } from './must-lock.js';
import { presumedSlugs } from './presumed-slugs.js';
import { productNumbers } from './product-numbers.js';
import { isWorthAhead, type RowsAhead, writeAhead } from './rows-ahead.js';
import type { RowSaver } from './save-rows.js';
import { asCatalogError, CommitUnknown, type ServerName } from './server-error.js';
import type { SessionPool } from './session-pool.js';
import { type Overlay, overlayOf } from './uncommitted-rows.js';
import { validateAndCommit } from './validate-and-commit.js';

export interface OptimisticWriterOptions {
  readonly pool: SessionPool;
  readonly server: ServerName;
  readonly version: number;
  readonly loader: RowLoader;
  readonly rowsOf: RowSaver;
  readonly journal: ChangeJournal;
  readonly patience: number;
  /** Runs a plan under the lock, from its look-ups to its commit. */
  readonly underLock: <T>(plan: Plan<T>) => Promise<T>;
}

/** Most changes in progress: each has a connection while it is decided, and one more commits. */
const most = 3;

/** How many changes take the lock at once after a conflict, at first and at most. */
const fewestUnderLock = 4;
const mostUnderLock = 64;

const steps = channel(stepChannel);

/** A writer whose changes are decided before they take the lock. */
export interface OptimisticWriter {
  write<T>(plan: Plan<T>): Promise<T>;
  close(): Promise<void>;
}

/** A change in progress. */
interface OptimisticChange<T> {
  readonly plan: Plan<T>;
  readonly flight: Flight;
  /** The changes in progress before it. */
  readonly before: readonly Flight[];
  readonly onDecided: (overlay: Overlay | undefined) => void;
}

/** Longer than a screen: the steps of a change share the list of changes in progress and the reserved numbers. */
export function newOptimisticWriter(options: OptimisticWriterOptions): OptimisticWriter {
  const { pool, server, patience, rowsOf, journal, underLock } = options;
  const { schema } = server;
  const tokens = commitTokens(schema);
  const numbers = productNumbers(pool, schema);
  const slugs = presumedSlugs();
  const commit = committer(pool, tokens, patience);
  const committing = { ...options, schema, numbers, commit };
  const flights: Flight[] = [];
  let toGoUnderLock = 0;
  let nextPause = fewestUnderLock;
  let loadsOnce = false;

  /** @returns whether the change is committed; otherwise it has to be decided again */
  async function tryCommit(decided: Decided<unknown>, flight: Flight): Promise<boolean> {
    try {
      const isAlone = flight.ahead !== undefined || !journal.hasCompany();
      await validateAndCommit(committing, { decided, flight, isAlone, waitForOthers: () => waitForOthers(flight) });
      nextPause = fewestUnderLock;
      return true;
    } catch (error) {
      if (error instanceof CommitUnknown) throw asCatalogError(server, error);
      if (decided.isPresumed) slugs.failed(error);
      if (error instanceof MustLock) {
        toGoUnderLock = nextPause;
        nextPause = Math.min(2 * nextPause, mostUnderLock);
      }
      return false;
    }
  }

  /** Decides a change on a snapshot, unless conflicts are frequent. A failure here is not reported: it repeats under the lock. */
  async function tryOptimistically<T>({
    plan,
    flight,
    before,
    onDecided,
  }: OptimisticChange<T>): Promise<Decided<T> | undefined> {
    if (toGoUnderLock > 0) {
      toGoUnderLock--;
      return undefined;
    }
    let decided: Decided<T> | undefined;
    const started = performance.now();
    const found = (result: Decided<T>): void => {
      decided = result;
      loadsOnce = result.reads.length === 1;
      flight.mark = tokens.mark();
      // The new value of the epoch is not among the saved rows: a change on top of this one could not see it.
      flight.isVoid = result.saved.some(movesEpoch);
      if (flight.isVoid) toGoUnderLock = fewestUnderLock;
      onDecided(flight.isVoid ? undefined : overlayOf(result.saved));
      if (steps.hasSubscribers)
        steps.publish({ name: 'decide', milliseconds: performance.now() - started } satisfies TimedStep);
    };
    try {
      await numbers.reserveMissing();
      const ids = await loadIdSeries();
      const deciding = { plan, newId: ids(Date.now()), before, onDecided: found, loadsOnce };
      await decideOnSnapshot({ ...options, numbers, slugs, tokens }, deciding);
    } catch {
      // The connection is not needed any more once the change is decided.
    }
    return decided;
  }

  async function run<T>(change: OptimisticChange<T>): Promise<T> {
    const { plan, flight, before, onDecided } = change;
    const hasVoid = before.some(({ isVoid }) => isVoid);
    let decided = hasVoid ? undefined : await tryOptimistically(change);
    if (decided !== undefined) flight.ahead = rowsAheadOf(decided, flight, before);
    await endOf(before);
    if (decided !== undefined && [...decided.base].some(({ isRedone }) => isRedone)) {
      decided = undefined;
      await giveUp(flight);
    }
    // The changes before it have ended: it is decided anew on their result.
    if (decided === undefined && before.length > 0) decided = await tryOptimistically({ ...change, before: [] });
    if (decided !== undefined && (await tryCommit(decided, flight))) return decided.value;
    await giveUp(flight);
    onDecided(undefined);
    return underLock(plan);
  }

  /** Begins to write the new rows of a change, if one before it is still in progress and no other writer is active. */
  function rowsAheadOf(
    { saved }: Decided<unknown>,
    { isVoid }: Flight,
    before: readonly Flight[],
  ): RowsAhead | undefined {
    const underWay = before.filter((flight) => flights.includes(flight));
    if (underWay.length === 0 || underWay.some(({ waitsForOthers }) => waitsForOthers)) return undefined;
    if (isVoid || journal.hasCompany() || !isWorthAhead(saved)) return undefined;
    return writeAhead(pool, saved.flatMap(rowsOf));
  }

  /** Lets a change wait for other writers: those behind it roll back the rows that they wrote ahead. */
  function waitForOthers(flight: Flight): void {
    flight.waitsForOthers = true;
    for (const other of flights.slice(flights.indexOf(flight) + 1)) void other.ahead?.giveUp();
  }

  /** Gives up what was decided of a change: later ones may have been decided on top of it. */
  async function giveUp(flight: Flight): Promise<void> {
    flight.isRedone = true;
    for (const other of flights.slice(flights.indexOf(flight))) other.isVoid = true;
    waitForOthers(flight);
    await dropRows(flight);
  }

  return {
    async write<T>(plan: Plan<T>): Promise<T> {
      const before = flights.slice(1 - most);
      const tooEarly = flights.at(-most);
      const decided = withResolver<Overlay | undefined>();
      const ended = withResolver<End>();
      const flight: Flight = {
        decided: decided.promise,
        ended: ended.promise,
        mark: undefined,
        left: 0,
        isVoid: false,
        isRedone: false,
        ahead: undefined,
        waitsForOthers: false,
      };
      flights.push(flight);
      try {
        await tooEarly?.ended;
        const value = await run({ plan, flight, before, onDecided: decided.resolve }).finally(() => dropRows(flight));
        ended.resolve('committed');
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

/** Rolls back the rows that were written ahead for a change, unless they are committed. */
async function dropRows(flight: Flight): Promise<void> {
  const { ahead } = flight;
  flight.ahead = undefined;
  await ahead?.giveUp();
}

/** Waits for the changes before one, and fails with the last of them: the others ended earlier. */
async function endOf(before: readonly Flight[]): Promise<void> {
  const end = await before.at(-1)?.ended;
  if (typeof end === 'object') throw end.failure;
}

function withResolver<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
