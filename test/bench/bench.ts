// The table of figures: whole commands timed in turn with their peers, medians and ratios of one run.
//
//   npm run bench -- [--rows 200000] [--runs 5] [--large 5000000] [--write] [--compare COMMIT]
//                    [--only import,history,recognition,json,export,postgres,start,large]
//
// The peer is the sqlite3 shell; where it is missing its rows say so. Floors are small programs in floors/, each of which says
// what it leaves out. Time is wall time of the process; where a row says so, processor time of all its threads or of the main
// one, which other work on the machine changes less. Memory is the peak resident size, the thread included. `--write` puts the
// table into the manual. `--compare` runs only the imports, by turns with those of another commit, in processor time.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareWith } from './compare.js';
import { delayingProxy } from './delaying-proxy.js';
import { writeFeed, writeFlatFeed } from './feed.js';
import { memory, seconds, tableText, tell, times, writeIntoManual } from './figures-table.js';
import { importsOf, prepareImports, withOtherPrices, writeFeeds } from './imports.js';
import { type BenchDatabase, startBenchDatabase } from './postgres.js';
import { at, byTurns, has, median, pair, type Run, remove, removeAll, type Turns, time, type Work } from './timing.js';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' },
    runs: { type: 'string', default: '5' },
    large: { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
    compare: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});
const rows = Number(options.rows);
const large = Number(options.large);
const bin = fileURLToPath(new URL('../../bin/catalog-import.js', import.meta.url));
const ours = (...args: string[]) => [process.execPath, bin, ...args];
const floor = (program: URL, ...args: string[]): Work => ({
  argv: [process.execPath, fileURLToPath(program), ...args],
  tells: true,
});

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

/** The promised imports beside the shell, floors and each other. */
async function benchImport(runs: number): Promise<void> {
  await prepareImports(bin, 'own');
  const imports = importsOf(bin, 'own');
  const fresh = importing('feed.csv', 'dry.db', true, '--dry-run');
  const works = {
    ...imports,
    dry: fresh,
    dryAgain: importing('feed.csv', 'own-kept.db', false, '--dry-run'),
    peer: shellImport(),
    node: { argv: [process.execPath, '-e', '0'] },
    cut: floor(new URL('floors/cut-rows.mjs', import.meta.url), at('feed.csv')),
    bind: {
      ...floor(new URL('floors/bind-rows.mjs', import.meta.url), at('own-kept.db'), at('floor.db')),
      before: remove('floor.db'),
    },
    compare: floor(new URL('floors/compare-rows.mjs', import.meta.url), at('feed.csv'), at('texts.db')),
  };
  const turns = await byTurns(works, runs);
  const shell = `sqlite3 .import ${seconds(works.peer && turns.of('peer'))}`;
  const beside = (name: keyof typeof works, aim: string) => {
    const ratio = works.peer && turns.ratio(name, 'peer');
    tell(
      `${rows} products: ${name}`,
      `${seconds(turns.of(name))}, ${memory(turns.of(name))}`,
      shell,
      times(ratio),
      aim,
    );
  };
  beside('new', '≤ 3.0 x');
  beside('again', '≤ 1.5 x');
  beside('other prices', '');
  beside('new, with a report file', '≤ 3.3 x');
  beside('again, with a report file', '≤ 1.8 x');
  const compare = (name: keyof typeof works, other: keyof typeof works, what: string, aim: string) => {
    const own = `${seconds(turns.of(name))}, ${memory(turns.of(name))}`;
    tell(what, own, `${other} ${seconds(turns.of(other))}`, times(turns.ratio(name, other)), aim);
  };
  compare('new, mapped', 'new', 'new, mapped: other names, decimal commas, a lookup, a skip', '≤ 1.2 x');
  for (const name of [
    'new from NDJSON, with 2 attributes and a photo',
    'new from gzip',
    'new from a workbook',
  ] as const)
    compare(name, 'new', name, '');
  compare('dry', 'new', 'dry run of new rows', '≤ 1 x');
  compare('dryAgain', 'again', 'dry run of unchanged rows', '≤ 1 x');
  compare('one row', 'node', 'one row, against node -e 0', '≤ 2.5 x');
  compare('cut', 'new', 'floor: cutting the rows, in one thread', '');
  compare('bind', 'new', 'floor: binding finished rows, in one thread', '');
  compare('compare', 'again', 'floor: comparing the texts of rows by key', '');
}

function shellImport(): Work | undefined {
  if (!has('sqlite3')) return undefined;
  const header = readFileSync(at('feed.csv'), 'utf8').slice(0, 400).split('\n')[0] ?? '';
  const columns = header.split(',').map((name) => (name === 'sku' ? 'sku TEXT PRIMARY KEY' : `"${name}" TEXT`));
  const statements = [`CREATE TABLE p (${columns.join(', ')})`, `.import --csv --skip 1 ${at('feed.csv')} p`];
  return { argv: ['sqlite3', at('peer.db'), ...statements], before: remove('peer.db') };
}

/** What keeping each change costs, in processor time. */
async function benchHistory(runs: number): Promise<void> {
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
  writeFeed('json', rows, at('feed.json'));
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
  const database = await startBenchDatabase(at(''));
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
    const prices = await pair(
      withOtherPrices((feed) => into(feed, false)),
      withOtherPrices((feed) => importing(feed, 'new.db', false)),
      runs,
    );
    tell('PostgreSQL: other prices', seconds(prices.a), `SQLite ${seconds(prices.b)}`, times(prices.ratio), '≤ 2 x');
    await benchRoundTrips(database, runs);
    await benchWriters(database, runs);
  } finally {
    await database.stop();
  }
}

/** What a network costs: the same imports over round trips of several lengths. */
async function benchRoundTrips(database: BenchDatabase, runs: number): Promise<void> {
  for (const roundTrip of [0, 1, 5]) {
    const proxy = await delayingProxy(database.port, roundTrip);
    const into = (by: number, fresh: boolean): Work => ({
      ...importing('feed.csv', database.address('bench', by), false),
      ...(fresh && { before: () => database.drop('bench') }),
    });
    for (const [work, fresh] of [
      ['new', true],
      ['unchanged', false],
    ] as const) {
      const { a, b, ratio } = await pair(into(proxy.port, fresh), into(database.port, fresh), Math.min(runs, 3));
      tell(
        `PostgreSQL, ${roundTrip} ms a round trip: ${work}`,
        seconds(a),
        `without a proxy ${seconds(b)}`,
        times(ratio),
        '',
      );
    }
    await proxy.close();
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
  writeFeeds(rows);
  if (options.compare !== '') await compareWith(options.compare, bin, runs);
  else await benchAll(runs);
  const text = tableText(runs);
  process.stdout.write(`\n${text}`);
  if (options.write) writeIntoManual(text);
} finally {
  removeAll();
}

async function benchAll(runs: number): Promise<void> {
  const wanted = (word: string) => options.only === '' || options.only.split(',').includes(word);
  if (wanted('import')) await benchImport(runs);
  // Their costs are a few hundredths, within which single runs differ.
  if (wanted('history')) await benchHistory(2 * runs);
  if (wanted('recognition')) await benchRecognition(3 * runs);
  if (wanted('json')) await benchJson(runs);
  if (wanted('export')) await benchExport(Math.min(runs, 3));
  if (large > 0 && wanted('large')) await benchLarge();
  if (wanted('postgres')) await benchPostgres(runs);
  if (wanted('start')) await benchStart(runs);
}
