// Changes that follow each other, decided ahead of the lock: while one is committed, the next is decided and the one behind it
// looks up what it refers to. Each is decided on a snapshot of its own, with what those before it will have written laid over it
// (overlay.ts), and takes the lock for writing only. If others committed meanwhile, it holds where they wrote nothing that it read;
// otherwise it is decided again under the lock, and all that were decided on it.
import { channel } from 'node:diagnostics_channel';
import { newDraft } from '../../core/rows/draft.js';
import { movesEpoch } from '../../core/rows/reference-epoch.js';
import type { Draft, Pending, SavedRows } from '../../core/rows/snapshot.js';
import type { Table, Value } from '../../core/rows/table.js';
import { stepChannel, type TimedStep } from '../../core/timed-step.js';
import { loadIdSeries, type NewId } from '../identifiers.js';
import type { Plan } from '../store.js';
import type { ChangeJournal, RecentChange } from './change-journal.js';
import { moveEpoch } from './change-queue.js';
import { committer } from './commit.js';
import { commitTokens, type Mark } from './commit-outcome.js';
import { hasSettings } from './connect.js';
import { addRead, meets } from './key-hashes.js';
import type { RowLoader } from './load-rows.js';
import { type Overlay, overlayOf } from './overlay.js';
import type { RowSaver } from './save-rows.js';
import { quoted } from './schema.js';
import { asCatalogError, CommitUnknown, changedMeanwhile, type ServerName, stateOf } from './server-error.js';
import type { Session, Statement } from './session.js';
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

/** How a change ended: `kept` as it was decided ahead, `redone` under the lock. */
type End = 'kept' | 'redone' | { readonly failure: unknown };

/** A change under way, as those behind it see it. */
interface Flight {
  /** What it writes, once it is decided; undefined where it is not decided ahead. */
  readonly decided: Promise<Overlay | undefined>;
  readonly ended: Promise<End>;
  /** The mark of its transaction, once it is decided. */
  mark: Mark | undefined;
  /** The count of changes that its transaction left; 0 where it wrote nothing. */
  left: number;
  /** It goes under the lock: what is decided on it from now on would have to be decided again. */
  isVoid: boolean;
}

/** What was seen of the catalog when a change was looked up. */
interface Snapshot {
  changes: number;
  /** The last of this writer's transactions in it. */
  token: number;
}

/** A change that was decided ahead. */
interface Decided<T> {
  readonly value: T;
  readonly saved: readonly ReadonlyMap<Table, SavedRows>[];
  readonly snapshot: Snapshot;
  readonly reads: readonly Pending[];
}

/** How many numbers of products are reserved at once, and with how many left the next ones are: three transactions may use them. */
const reserved = 8192;
const fewLeft = 6144;

/** How many changes go under the lock after one that met another writer, at first and at most. */
const fewestUnderLock = 4;
const mostUnderLock = 64;

/** A change that cannot be decided ahead. */
class NotAhead extends Error {
  override readonly name = 'NotAhead';
}

const steps = channel(stepChannel);

/** What is decided ahead of the lock by one writer. */
export interface WriteAhead {
  write<T>(plan: Plan<T>): Promise<T>;
  close(): Promise<void>;
}

/** Longer than a screen: the steps of a change, which share those under way and the numbers that are reserved. */
export function writeAhead(options: WriteAheadOptions): WriteAhead {
  const { pool, server, version, loader, rowsOf, journal, patience, underLock } = options;
  const { schema } = server;
  const tokens = commitTokens(schema);
  const commit = committer(pool, tokens, patience);
  const catalog = `${quoted(schema)}.catalog`;
  const flights: Flight[] = [];
  const numbers = { next: 0, end: 0 };
  let lacksNumbers = false;
  let toGoUnderLock = 0;
  let nextPause = fewestUnderLock;
  let hasMarked = false;

  function newNumber(): number {
    if (numbers.next < numbers.end) return numbers.next++;
    lacksNumbers = true;
    throw new NotAhead('no numbers are reserved');
  }

  /** Reserves numbers where they were missing: not before the second change, so that a small import takes only those it uses. */
  async function reserve(): Promise<void> {
    lacksNumbers = false;
    const sql = `UPDATE ${catalog} SET last_product = last_product + $1 RETURNING last_product`;
    const onRow = ([last]: readonly Value[]): void => {
      Object.assign(numbers, { next: Number(last) - reserved + 1, end: Number(last) + 1 });
    };
    await pool.use((session) => session.run([{ sql, values: [String(reserved)], onRow }])).catch(() => undefined);
  }

  /** Gives numbers back that were not used, unless others were reserved behind them. */
  const giveBack = (): Statement => ({
    sql: `UPDATE ${catalog} SET last_product = $1 WHERE last_product = $2`,
    values: [String(numbers.next - 1), String(numbers.end - 1)],
  });

  function begin(snapshot: Snapshot): Statement[] {
    return [
      { sql: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' },
      {
        sql: `SELECT version, changes, (SELECT token FROM ${quoted(schema)}.commit_token WHERE writer = $1), ${hasSettings} FROM ${catalog}`,
        values: [tokens.writer],
        onRow([found, changes, token, isSet]) {
          if (found !== version) throw changedMeanwhile(server);
          if (isSet !== 't') throw new NotAhead('the connection lost its settings');
          snapshot.changes = Number(changes);
          snapshot.token = Number(token ?? 0);
        },
      },
    ];
  }

  /** Decides a change on a snapshot, with what those before it write. */
  async function decideAhead<T>(
    plan: Plan<T>,
    newId: NewId,
    before: readonly Flight[],
    onDecided: (decided: Decided<T>) => void,
  ): Promise<void> {
    const draft = newDraft({
      newId: ({ name, prefix = '' }) => (name === 'product' ? newId(prefix, newNumber()) : newId(prefix)),
    });
    const snapshot: Snapshot = { changes: -1, token: 0 };
    const reads: Pending[] = [];
    await pool.use(async (session) => {
      const load = async (pending: Pending): Promise<void> => {
        await session.run([...(reads.length === 0 ? begin(snapshot) : []), ...loader.load(pending, draft)]);
        reads.push(pending);
        await layOver(before, { snapshot, pending, draft });
      };
      try {
        const value = await drive(plan, draft, load);
        const saved = [draft.kept(), draft.saved()].filter(({ size }) => size > 0);
        if (reads.length === 0) throw new NotAhead('nothing was looked up');
        onDecided({ value, saved, snapshot, reads });
      } finally {
        if (session.isOpen()) await session.run([{ sql: 'ROLLBACK' }]).catch(() => undefined);
      }
    });
  }

  /** The statement that moves the count on, which fails (22012) where it is another one; it takes the lock. */
  function count(changes: number, more: number, onRow: (cells: readonly Value[]) => void): Statement {
    const sql = `UPDATE ${catalog} SET changes = CASE changes WHEN $1 THEN changes + 1 ELSE 1 / (changes - changes) END, last_product = last_product + $2 RETURNING last_product`;
    return { sql, values: [String(changes), String(more)], onRow };
  }

  /** The counts that those left which were committed before a change, and are not in its snapshot. */
  function expected({ snapshot }: Decided<unknown>, before: readonly Flight[]): readonly number[] {
    return before.filter((flight) => flight.left > 0 && isBehind(flight, snapshot)).map(({ left }) => left);
  }

  /** Finds out under the lock whether what others committed since leaves this as it was decided. */
  async function holds(session: Session, decided: Decided<unknown>, own: readonly number[]): Promise<number> {
    const { snapshot, reads } = decided;
    const recent: RecentChange[] = [];
    let changes = -1;
    await session.run([
      { sql: 'BEGIN' },
      {
        sql: `SELECT changes FROM ${catalog} FOR UPDATE`,
        onRow([found]) {
          changes = Number(found);
        },
      },
      journal.since(snapshot.changes, recent),
    ]);
    journal.found(changes);
    const read = new Set<number>();
    for (const pending of reads) addRead(read, pending);
    const written = new Map(recent.map(({ number, hashes }) => [number, hashes]));
    for (let number = snapshot.changes + 1; number <= changes; number++) {
      if (own.includes(number)) continue;
      const hashes = written.get(number);
      if (hashes === undefined || meets(read, hashes)) throw new NotAhead('another writer changed what was read');
    }
    return changes;
  }

  /** Writes what was decided, and commits. */
  async function writeDecided(decided: Decided<unknown>, flight: Flight, before: readonly Flight[]): Promise<void> {
    const { saved, snapshot } = decided;
    await pool.use(async (session) => {
      try {
        const own = expected(decided, before);
        const isAlone = !journal.hasCompany();
        const changes = isAlone ? snapshot.changes + own.length : await holds(session, decided, own);
        const statements: Statement[] = isAlone ? [{ sql: 'BEGIN' }] : [];
        let last = 0;
        const more = numbers.end > 0 && numbers.end - numbers.next < fewLeft ? reserved : 0;
        statements.push(
          count(changes, more, ([found]) => {
            last = Number(found);
          }),
        );
        for (const rows of saved) statements.push(...rowsOf(rows));
        if (saved.some(movesEpoch)) statements.push(moveEpoch(schema));
        statements.push(...journal.leave(changes + 1, saved));
        hasMarked = true;
        journal.leaving(changes + 1, false);
        await commit(session, { statements, ...(flight.mark && { mark: flight.mark }) });
        if (more > 0 && last > 0) Object.assign(numbers, { next: last - more + 1, end: last + 1 });
        flight.left = changes + 1;
      } catch (error) {
        if (session.isOpen()) await session.run([{ sql: 'ROLLBACK' }]).catch(() => undefined);
        throw error;
      }
    });
  }

  /** @returns whether it is committed; otherwise it is to be decided again */
  async function commitDecided(decided: Decided<unknown>, flight: Flight, before: readonly Flight[]): Promise<boolean> {
    if (decided.saved.length === 0) return true;
    try {
      await writeDecided(decided, flight, before);
      nextPause = fewestUnderLock;
      return true;
    } catch (error) {
      if (error instanceof CommitUnknown) throw asCatalogError(server, error);
      if (stateOf(error) === '22012') journal.movedBeyond(decided.snapshot.changes + expected(decided, before).length);
      if (error instanceof NotAhead) {
        toGoUnderLock = nextPause;
        nextPause = Math.min(2 * nextPause, mostUnderLock);
      }
      return false;
    }
  }

  /** Decides a change ahead where that is worth it; whatever keeps it from that shows again under the lock. */
  async function tryAhead<T>(
    plan: Plan<T>,
    flight: Flight,
    before: readonly Flight[],
    onDecided: (overlay: Overlay | undefined) => void,
  ): Promise<Decided<T> | undefined> {
    let decided: Decided<T> | undefined;
    if (toGoUnderLock > 0) toGoUnderLock--;
    else {
      if (lacksNumbers) await reserve();
      const started = performance.now();
      const ids = await loadIdSeries();
      await decideAhead(plan, ids(Date.now()), before, (found) => {
        decided = found;
        flight.mark = tokens.mark();
        // How far the epoch moves is not among the rows.
        flight.isVoid = found.saved.some(movesEpoch);
        if (flight.isVoid) toGoUnderLock = Math.max(toGoUnderLock, fewestUnderLock);
        onDecided(flight.isVoid ? undefined : overlayOf(found.saved));
        if (steps.hasSubscribers)
          steps.publish({ name: 'decide', milliseconds: performance.now() - started } satisfies TimedStep);
      }).catch(() => undefined);
    }
    return decided;
  }

  /** How the one before a change ended. */
  async function lastEnd(before: readonly Flight[]): Promise<'kept' | 'redone'> {
    const end = (await before.at(-1)?.ended) ?? 'kept';
    if (typeof end === 'object') throw end.failure;
    return end;
  }

  async function change<T>(
    plan: Plan<T>,
    flight: Flight,
    before: readonly Flight[],
    onDecided: (overlay: Overlay | undefined) => void,
  ): Promise<{ readonly end: End; readonly value: T }> {
    const hasVoid = before.some(({ isVoid }) => isVoid);
    let decided = hasVoid ? undefined : await tryAhead(plan, flight, before, onDecided);
    let end = await lastEnd(before);
    if (decided === undefined && before.length > 0) {
      // Those before it are done with: it begins anew.
      decided = await tryAhead(plan, flight, [], onDecided);
      end = 'kept';
    }
    if (decided !== undefined && end === 'kept' && (await commitDecided(decided, flight, before)))
      return { end: 'kept', value: decided.value };
    for (const other of flights.slice(flights.indexOf(flight))) other.isVoid = true;
    onDecided(undefined);
    return { end: 'redone', value: await underLock(plan) };
  }

  return {
    async write<T>(plan: Plan<T>): Promise<T> {
      const before = [...flights];
      let onDecided: (overlay: Overlay | undefined) => void = () => undefined;
      let onEnded: (end: End) => void = () => undefined;
      const flight: Flight = {
        decided: new Promise((resolve) => {
          onDecided = resolve;
        }),
        ended: new Promise((resolve) => {
          onEnded = resolve;
        }),
        ...{ mark: undefined, left: 0, isVoid: false },
      };
      flights.push(flight);
      try {
        const { end, value } = await change(plan, flight, before, onDecided);
        onEnded(end);
        return value;
      } catch (failure) {
        onDecided(undefined);
        onEnded({ failure });
        throw failure;
      } finally {
        flights.splice(flights.indexOf(flight), 1);
      }
    },
    async close() {
      await Promise.all(flights.map(({ ended }) => ended));
      const last = [...(hasMarked ? [tokens.cleanUp()] : []), ...(numbers.next < numbers.end ? [giveBack()] : [])];
      if (last.length > 0) await pool.use((session) => session.run(last)).catch(() => undefined);
    },
  };
}

/** Whether a snapshot is without what a change writes. */
function isBehind({ mark }: Flight, { token }: Snapshot): boolean {
  return mark !== undefined && mark.token > token;
}

/** Lays over a draft what the changes before it write that are not in its snapshot, the earliest first. */
async function layOver(
  before: readonly Flight[],
  { snapshot, pending, draft }: { readonly snapshot: Snapshot; readonly pending: Pending; readonly draft: Draft },
): Promise<void> {
  for (const flight of before) {
    const overlay = await flight.decided;
    if (overlay === undefined) throw new NotAhead('one before it was not decided ahead');
    if (isBehind(flight, snapshot)) overlay(pending, draft);
  }
}

async function drive<T>(plan: Plan<T>, draft: Draft, load: (pending: Pending) => Promise<void>): Promise<T> {
  const steps = plan(draft);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    for (let pending = draft.drainPending(); pending !== undefined; pending = draft.drainPending()) await load(pending);
  }
}
