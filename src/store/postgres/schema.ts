// The tables of a catalog in PostgreSQL: created at first use, migrated by numbered steps, refused where a newer program created
// them. The steps have the numbers of SQLite's versions.
import { readdirSync, readFileSync } from 'node:fs';
import { CatalogError } from '../../core/errors.js';
import { isTransient, type ServerName, stateOf } from './server-error.js';
import { queryValue, type Session, type Statement } from './session.js';

const folder = new URL('./steps/', import.meta.url);

interface Migration {
  readonly version: number;
  readonly file: string;
}

/** The steps in their order; the first creates the tables. */
function steps(): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d+-.*\.sql$/.test(file))
    .sort()
    .map((file) => ({ version: Number.parseInt(file, 10), file }));
}

export function newestVersion(): number {
  return steps().at(-1)?.version ?? 0;
}

export function tableNames(): readonly string[] {
  return steps().flatMap(({ file }) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name = '']) => name),
  );
}

/** The columns of all tables, as `table.column`. */
export function columnNames(): readonly string[] {
  return steps().flatMap(({ file }) => {
    const sql = readFileSync(new URL(file, folder), 'utf8').replace(/--[^\n]*/g, '');
    const made = [...sql.matchAll(/^CREATE TABLE (\w+)\s*\(([^;]*)\);/gm)].flatMap(([, table, body = '']) =>
      [...body.matchAll(/(?:^|,)\s*([a-z]\w*)\s/g)].map(([, column]) => `${table}.${column}`),
    );
    const added = [...sql.matchAll(/^ALTER TABLE (\w+) ADD COLUMN (\w+)/gm)].map(
      ([, table, column]) => `${table}.${column}`,
    );
    return [...made, ...added];
  });
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The version of the tables in a schema; 0 where there are none. */
export async function versionOf(session: Session, schema: string): Promise<number> {
  const relation = `${quoted(schema)}.catalog`;
  if ((await queryValue(session, 'SELECT to_regclass($1) IS NOT NULL', [relation])) !== 't') return 0;
  return Number(await queryValue(session, `SELECT version FROM ${relation}`));
}

/** Refuses tables of a newer program, and those of builds before 0.1.0, which are not read any more. */
export function refuseOthers(version: number, { name, schema }: ServerName): void {
  const newest = newestVersion();
  if (version > 0 && version < (steps()[0]?.version ?? 0))
    throw new CatalogError(
      'catalog_unusable',
      `${name}: schema ${schema} was made by a build before 0.1.0, whose tables are not read any more; name another with --schema, and import into it again`,
    );
  if (version <= newest) return;
  throw new CatalogError(
    'catalog_unusable',
    `${name}: schema ${schema} was made by a newer version (schema ${version}, this is ${newest}); update catalog-import`,
  );
}

/** How often creating the tables is tried while others create them. */
const mostTries = 10;

/** SQLSTATEs of creating a schema, a table or a type that another one is creating at the same time. */
function wasFirst(error: unknown): boolean {
  return isTransient(error) || ['42P06', '42P07', '42710'].includes(stateOf(error) ?? '');
}

/**
 * Creates or migrates the tables of a schema to the newest version, all in one transaction.
 * @returns the version that was there before; 0 where there were none
 * @throws CatalogError `catalog_unusable` where a newer program created them, or the user may not create tables
 */
export async function migrate(session: Session, server: ServerName): Promise<number> {
  for (let tries = 1; ; tries++) {
    const version = await versionOf(session, server.schema);
    refuseOthers(version, server);
    if (version === newestVersion()) return version;
    try {
      await runSteps(session, server.schema, version);
      return version;
    } catch (error) {
      if (session.isOpen()) await session.run([{ sql: 'ROLLBACK' }]);
      if (!wasFirst(error) || tries === mostTries) throw error;
    }
  }
}

async function runSteps(session: Session, schema: string, version: number): Promise<void> {
  const run = (sql: string): Promise<void> => session.run([{ sql }]);
  await run('BEGIN');
  // A user who may use a schema need not have the right to create schemas.
  if (version === 0 && !(await hasSchema(session, schema))) await run(`CREATE SCHEMA ${quoted(schema)}`);
  await run(`SET LOCAL search_path = ${quoted(schema)}`);
  if (version > 0) await run('LOCK TABLE catalog IN ACCESS EXCLUSIVE MODE');
  // Another process may have created them before this one had the lock.
  const now = version === 0 ? 0 : await versionOf(session, schema);
  for (const step of steps())
    if (step.version > now) await runScript(session, readFileSync(new URL(step.file, folder), 'utf8'));
  await run(
    `INSERT INTO catalog VALUES (1, ${newestVersion()}, 0) ON CONFLICT (only_row) DO UPDATE SET version = ${newestVersion()}`,
  );
  await run('COMMIT');
}

async function hasSchema(session: Session, schema: string): Promise<boolean> {
  return (await queryValue(session, 'SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])) !== undefined;
}

/** Runs statements that end in a semicolon at the end of a line. They are never prepared twice: tables are made once. */
async function runScript(session: Session, script: string): Promise<void> {
  const statements = script
    .replace(/--[^\n]*/g, '')
    .split(/;\s*(?:\n|$)/)
    .map((sql) => sql.trim())
    .filter((sql) => sql !== '');
  await session.run(statements.map((sql) => ({ sql })));
}

/** The statement that finds the columns of a schema that hold integers, as `table.column`; all others hold text. */
export function integerColumns(schema: string, found: Set<string>): Statement {
  return {
    sql: `SELECT c.relname || '.' || a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND a.attnum > 0 AND a.atttypid IN (20, 21, 23)`,
    values: [schema],
    onRow: ([name = null]) => void found.add(String(name)),
  };
}
