// The table of figures: whole commands timed in turn with their peers, medians and ratios of one run.
//
//   npm run bench -- [--rows 200000] [--runs 5] [--large 2000000] [--only import|history|recognition|json|export|postgres|start|large]
//
// Peers are the sqlite3 shell and sqlite-utils (both Debian packages); where one is missing its rows say so. Time is
// wall time of the process; where a row says so, processor time of all its threads or of the main one, which other work on the
// machine changes less. Memory is the peak resident size, the thread included.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  /** Of all threads, user and system; where a command does not tell it, to within 0.04 s, and 0 where the system is not Linux. */
  readonly processor: number;
  /** Of the main thread of a command that tells it; 0 where the system is not Linux. */
  readonly main: number;
  readonly megabytes: number;
}

type Figure = 'seconds' | 'processor' | 'main';

/** A command of the table: what is made ready before each run, and what is timed. */
interface Work {
  readonly argv: readonly string[];
  readonly before?: () => void | Promise<void>;
  /** Whether it tells itself what it used (usage.mjs), which takes some milliseconds. */
  readonly tells?: true;
  /** Exit codes that are in order. */
  readonly exits?: readonly number[];
}

const usage = at('usage.json');
const telling = {
  ...process.env,
  NODE_OPTIONS: `--import ${new URL('usage.mjs', import.meta.url).href}`,
  BENCH_USAGE: usage,
};

/** Runs a command once and reads its peak memory while it runs. */
async function time(work: Work): Promise<Run> {
  await work.before?.();
  const [command = '', ...args] = work.argv;
  rmSync(usage, { force: true });
  const started = performance.now();
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: folder,
    ...(work.tells && { env: telling }),
  });
  let megabytes = 0;
  let processor = 0;
  let complaint = '';
  child.stderr.on('data', (data) => {
    complaint += data;
  });
  const look = setInterval(() => {
    megabytes = Math.max(megabytes, peakOf(child.pid));
    processor = Math.max(processor, processorOf(child.pid));
  }, 20);
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      clearInterval(look);
      if (!(work.exits ?? [0]).includes(code ?? -1))
        reject(new Error(`${work.argv.join(' ')}: exit ${code}: ${complaint}`));
      else {
        const told = existsSync(usage) ? JSON.parse(readFileSync(usage, 'utf8')) : { main: 0 };
        resolve({ seconds: (performance.now() - started) / 1000, processor, megabytes, ...told });
      }
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

/** Ticks of a hundredth of a second, which Linux counts in everywhere. */
function processorOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100 || 0;
  } catch {
    return 0;
  }
}

const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;

/** The figures of commands that were run by turns. */
interface Turns<Name extends string> {
  /** The medians of a command, and its highest memory. */
  of(name: Name): Run;
  /** The median of the ratios of two commands in the same round. */
  ratio(name: Name, other: Name, figure?: Figure): number;
}

/**
 * Runs commands in turn, A B C C B A A …: so a ratio holds where the machine's speed drifts.
 * @param works a command that is missing on this machine is undefined, and has no figures
 */
async function byTurns<Name extends string>(
  works: Readonly<Record<Name, Work | undefined>>,
  runs: number,
): Promise<Turns<Name>> {
  const rounds: Record<Name, Run>[] = [];
  for (let i = 0; i < runs; i++) {
    const round: Partial<Record<Name, Run>> = {};
    const names = Object.keys(works) as Name[];
    for (const name of i % 2 === 0 ? names : names.reverse()) {
      const work = works[name];
      if (work !== undefined) round[name] = await time(work);
    }
    rounds.push(round as Record<Name, Run>);
  }
  return {
    of: (name) => ({
      seconds: median(rounds.map((round) => round[name].seconds)),
      processor: median(rounds.map((round) => round[name].processor)),
      main: median(rounds.map((round) => round[name].main)),
      megabytes: Math.max(...rounds.map((round) => round[name].megabytes)),
    }),
    ratio: (name, other, figure = 'seconds') =>
      median(rounds.map((round) => round[name][figure] / round[other][figure])),
  };
}

/** Two commands by turns; the second may be missing. */
async function pair(a: Work, b: Work | undefined, runs: number): Promise<{ a: Run; b?: Run; ratio?: number }> {
  const turns = await byTurns({ a, b }, runs);
  if (b === undefined) return { a: turns.of('a') };
  return { a: turns.of('a'), b: turns.of('b'), ratio: turns.ratio('a', 'b') };
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
    tells: true,
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
const processor = (run: Run) => `${run.processor.toFixed(2)} s`;
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
  const first = importing('feed.csv', 'new.db', true);
  await time(importing('feed.csv', 'kept.db', true));
  const works = {
    first,
    again: importing('feed.csv', 'kept.db', false),
    dry: importing('feed.csv', 'dry.db', true, '--dry-run'),
    dryAgain: importing('feed.csv', 'kept.db', false, '--dry-run'),
  };
  const peer = has('sqlite3') ? { argv: shell, before: remove('peer.db') } : undefined;
  const turns = await byTurns({ ...works, peer }, runs);
  const [once, again] = [turns.of('first'), turns.of('again')];
  tell(
    `${rows} new products from CSV`,
    seconds(once),
    `sqlite3 .import ${seconds(peer && turns.of('peer'))}`,
    times(peer && turns.ratio('first', 'peer')),
    '≤ 3.0 x',
  );
  tell('  peak resident memory', `${once.megabytes.toFixed(0)} MiB`, '', '', '≤ 200 MiB');
  const upsert = ['sqlite-utils', 'upsert', at('peer2.db'), 'p', at('feed.csv'), '--csv', '--pk', 'sku'];
  const utils = has('sqlite-utils') ? await time({ argv: upsert, before: remove('peer2.db') }) : undefined;
  const share = utils && once.seconds / utils.seconds;
  tell('  against sqlite-utils upsert, one run', seconds(once), seconds(utils), times(share), '≤ 0.33 x');
  const compare = (work: string, name: keyof typeof works, other: 'first' | 'again', aim: string) =>
    tell(work, seconds(turns.of(name)), seconds(turns.of(other)), times(turns.ratio(name, other)), aim);
  compare('the same again, all unchanged, against the first', 'again', 'first', '≤ 0.5 x');
  compare('dry run, new, against the real run', 'dry', 'first', '≤ 1 x');
  compare('dry run, unchanged, against the real run', 'dryAgain', 'again', '≤ 1 x');
  tell(
    '  processor time, again against the first',
    processor(again),
    processor(once),
    times(turns.ratio('again', 'first', 'processor')),
    '',
  );
}

/** What keeping each change costs, in processor time. */
async function benchHistory(runs: number): Promise<void> {
  writeFeed('csv', rows, at('other.csv'), 1);
  for (const name of ['with.db', 'without.db']) await time(importing('feed.csv', name, true));
  const turns = await byTurns(
    {
      created: importing('feed.csv', 'new.db', true),
      createdWithout: importing('feed.csv', 'new.db', true, '--no-history'),
      changed: withOtherPrices((feed) => importing(feed, 'with.db', false)),
      changedWithout: withOtherPrices((feed) => importing(feed, 'without.db', false, '--no-history')),
    },
    runs,
  );
  const compare = (work: string, name: 'created' | 'changed', aim: string) =>
    tellCost(`history of ${work}`, turns, { name, without: `${name}Without`, named: '--no-history', aim });
  compare('new products', 'created', '≤ 1.10 x');
  compare('other prices and stocks', 'changed', '≤ 1.15 x');
}

/** Tells what a part of the work costs: in processor time of all threads, of the main one, and in wall time. */
function tellCost<Name extends string>(
  work: string,
  turns: Turns<Name>,
  { name, without, named, aim }: { readonly name: Name; readonly without: Name; named: string; aim: string },
): void {
  const [own, other] = [turns.of(name), turns.of(without)];
  const figures = { processor: 'processor time', main: '  of the main thread', seconds: '  wall time' } as const;
  for (const figure of Object.keys(figures) as (keyof typeof figures)[]) {
    const shown = (run: Run) => `${run[figure].toFixed(2)} s`;
    const title = figure === 'processor' ? `${work}, ${figures[figure]}` : figures[figure];
    tell(title, shown(own), `${named} ${shown(other)}`, times(turns.ratio(name, without, figure)), aim);
  }
}

/** Each run has other prices and stocks than the one before it. */
function withOtherPrices(target: (feed: string) => Work): Work {
  let isOther = false;
  return {
    before() {
      isOther = !isOther;
    },
    tells: true,
    get argv() {
      return target(isOther ? 'other.csv' : 'feed.csv').argv;
    },
  };
}

/**
 * What fingerprints cost. A product that asks for the best free slug has none, since its slug depends on other products; the feed
 * beside it has as many columns. Whether it has one is asked of each, which is the only part of the cost in both.
 */
async function benchRecognition(runs: number): Promise<void> {
  const lines = readFileSync(at('feed.csv'), 'utf8').split(/\n(?=SKU-)/);
  for (const column of ['slug', 'seo_description']) {
    const wide = lines.map((line, i) => (i === 0 ? `${line},${column}` : `${line.trimEnd()},`));
    writeFileSync(at(`${column}.csv`), `${wide.join('\n')}\n`);
  }
  const empty = (feed: string) => importing(feed, 'new.db', true, '--empty', 'clear');
  const turns = await byTurns({ with: empty('seo_description.csv'), without: empty('slug.csv') }, runs);
  const cost = { name: 'with', without: 'without', named: 'without', aim: '≤ 1.03 x' } as const;
  tellCost('fingerprints of new products', turns, cost);
}

async function benchJson(runs: number): Promise<void> {
  writeFeed('ndjson', rows, at('feed.ndjson'));
  writeFeed('json', rows, at('feed.json'));
  writeFileSync(at('characteristics.json'), '[{"name": "Material"}, {"name": "Season"}]');
  await time({
    argv: ours('characteristics', at('characteristics.json'), '--db', at('characteristics.db'), '--quiet'),
  });
  const turns = await byTurns(
    {
      lines: withCharacteristics('feed.ndjson', 'lines.db'),
      array: withCharacteristics('feed.json', 'array.db'),
      csv: importing('feed.csv', 'new.db', true),
    },
    Math.min(runs, 3),
  );
  const [lines, array] = [turns.of('lines'), turns.of('array')];
  tell(
    'NDJSON with 2 attributes and a photo',
    seconds(lines),
    `CSV without ${seconds(turns.of('csv'))}`,
    times(turns.ratio('lines', 'csv')),
    '≤ 1.6 x',
  );
  const ofArray = times(turns.ratio('array', 'lines'));
  tell('the same as a JSON array', seconds(array), `NDJSON ${seconds(lines)}`, ofArray, '≤ 2 x');
  tell('  peak resident memory', `${Math.max(lines.megabytes, array.megabytes).toFixed(0)} MiB`, '', '', '≤ 200 MiB');
}

/** Exporting a catalog's products beside the shell that prints the table. */
async function benchExport(runs: number): Promise<void> {
  await time(importing('feed.csv', 'exported.db', true));
  const shell = { argv: ['sqlite3', '-csv', at('exported.db'), 'SELECT * FROM product'] };
  const { a, b, ratio } = await pair(
    { argv: ours('export', 'products', '--output', 'csv', '--db', at('exported.db')) },
    has('sqlite3') ? shell : undefined,
    runs,
  );
  tell(`export of ${rows} products as CSV`, seconds(a), `sqlite3 -csv ${seconds(b)}`, times(ratio), '≤ 4 x');
  tell('  peak resident memory', `${a.megabytes.toFixed(0)} MiB`, '', '', '≤ 200 MiB');
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
    writeFeed('csv', rows, at('other.csv'), 1);
    const prices = await pair(
      withOtherPrices((feed) => into(feed, false)),
      withOtherPrices((feed) => importing(feed, 'new.db', false)),
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
  // Their costs are a few hundredths, within which single runs differ.
  if (wanted('history')) await benchHistory(2 * runs);
  if (wanted('recognition')) await benchRecognition(3 * runs);
  if (wanted('json')) await benchJson(runs);
  if (wanted('export')) await benchExport(Math.min(runs, 3));
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
