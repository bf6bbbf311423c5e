// What somebody else added to the tables of a catalog that changes, hides, leaves out or adds rows: row triggers before a change, rules,
// row level security and tables that inherit. Views, indexes and triggers after a change are none of these.
import { CatalogError } from '../../core/errors.js';
import type { Value } from '../../core/rows/table.js';
import { tableNames } from './schema.js';
import { RowsLeftOut, type ServerName } from './server-error.js';
import type { Session, Statement } from './session.js';
import { arrayOf } from './sql-parts.js';

/** Tables `c` of the catalog. */
const ours =
  'pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = $1 AND c.relname = ANY ($2::text[])';

/** The bits of `tgtype` for a trigger that is called before a change, for each row. */
const beforeRow = 3;

const query = `
  SELECT 'trigger ' || t.tgname || ' of ' || c.relname FROM ${ours} JOIN pg_trigger t ON t.tgrelid = c.oid
    WHERE NOT t.tgisinternal AND t.tgenabled <> 'D' AND t.tgtype & ${beforeRow} = ${beforeRow}
  UNION ALL SELECT 'rule ' || r.rulename || ' of ' || c.relname FROM ${ours} JOIN pg_rewrite r ON r.ev_class = c.oid
    WHERE r.ev_type <> '1' AND r.ev_enabled <> 'D'
  UNION ALL SELECT 'table ' || i.inhrelid::regclass || ', a child of ' || c.relname FROM ${ours} JOIN pg_inherits i ON i.inhparent = c.oid
  UNION ALL SELECT 'row level security of ' || c.relname FROM ${ours} WHERE row_security_active(c.oid)
  ORDER BY 1`;

/** The statement that names them. */
export function foreignObjects(schema: string, found: string[]): Statement {
  const onRow = ([name = null]: readonly Value[]): void => void found.push(String(name));
  return { sql: query, values: [schema, arrayOf(tableNames())], onRow };
}

/** Refuses a catalog with such objects. */
export function refuseForeign(found: readonly string[], { name, schema }: ServerName): void {
  if (found.length === 0) return;
  throw new CatalogError(
    'catalog_unusable',
    `${name}: schema ${schema} has what changes, hides or adds rows of the catalog: ${found.join(', ')}. Remove or disable it, and run this again`,
  );
}

/** Whether rows were left out by something that was added since the catalog was opened: named where it can be. */
export async function explainRowsLeftOut(session: Session, server: ServerName, error: unknown): Promise<void> {
  if (!(error instanceof RowsLeftOut) || !session.isOpen()) return;
  const found: string[] = [];
  await session.run([foreignObjects(server.schema, found)]);
  refuseForeign(found, server);
}
