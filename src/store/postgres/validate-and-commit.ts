// Takes the lock, validates a change that was decided on a snapshot, writes its rows and commits. A writer that is alone sends
// all of this in one message, which fails if another one committed meanwhile; beside other writers it first compares their
// write sets with its read set.
import { movesEpoch } from '../../core/rows/reference-epoch.js';
import type { ChangeJournal, RecentChange } from './change-journal.js';
import { moveEpoch } from './change-queue.js';
import type { Commit } from './commit.js';
import { hasSettings } from './connect.js';
import type { Decided, Flight } from './decide-on-snapshot.js';
import { MustLock } from './must-lock.js';
import type { ProductNumbers } from './product-numbers.js';
import { addToReadSet, overlap } from './read-and-write-sets.js';
import { limitWaits } from './rows-ahead.js';
import type { RowSaver } from './save-rows.js';
import { quoted } from './schema.js';
import { stateOf } from './server-error.js';
import type { Session, Statement } from './session.js';
import type { SessionPool } from './session-pool.js';

export interface CommittingOptions {
  readonly pool: SessionPool;
  readonly schema: string;
  /** The version of the tables that this program knows. */
  readonly version: number;
  readonly rowsOf: RowSaver;
  readonly journal: ChangeJournal;
  readonly numbers: ProductNumbers;
  readonly commit: Commit;
}

/** A change to commit, once the changes before it are committed as decided. */
interface Committing {
  readonly decided: Decided<unknown>;
  readonly flight: Flight;
  /** Whether it takes no account of other writers, and fails if there are any. */
  readonly isAlone: boolean;
  /** Called before it waits for other writers for long. */
  readonly waitForOthers: () => void;
}

/**
 * The SQLSTATE (division_by_zero) with which a transaction fails that finds another count of changes than it expects, tables that
 * a newer program migrated since the snapshot, or a connection without its settings.
 */
const otherCount = '22012';

/**
 * With these a change fails that took no account of other writers: `otherCount`, and for rows written ahead lock_not_available and
 * deadlock_detected.
 */
const signsOfOthers: ReadonlySet<string> = new Set([otherCount, '55P03', '40P01']);

/**
 * Validates and commits a change.
 * @throws MustLock or an error of the server if it has to be decided again; CommitUnknown if it may have been committed
 */
export async function validateAndCommit(options: CommittingOptions, committing: Committing): Promise<void> {
  const { pool, journal } = options;
  const { decided } = committing;
  const own = ownCounts(decided);
  const alone = decided.seen.changes + own.length;
  if (decided.saved.length === 0) {
    // A change that writes nothing is serialized at its snapshot, or after the changes before it if no other writer came between.
    if (own.length > 0 && own.at(-1) !== alone) throw new MustLock('another writer came between');
    return;
  }
  const { ahead } = committing.flight;
  const checkConnection = (): void => {
    // This connection may be to another server than the snapshot was: a standby may lack transactions that the snapshot has.
    if (pool.lost() !== decided.seen.lost) throw new MustLock('a connection was lost');
  };
  try {
    if (ahead === undefined)
      await pool.use(async (session) => {
        checkConnection();
        await inTransaction(options, committing, { session, own, alone });
      });
    else
      await ahead.end(async (session) => {
        checkConnection();
        await write(options, committing, { session, first: [], rows: ahead.rest, changes: alone });
      });
  } catch (error) {
    if (signsOfOthers.has(stateOf(error) ?? '')) journal.movedBeyond(alone);
    throw error;
  }
}

/** Begins a transaction, and validates and commits a change in it. */
async function inTransaction(
  options: CommittingOptions,
  committing: Committing,
  { session, own, alone }: { readonly session: Session; readonly own: readonly number[]; readonly alone: number },
): Promise<void> {
  const { decided, isAlone, waitForOthers } = committing;
  try {
    if (!isAlone) waitForOthers();
    await write(options, committing, {
      session,
      changes: isAlone ? alone : await compare(options, decided, { session, own }),
      first: isAlone ? [{ sql: 'BEGIN' }, limitWaits] : [],
      rows: decided.saved.flatMap(options.rowsOf),
    });
  } catch (error) {
    if (session.isOpen()) await session.run([{ sql: 'ROLLBACK' }]).catch(() => undefined);
    throw error;
  }
}

/** The counts of changes left by the earlier changes that are not in its snapshot. */
function ownCounts({ base }: Decided<unknown>): readonly number[] {
  return [...base].filter(({ left }) => left > 0).map(({ left }) => left);
}

/**
 * Takes the lock, and compares the write sets committed since the snapshot with the read set.
 * @returns the count of changes in the catalog
 */
async function compare(
  { schema, journal }: CommittingOptions,
  { seen, reads }: Decided<unknown>,
  { session, own }: { readonly session: Session; readonly own: readonly number[] },
): Promise<number> {
  const recent: RecentChange[] = [];
  let changes = -1;
  const lock: Statement = {
    sql: `SELECT changes FROM ${quoted(schema)}.catalog FOR UPDATE`,
    onRow([found]) {
      changes = Number(found);
    },
  };
  await session.run([{ sql: 'BEGIN' }, lock, journal.since(seen.changes, recent)]);
  journal.found(changes);
  const read = new Set<number>();
  for (const pending of reads) addToReadSet(read, pending);
  const written = new Map(recent.map(({ number, hashes }) => [number, hashes]));
  for (let number = seen.changes + 1; number <= changes; number++) {
    if (own.includes(number)) continue;
    const hashes = written.get(number);
    if (hashes === undefined || overlap(read, hashes)) throw new MustLock('another writer changed what was read');
  }
  return changes;
}

/** The transaction that rows are written in. */
interface Writing {
  readonly session: Session;
  readonly first: readonly Statement[];
  /** The rows that are not written yet. */
  readonly rows: readonly Statement[];
  /** The count of changes before this one. */
  readonly changes: number;
}

async function write(
  { schema, version, journal, numbers, commit }: CommittingOptions,
  { decided: { saved }, flight, waitForOthers }: Committing,
  { session, first, rows, changes }: Writing,
): Promise<void> {
  const toReserve = numbers.toReserve();
  let last = 0;
  const count: Statement = {
    // Takes the lock, and fails if anything differs.
    sql: `UPDATE ${quoted(schema)}.catalog SET changes = CASE WHEN changes = $1 AND version = $3 AND ${hasSettings} THEN changes + 1 ELSE 1 / (changes - changes) END, last_product = last_product + $2 RETURNING last_product`,
    values: [String(changes), String(toReserve), String(version)],
    onRow([found]) {
      last = Number(found);
    },
  };
  const statements = [...first, count, ...rows];
  if (saved.some(movesEpoch)) statements.push(moveEpoch(schema));
  statements.push(...journal.leave(changes + 1, saved));
  journal.leaving(changes + 1, false);
  await commit(session, { statements, ...(flight.mark && { mark: flight.mark }), onLost: waitForOthers });
  if (toReserve > 0 && last > 0) numbers.add(toReserve, last);
  flight.left = changes + 1;
}
