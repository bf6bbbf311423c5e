// Two importers of new products that share every name and no SKU, so that each slug is wanted by both, on one catalog
// that grows past the number of rows from which on the index of slugs is brought up to date. They are killed meanwhile
// and start again; a reader looks at single records all the time and notes how long it waits.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { product as productResource } from '../../src/core/resources/product.js';
import { openCatalog } from '../../src/store/open.js';
import { randomFrom } from '../random.js';
import { faultsOf, openRaw } from './dump.js';
import { runProgram } from './program.js';

/** What the two importers are to do. */
export interface Contest {
  readonly folder: string;
  /** New products of each importer. */
  readonly products: number;
  /** How often each importer is killed before it may run to its end. */
  readonly kills: number;
  readonly seed: number;
  /** The safety that is taken out of the importers. */
  readonly tamper?: string;
}

/** What came of it. */
export interface Outcome {
  readonly faults: string[];
  /** Lines reported by importers that were killed. */
  readonly told: number;
  /** Milliseconds that a read took, in order of size. */
  readonly reads: readonly number[];
}

const writers = ['A', 'B'] as const;

/** Two names to a stem: the slugs of one name collide with each other and with numbers given out for another. */
const nameOf = (i: number): string => (i % 3 === 0 ? `Phone ${i >> 1}` : `Phone ${i}`);

function writeFeed(contest: Contest, writer: string): string {
  const file = join(contest.folder, `${writer}.ndjson`);
  const lines = Array.from({ length: contest.products }, (_, i) =>
    JSON.stringify({ sku: `${writer}-${i}`, name: nameOf(i), currency: 'EUR', price: i % 500 }),
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** Imports one feed, killed as often as the contest says; identifiers of reported lines are collected in `ids`. */
async function importKilled(contest: Contest, writer: string, db: string, ids: Map<string, string>): Promise<string[]> {
  const random = randomFrom(contest.seed + writer.charCodeAt(0));
  const args = ['products', writeFeed(contest, writer), '--db', db, '--output', 'ndjson', '--report', 'all', '--quiet'];
  const faults: string[] = [];
  for (let kills = 0; ; ) {
    const fatal = kills < contest.kills ? 1 + Math.floor(random() * contest.products * 0.9) : Number.POSITIVE_INFINITY;
    const ended = await runProgram(args, {
      tamper: contest.tamper,
      onLines: (lines, child) => lines >= fatal && child.kill('SIGKILL'),
    });
    for (const line of ended.lines) noteLine(line, ids, faults);
    if (ended.code === 0) return faults;
    if (ended.signal !== 'SIGKILL') return [...faults, `importer ${writer} ended with ${ended.code}: ${ended.stderr}`];
    kills++;
  }
}

function noteLine(line: string, ids: Map<string, string>, faults: string[]): void {
  const { external_id: sku, id, action } = JSON.parse(line) as Record<string, string | undefined>;
  if (sku === undefined || id === undefined) return;
  const before = ids.get(sku);
  if (before !== undefined && before !== id) faults.push(`${sku} was ${before} and is ${id}`);
  if (before !== undefined && action !== 'unchanged') faults.push(`${sku} was told and is ${action} again`);
  ids.set(sku, id);
}

async function readWhile(db: string, contest: Contest, going: () => boolean, faults: string[]): Promise<number[]> {
  const catalog = await openCatalog({ file: db, create: true });
  const waits: number[] = [];
  try {
    while (going()) {
      const key = `${writers[waits.length % 2]}-${Math.floor(Math.random() * contest.products)}`;
      const started = performance.now();
      const shape = await catalog.read(productResource, { key });
      waits.push(performance.now() - started);
      if (shape !== undefined && !String(shape['slug']).startsWith('phone-')) faults.push(JSON.stringify(shape));
      await sleep(2);
    }
  } catch (error) {
    faults.push(`the reader failed: ${error}`);
  } finally {
    await catalog.close();
  }
  return waits.sort((a, b) => a - b);
}

/** What is wrong with the catalog at the end: a record too few, another identifier than reported, a slug of another name. */
function faultsAtTheEnd(db: string, contest: Contest, ids: ReadonlyMap<string, string>): string[] {
  const faults = faultsOf(db);
  const database = openRaw(db);
  try {
    const rows = database.prepare('SELECT sku, id, name, slug FROM product').all() as Record<string, string>[];
    if (rows.length !== contest.products * writers.length) faults.push(`${rows.length} records`);
    for (const { sku = '', id = '', name = '', slug = '' } of rows) {
      if (ids.get(sku) !== id) faults.push(`${sku} was told as ${ids.get(sku)} and is ${id}`);
      const stem = name.toLowerCase().replace(' ', '-');
      if (!new RegExp(`^${stem}(-\\d+)?$`).test(slug)) faults.push(`${sku}, ${name}, has the slug ${slug}`);
    }
  } finally {
    database.close();
  }
  return faults;
}

/** Runs both importers, with their kills, and a reader on a new catalog of the contest's folder. */
export async function contend(contest: Contest): Promise<Outcome> {
  const db = join(contest.folder, 'contested.db');
  const ids = new Map<string, string>();
  const faults: string[] = [];
  let going = true;
  const reading = readWhile(db, contest, () => going, faults);
  const ended = await Promise.all(writers.map((writer) => importKilled(contest, writer, db, ids)));
  going = false;
  const reads = await reading;
  faults.push(...ended.flat(), ...faultsAtTheEnd(db, contest, ids));
  return { faults, told: ids.size, reads };
}

/** The wait that so many of a hundred reads stay below, in milliseconds. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
