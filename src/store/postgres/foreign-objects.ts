// What somebody else added to the tables of a catalog that changes, hides, leaves out or adds rows: row triggers before a change, rules,
// row level security, tables that inherit, and columns that were dropped or are computed. Views, indexes and triggers after a change are
// none of these; but what such a trigger writes in tables of the catalog is found before the commit.
import { CatalogError } from '../../core/errors.js';
import type { Value } from '../../core/rows/table.js';
import { columnNames, tableNames } from './schema.js';
import { RowsLeftOut, type ServerName } from './server-error.js';
import type { Session, Statement } from './session.js';
import { arrayOf } from './sql-parts.js';

/** Tables `c` of the catalog. */
const ours =
  'pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = $1 AND c.relname = ANY ($2::text[])';

/** The bits of `tgtype` for a trigger that is called before a change, for each row. */
const beforeRow = 3;

const columns = 'JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped';

const query = `
  SELECT 'trigger ' || t.tgname || ' of ' || c.relname FROM ${ours} JOIN pg_trigger t ON t.tgrelid = c.oid
    WHERE NOT t.tgisinternal AND t.tgenabled <> 'D' AND t.tgtype & ${beforeRow} = ${beforeRow}
  UNION ALL SELECT 'rule ' || r.rulename || ' of ' || c.relname FROM ${ours} JOIN pg_rewrite r ON r.ev_class = c.oid
    WHERE r.ev_type <> '1' AND r.ev_enabled <> 'D'
  UNION ALL SELECT 'table ' || i.inhrelid::regclass || ', a child of ' || c.relname FROM ${ours} JOIN pg_inherits i ON i.inhparent = c.oid
  UNION ALL SELECT 'row level security of ' || c.relname FROM ${ours} WHERE row_security_active(c.oid)
  UNION ALL SELECT 'computed column ' || a.attname || ' of ' || c.relname FROM ${ours} ${columns} WHERE a.attgenerated <> ''
  UNION ALL SELECT 'no column ' || split_part(w, '.', 2) || ' of ' || split_part(w, '.', 1) FROM unnest($3::text[]) w
    WHERE NOT EXISTS (SELECT 1 FROM ${ours} ${columns} WHERE c.relkind = 'r' AND c.relname || '.' || a.attname = w)
  ORDER BY 1`;

/** The statement that names them. @param isNewest whether the tables are those of this version, with all columns */
export function foreignObjects(schema: string, found: string[], isNewest: boolean): Statement {
  return {
    sql: query,
    values: [schema, arrayOf(tableNames()), arrayOf(isNewest ? columnNames() : [])],
    onRow: ([name = null]) => void found.push(String(name)),
  };
}

const triggerQuery = `
  SELECT 'trigger ' || t.tgname || ' of ' || c.relname FROM ${ours} JOIN pg_trigger t ON t.tgrelid = c.oid
    WHERE NOT t.tgisinternal AND t.tgenabled <> 'D' ORDER BY 1`;

const written =
  'coalesce(sum(pg_stat_get_xact_tuples_inserted(c.oid) + pg_stat_get_xact_tuples_updated(c.oid) + pg_stat_get_xact_tuples_deleted(c.oid)), 0)';

const writtenQuery = `SELECT ${written} FROM ${ours} WHERE c.relkind = 'r'`;

/** With a trigger of somebody else where the server does not count. */
const checkQuery = `
  SELECT ${written}, CASE current_setting('track_counts') WHEN 'off' THEN (${triggerQuery} LIMIT 1) END
    FROM ${ours} WHERE c.relkind = 'r'`;

/** Rows that a transaction wrote. */
export interface WrittenRows {
  /** Statements for its begin. */
  begin(): Statement[];
  /** Statements that count what they write. */
  counted(statements: readonly Statement[]): Statement[];
  /** Statements for its end: they fail where more was written in tables of the catalog, as by a trigger of somebody else, deferred or not. */
  check(): Statement[];
}

/** Counts the rows that transactions write in the tables of a schema. */
export function rowCounter({ name, schema }: ServerName): () => WrittenRows {
  const values = [schema, arrayOf(tableNames())];
  return () => {
    // The server's own count goes on from the transactions before, until it takes them into its statistics between two.
    let before = 0;
    let written = 0;
    return {
      begin: () => [
        {
          sql: writtenQuery,
          values,
          onRow([count = null]) {
            before = Number(count);
          },
        },
      ],
      counted: (statements) =>
        statements.map((statement) => {
          if (!/^(?:COPY|INSERT|UPDATE|DELETE)/.test(statement.sql)) return statement;
          const onDone = (rows: number): void => {
            written += rows;
            statement.onDone?.(rows);
          };
          return { ...statement, onDone };
        }),
      check: () => [
        { sql: 'SET CONSTRAINTS ALL IMMEDIATE' },
        {
          sql: checkQuery,
          values,
          onRow([count = null, uncounted = null]) {
            if (uncounted !== null)
              throw new CatalogError(
                'catalog_unusable',
                `${name}: schema ${schema} has ${uncounted}, and the server does not count what it writes (track_counts = off). Remove or disable it, or set track_counts = on`,
              );
            const found = Number(count) - before;
            if (found > written)
              throw new RowsLeftOut(`${found} rows of the catalog were written in the place of ${written}`);
          },
        },
      ],
    };
  };
}

/** Refuses a catalog with such objects. */
export function refuseForeign(found: readonly string[], { name, schema }: ServerName): void {
  if (found.length === 0) return;
  throw new CatalogError(
    'catalog_unusable',
    `${name}: schema ${schema} has what changes, hides or adds rows of the catalog, or lacks what holds them: ${found.join(', ')}. Remove or disable it, and run this again`,
  );
}

/** Whether rows were left out by something that was added since the catalog was opened: named where it can be. */
export async function explainRowsLeftOut(session: Session, server: ServerName, error: unknown): Promise<void> {
  if (!(error instanceof RowsLeftOut) || !session.isOpen()) return;
  const found: string[] = [];
  await session.run([foreignObjects(server.schema, found, true)]);
  refuseForeign(found, server);
  const triggers: string[] = [];
  const onRow = ([name = null]: readonly Value[]): void => void triggers.push(String(name));
  await session.run([{ sql: triggerQuery, values: [server.schema, arrayOf(tableNames())], onRow }]);
  refuseForeign(triggers, server);
}
