// The queue of changes of a catalog in PostgreSQL: changes that wait at the same time share a transaction. A transaction takes the
// lock, loads rows, decides, writes rows and commits; the rows of a plan are sent with the look-ups of the next, or with COMMIT
// (transaction.ts). The lock has a round trip of its own: plans take their time once it is held.
import { channel } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { CatalogError } from '../../core/errors.js';
import type { Draft, SavedRows } from '../../core/rows/snapshot.js';
import type { Table } from '../../core/rows/table.js';
import { stepChannel, type TimedStep } from '../../core/timed-step.js';
import type { Plan } from '../store.js';
import { committer, pause } from './commit.js';
import { commitTokens } from './commit-outcome.js';
import { hasSettings } from './connect.js';
import { explainRowsLeftOut, rowCounter, type WrittenRows } from './foreign-objects.js';
import type { RowSaver } from './save-rows.js';
import { quoted } from './schema.js';
import {
  asCatalogError,
  CommitUnknown,
  ConnectionLost,
  changedMeanwhile,
  isTransient,
  type ServerName,
  settingsLost,
  stateOf,
} from './server-error.js';
import type { Session, Statement } from './session.js';
import type { SessionPool } from './session-pool.js';
import { type LastProduct, newTransaction, type Transaction } from './transaction.js';

export interface ChangeQueueOptions {
  readonly pool: SessionPool;
  readonly server: ServerName;
  readonly version: number;
  readonly rowsOf: RowSaver;
  readonly patience: number;
  readonly drive: <T>(plan: Plan<T>, draft: Draft, steps: PlanSteps) => Promise<T>;
}

/** What a plan needs of its transaction. */
interface PlanSteps {
  /** Loads rows: sends the collected statements, and these. */
  load(statements: readonly Statement[]): Promise<void>;
  /** Called between two batches of the plan. */
  settled(): Promise<void>;
}

/** A plan with its draft. It may run again, on a new draft. */
interface Change<T> {
  readonly plan: Plan<T>;
  readonly newDraft: (transaction: LastProduct) => Draft;
}

export interface ChangeQueue {
  /** Runs a plan in a transaction; resolves once what it saved is durable. */
  add<T>(change: Change<T>): Promise<T>;
  /** Writes rows that were decided elsewhere. */
  save(saved: ReadonlyMap<Table, SavedRows>): Promise<void>;
  close(): Promise<void>;
}

/** A change that waits for its transaction. */
interface Waiting {
  /** Runs it within the transaction; returns what to call once that is committed. */
  run(transaction: Transaction): Promise<() => void>;
  reject(error: unknown): void;
}

/** Milliseconds of deciding after which the remaining changes wait for the next transaction. */
const longest = 10;

/** How often a transaction is repeated after a conflict. */
const mostRetries = 5;

const steps = channel(stepChannel);

/**
 * The queue of a store. Longer than a screen: its parts are steps of one loop over transactions, which share the changes that
 * wait and the connection.
 */
export function changeQueue(options: ChangeQueueOptions): ChangeQueue {
  const { pool, server, version, rowsOf, patience, drive } = options;
  const tokens = commitTokens(server.schema);
  const commit = committer(pool, tokens, patience);
  const newRowCounter = rowCounter(server);
  const catalog = `${quoted(server.schema)}.catalog`;
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  const lockFor = (transaction: Transaction, rows: WrittenRows): readonly Statement[] => [
    { sql: 'BEGIN' },
    {
      sql: `SELECT version, last_product, ${hasSettings} FROM ${catalog} FOR UPDATE`,
      onRow([found, last, isSet]) {
        if (found !== version) throw changedMeanwhile(server);
        if (isSet !== 't') throw settingsLost(server);
        transaction.lastProduct = Number(last);
      },
    },
    ...rows.begin(),
  ];

  /** Runs and commits the first of these changes, as many as fit the time. */
  async function commitSome(session: Session, changes: readonly Waiting[]): Promise<(() => void)[]> {
    const [schema, rows, isAlone] = [server.schema, newRowCounter(), changes.length === 1];
    const transaction = newTransaction({ session, schema, rows, rowsOf, isAlone });
    await session.run(lockFor(transaction, rows));
    const tell: (() => void)[] = [];
    const started = performance.now();
    for (const { run } of changes) {
      tell.push(await run(transaction));
      if (performance.now() - started > longest) break;
    }
    if (steps.hasSubscribers)
      steps.publish({ name: 'decide', milliseconds: performance.now() - started } satisfies TimedStep);
    await commit(session, await lastOf(transaction, rows));
    return tell;
  }

  /** The statements of a transaction that are still to be sent. */
  async function lastOf(transaction: Transaction, rows: WrittenRows): Promise<Parameters<typeof commit>[1]> {
    const statements = await transaction.rest();
    const { isWriting, lastProduct } = transaction;
    if (!isWriting) return { statements };
    const count = { sql: `UPDATE ${catalog} SET last_product = $1`, values: [String(lastProduct)] };
    return { statements: [...rows.counted([...statements, count]), ...rows.check()], mark: tokens.mark() };
  }

  /** A transaction on a connection; rolled back where it fails. */
  async function transact(session: Session, group: readonly Waiting[]): Promise<(() => void)[]> {
    try {
      return await commitSome(session, group);
    } catch (error) {
      if (session.isOpen()) await session.run([{ sql: 'ROLLBACK' }]).catch(() => undefined);
      await explainRowsLeftOut(session, server, error);
      throw error;
    }
  }

  /** Runs a transaction, and repeats it after a conflict or where its connection was lost before the commit. */
  async function transactAgain(group: readonly Waiting[]): Promise<(() => void)[]> {
    let until: number | undefined;
    for (let retries = 0; ; ) {
      let wasUsed = false;
      try {
        return await pool.use((session, isUsed) => {
          wasUsed = isUsed;
          return transact(session, group);
        });
      } catch (error) {
        const lost = isLost(error);
        until ??= performance.now() + patience;
        if (lost && (wasUsed || performance.now() < until)) await sleep(wasUsed ? 0 : pause);
        else if (isTransient(error) && retries++ < mostRetries) await sleep(Math.random() * 20);
        else throw asCatalogError(server, error);
      }
    }
  }

  async function runAll(): Promise<void> {
    // After a failure each change that shared the transaction runs alone: only the one at fault fails.
    for (let alone = 0; waiting.length > 0; ) {
      const group = alone > 0 ? waiting.slice(0, 1) : waiting.slice();
      try {
        const tell = await transactAgain(group);
        waiting.splice(0, tell.length);
        alone = Math.max(0, alone - 1);
        for (const reported of tell) reported();
      } catch (error) {
        if (alone === 0 && group.length > 1 && stateOf(error) !== undefined) alone = group.length;
        else {
          alone = Math.max(0, alone - 1);
          for (const { reject } of waiting.splice(0, group.length)) reject(error);
        }
      }
    }
    running = undefined;
  }

  function enqueue<T>(
    work: (
      transaction: Transaction,
      resolve: (value: T) => void,
      reject: (error: unknown) => void,
    ) => Promise<() => void>,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      waiting.push({ run: (transaction) => work(transaction, resolve, reject), reject });
      running ??= new Promise((started) => setImmediate(started)).then(runAll);
    });
  }

  function add<T>({ plan, newDraft }: Change<T>): Promise<T> {
    return enqueue(async (transaction, resolve, reject) => {
      const draft = newDraft(transaction);
      let value: T;
      try {
        value = await drive(plan, draft, { load: transaction.run, settled: () => transaction.sendSaved(draft) });
      } catch (error) {
        if (isOfServer(error) || transaction.hasSent) throw error;
        // An error of the plan itself is for its caller only: it saved nothing.
        return () => reject(error);
      }
      transaction.clear(draft.cleared());
      transaction.gather(draft.saved());
      transaction.gather(draft.kept());
      return () => resolve(value);
    });
  }

  return {
    add,
    save: (saved) =>
      enqueue(async (transaction, resolve) => {
        transaction.gather(saved);
        return () => resolve(undefined);
      }),
    async close() {
      await running;
      if (tokens.areUsed()) await pool.use((session) => session.run([tokens.cleanUp()])).catch(() => undefined);
    },
  };
}

function isOfServer(error: unknown): boolean {
  return error instanceof ConnectionLost || stateOf(error) !== undefined;
}

/** Whether the server could not be reached, before or within a transaction. */
function isLost(error: unknown): boolean {
  if (error instanceof CommitUnknown) return false;
  return error instanceof ConnectionLost || (error instanceof CatalogError && error.code === 'catalog_unavailable');
}
