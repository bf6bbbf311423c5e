// The store port on SQLite: plans run in transactions, immediate ones where they write.
import { type Draft, newDraft } from '../core/snapshot.js';
import { failpoint } from './failpoint.js';
import { type Database, withLock } from './sqlite.js';
import { newStatements } from './statements.js';
import type { Plan, Store } from './store.js';

export interface SqliteStoreOptions {
  /** The path, for messages. */
  readonly file: string;
  /** Milliseconds to wait for another process's lock. */
  readonly lockTimeout: number;
  /** A catalog is attached as `base`, and the database is a scratch copy of what a dry run changes. */
  readonly hasBase: boolean;
}

/** A store on an open database, which it closes. */
export function sqliteStore(database: Database, options: SqliteStoreOptions): Store {
  const { file, lockTimeout } = options;
  const statements = newStatements(database, options.hasBase);
  const begin = database.prepare('BEGIN');
  // Immediate: a transaction that began deferred fails at once when another has written since, whatever the time-out.
  // Not with a base: that would be locked as well, and nobody else writes to the scratch copy.
  const beginChange = database.prepare(options.hasBase ? 'BEGIN' : 'BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');

  function drive<T>(plan: Plan<T>, draft: Draft): T {
    const steps = plan(draft);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      const needs = draft.takeNeeds();
      if (needs !== undefined) statements.load(needs, draft);
    }
  }

  /**
   * Most reads are of one row by one statement, which is consistent by itself: the transaction around it would cost
   * half as much again. `undefined` where the plan takes more than that.
   */
  function driveByOne<T>(plan: Plan<T>): { readonly value: T } | undefined {
    const draft = newDraft();
    const steps = plan(draft);
    for (let loaded = false; ; loaded = true) {
      const step = steps.next();
      if (step.done) return step;
      const needs = draft.takeNeeds();
      if (needs === undefined || loaded || !statements.loadOne(needs, draft)) return undefined;
    }
  }

  /** A full disk or an I/O error may have ended the transaction already. */
  function abandon(): void {
    if (database.inTransaction) rollback.run();
  }

  return {
    look: (plan) =>
      withLock(file, lockTimeout, () => {
        const read = driveByOne(plan);
        if (read !== undefined) return read.value;
        begin.run();
        try {
          return drive(plan, newDraft());
        } finally {
          abandon();
        }
      }),
    // Begin to commit without a pause: within one process, the next transaction must find none open.
    change: (plan) =>
      withLock(file, lockTimeout, () => {
        beginChange.run();
        try {
          const draft = newDraft();
          const result = drive(plan, draft);
          statements.save(draft);
          failpoint('before-commit');
          commit.run();
          failpoint('after-commit');
          return result;
        } finally {
          abandon();
        }
      }),
    async close() {
      database.close();
    },
  };
}
