// Finds out whether a transaction was committed whose COMMIT was never answered. Each writer stores the number of its
// last transaction in a row of its own, within that transaction; after losing the connection it reads that row over a
// new one.
import { randomUUID } from 'node:crypto';
import { quoted } from './schema.js';
import { queryValue, type Session, type Statement } from './session.js';

/** The mark of a transaction: a token, and the statement that leaves it. */
export interface Mark {
  readonly token: number;
  readonly statement: Statement;
}

export interface CommitTokens {
  /** A mark for the next transaction. Marked transactions must be committed in the order of their marks. */
  mark(): Mark;
  /** Whether any transaction was marked. */
  areUsed(): boolean;
  /** Whether the transaction of a token was committed; waits until the server has finished it. */
  wasCommitted(session: Session, token: number): Promise<boolean>;
  /** The statement that removes the rows of this writer and outdated ones. */
  cleanUp(): Statement;
}

/** Seconds after which a token is no longer needed. */
const keptFor = 24 * 60 * 60;

/** The tokens of one writer in a schema. */
export function commitTokens(schema: string): CommitTokens {
  const writer = randomUUID();
  const table = `${quoted(schema)}.commit_token`;
  let last = 0;
  const now = (): number => Math.floor(Date.now() / 1000);
  return {
    areUsed: () => last > 0,
    mark() {
      const token = ++last;
      const sql = `INSERT INTO ${table} VALUES ($1, $2, $3) ON CONFLICT (writer) DO UPDATE SET token = excluded.token, created_at = excluded.created_at`;
      return { token, statement: { sql, values: [writer, String(token), String(now())] } };
    },
    async wasCommitted(session, token) {
      await session.run([
        { sql: 'BEGIN' },
        // The server may still be about to commit it: every transaction has this lock before its last statements are sent.
        { sql: `SELECT version FROM ${quoted(schema)}.catalog FOR UPDATE` },
      ]);
      const found = await queryValue(session, `SELECT token FROM ${table} WHERE writer = $1`, [writer]);
      await session.run([{ sql: 'COMMIT' }]);
      return Number(found ?? 0) >= token;
    },
    cleanUp: () => ({
      sql: `DELETE FROM ${table} WHERE writer = $1 OR created_at < $2`,
      values: [writer, String(now() - keptFor)],
    }),
  };
}
