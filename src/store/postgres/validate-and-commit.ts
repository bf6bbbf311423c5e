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
}

/**
 * The SQLSTATE (division_by_zero) with which a transaction fails that finds another count of changes than it expects, tables that
 * a newer program migrated since the snapshot, or a connection without its settings.
 */
const otherCount = '22012';

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
  await pool.use(async (session) => {
    // This connection may be to another server than the snapshot was: a standby may lack transactions that the snapshot has.
    if (pool.lost() !== decided.seen.lost) throw new MustLock('a connection was lost');
    try {
      if (!journal.hasCompany())
        await write(options, committing, { session, first: [{ sql: 'BEGIN' }], changes: alone });
      else {
        const changes = await compare(options, decided, { session, own });
        await write(options, committing, { session, first: [], changes });
      }
    } catch (error) {
      if (stateOf(error) === otherCount) journal.movedBeyond(alone);
      if (session.isOpen()) await session.run([{ sql: 'ROLLBACK' }]).catch(() => undefined);
      throw error;
    }
  });
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
  /** The count of changes before this one. */
  readonly changes: number;
}

async function write(
  { schema, version, rowsOf, journal, numbers, commit }: CommittingOptions,
  { decided: { saved }, flight }: Committing,
  { session, first, changes }: Writing,
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
  const statements = [...first, count, ...saved.flatMap(rowsOf)];
  if (saved.some(movesEpoch)) statements.push(moveEpoch(schema));
  statements.push(...journal.leave(changes + 1, saved));
  journal.leaving(changes + 1, false);
  await commit(session, { statements, ...(flight.mark && { mark: flight.mark }) });
  if (toReserve > 0 && last > 0) numbers.add(toReserve, last);
  flight.left = changes + 1;
}
