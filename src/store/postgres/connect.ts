// Connects to a server: the client library, hosts in their order, TLS according to sslmode, the password file.
import { stat } from 'node:fs/promises';
import type { ConnectionOptions } from 'node:tls';
import type { Client, ClientConfig } from 'pg';
import { CatalogError } from '../../core/errors.js';
import type { Value } from '../../core/rows/table.js';
import { readText } from '../../files/read-text.js';
import { type Host, type PostgresAddress, passwordIn, type SslMode } from './address.js';
import { asCatalogError, asLost, asRefused, ConnectionLost, stateOf } from './server-error.js';
import { queryValue, type Session, sessionOf } from './session.js';

/**
 * Milliseconds for which a transaction may hold the catalog's lock while its client does nothing, for example
 * suspended.
 */
const longestIdle = 60_000;

/**
 * Detects whether the connection still has its settings: a pooler in transaction mode gives each transaction another
 * one.
 */
export const hasSettings = "current_setting('idle_in_transaction_session_timeout') = '1min'";

/**
 * Gives what is loaded a `navigator`, which Node.js 20 lacks: without one `pg` makes a `Response` to see whether it runs on
 * Cloudflare, for which Node.js loads its HTTP client, a tenth of the time of a short command.
 */
async function withNavigator<T>(load: () => Promise<T>): Promise<T> {
  if ('navigator' in globalThis) return load();
  Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'Node.js' }, configurable: true });
  try {
    return await load();
  } finally {
    Reflect.deleteProperty(globalThis, 'navigator');
  }
}

/**
 * Loads `pg`, which is an optional package.
 * @throws CatalogError `usage` if it is not installed
 */
async function loadClient(): Promise<new (config: ClientConfig) => Client> {
  try {
    return (await withNavigator(() => import('pg'))).default.Client;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CatalogError(
      'usage',
      'A postgres:// address needs the package pg, which is not installed. Install it with: npm install pg@8',
    );
  }
}

async function readPem(file: string | undefined, what: string): Promise<string | undefined> {
  if (file === undefined || file === 'system') return undefined;
  try {
    return readText(file);
  } catch (error) {
    throw new CatalogError('usage', `${what} ${file} cannot be read: ${(error as Error).message}`);
  }
}

/** What Node checks of the server's certificate, as libpq does; false for a connection without TLS. */
async function tlsOf(
  mode: SslMode,
  { rootCert, clientCert, clientKey }: PostgresAddress,
): Promise<ConnectionOptions | false> {
  if (mode === 'disable') return false;
  const ca = await readPem(rootCert, 'The file of trusted certificates (sslrootcert, --ca-file)');
  const cert = await readPem(clientCert, 'The certificate (sslcert)');
  const key = await readPem(clientKey, 'The key (sslkey)');
  // `require` with trusted roots checks the certificate like `verify-ca`, as in libpq.
  const checks = mode.startsWith('verify') || (mode === 'require' && ca !== undefined);
  return {
    rejectUnauthorized: checks,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(checks && mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
}

async function passwordFor(address: PostgresAddress, host: Host): Promise<string> {
  if (address.password !== undefined) return address.password;
  if (address.passwordFile === undefined) return '';
  try {
    const { mode } = await stat(address.passwordFile);
    if ((mode & 0o077) !== 0 && process.platform !== 'win32') return '';
    return passwordIn(readText(address.passwordFile, { fatal: false }), address, host) ?? '';
  } catch {
    return '';
  }
}

/**
 * The failure of a connection attempt, with messages about the password or TLS where Node or the library reports those.
 */
function asRefusal(error: unknown, { name }: PostgresAddress): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (/^SASL:.*password/.test(String(message)))
    return new CatalogError(
      'catalog_unusable',
      `${name} asks for a password; set PGPASSWORD, or add a line to ~/.pgpass (mode 0600)`,
    );
  if (/does not support SSL/.test(String(message)))
    return new CatalogError('catalog_unusable', `${name} does not speak TLS; set it up there, or say sslmode=disable`);
  if (!/CERT|TLS|SSL|SIGNATURE/.test(String(code))) return error;
  return new CatalogError(
    'catalog_unusable',
    `${name} has a certificate that is not trusted (${message}); name its authority with --ca-file or sslrootcert`,
    { cause: error },
  );
}

async function connectOnce(address: PostgresAddress, host: Host, mode: SslMode): Promise<Client> {
  const ClientClass = await loadClient();
  const client = new ClientClass({
    ...host,
    database: address.database,
    user: address.user,
    password: () => passwordFor(address, host),
    ssl: await tlsOf(mode, address),
    // The library would take them from PGOPTIONS, with the schema.
    options: address.options,
    application_name: address.applicationName,
    connectionTimeoutMillis: address.connectTimeout,
    keepAlive: true,
  });
  // The failure of a connection that was never made is the rejection below.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
}

/** Connects with TLS if the mode allows both, and without if the server does not support it. */
async function connectTo(address: PostgresAddress, host: Host): Promise<Client> {
  const { sslMode } = address;
  if (host.host.startsWith('/')) return connectOnce(address, host, 'disable');
  if (sslMode !== 'prefer' && sslMode !== 'allow') return connectOnce(address, host, sslMode);
  try {
    return await connectOnce(address, host, sslMode === 'allow' ? 'disable' : 'prefer');
  } catch (error) {
    const wantsOther = sslMode === 'allow' ? stateOf(error) === '28000' : /SSL/.test((error as Error).message);
    if (!wantsOther) throw error;
    return connectOnce(address, host, sslMode === 'allow' ? 'prefer' : 'disable');
  }
}

/** Whether the server accepts writes. */
async function isPrimary(session: Session): Promise<boolean> {
  return (await queryValue(session, 'SHOW transaction_read_only')) !== 'on';
}

/**
 * Functions, operators and types are PostgreSQL's own, whatever other schemas the role looks into first; tables are always named
 * with their schema.
 */
const ownNames = 'SET search_path = pg_catalog';

/**
 * Settings of each connection. An acknowledged commit is on disk, and a transaction that waited for the lock reads what was
 * committed meanwhile, whatever the server's own settings are.
 */
function settings(lockTimeout: number): string {
  return (
    `SELECT set_config('lock_timeout', '${lockTimeout}ms', false), ` +
    `set_config('idle_in_transaction_session_timeout', '${longestIdle}ms', false), ` +
    "set_config('default_transaction_isolation', 'read committed', false), " +
    "set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false), " +
    "current_setting('server_encoding')"
  );
}

/** The encodings of databases that hold every text; SQL_ASCII keeps bytes as they are. */
const encodings: ReadonlySet<string> = new Set(['UTF8', 'SQL_ASCII']);

function otherEncoding({ name, database }: PostgresAddress, encoding: string): CatalogError {
  return new CatalogError(
    'catalog_unusable',
    `${name} has the encoding ${encoding}, which does not hold every text; use a database in UTF8: createdb --template template0 --encoding UTF8 ${database}_utf8`,
  );
}

/**
 * Rows are found by their keys, whatever the planner's statistics say: a plan made while a table was small would scan
 * all of it with every later batch. Plans that are held off by a cost of billions would be compiled for the processor, which
 * takes 70 ms a batch where the server can (`jit`).
 */
const planSettings =
  "SELECT set_config('enable_seqscan', 'off', false), set_config('enable_hashjoin', 'off', false), set_config('enable_mergejoin', 'off', false), set_config('plan_cache_mode', 'force_generic_plan', false), set_config('jit', 'off', false)";

/**
 * Connects to the first host that answers, and that accepts writes if required.
 * @param lockTimeout milliseconds to wait for another writer
 * @throws CatalogError `catalog_unavailable` if none answers, `catalog_unusable` if the server refuses
 */
export async function connect(address: PostgresAddress, schema: string, lockTimeout: number): Promise<Session> {
  let failure: unknown = new ConnectionLost('no host is named');
  for (const host of address.hosts) {
    let session: Session | undefined;
    try {
      session = sessionOf(await connectTo(address, host));
      if (!address.wantsPrimary || (await isPrimary(session))) {
        let encoding = '';
        const onRow = (cells: readonly Value[]): void => {
          encoding = String(cells.at(-1));
        };
        await session.run([{ sql: ownNames }, { sql: settings(lockTimeout), onRow }, { sql: planSettings }]);
        if (!encodings.has(encoding)) throw otherEncoding(address, encoding);
        return session;
      }
      failure = new ConnectionLost('no host takes writes');
    } catch (error) {
      failure = error;
    }
    // An open connection would keep the process from ending.
    await session?.close().catch(() => undefined);
  }
  const server = { name: address.name, schema };
  throw asRefused(server, asCatalogError(server, asLost(asRefusal(failure, address))));
}
