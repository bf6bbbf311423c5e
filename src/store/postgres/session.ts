// One connection to PostgreSQL, and groups of statements sent over it in one go: a transaction takes a round trip for what it
// looks up and one for what it writes. Each statement is parsed once per connection. Between two groups nothing is assumed
// of the connection but what the statements set.
import type { Client, Connection, Submittable } from 'pg';
import type { Value } from '../../core/rows/table.js';
import { asLost, ConnectionLost } from './server-error.js';

/** A statement of a group. */
export interface Statement {
  readonly sql: string;
  readonly values?: readonly (string | null)[];
  /** Takes each row, integers as numbers. */
  readonly onRow?: (cells: Value[]) => void;
  /** Called once it is done, with the number of rows that it gave, wrote or changed. */
  readonly onDone?: (rows: number) => void;
  /** The rows of a `COPY … FROM STDIN`, in text form. */
  readonly copy?: Buffer;
}

/** A connection. */
export interface Session {
  /**
   * Sends statements in one go; one that fails ends the group, and those behind it are not run.
   * @throws ConnectionLost where the connection breaks; the server's own error if a statement fails
   */
  run(statements: readonly Statement[]): Promise<void>;
  /** Whether it is of any use. */
  isOpen(): boolean;
  close(): Promise<void>;
}

/** What is known of a statement that was parsed on the connection. */
interface Prepared {
  readonly name: string;
  /** Whether each column is an integer; undefined until the server said so. */
  integers?: readonly boolean[];
}

/** Statements that are kept parsed on a connection at most; the kinds of updates are bounded, too (save-rows.ts). */
const mostPrepared = 500;

const integerTypes = new Set([20, 21, 23]);

declare module 'pg' {
  // The types of the package leave these out.
  interface Connection {
    sendCopyFromChunk(chunk: Buffer): void;
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

/** Statements that were ever named: one that failed may be known to the server all the same. */
let named = 0;

/** Writes a group and takes in what comes back. */
function messageGroup(
  statements: readonly Statement[],
  prepared: Map<string, Prepared>,
  { resolve, reject }: Settling,
): GroupMessages {
  const fresh = statements.filter(
    ({ sql }, i) => !prepared.has(sql) && statements.findIndex((s) => s.sql === sql) === i,
  );
  let done = 0;
  let fault: unknown;

  /** Hands on what came. A throw here would end in the socket, and is kept until the group is done. */
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
    connection.sendCopyFromChunk(copy);
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
      const { onDone } = current() ?? {};
      done++;
      if (onDone !== undefined) guarded(() => onDone(Number(/\d+$/.exec(text)?.[0] ?? 0)));
    },
    handleReadyForQuery() {
      if (fault === undefined) resolve();
      else reject(fault);
    },
    handleError(error) {
      // Which of those that were new it parsed before is not known.
      for (const { sql } of fresh) prepared.delete(sql);
      reject(asLost(error));
    },
    handleEmptyQuery: () => undefined,
    handleCopyInResponse: () => undefined,
  };
}

/** A session on a connected client, which it closes. */
export function sessionOf(client: Client): Session {
  let prepared = new Map<string, Prepared>();
  let open = true;
  const lost = (): void => {
    open = false;
  };
  // Without a listener a connection that breaks while nothing is asked would end the process.
  client.on('error', lost);
  client.on('end', lost);

  function submit(statements: readonly Statement[]): Promise<void> {
    return new Promise((resolve, reject) => {
      client.query(messageGroup(statements, prepared, { resolve, reject }));
    });
  }

  return {
    isOpen: () => open,
    async run(statements) {
      if (!open) throw new ConnectionLost('the connection was closed');
      try {
        if (prepared.size > mostPrepared) {
          await submit([{ sql: 'DEALLOCATE ALL' }]);
          prepared = new Map();
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
      await client.end();
    },
  };
}

/** What a query gives in the first column of its last row; undefined if it gives no row. */
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
