// Changes of a catalog in PostgreSQL, one behind the other: those that wait at the same time share a transaction. A transaction
// is lock, look-ups, decisions, rows, commit; each plan's rows go out with the look-ups of the next, or with the commit.
import { setTimeout as sleep } from 'node:timers/promises';
import { CatalogError } from '../../core/errors.js';
import { epochTable, movesEpoch } from '../../core/rows/reference-epoch.js';
import type { Draft, SavedRows } from '../../core/rows/snapshot.js';
import type { Table } from '../../core/rows/table.js';
import { failpoint } from '../failpoint.js';
import { numberIn } from '../identifiers.js';
import type { Plan } from '../store.js';
import { type CommitTokens, commitTokens } from './commit-outcome.js';
import { hasSettings } from './connect.js';
import { rowSaver } from './save-rows.js';
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
import { type IntegerColumns, qualified } from './sql-parts.js';

export interface ChangeQueueOptions {
  readonly pool: SessionPool;
  readonly server: ServerName;
  readonly version: number;
  readonly integers: IntegerColumns;
  readonly patience: number;
  readonly drive: <T>(plan: Plan<T>, draft: Draft, load: Transaction['load']) => Promise<T>;
}

/** What new products are numbered from: identifiers tell their numbers, as those of SQLite do. */
interface LastProduct {
  /** The number of the last product there is, once the lock is held. */
  readonly lastProduct: number;
}

/** A plan with what it is decided on. It may be run again, on a new draft. */
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
  /** Runs it within the transaction and gives what to tell its caller once that is committed. */
  run(transaction: Transaction): Promise<() => void>;
  reject(error: unknown): void;
}

/** A transaction under way: statements are gathered until something has to be known. */
interface Transaction extends LastProduct {
  readonly gathered: Statement[];
  lastProduct: number;
  /** Sends what was gathered, and these. */
  load(statements: readonly Statement[]): Promise<void>;
}

/** How long deciding several changes may take, in milliseconds, before those left wait for the next transaction. */
const longest = 10;

const begin = 'BEGIN';

/** How often a transaction is run again that met another one. */
const mostRetries = 5;

/** Milliseconds between two tries to get a connection back. */
const pause = 250;

/**
 * The queue of a store. Longer than a screen: its parts are steps of one loop over transactions, which share the changes that
 * wait and the connection.
 */
export function changeQueue({ pool, server, version, integers, patience, drive }: ChangeQueueOptions): ChangeQueue {
  const rowsOf = rowSaver(server.schema, integers);
  const tokens: CommitTokens = commitTokens(server.schema);
  const catalog = `${quoted(server.schema)}.catalog`;
  const epoch = qualified(server.schema, epochTable);
  const moveEpoch = (): Statement => ({
    sql: `UPDATE ${epoch} SET count = count + 1, moved_at = $1`,
    values: [String(Math.floor(Date.now() / 1000))],
  });
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  let hasMarked = false;

  const lockFor = (transaction: Transaction): readonly Statement[] => [
    { sql: begin },
    {
      sql: `SELECT version, last_product, ${hasSettings} FROM ${catalog} FOR UPDATE`,
      onRow([found, last, isSet]) {
        if (found !== version) throw changedMeanwhile(server);
        if (isSet !== 't') throw settingsLost(server);
        transaction.lastProduct = Number(last);
      },
    },
  ];

  /** Commits what some of these changes decide: as many as fit the time. */
  async function commitSome(session: Session, changes: readonly Waiting[]): Promise<(() => void)[]> {
    const transaction: Transaction = {
      gathered: [],
      lastProduct: 0,
      load: (statements) => session.run([...transaction.gathered.splice(0), ...statements]),
    };
    transaction.gathered.push(...lockFor(transaction));
    const tell: (() => void)[] = [];
    const started = performance.now();
    for (const { run } of changes) {
      tell.push(await run(transaction));
      if (performance.now() - started > longest) break;
    }
    await commit(session, transaction.gathered);
    return tell;
  }

  /** Commits, or finds out whether that was done where the connection is lost meanwhile. */
  async function commit(session: Session, gathered: readonly Statement[]): Promise<void> {
    // Each plan has the lock before it decides: a lock that is still to come has nothing behind it.
    const hasRows = gathered.length > 0 && gathered[0]?.sql !== begin;
    const { token, statement } = tokens.mark();
    hasMarked ||= hasRows;
    failpoint('before-commit');
    let isCommitted = false;
    const end: Statement = {
      sql: 'COMMIT',
      onDone() {
        isCommitted = true;
      },
    };
    try {
      await session.run([...gathered, ...(hasRows ? [statement] : []), end]);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      if (!isCommitted && hasRows && !(await wasCommitted(token, error))) throw error;
    }
    failpoint('after-commit');
  }

  /** Asks over new connections, until one answers or patience ends. */
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

  /** A transaction on a connection; what fails is taken back. */
  async function transact(session: Session, group: readonly Waiting[]): Promise<(() => void)[]> {
    try {
      return await commitSome(session, group);
    } catch (error) {
      if (session.isOpen()) await session.run([{ sql: 'ROLLBACK' }]).catch(() => undefined);
      throw error;
    }
  }

  /** Runs a transaction, again where it met another one or where its connection was lost before the commit. */
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
    // After a failure each of those that shared it is tried alone: only the one at fault is to suffer.
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

  /** The version of the tables is looked at before anything is written. */
  async function locked({ gathered, load }: Transaction): Promise<void> {
    if (gathered[0]?.sql === begin) await load([]);
  }

  /** Has rows written, and the number of the last product with them. */
  function gather(transaction: Transaction, saved: ReadonlyMap<Table, SavedRows>): void {
    transaction.gathered.push(...rowsOf(saved));
    if (movesEpoch(saved)) transaction.gathered.push(moveEpoch());
    let last = transaction.lastProduct;
    for (const [{ name }, { created }] of saved)
      if (name === 'product') for (const { id } of created) last = Math.max(last, numberIn(String(id)) || 0);
    if (last === transaction.lastProduct) return;
    transaction.lastProduct = last;
    transaction.gathered.push({ sql: `UPDATE ${catalog} SET last_product = $1`, values: [String(last)] });
  }

  function add<T>({ plan, newDraft }: Change<T>): Promise<T> {
    return enqueue(async (transaction, resolve, reject) => {
      const draft = newDraft(transaction);
      let value: T;
      try {
        value = await drive(plan, draft, transaction.load);
      } catch (error) {
        if (isOfServer(error)) throw error;
        // What the plan itself throws is its caller's alone: nothing of it was saved.
        return () => reject(error);
      }
      await locked(transaction);
      gather(transaction, draft.saved());
      transaction.gathered.push(...rowsOf(draft.kept()));
      return () => resolve(value);
    });
  }

  return {
    add,
    save: (saved) =>
      enqueue(async (transaction, resolve) => {
        await locked(transaction);
        gather(transaction, saved);
        return () => resolve(undefined);
      }),
    async close() {
      await running;
      if (hasMarked) await pool.use((session) => session.run([tokens.cleanUp()])).catch(() => undefined);
    },
  };
}

function isOfServer(error: unknown): boolean {
  return error instanceof ConnectionLost || stateOf(error) !== undefined;
}

/** Whether the server was not there, before or within a transaction. */
function isLost(error: unknown): boolean {
  if (error instanceof CommitUnknown) return false;
  return error instanceof ConnectionLost || (error instanceof CatalogError && error.code === 'catalog_unavailable');
}
