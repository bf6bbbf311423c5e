// Reads of one row, as nearly all reads of records are: by one statement without a transaction around it, since one statement
// is consistent by itself, and without a draft of its own. Both took more time than the row itself (17 µs a read, now 9).
import { newDraft } from '../../core/rows/draft.js';
import { provisionalIds } from '../../core/rows/provisional-id.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { Row, Table } from '../../core/rows/table.js';
import type { Plan } from '../store.js';
import { checkVersion, type SqliteConnection } from './connection.js';

/** The one look-up of a plan, and what it found. */
interface SingleRead {
  table: Table | undefined;
  lookup: string;
  key: string;
  row: Row | undefined;
  /** Whether the plan asked for anything else. */
  asksForMore: boolean;
  /** Whether the row is a large one, which was not read. */
  isLarge: boolean;
}

/** Runs a plan that reads one row; tells where it takes more than that, or the row is a large one. */
export type ReadSingle = <T>(plan: Plan<T>) => { readonly value: T } | 'more' | 'large';

/** A plan may ask, yield, and ask for the same row again. */
const mostSteps = 2;

/** Makes the reads of single rows of a connection. One draft serves all of them: they run to their end, one by one. */
export function newReadSingle(connection: SqliteConnection): ReadSingle {
  const read: SingleRead = {
    table: undefined,
    lookup: '',
    key: '',
    row: undefined,
    asksForMore: false,
    isLarge: false,
  };
  const draft = draftOf(connection, read);
  return (plan) => {
    read.table = undefined;
    read.row = undefined;
    read.asksForMore = false;
    read.isLarge = false;
    const steps = plan(draft);
    for (let step = 0; step < mostSteps; step++) {
      const result = steps.next();
      if (read.asksForMore) return read.isLarge ? 'large' : 'more';
      if (result.done) return result;
    }
    return 'more';
  };
}

/** A draft that looks a row up at once. */
function draftOf(connection: SqliteConnection, read: SingleRead): Draft {
  function find(table: Table, lookup: string, key: string, second?: string): Row | undefined {
    if (read.table === undefined && second === undefined) {
      const get = connection.statements.single(table, lookup);
      if (get === undefined) return askForMore(undefined);
      if (!connection.isVersionChecked) checkVersion(connection);
      const row = get(key);
      if (row === 'large') {
        read.isLarge = true;
        return askForMore(undefined);
      }
      Object.assign(read, { table, lookup, key, row });
    }
    if (read.table === table && read.lookup === lookup && read.key === key && second === undefined) return read.row;
    return askForMore(undefined);
  }

  function askForMore<T>(nothing: T): T {
    read.asksForMore = true;
    return nothing;
  }

  return {
    ...newDraft({ newId: provisionalIds() }),
    find: find as Draft['find'],
    ancestry: () => askForMore([]),
    children: () => askForMore([]),
    some: () => askForMore(false),
    hasPending: () => read.asksForMore,
    save: () => askForMore(undefined),
    keep: () => askForMore(undefined),
  };
}
