// Two importers and a reader on one catalog for a while. The importers send the same products over and over, each time
// in a version of its own; the reader looks at whole products all the time.
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { product as productResource } from '../../src/core/resources/product.js';
import { openCatalog } from '../../src/store/open.js';
import { isFull } from '../tier.js';
import { openRaw } from './dump.js';
import { runHere, runProgram } from './program.js';

const products = isFull ? 1000 : 500;
const versions = 3;
const grades = ['new', 'good', 'poor'];

/** What was seen. */
export interface Seen {
  imports: number;
  reads: number;
  /** Products seen in versions of each writer. */
  readonly writers: Set<string>;
  /** Failures of importers or of the reader; products that were no writer's whole version. */
  readonly faults: string[];
  /** The longest that the write-ahead log was, in bytes. */
  longestLog: number;
}

/** A version of a product: every field and child identifies its writer. */
function itemOf(i: number, writer: string, version: number): object {
  const mark = `${writer}${version}`;
  const price = writer.charCodeAt(0) * 100 + version;
  return {
    sku: `SKU-${i}`,
    name: `Phone ${i} of ${mark}`,
    currency: 'EUR',
    badge: mark,
    tag: mark,
    note: mark,
    grades: grades.map((grade, k) => ({ grade, price: price + k, stock: version })),
    attributes: [{ type: 'Mark', value: mark }],
  };
}

async function writeFeeds(folder: string, db: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const traits = join(folder, 'characteristics.ndjson');
  writeFileSync(traits, '{"name":"Mark"}\n');
  const made = await runHere(['characteristics', traits, '--db', db]);
  if (made.code !== 0) throw new Error(made.stderr);
  return new Map(
    ['A', 'B'].map((writer) => {
      const files = Array.from({ length: versions }, (_, version) => {
        const file = join(folder, `${writer}${version}.ndjson`);
        const items = Array.from({ length: products }, (_, i) => itemOf(i, writer, version));
        // In opposite orders, so that they meet.
        const lines = (writer === 'A' ? items : items.reverse()).map((item) => JSON.stringify(item));
        writeFileSync(file, `${lines.join('\n')}\n`);
        return file;
      });
      return [writer, files] as const;
    }),
  );
}

const read = `
  SELECT sku, name, tag, note, price, stock, badge AS mark,
    (SELECT group_concat(grade || ' ' || price || ' ' || stock, ', ' ORDER BY position) FROM product_grade g WHERE g.product = p.seq) AS grades,
    (SELECT group_concat(value) FROM product_attribute a WHERE a.product = p.seq AND listed = 1) AS attributes
  FROM product p WHERE sku = ?`;

interface Row {
  readonly [column: string]: unknown;
}

/** What is wrong with a product as it was read; undefined where it is one writer's whole version. */
function faultOf(row: Row): string | undefined {
  const mark = String(row['mark']);
  const [writer = '', version] = [mark.charAt(0), Number(mark.slice(1))];
  const price = (writer.charCodeAt(0) * 100 + version) * 100;
  const i = String(row['sku']).slice('SKU-'.length);
  const whole: Row = {
    sku: `SKU-${i}`,
    name: `Phone ${i} of ${mark}`,
    tag: mark,
    note: mark,
    price,
    stock: version * grades.length,
    mark,
    grades: grades.map((grade, k) => `${grade} ${price + k * 100} ${version}`).join(', '),
    attributes: mark,
  };
  const [found, wanted] = [JSON.stringify(row), JSON.stringify(whole)];
  return found === wanted ? undefined : `${found} is no whole version; ${wanted} is`;
}

async function write(files: readonly string[], db: string, isOver: () => boolean, seen: Seen): Promise<void> {
  for (let i = 0; !isOver(); i++) {
    const ended = await runProgram(['products', files[i % files.length] as string, '--db', db, '--quiet']);
    seen.imports++;
    if (ended.code !== 0) seen.faults.push(`an importer ended with ${ended.code}: ${ended.stderr}`);
  }
}

async function look(db: string, isOver: () => boolean, seen: Seen): Promise<void> {
  const raw = openRaw(db);
  raw.pragma('busy_timeout = 0');
  const statement = raw.prepare(read);
  const catalog = await openCatalog({ file: db, create: false });
  try {
    while (!isOver()) {
      for (let n = 0; n < 50; n++) {
        const row = statement.get(`SKU-${Math.floor(Math.random() * products)}`) as Row | undefined;
        if (row === undefined) continue;
        seen.reads++;
        seen.writers.add(String(row['mark']).charAt(0));
        const fault = faultOf(row);
        if (fault !== undefined) seen.faults.push(fault);
      }
      const key = `SKU-${Math.floor(Math.random() * products)}`;
      const shape = await catalog.read(productResource, { key });
      if (shape !== undefined && shape['badge'] !== shape['tag']) seen.faults.push(JSON.stringify(shape));
      seen.longestLog = Math.max(seen.longestLog, existsSync(`${db}-wal`) ? statSync(`${db}-wal`).size : 0);
      await sleep(5);
    }
  } catch (error) {
    seen.faults.push(`the reader failed: ${error}`);
  } finally {
    await catalog.close();
    raw.close();
  }
}

/**
 * Runs two importers and a reader on a new catalog of this folder for so many seconds, and on a slow machine for as long as
 * it takes: for four imports, fifty reads a second, and until versions of both importers were read.
 */
export async function runWriters(folder: string, seconds: number): Promise<Seen> {
  const db = join(folder, 'shared.db');
  const seen: Seen = { imports: 0, reads: 0, writers: new Set(), faults: [], longestLog: 0 };
  const feeds = await writeFeeds(folder, db);
  const end = performance.now() + seconds * 1000;
  const hasSeenEnough = () => seen.imports >= 4 && seen.reads > 50 * seconds && seen.writers.size === 2;
  const isOver = () => seen.faults.length > 0 || (performance.now() > end && hasSeenEnough());
  await Promise.all([look(db, isOver, seen), ...[...feeds.values()].map((files) => write(files, db, isOver, seen))]);
  return seen;
}
