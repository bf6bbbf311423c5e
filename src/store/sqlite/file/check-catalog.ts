// Checks the file of a catalog: SQLite's own checks, the rules of our tables, and files next to it.
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CatalogError } from '../../../core/errors.js';
import { counted } from '../../../core/text/counted.js';
import { networkDrive } from '../../../files/network-drive.js';
import { realPathOf } from '../../../files/same-file.js';
import { countedRows, tableWords } from '../../table-words.js';
import { openDatabase, readVersions, withLock } from '../database.js';
import type { Database } from '../driver.js';
import { faultsIn } from '../migrate.js';
import { lockedOut, logSize } from './catalog-file.js';
import { versionOf } from './recognize-catalog.js';

/** The result of one check. */
export interface CheckResult {
  readonly check: string;
  /** Problems make the catalog wrong or unusable; hints do not. */
  readonly level: 'ok' | 'hint' | 'problem';
  /** The finding, and what to do. */
  readonly details: readonly string[];
}

/** Maximum faults of one kind that are listed; the others are counted. */
const mostTold = 10;

/** Log size from which it should have been copied back: twice what an import leaves. */
const largeLog = 128 * 1024 * 1024;

/** Checks the file of a catalog. Takes no write lock and changes nothing. */
export async function checkCatalogFile(file: string, lockTimeout: number): Promise<readonly CheckResult[]> {
  const database = openDatabase(file, true);
  try {
    const { version, newest } = await readVersions(database, file, lockTimeout);
    const run = (check: string, find: () => readonly string[]) =>
      withLock(file, lockTimeout, () => result(check, 'problem', find())).catch((error: unknown) => {
        // A check that cannot run reports that as its problem, so that the other checks still run.
        if (error instanceof CatalogError && error.code === 'catalog_unusable')
          return result(check, 'problem', [error.message]);
        throw error;
      });
    if (version === 0) return [result('tables', 'problem', ['The file holds no catalog yet; import into it first.'])];
    // The rules of references and indexes are those of the current tables.
    if (version < newest)
      return [
        result('tables', 'hint', [olderTables(file, version, newest)]),
        await run('integrity', () => integrity(database)),
        await run('objects', () => strangers(database)),
        ...checkFolder(file),
      ];
    return [
      await run('integrity', () => integrity(database)),
      await run('references', () => [...brokenReferences(database), ...circles(database)]),
      await run('indexes', () => ['category', 'product'].flatMap((table) => slugFaults(database, table))),
      await run('objects', () => strangers(database)),
      ...checkFolder(file),
    ];
  } finally {
    database.close();
  }
}

function checkFolder(file: string): CheckResult[] {
  return [
    result('drive', 'hint', drive(file)),
    result('files next to it', 'hint', leftovers(file)),
    result('rights', lockedOut(file) === undefined ? 'hint' : 'problem', rights(file)),
  ];
}

function olderTables(file: string, version: number, newest: number): string {
  return (
    `The catalog was made by an older version of this program: its tables have version ${version}, today's have ${newest}. ` +
    'References, indexes and keys were not checked. The next command that opens it brings it up to date, or do so with: ' +
    `catalog-import db migrate --db ${file}`
  );
}

function result(check: string, level: 'hint' | 'problem', details: readonly string[]): CheckResult {
  return { check, level: details.length === 0 ? 'ok' : level, details };
}

const recover =
  'Restore the catalog from a backup with: catalog-import restore BACKUP --db FILE --force, or recover it with: ' +
  'sqlite3 FILE .recover';

function integrity(database: Database): string[] {
  const found = database.prepare(`PRAGMA integrity_check(${mostTold})`).pluck().all() as readonly string[];
  const faults = found.filter((fault) => fault !== 'ok');
  return faults.length === 0 ? [] : [...faults, recover];
}

/** What this program did not make, and what is missing of what it made. */
function strangers(database: Database): string[] {
  const { foreign, missing } = faultsIn(database);
  return [
    ...foreign.map((name) => `The catalog has ${name}, which catalog-import did not make. Take it out.`),
    ...missing.map((name) => `The catalog lacks ${name}. ${recover}`),
  ];
}

function brokenReferences(database: Database): string[] {
  const counts = new Map<string, number>();
  // One by one: a damaged catalog may have as many faults as rows.
  for (const row of database.prepare('PRAGMA foreign_key_check').raw().iterate()) {
    const [table, , parent] = row as [table: string, row: number, parent: string];
    const kind = JSON.stringify([table, parent]);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => {
    const [table, parent] = JSON.parse(kind) as [table: string, parent: string];
    return `Missing: ${tableWords(parent)} that ${countedRows(count, table)} refer to. ${recover}`;
  });
}

/** Finds categories that are their own ancestors. */
function circles(database: Database): string[] {
  const rows = database.prepare('SELECT id, parent, name FROM category').raw().all() as readonly [
    id: string,
    parent: string | null,
    name: string,
  ][];
  const parents = new Map(rows.map(([id, parent]) => [id, parent]));
  const names = new Map(rows.map(([id, , name]) => [id, name]));
  const reached = new Set<string>();
  const faulty: string[] = [];
  for (const [id] of rows) {
    const way: string[] = [];
    let at: string | null | undefined = id;
    while (at && !reached.has(at)) {
      reached.add(at);
      way.push(at);
      at = parents.get(at);
    }
    // If the path reaches one of its own categories, the circle starts there. Earlier categories are only below the circle.
    const first = at ? way.indexOf(at) : -1;
    if (first !== -1) for (const one of way.slice(first)) faulty.push(names.get(one) ?? '');
  }
  if (faulty.length === 0) return [];
  const found = countedRows(faulty.length, 'category');
  return [`Circular parents of ${found}: ${some(faulty)}. Import one category of each circle with another parent.`];
}

/** Slugs that the index of a table lacks, has wrong, or that two records have. */
function slugFaults(database: Database, table: string): string[] {
  const count = (sql: string) => Number(database.prepare(sql).pluck().get());
  const index = `${table}_slug`;
  const missing = count(
    `SELECT count(*) FROM ${table} t WHERE t.seq <= (SELECT upto FROM late_index WHERE name = '${index}')
       AND NOT EXISTS (SELECT 1 FROM ${index} i WHERE i.hash = t.slug_hash AND i.row = t.seq)`,
  );
  const wrong = count(
    `SELECT count(*) FROM ${index} i WHERE NOT EXISTS (SELECT 1 FROM ${table} t WHERE t.seq = i.row AND t.slug_hash = i.hash)`,
  );
  const twice = database
    .prepare(`SELECT slug FROM ${table} GROUP BY slug HAVING count(*) > 1 LIMIT ${mostTold}`)
    .pluck()
    .all() as string[];
  return [
    ...(missing === 0 ? [] : [`The index of slugs lacks ${countedRows(missing, table)}. ${recover}`]),
    ...(wrong === 0
      ? []
      : [`The index of slugs has ${counted(wrong, 'entries')} that none of the ${tableWords(table)} has. ${recover}`]),
    ...(twice.length === 0
      ? []
      : [`Several ${tableWords(table)} have one slug: ${some(twice)}. Send another slug for one.`]),
  ];
}

function some(names: readonly string[]): string {
  const reported = names.slice(0, mostTold).map((name) => `"${name}"`);
  return names.length > mostTold ? `${reported.join(', ')} and more` : reported.join(', ');
}

/** A catalog on a drive of the network: two machines that write to it would damage it. */
function drive(file: string): string[] {
  const kind = networkDrive(realPathOf(file));
  if (kind === undefined) return [];
  return [
    `The catalog is on a network drive (${kind}), on which SQLite is not safe. Put it on a disk of this machine.`,
  ];
}

/** Finds leftovers of a killed process, and a log that was not copied back. */
function leftovers(file: string): string[] {
  const realPath = realPathOf(file);
  const name = basename(realPath);
  const dayAgo = Date.now() - 86_400_000;
  const old = readdirSync(dirname(realPath))
    .filter((one) => one.startsWith(`${name}.`) && /\.tmp(?:-journal|-wal|-shm)?$/.test(one))
    .map((one) => join(dirname(realPath), one))
    .filter((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) < dayAgo);
  const log = logSize(file);
  return [
    ...old.map((path) => `${path} was left by a process that was killed. Remove it.`),
    ...(log <= largeLog
      ? []
      : [`${realPath}-wal has ${log} bytes: a process has been reading for very long. End it, and import again.`]),
  ];
}

function rights(file: string): string[] {
  const fault = lockedOut(file);
  const realPath = realPathOf(file);
  const { mode } = statSync(realPath);
  const isOpen = process.platform !== 'win32' && (mode & 0o077) !== 0;
  return [
    ...(fault === undefined ? [] : [`${realPath} ${fault}`]),
    ...(isOpen
      ? [
          `${realPath} may be read or written by other users (${(mode & 0o777).toString(8)}). If not meant: chmod 600 ${realPath}`,
        ]
      : []),
  ];
}

export interface CatalogFile {
  /** Including its log. */
  readonly bytes: number;
  /** The version of its tables. */
  readonly version: number;
}

export function describeFile(file: string): CatalogFile {
  const database = openDatabase(file, true);
  try {
    return { bytes: statSync(file).size + logSize(file), version: versionOf(database) };
  } finally {
    database.close();
  }
}
