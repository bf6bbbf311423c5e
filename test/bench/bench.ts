// The table of figures: whole commands timed in turn with their peers, medians and ratios of one run.
//
//   npm run bench -- [--rows 200000] [--runs 5] [--large 2000000] [--only <word>]
//
// Peers are the sqlite3 shell and sqlite-utils (both Debian packages); where one is missing its rows say so. Time is
// wall time of the process; memory is the peak resident size that Linux tells (VmHWM), the thread included.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeFeed, writeFlatFeed } from './feed.js';
import { type BenchDatabase, startBenchDatabase } from './postgres.js';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' },
    runs: { type: 'string', default: '5' },
    large: { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
  },
});
const rows = Number(options.rows);
const large = Number(options.large);
const bin = fileURLToPath(new URL('../../bin/catalog-import.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'catalog-import-bench-'));
const at = (name: string) => path.join(folder, name);

interface Run {
  readonly seconds: number;
  readonly megabytes: number;
}

/** A command of the table: what is made ready before each run, and what is timed. */
interface Work {
  readonly argv: readonly string[];
  readonly before?: () => void | Promise<void>;
  /** Exit codes that are in order. */
  readonly exits?: readonly number[];
}

/** Runs a command once and reads its peak memory while it runs. */
async function time(work: Work): Promise<Run> {
  await work.before?.();
  const [command = '', ...args] = work.argv;
  const started = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder });
  let megabytes = 0;
  let complaint = '';
  child.stderr.on('data', (data) => {
    complaint += data;
  });
  const look = setInterval(() => {
    megabytes = Math.max(megabytes, peakOf(child.pid));
  }, 20);
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      clearInterval(look);
      if (!(work.exits ?? [0]).includes(code ?? -1))
        reject(new Error(`${work.argv.join(' ')}: exit ${code}: ${complaint}`));
      else resolve({ seconds: (performance.now() - started) / 1000, megabytes });
    });
  });
}

function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // It has ended, or this is not Linux.
  }
}

const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;

/** Two commands in turn, A B A B …: so a ratio holds where the machine's speed drifts. */
async function pair(a: Work, b: Work | undefined, runs: number): Promise<{ a: Run; b?: Run; ratio?: number }> {
  const as: Run[] = [];
  const bs: Run[] = [];
  for (let i = 0; i < runs; i++) {
    as.push(await time(a));
    if (b !== undefined) bs.push(await time(b));
  }
  const middle = (all: readonly Run[]): Run => ({
    seconds: median(all.map((run) => run.seconds)),
    megabytes: Math.max(...all.map((run) => run.megabytes)),
  });
  if (b === undefined) return { a: middle(as) };
  return {
    a: middle(as),
    b: middle(bs),
    ratio: median(as.map((run, i) => run.seconds / (bs[i]?.seconds ?? Number.NaN))),
  };
}

function has(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}

const ours = (...args: string[]) => [process.execPath, bin, ...args];
const remove =
  (...names: string[]) =>
  () => {
    for (const name of names) for (const end of ['', '-wal', '-shm']) rmSync(at(name + end), { force: true });
  };

function importing(feed: string, database: string, fresh: boolean, ...more: string[]): Work {
  const report = ['--report-file', at('report.ndjson'), '--quiet', '--report', 'none'];
  return {
    argv: ours('products', at(feed), '--db', database.includes('://') ? database : at(database), ...report, ...more),
    // Both begin with nothing of the time before: taking a report of 27 MB away is no work of the import.
    before: fresh ? remove(database, 'report.ndjson') : () => {},
  };
}

/** A catalog that knows the two characteristics the JSON feeds refer to. */
function withCharacteristics(feed: string, database: string): Work {
  const work = importing(feed, database, true);
  return {
    ...work,
    before() {
      remove(database)();
      cpSync(at('characteristics.db'), at(database));
    },
  };
}

const table: string[][] = [];
function tell(work: string, ours: string, peer: string, ratio: string, aim: string): void {
  table.push([work, ours, peer, ratio, aim]);
  process.stderr.write(`${work}: ${ours}, ${peer}: ${ratio}\n`);
}
const seconds = (run: Run | undefined) => (run === undefined ? 'missing' : `${run.seconds.toFixed(2)} s`);
const times = (ratio: number | undefined) => (ratio === undefined ? 'peer missing' : `${ratio.toFixed(2)} x`);

async function benchImport(runs: number): Promise<void> {
  const header = readFileSync(at('feed.csv'), 'utf8').slice(0, 400).split('\n')[0] ?? '';
  const columns = header.split(',').map((name) => (name === 'sku' ? 'sku TEXT PRIMARY KEY' : `"${name}" TEXT`));
  const shell = [
    'sqlite3',
    at('peer.db'),
    `CREATE TABLE p (${columns.join(', ')})`,
    `.import --csv --skip 1 ${at('feed.csv')} p`,
  ];
  const sqlite = has('sqlite3') ? { argv: shell, before: remove('peer.db') } : undefined;
  const fresh = importing('feed.csv', 'new.db', true);
  const first = await pair(fresh, sqlite, runs);
  tell(
    `${rows} new products from CSV`,
    seconds(first.a),
    `sqlite3 .import ${seconds(first.b)}`,
    times(first.ratio),
    '≤ 3.0 x',
  );
  tell('  peak resident memory', `${first.a.megabytes.toFixed(0)} MiB`, '', '', '≤ 200 MiB');
  const upsert = ['sqlite-utils', 'upsert', at('peer2.db'), 'p', at('feed.csv'), '--csv', '--pk', 'sku'];
  const utils = has('sqlite-utils') ? { argv: upsert, before: remove('peer2.db') } : undefined;
  const slow = await pair(fresh, utils, Math.min(runs, 3));
  tell('  against sqlite-utils upsert', seconds(slow.a), seconds(slow.b), times(slow.ratio), '≤ 0.33 x');
  await time(importing('feed.csv', 'kept.db', true));
  const again = await pair(importing('feed.csv', 'kept.db', false), fresh, runs);
  tell(
    'the same again, all unchanged',
    seconds(again.a),
    `the first ${seconds(again.b)}`,
    times(again.ratio),
    '≤ 0.5 x',
  );
  const dry = await pair(importing('feed.csv', 'dry.db', true, '--dry-run'), fresh, runs);
  tell('dry run, new', seconds(dry.a), `the real run ${seconds(dry.b)}`, times(dry.ratio), '≤ 1 x');
  const dryAgain = await pair(
    importing('feed.csv', 'kept.db', false, '--dry-run'),
    importing('feed.csv', 'kept.db', false),
    runs,
  );
  tell(
    'dry run, unchanged',
    seconds(dryAgain.a),
    `the real run ${seconds(dryAgain.b)}`,
    times(dryAgain.ratio),
    '≤ 1 x',
  );
}

async function benchJson(runs: number): Promise<void> {
  writeFeed('ndjson', rows, at('feed.ndjson'));
  writeFeed('json', rows, at('feed.json'));
  writeFileSync(at('characteristics.json'), '[{"name": "Material"}, {"name": "Season"}]');
  await time({
    argv: ours('characteristics', at('characteristics.json'), '--db', at('characteristics.db'), '--quiet'),
  });
  const lines = withCharacteristics('feed.ndjson', 'lines.db');
  const csv = await pair(lines, importing('feed.csv', 'new.db', true), runs);
  tell(
    'NDJSON with 2 attributes and a photo',
    seconds(csv.a),
    `CSV without ${seconds(csv.b)}`,
    times(csv.ratio),
    '≤ 1.6 x',
  );
  const array = await pair(withCharacteristics('feed.json', 'array.db'), lines, runs);
  tell('the same as a JSON array', seconds(array.a), `NDJSON ${seconds(array.b)}`, times(array.ratio), '≤ 2 x');
  tell('  peak resident memory', `${Math.max(csv.a.megabytes, array.a.megabytes).toFixed(0)} MiB`, '', '', '≤ 200 MiB');
}

/** Imports into PostgreSQL beside the same into a file. */
async function benchPostgres(runs: number): Promise<void> {
  const database = await startBenchDatabase(folder);
  if (database === undefined) return tell('PostgreSQL', 'missing', '', '', '');
  try {
    const into = (feed: string, fresh: boolean): Work => ({
      ...importing(feed, database.address('bench'), false),
      ...(fresh && { before: () => database.drop('bench') }),
    });
    const first = await pair(into('feed.csv', true), importing('feed.csv', 'new.db', true), runs);
    tell('PostgreSQL: new products', seconds(first.a), `SQLite ${seconds(first.b)}`, times(first.ratio), '≤ 1.5 x');
    tell('  peak resident memory', `${first.a.megabytes.toFixed(0)} MiB`, '', '', '≤ 160 MiB');
    const again = await pair(into('feed.csv', false), importing('feed.csv', 'new.db', false), runs);
    tell('PostgreSQL: all unchanged', seconds(again.a), `SQLite ${seconds(again.b)}`, times(again.ratio), '≤ 1.3 x');
    // Each run has other prices than the one before it.
    writeFeed('csv', rows, at('other.csv'), 1);
    const other = (target: (feed: string) => Work): Work => {
      let isOther = false;
      return {
        before() {
          isOther = !isOther;
        },
        get argv() {
          return target(isOther ? 'other.csv' : 'feed.csv').argv;
        },
      };
    };
    const prices = await pair(
      other((feed) => into(feed, false)),
      other((feed) => importing(feed, 'new.db', false)),
      runs,
    );
    tell('PostgreSQL: other prices', seconds(prices.a), `SQLite ${seconds(prices.b)}`, times(prices.ratio), '≤ 2 x');
    await benchWriters(database, runs);
  } finally {
    await database.stop();
  }
}

/** The same products by one importer, and in equal parts by several at once. */
async function benchWriters(database: BenchDatabase, runs: number): Promise<void> {
  writeFlatFeed('flat', rows, at('flat.ndjson'));
  const lines = readFileSync(at('flat.ndjson'), 'utf8').split('\n');
  for (const writers of [2, 4]) {
    const part = Math.ceil(lines.length / writers);
    for (let i = 0; i < writers; i++)
      writeFileSync(at(`part-${i}.ndjson`), lines.slice(i * part, (i + 1) * part).join('\n'));
    const alone: number[] = [];
    const together: number[] = [];
    for (let run = 0; run < runs; run++) {
      await database.drop('bench');
      alone.push((await time(importing('flat.ndjson', database.address('bench'), false))).seconds);
      await database.drop('bench');
      const started = performance.now();
      const parts = Array.from({ length: writers }, (_, i) => {
        const work = importing(`part-${i}.ndjson`, database.address('bench'), false);
        return time({ ...work, argv: work.argv.map((arg) => arg.replace('report.ndjson', `report-${i}.ndjson`)) });
      });
      await Promise.all(parts);
      together.push((performance.now() - started) / 1000);
    }
    const ratio = median(together.map((taken, i) => taken / (alone[i] ?? Number.NaN)));
    tell(
      `PostgreSQL: new, by ${writers} importers at once`,
      `${median(together).toFixed(2)} s`,
      `by one ${median(alone).toFixed(2)} s`,
      times(ratio),
      '',
    );
  }
}

async function benchLarge(): Promise<void> {
  writeFeed('csv', large, at('large.csv'));
  const small = (await pair(importing('feed.csv', 'new.db', true), undefined, 3)).a;
  const big = await time(importing('large.csv', 'large.db', true));
  const perItem = big.seconds / large / (small.seconds / rows);
  tell(`${large} new products from CSV`, seconds(big), `per item, against ${rows}`, times(perItem), '≤ 1.25 x');
  tell(
    '  peak resident memory',
    `${big.megabytes.toFixed(0)} MiB`,
    `${small.megabytes.toFixed(0)} MiB`,
    times(big.megabytes / small.megabytes),
    '≤ 1.1 x, ≤ 200 MiB',
  );
}

async function benchStart(runs: number): Promise<void> {
  const node = { argv: [process.execPath, '-e', '0'] };
  const database = large > 0 ? 'large.db' : 'kept.db';
  if (large === 0) await time(importing('feed.csv', 'kept.db', true));
  const get = await pair(
    { argv: ours('get', 'product', '--sku', 'SKU-00001000', '--db', at(database)) },
    node,
    runs * 3,
  );
  tell(
    `get product --sku, of ${large || rows}`,
    seconds(get.a),
    `node -e 0 ${seconds(get.b)}`,
    times(get.ratio),
    '≤ 2 x',
  );
  const help = await pair({ argv: ours('--help') }, node, runs * 3);
  tell('--help', seconds(help.a), `node -e 0 ${seconds(help.b)}`, times(help.ratio), '≤ 1.6 x');
}

try {
  const runs = Number(options.runs);
  const wanted = (word: string) => options.only === '' || options.only === word;
  writeFeed('csv', rows, at('feed.csv'));
  if (wanted('import')) await benchImport(runs);
  if (wanted('json')) await benchJson(runs);
  if (large > 0 && wanted('large')) await benchLarge();
  if (wanted('postgres')) await benchPostgres(runs);
  if (wanted('start')) await benchStart(runs);
  const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}`;
  console.log(`\n${machine}; medians of ${runs}\n`);
  console.log('| work | ours | beside | ratio | aim |\n|---|---|---|---|---|');
  for (const line of table) console.log(`| ${line.join(' | ')} |`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
