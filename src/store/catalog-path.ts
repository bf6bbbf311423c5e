// Resolves the name of a catalog to the path of its file, or to an address of PostgreSQL; the only place that does. The
// database library trims names and treats some specially ('' and ':memory:' are databases that vanish when closed), so
// that it only ever gets absolute paths from here.
import { isAbsolute, resolve, sep } from 'node:path';
import { CatalogError } from '../core/errors.js';

/** Whether a catalog is named by an address of PostgreSQL instead of a file. */
export function isPostgresAddress(name: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(name);
}

/**
 * Refuses an address with a password: every user of the machine can see arguments, and shells store them.
 * @throws CatalogError `usage`
 */
export function refusePassword(address: string, from: string): void {
  if (!isPostgresAddress(address)) return;
  if (!/:\/\/[^@]*:[^@]*@/.test(address) && !/[?&]password=/i.test(address)) return;
  throw new CatalogError(
    'usage',
    `${from} holds a password, which others on this machine can read. Leave it out, and set PGPASSWORD, add a line to ~/.pgpass, or put the whole address into CATALOG_DB.`,
  );
}

/**
 * Refuses what was meant as an address and is none: it would be taken for the path of a file, and shown with its password.
 * @throws CatalogError `usage`, which does not repeat it
 */
function refuseLikeAddress(name: string, from: string): void {
  if (
    !/^\s*["']?postgres(?:ql)?\s*(?::|\/\/)|^[^\s/\\:]+:[^\\]*@|\bpassword\s*=|^\s*[a-z][a-z0-9+.-]+:\/\//i.test(name)
  )
    return;
  throw new CatalogError(
    'usage',
    `${from} looks like an address, but is not one of PostgreSQL. Write postgres://host/database, or ./ before the name of a file.`,
  );
}

/** An address with more parameters; those that it has count. */
function withParameters(address: string, parameters: Readonly<Record<string, string | undefined>>): string {
  let whole = address;
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    whole += `${whole.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
  }
  return whole;
}

/** The options of a catalog in PostgreSQL in addition to its address. */
export interface PostgresFlags {
  readonly schema?: string;
  readonly caFile?: string;
}

/** Bytes of a name that PostgreSQL keeps: it would cut off the rest. */
const longestName = 63;

/**
 * Refuses a schema that cannot be made.
 * @param from what names it, for the message: `--schema`
 * @throws CatalogError `usage`
 */
export function checkSchema(schema: string, from: string): void {
  if (/^[^\0"]+$/.test(schema) && Buffer.byteLength(schema) <= longestName && !schema.startsWith('pg_')) return;
  throw new CatalogError(
    'usage',
    `${from} "${schema}" is not a name; use up to 63 letters, digits and underscores, which do not begin with pg_.`,
  );
}

/**
 * The catalog that an option or a variable names: an absolute path, or an address with its options.
 * @param from the option or variable, for the message: `--db`
 * @throws CatalogError `usage` for an invalid name
 */
export function catalogPlace(name: string, from: string, { schema, caFile }: PostgresFlags = {}): string {
  if (!isPostgresAddress(name)) {
    refuseLikeAddress(name, from);
    if (schema === undefined) return catalogPath(name, from);
    throw new CatalogError(
      'usage',
      '--schema is for catalogs in PostgreSQL, whose --db is an address such as postgres://db.example/shop.',
    );
  }
  if (schema !== undefined) checkSchema(schema, '--schema');
  return withParameters(name, { schema, sslrootcert: caFile });
}

/**
 * Resolves a name literally to an absolute path.
 * @param from the option or variable, for the message: `--db`
 * @throws CatalogError `usage` if it is blank, `:memory:`, or ends like a folder's
 */
export function catalogPath(name: string, from: string): string {
  if (name.trim() === '')
    throw new CatalogError('usage', `${from} is blank; name the catalog's file, such as catalog.db, or leave it out.`);
  if (name.trim() === ':memory:')
    throw new CatalogError('usage', `${from} :memory: would keep nothing; name a file, such as catalog.db.`);
  if (name.endsWith('/') || name.endsWith(sep))
    throw new CatalogError(
      'usage',
      `${from} ${name} is a folder's name; name a file in it, such as ${name}catalog.db.`,
    );
  return isAbsolute(name) ? name : resolve(name);
}
