// One connection to PostgreSQL, and groups of statements that are sent over it at once: a transaction takes a round trip for its
// look-ups and one for its writes. Each statement is parsed once per connection. Between two groups nothing is assumed of the
// connection but what its statements set.
import type { Client, Connection, Submittable } from 'pg';
import type { Value } from '../../core/rows/table.js';
import { asLost, ConnectionLost } from './server-error.js';

/** A statement of a group. */
export interface Statement {
  readonly sql: string;
  readonly values?: readonly (string | null)[];
  readonly onRow?: (cells: Value[]) => void;
  /** Called once it is done, with the number of rows that it gave, wrote or changed. */
  readonly onDone?: (rows: number) => void;
  /** The rows of a `COPY … FROM STDIN`, in text form, as messages of the protocol (copy-text.ts). */
  readonly copy?: readonly Buffer[];
}

export interface Session {
  /**
   * Sends statements at once; one that fails ends the group, and those after it are not run.
   * @throws ConnectionLost where the connection breaks; the server's own error if a statement fails
   */
  run(statements: readonly Statement[]): Promise<void>;
  /** Whether it can still be used. */
  isOpen(): boolean;
  close(): Promise<void>;
}

/** A statement that was parsed on the connection. */
interface Prepared {
  readonly name: string;
  /** Whether each column is an integer; undefined until the server said so. */
  integers?: readonly boolean[];
}

/** Most statements kept parsed on a connection; the kinds of updates are bounded, too (save-rows.ts). */
const mostPrepared = 500;

const integerTypes = new Set([20, 21, 23]);

declare module 'pg' {
  // The types of the package leave these out.
  interface Connection {
    endCopyFrom(): void;
  }
}

/** The messages that `pg` hands to whoever submits. Its types leave them out. */
interface GroupMessages extends Submittable {
  handleRowDescription(message: { readonly fields: readonly { readonly dataTypeID: number }[] }): void;
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void;
  handleCommandComplete(message: { readonly text: string }): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
  handleEmptyQuery(): void;
  handleCopyInResponse(): void;
}

interface Settling {
  resolve(): void;
  reject(error: unknown): void;
}

/** What a connection keeps from group to group. */
interface SessionState {
  prepared: Map<string, Prepared>;
  /** Statements that the server may have parsed although their group failed. */
  forgotten: number;
  /** Whether the server gave a warning since the last statement ended. */
  isWarned: boolean;
}

/** The code of warnings without a meaning of their own. */
const warning = '01000';

/** Statements that were ever named: the server may know one that failed. */
let named = 0;

/** Writes a group and handles the answers. */
function messageGroup(
  statements: readonly Statement[],
  state: SessionState,
  { resolve, reject }: Settling,
): GroupMessages {
  const { prepared } = state;
  const fresh = statements.filter(
    ({ sql }, i) => !prepared.has(sql) && statements.findIndex((s) => s.sql === sql) === i,
  );
  let done = 0;
  let fault: unknown;

  /** Passes on an answer. An error thrown here would end up in the socket, and is kept until the group is done. */
  function guarded(take: () => void): void {
    try {
      take();
    } catch (error) {
      fault ??= error;
    }
  }

  function send(connection: Connection, { sql, values = [], copy }: Statement): void {
    let known = prepared.get(sql);
    if (known === undefined) {
      known = { name: `catalog_import_${++named}` };
      prepared.set(sql, known);
      connection.parse({ name: known.name, text: sql, types: [] }, true);
      connection.describe({ type: 'S', name: known.name }, true);
    }
    connection.bind({ statement: known.name, values: values as string[] }, true);
    connection.execute({}, true);
    if (copy === undefined) return;
    for (const message of copy) connection.stream.write(message);
    connection.endCopyFrom();
  }

  const current = (): Statement | undefined => statements[done];
  return {
    submit(connection) {
      const { stream } = connection;
      stream.cork();
      for (const statement of statements) send(connection, statement);
      connection.sync();
      stream.uncork();
    },
    handleRowDescription({ fields }) {
      const known = prepared.get(current()?.sql ?? '');
      if (known !== undefined) known.integers = fields.map(({ dataTypeID }) => integerTypes.has(dataTypeID));
    },
    handleDataRow({ fields }) {
      const { sql = '', onRow } = current() ?? {};
      if (onRow === undefined) return;
      const integers = prepared.get(sql)?.integers ?? [];
      guarded(() => onRow(fields.map((cell, i) => (cell !== null && integers[i] === true ? Number(cell) : cell))));
    },
    handleCommandComplete({ text }) {
      const { sql, onDone } = current() ?? {};
      done++;
      if (sql === 'COMMIT' && state.isWarned) {
        // The wait for a synchronous standby was cancelled, by statement_timeout or an administrator: it is not known there.
        fault ??= new ConnectionLost('no standby confirmed the transaction');
        return;
      }
      state.isWarned = false;
      if (onDone !== undefined) guarded(() => onDone(Number(/\d+$/.exec(text)?.[0] ?? 0)));
    },
    handleReadyForQuery() {
      if (fault === undefined) resolve();
      else reject(fault);
    },
    handleError(error) {
      // It is not known which of the new statements the server parsed before.
      for (const { sql } of fresh) prepared.delete(sql);
      state.forgotten += fresh.length;
      reject(asLost(error));
    },
    handleEmptyQuery: () => undefined,
    handleCopyInResponse: () => undefined,
  };
}

/** A session on a connected client, which it closes. */
export function sessionOf(client: Client): Session {
  const state: SessionState = { prepared: new Map(), forgotten: 0, isWarned: false };
  let open = true;
  const lost = (): void => {
    open = false;
  };
  // Without a listener an idle connection that breaks would end the process.
  client.on('error', lost);
  client.on('end', lost);
  client.on('notice', ({ code }) => {
    if (code === warning) state.isWarned = true;
  });

  let underWay: Promise<void> | undefined;

  /** The library would queue a group that is submitted during another one, but deprecates that. */
  async function submit(statements: readonly Statement[]): Promise<void> {
    while (underWay !== undefined) await underWay;
    const done = new Promise<void>((resolve, reject) => {
      client.query(messageGroup(statements, state, { resolve, reject }));
    });
    const clear = (): void => {
      underWay = undefined;
    };
    underWay = done.then(clear, clear);
    return done;
  }

  return {
    isOpen: () => open,
    async run(statements) {
      if (!open) throw new ConnectionLost('the connection was closed');
      try {
        if (state.prepared.size + state.forgotten > mostPrepared) {
          await submit([{ sql: 'DEALLOCATE ALL' }]);
          state.prepared = new Map();
          state.forgotten = 0;
        }
        await submit(statements);
      } catch (error) {
        if (error instanceof ConnectionLost) {
          open = false;
          client.end().catch(() => undefined);
        }
        throw error;
      }
    },
    async close() {
      open = false;
      await underWay;
      await client.end();
    },
  };
}

/** The first column of the last row of a query; undefined if it has no row. */
export async function queryValue(
  session: Session,
  sql: string,
  values: readonly string[] = [],
): Promise<Value | undefined> {
  let found: Value | undefined;
  await session.run([
    {
      sql,
      values,
      onRow([value = null]) {
        found = value;
      },
    },
  ]);
  return found;
}
