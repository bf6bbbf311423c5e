// Commits a transaction, and finds out the outcome where the connection is lost during COMMIT.
import { channel } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { stepChannel, type TimedStep } from '../../core/timed-step.js';
import { failpoint } from '../failpoint.js';
import type { CommitTokens, Mark } from './commit-outcome.js';
import { CommitUnknown, ConnectionLost } from './server-error.js';
import type { Session, Statement } from './session.js';
import type { SessionPool } from './session-pool.js';

const steps = channel(stepChannel);

/** Milliseconds between two attempts to reconnect. */
export const pause = 250;

/** The rest of a transaction. */
interface LastStatements {
  readonly statements: readonly Statement[];
  /** Its mark; left out where it writes nothing. */
  readonly mark?: Mark;
}

type Commit = (session: Session, last: LastStatements) => Promise<void>;

/**
 * Returns the function that commits the transactions of one writer.
 * @param patience milliseconds of attempts to reconnect, at least five seconds
 */
export function committer(pool: SessionPool, tokens: CommitTokens, patience: number): Commit {
  /** Asks over new connections until one answers, or `patience` is over. */
  async function wasCommitted(token: number, lost: ConnectionLost): Promise<boolean> {
    for (const until = performance.now() + Math.max(patience, 5000); ; await sleep(pause)) {
      try {
        return await pool.useFresh((session) => tokens.wasCommitted(session, token));
      } catch (error) {
        if (performance.now() < until) continue;
        const cause = error instanceof Error ? error.message : lost.message;
        throw new CommitUnknown(`${cause}; whether the last batch is stored is not known, and running again shows it`);
      }
    }
  }

  return async (session, { statements, mark }) => {
    failpoint('before-commit');
    let isCommitted = false;
    const started = performance.now();
    let saved = started;
    const marked: Statement[] =
      mark === undefined ? [] : [{ ...mark.statement, onDone: () => (saved = performance.now()) }];
    const end: Statement = {
      sql: 'COMMIT',
      onDone() {
        isCommitted = true;
      },
    };
    // The server's counts of rows are known before anything is committed: a trigger of somebody else may have left some out.
    await session.run([...statements, ...marked]);
    try {
      await session.run([end]);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      if (!isCommitted && mark !== undefined && !(await wasCommitted(mark.token, error))) throw error;
    }
    if (steps.hasSubscribers && mark !== undefined) {
      steps.publish({ name: 'save', milliseconds: saved - started } satisfies TimedStep);
      steps.publish({ name: 'commit', milliseconds: performance.now() - saved } satisfies TimedStep);
    }
    failpoint('after-commit');
  };
}
