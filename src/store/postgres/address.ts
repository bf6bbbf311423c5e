// Parses the address of a catalog in PostgreSQL as libpq does: postgres://user@host:port,host/database?sslmode=…;
// missing parts come from the PG… variables or a service file. Messages name hosts and database only.
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { CatalogError } from '../../core/errors.js';
import { inHomeFolder } from '../../files/home-folder.js';
import { readText } from '../../files/read-text.js';
import { checkSchema } from '../catalog-path.js';

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof sslModes)[number];

export interface Host {
  /** A name, an IP address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
}

export interface PostgresAddress {
  /** Tried in this order. */
  readonly hosts: readonly Host[];
  readonly database: string;
  readonly user: string;
  /** Undefined if it is to be looked up in the password file. */
  readonly password: string | undefined;
  readonly passwordFile: string | undefined;
  readonly sslMode: SslMode;
  /** Files of certificates (PEM): trusted roots, and the client's own with its key. */
  readonly rootCert: string | undefined;
  readonly clientCert: string | undefined;
  readonly clientKey: string | undefined;
  readonly schema: string;
  /** Settings for the server (`-c statement_timeout=…`), without the schema. */
  readonly options: string;
  readonly applicationName: string;
  /** Milliseconds to wait for each host. */
  readonly connectTimeout: number;
  /** Whether servers that accept no writes are skipped. */
  readonly wantsPrimary: boolean;
  /** For messages: `PostgreSQL at db.example:5432, database "shop"`. */
  readonly name: string;
}

/** Supported parameters of an address, and those that have no effect here. */
const understood = new Set([
  ...['host', 'port', 'user', 'password', 'dbname', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'options', 'schema'],
  ...['application_name', 'connect_timeout', 'target_session_attrs', 'passfile', 'service'],
  ...['channel_binding', 'gssencmode', 'keepalives', 'keepalives_idle', 'keepalives_interval', 'keepalives_count'],
]);

/** The environment variable of each parameter. */
const variables: Readonly<Record<string, string>> = {
  host: 'PGHOST',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  dbname: 'PGDATABASE',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  options: 'PGOPTIONS',
  application_name: 'PGAPPNAME',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  target_session_attrs: 'PGTARGETSESSIONATTRS',
  passfile: 'PGPASSFILE',
  service: 'PGSERVICE',
};

function wrong(message: string): CatalogError {
  return new CatalogError('usage', message);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong(
      'The address of the database holds a % that is not followed by two hexadecimal digits; write %25 for %.',
    );
  }
}

/** The parameters of an address, by libpq's names. */
function parametersOf(address: string): Map<string, string> {
  const [, rest = ''] = /^[a-z]+:\/\/(.*)$/is.exec(address) ?? [];
  const [place = '', query = ''] = split(rest, '?');
  const [authority = '', database = ''] = split(place, '/');
  const at = authority.lastIndexOf('@');
  const [user = '', password] = split(at === -1 ? '' : authority.slice(0, at), ':');
  // What follows an unencoded / or ? of a password would be shown as the name of a database or a parameter.
  const isMisread = query.split('&').some((pair) => pair.includes('@') && !understood.has(split(pair, '=')[0]));
  if (database.includes('@') || isMisread)
    throw wrong(
      'The address of the database has an @ after its host. In a password, write %40 for @, %2F for / and %3F for ?.',
    );
  const found = new Map<string, string>();
  const set = (name: string, value: string): void => {
    if (value !== '') found.set(name, decoded(value));
  };
  set('user', user);
  set('password', password ?? '');
  set('dbname', database);
  const hosts = authority.slice(at + 1).split(',');
  set('host', hosts.map((host) => hostOf(host)[0]).join());
  const ports = hosts.map((host) => hostOf(host)[1] ?? '');
  if (ports.some((port) => port !== '')) set('port', ports.map((port) => port || '5432').join());
  for (const pair of query.split('&').filter((one) => one !== '')) {
    const [name = '', value = ''] = split(pair, '=');
    if (!understood.has(name))
      throw wrong(`The address of the database has a parameter "${name}", which is not known.`);
    set(name, value);
  }
  return found;
}

function split(text: string, mark: string): [string, string?] {
  const place = text.indexOf(mark);
  return place === -1 ? [text] : [text.slice(0, place), text.slice(place + 1)];
}

function hostOf(text: string): [host: string, port?: string] {
  const [, bracketed, port] = /^\[([^\]]*)\](?::(.*))?$/.exec(text) ?? [];
  if (bracketed !== undefined) return [bracketed, ...(port === undefined ? [] : [port])] as [string, string?];
  return split(text, ':');
}

/** The parameters in a section of a service file. */
function serviceOf(name: string, env: NodeJS.ProcessEnv): Map<string, string> {
  const file = env['PGSERVICEFILE'] ?? ownFile(env, '.pg_service.conf') ?? '.pg_service.conf';
  const found = new Map<string, string>();
  let section = '';
  for (const line of (readIfThere(file) ?? '').split(/\r?\n/)) {
    const [, header] = /^\[(.*)\]\s*$/.exec(line) ?? [];
    if (header !== undefined) section = header;
    const [, key, value = ''] = /^([a-z_]+)=(.*)$/.exec(line) ?? [];
    if (section === name && key !== undefined) found.set(key, value.trim());
    if (section === name) found.set('', '');
  }
  if (found.size === 0) throw wrong(`The service "${name}" is not in ${file}.`);
  return found;
}

const isWindows = process.platform === 'win32';

/** Where libpq looks for a file of the user; undefined where the user has no folder. */
function ownFile(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const { APPDATA } = env;
  return isWindows && APPDATA !== undefined ? join(APPDATA, 'postgresql', name) : inHomeFolder(env, name);
}

function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    throw wrong(
      'The address of the database names no user, and the user of this process has no name. Write user@host, or set PGUSER.',
    );
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readText(file, { fatal: false });
  } catch {
    return undefined;
  }
}

/**
 * Parses an address, completed from the environment and a service file.
 * @throws CatalogError `usage` if it is malformed
 */
export function readAddress(address: string, env: NodeJS.ProcessEnv): PostgresAddress {
  const given = parametersOf(address);
  const service = given.get('service') ?? env['PGSERVICE'];
  const ofService = service === undefined ? new Map<string, string>() : serviceOf(service, env);
  const get = (name: string): string | undefined =>
    given.get(name) ?? ofService.get(name) ?? (env[variables[name] ?? ''] || undefined);
  const hosts = hostsOf(get('host') ?? 'localhost', get('port') ?? '5432');
  const user = get('user') ?? ownName();
  const database = get('dbname') ?? user;
  const rootCert = get('sslrootcert');
  const schema =
    given.get('schema') ?? /search_path\s*=\s*"?([\w-]+)/.exec(get('options') ?? '')?.[1] ?? 'catalog_import';
  checkSchema(schema, 'The schema');
  return {
    hosts,
    database,
    user,
    password: get('password'),
    passwordFile: get('passfile') ?? ownFile(env, isWindows ? 'pgpass.conf' : '.pgpass'),
    sslMode: sslModeOf(get('sslmode'), hosts, rootCert),
    rootCert,
    clientCert: get('sslcert'),
    clientKey: get('sslkey'),
    schema,
    options: (get('options') ?? '').replace(/(?:-c\s*|--)search_path\s*=\s*\S*/, '').trim(),
    applicationName: get('application_name') ?? 'catalog-import',
    connectTimeout: Math.max(2, Number(get('connect_timeout') ?? 10) || 10) * 1000,
    wantsPrimary: (get('target_session_attrs') ?? (hosts.length > 1 ? 'read-write' : 'any')) !== 'any',
    name: `PostgreSQL at ${hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(',')}, database "${database}"`,
  };
}

function hostsOf(hosts: string, ports: string): Host[] {
  const all = ports.split(',');
  return hosts.split(',').map((host, i) => {
    const port = all[i] ?? (all.length === 1 ? all[0] : undefined);
    if (port === undefined || !/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
      throw wrong('The address of the database names an invalid port; a port is a number from 1 to 65535.');
    return { host: host || 'localhost', port: Number(port) };
  });
}

function isLocal(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Beyond this machine the server's certificate is verified, unless the address says otherwise. */
function sslModeOf(mode: string | undefined, hosts: readonly Host[], rootCert: string | undefined): SslMode {
  if (mode === undefined)
    return hosts.every(({ host }) => isLocal(host)) && rootCert === undefined ? 'prefer' : 'verify-full';
  const known = sslModes.find((word) => word === mode);
  if (known === undefined) throw wrong(`sslmode "${mode}" is not known; use one of ${sslModes.join(', ')}.`);
  return known;
}

/**
 * The password of a line `host:port:database:user:password` in a password file, as libpq reads it. A file that others
 * can read is ignored.
 */
export function passwordIn(
  text: string,
  { database, user }: PostgresAddress,
  { host, port }: Host,
): string | undefined {
  const wanted = [host.startsWith('/') ? 'localhost' : host, String(port), database, user];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = [...line.matchAll(/(?:^|:)((?:\\.|[^\\:])*)/g)].map(([, field = '']) =>
      field.replace(/\\(.)/g, '$1'),
    );
    if (fields.length < 5) continue;
    if (wanted.every((value, i) => fields[i] === '*' || fields[i] === value)) return fields[4];
  }
  return undefined;
}
