// Writes the new rows of a decided transaction while the one before it commits, and before it takes the lock of the catalog: COPY
// is most of the server's work in an import of new products, and would otherwise begin only when the commit before is on disk. What
// makes the transaction valid follows at its end, under the lock (validate-and-commit.ts), as for every other one.
// Rows that are written without the lock hold their unique keys. A writer that has the lock and wants such a key waits for this
// transaction, which waits for the lock or for an earlier one that does, and the server does not see the latter as a deadlock. So
// neither waits for a lock longer than `longestWait`, and this one is rolled back where an earlier one fails or has to wait longer.
import type { Saved } from './change-journal.js';
import { MustLock } from './must-lock.js';
import type { Session, Statement } from './session.js';
import type { SessionPool } from './session-pool.js';

/** Milliseconds of waiting for a lock. A writer that is alone has nothing to wait for. */
const longestWait = 200;

/** Limits the waits for locks until the end of a transaction. */
export const limitWaits: Statement = {
  sql: "SELECT set_config('lock_timeout', $1, true)",
  values: [`${longestWait}ms`],
};

/** New rows from which on a second round trip pays. */
const worthAhead = 200;

/** A transaction whose new rows are being written. */
export interface RowsAhead {
  /** What is still to be written, under the lock. */
  readonly rest: readonly Statement[];
  /**
   * Ends the transaction, once its rows are written.
   * @param work takes the lock, writes the rest and commits
   */
  end(work: (session: Session) => Promise<void>): Promise<void>;
  /** Rolls it back, unless its end was reached; resolves when its connection is free. */
  giveUp(): Promise<void>;
}

/** Whether a change has so many new rows that it pays to write them ahead. */
export function isWorthAhead(saved: Saved): boolean {
  let rows = 0;
  for (const tables of saved) for (const { created } of tables.values()) rows += created.length;
  return rows >= worthAhead;
}

/**
 * Begins a transaction and writes its new rows.
 * @param statements all statements of its rows
 */
export function writeAhead(pool: SessionPool, statements: readonly Statement[]): RowsAhead {
  const copies = statements.filter(({ copy }) => copy !== undefined);
  let goOn: (work: ((session: Session) => Promise<void>) | undefined) => void = () => undefined;
  const next = new Promise<((session: Session) => Promise<void>) | undefined>((resolve) => {
    goOn = resolve;
  });
  const done = pool.use(async (session) => {
    try {
      await session.run([{ sql: 'BEGIN' }, limitWaits, ...copies]);
      const work = await next;
      if (work === undefined) throw new MustLock('an earlier change failed');
      await work(session);
    } catch (error) {
      if (session.isOpen()) await session.run([{ sql: 'ROLLBACK' }]).catch(() => undefined);
      throw error;
    }
  });
  const over = done.catch(() => undefined);
  return {
    rest: statements.filter(({ copy }) => copy === undefined),
    end(work) {
      goOn(work);
      return done;
    },
    giveUp() {
      goOn(undefined);
      return over;
    },
  };
}
