// Maps failures of PostgreSQL and of connections to errors for users: a code, a sentence and a remedy.
import { CatalogError, type ErrorCode } from '../../core/errors.js';

/** A failure from the client library: from the server with an SQLSTATE, or of the connection. */
interface ServerFault extends Error {
  readonly code?: string;
  readonly severity?: string;
}

/** The connection was lost, or could not be made. Whether the server executed the statements is unknown. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** The connection was lost during COMMIT, and no other one could be made to find out the outcome. */
export class CommitUnknown extends ConnectionLost {}

/** The server wrote fewer rows than it was sent: something in the database changed or left out some. */
export class RowsLeftOut extends Error {
  override readonly name = 'RowsLeftOut';
}

/** The server as messages name it: its hosts and the database, never a user or a password. */
export interface ServerName {
  readonly name: string;
  readonly schema: string;
}

/** Failures after which the same transaction may succeed: others wrote at the same time. */
const transient = new Set(['40001', '40P01', '23505']);

/** The SQLSTATE of a failure of the server; undefined of anything else. */
export function stateOf(error: unknown): string | undefined {
  const { code } = error as ServerFault;
  return error instanceof Error && typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code)
    ? code
    : undefined;
}

/** Whether running the transaction again may succeed. */
export function isTransient(error: unknown): boolean {
  return transient.has(stateOf(error) ?? '');
}

/**
 * Whether an SQLSTATE says that the server is closing the connection or accepts none at the moment. 25P03 and 25P04: a
 * transaction was idle or open for too long, as where this process was suspended.
 */
function isShutdown(state: string): boolean {
  return state.startsWith('08') || state.startsWith('57P') || state === '25P03' || state === '25P04';
}

/**
 * Converts a failure of the connection: a lost socket, a server that shuts down or starts up.
 * @returns the failure to throw instead; an error of the server itself is returned as it is
 */
export function asLost(error: unknown): unknown {
  const state = stateOf(error);
  if (state !== undefined) return isShutdown(state) ? new ConnectionLost((error as Error).message) : error;
  const { code, message } = error as NodeJS.ErrnoException;
  const isSocket = typeof code === 'string' && /^E[A-Z_]+$/.test(code);
  const isClient =
    error instanceof Error && /^(Connection terminated|timeout expired|Client has encountered)/.test(message);
  return isSocket || isClient ? new ConnectionLost(message) : error;
}

/**
 * A pooler in transaction mode gives each transaction another connection, without this one's settings and statements.
 */
const transactionMode =
  'is behind a pooler in transaction mode, which keeps no session; use pool_mode = session there, or the port of the server itself';

type Meaning = readonly [pattern: RegExp, code: ErrorCode, words: (server: ServerName, error: Error) => string];

/** Meanings of SQLSTATEs: the first match applies. */
const meanings: readonly Meaning[] = [
  [
    /^28/,
    'catalog_unusable',
    () => 'refused the user or the password; set PGUSER and PGPASSWORD, or add a line to ~/.pgpass',
  ],
  [/^3D000$/, 'catalog_unusable', () => 'has no such database; make it with createdb, or name another'],
  [
    /^42501$/,
    'catalog_unusable',
    ({ schema }) =>
      `does not let this user do that in schema ${schema}. A user who may create tables runs: catalog-import db migrate; then grants USAGE on the schema and SELECT, INSERT, UPDATE, DELETE on its tables`,
  ],
  [/^25006$/, 'catalog_unusable', () => 'is read-only: it is a standby, or set so; name the primary server'],
  [/^(53100|53400)$/, 'catalog_full', () => 'cannot grow: its disk is full; make room and run the same command again'],
  [/^53300$/, 'catalog_unavailable', () => 'has no connection left; raise max_connections, or try again later'],
  [/^53/, 'catalog_unavailable', () => 'ran out of a resource; try again later'],
  [/^55P03$/, 'catalog_locked', () => 'is locked by another process. Try again later'],
  [
    /^57014$/,
    'catalog_locked',
    () =>
      'cancelled the statement (statement_timeout, or an administrator); try again, or lift the limit with options=-cstatement_timeout%3D0 in the address',
  ],
  [
    /^(42P01|42703|3F000)$/,
    'catalog_unusable',
    ({ schema }) => `lacks a table or a column that schema ${schema} should have; restore it from a backup`,
  ],
  [
    /^(23|22001|428C9|P0)/,
    'catalog_unusable',
    ({ schema }, { message }) =>
      `does not take what is to be stored: ${message}. Take what others added to the tables of schema ${schema} out, and run this again`,
  ],
  [/^(42P05|26000)$/, 'catalog_unusable', () => transactionMode],
  [/^(XX00[12]|58)/, 'catalog_unusable', () => 'could not read or write its files; look at its log'],
];

/** A failure as an error that names the server and a remedy; a bug is returned as it is. */
export function asCatalogError(server: ServerName, error: unknown): unknown {
  if (error instanceof ConnectionLost) return unreachable(server, error);
  const state = stateOf(error);
  if (state === undefined) return error;
  const meaning = meanings.find(([pattern]) => pattern.test(state));
  if (meaning === undefined) return error;
  return new CatalogError(meaning[1], `${server.name} ${meaning[2](server, error as Error)} (${state})`, {
    cause: error,
  });
}

/** The failure of a call whose connection was lost. */
function unreachable({ name }: ServerName, { message }: Error): CatalogError {
  return new CatalogError(
    'catalog_unavailable',
    `${name} cannot be reached (${message}). What was reported before is stored. Once it is back, run the same command again.`,
  );
}

/** The failure of a connection that the server refused, or its settings; a failure that has a meaning is returned as it is. */
export function asRefused({ name }: ServerName, error: unknown): unknown {
  const state = stateOf(error);
  if (state === undefined) return error;
  return new CatalogError(
    'catalog_unusable',
    `${name} refused the connection: ${(error as Error).message} (${state}); look at the address, above all its options`,
    { cause: error },
  );
}

/** The failure of a transaction on a connection without its settings: its commits might not be on disk. */
export function settingsLost({ name }: ServerName): CatalogError {
  return new CatalogError('catalog_unusable', `${name} ${transactionMode}`);
}

/** The failure of a call after another program migrated the tables. */
export function changedMeanwhile({ name, schema }: ServerName): CatalogError {
  return new CatalogError(
    'catalog_unusable',
    `${name}: schema ${schema} was brought up to date by a newer version while this one had it open; start this again with that version`,
  );
}
