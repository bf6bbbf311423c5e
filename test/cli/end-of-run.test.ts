// What the end of a feed's run did is part of its result: lines with a cause in every form of report, counted apart from the items.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { folder, typed, typedHere } from './typed.js';

const path = folder();
const at = (name: string): string => join(path, name);
const run = (...args: string[]) => typedHere([...args, '--db', at('shop.db')]);
const off = ['missing', 'created', 'shown', 'price-change'].flatMap((name) => [`--max-${name}`, 'off']);

function night(feed: string, skus: string, ...options: string[]) {
  const price = feed === 'erp' ? '10.00' : '20.00';
  const rows = [...skus].map((sku) => `${sku},EUR,${price}${feed === 'erp' ? ',activated' : ','}\n`).join('');
  writeFileSync(at(`${feed}.csv`), `sku,currency,price,status\n${rows}`);
  return run('products', at(`${feed}.csv`), '--feed', feed, '--output', 'ndjson', ...off, ...options);
}

interface ReportLine {
  readonly type?: string;
  readonly cause?: string;
  readonly external_id?: string;
}

const linesOf = (text: string): readonly (ReportLine & Readonly<Record<string, unknown>>)[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

it('suspended records are lines of their own in every report, and the counts of items still balance', async () => {
  await night('erp', 'ABCD');
  const forms = ['ndjson', 'json', 'csv'].flatMap((form) => ['--report-file', at(`r.${form}`)]);
  const suspending = ['--missing', 'suspend', '--status-file', at('s.prom'), ...forms];
  const lines = linesOf((await night('erp', 'AB', ...suspending)).stdout);
  const ofEnd = lines.filter(({ cause }) => cause !== undefined);
  const expected = {
    ...{
      resource: 'product',
      external_id: 'C',
      id: expect.stringMatching(/^prod_/),
      cause: 'missing',
      action: 'updated',
    },
    ...{ feed: 'erp', code: null, title: null, reason: null, notice: [], line: null },
    changes: [{ field: 'status', from: 'activated', to: 'suspended' }],
  };
  expect(ofEnd).toEqual([expected, { ...expected, external_id: 'D' }]);
  const counts = { created: 0, updated: 0, unchanged: 2, refused: 0, total: 2 };
  const end = { suspended: 2, regained: 0, passed_on: 0 };
  expect(lines.at(-1)).toMatchObject({ type: 'summary', ...counts, end });
  const { response } = JSON.parse(readFileSync(at('r.json'), 'utf8'));
  expect(response).toMatchObject({ ...counts, end: { ...end, data: [expected, { ...expected, external_id: 'D' }] } });
  expect(response.data).toHaveLength(2);
  expect(linesOf(readFileSync(at('r.ndjson'), 'utf8')).filter(({ cause }) => cause === 'missing')).toHaveLength(2);
  const rows: readonly Record<string, string>[] = parse(readFileSync(at('r.csv'), 'utf8'), {
    columns: true,
    bom: true,
  });
  const ofCsv = rows.filter(({ cause }) => cause !== '').map((row) => [row['external_id'], row['cause'], row['feed']]);
  expect(ofCsv).toEqual([
    ['C', 'missing', 'erp'],
    ['D', 'missing', 'erp'],
  ]);
  expect(readFileSync(at('s.prom'), 'utf8')).toContain('catalog_import_last_end{feed="erp",effect="suspended"} 2\n');
});

it('runs and runs show name what the end did, and no section of their own', async () => {
  expect((await run('runs')).stdout).toMatch(/erp +done, exit 0 +2 unchanged, 2 suspended +products .*erp\.csv\n/);
  const { stdout } = await run('runs', 'show', '2');
  expect(stdout).toMatch(/^end +2 suspended$/m);
  expect(stdout.match(/^file /gm)).toHaveLength(1);
  const json = JSON.parse((await run('runs', 'show', '2', '--output', 'json')).stdout);
  expect([json.end, json.files.length]).toEqual([{ suspended: 2, regained: 0, passed_on: 0 }, 1]);
});

it('records that are listed again are lines with the cause relisted, beside those of their rows', async () => {
  const lines = linesOf((await night('erp', 'ABC', '--dry-run')).stdout);
  expect(lines.filter(({ cause }) => cause === 'relisted').map(({ external_id }) => external_id)).toEqual([]);
  writeFileSync(at('again.csv'), 'sku,currency,price\nA,EUR,10.00\nB,EUR,10.00\nC,EUR,10.00\n');
  const again = await run('products', at('again.csv'), '--feed', 'erp', '--output', 'ndjson', ...off);
  const found = linesOf(again.stdout).filter(({ cause }) => cause === 'relisted');
  expect(found).toMatchObject([
    { external_id: 'C', line: null, changes: [{ field: 'status', from: 'suspended', to: 'activated' }] },
  ]);
  expect(linesOf(again.stdout).at(-1)).toMatchObject({ total: 3, updated: 1, end: { suspended: 0, regained: 1 } });
});

it('records that pass to a lower feed are lines with what changes', async () => {
  await run('feeds', 'set', 'sub', '--below', 'erp');
  await night('erp', 'ABC');
  await night('sub', 'ABC');
  const lines = linesOf((await night('erp', 'A')).stdout);
  const passed = lines.filter(({ cause }) => cause === 'passed_on');
  expect(passed.map(({ external_id }) => external_id)).toEqual(['B', 'C']);
  expect(passed[0]).toMatchObject({ feed: 'erp', changes: [{ field: 'price', from: '10.00', to: '20.00' }] });
  expect(lines.at(-1)).toMatchObject({ total: 1, end: { passed_on: 2 } });
  const dry = linesOf((await night('erp', 'A', '--dry-run')).stdout);
  expect(dry.at(-1)).toMatchObject({ end: { suspended: 0, regained: 0, passed_on: 0 } });
});

it('pages count what an undo and a retired feed did as the printed result does', async () => {
  const row = (sku: string, price: string) => `${sku},EUR,${price},activated\n`;
  const head = 'sku,currency,price,status\n';
  const cwd = folder({ 'high.csv': head + row('A', '2.00') + row('B', '2.00'), 'low.csv': head + row('A', '1.00') });
  const line = (words: string) => typed(cwd, words.split(' '));
  const page = (name: string) => readFileSync(join(cwd, name), 'utf8').replaceAll(/<[^>]*>/g, ' ');
  await line('products high.csv');
  expect((await line('undo 1 --report-file undo.html')).stdout).toContain('0 restored, 2 suspended');
  expect(page('undo.html')).toContain('2 suspended.');
  expect(page('undo.html')).not.toContain('No stored record changes');
  await line('feeds set low --below high');
  for (const feed of ['high', 'low']) await line(`products ${feed}.csv --feed ${feed}`);
  const { stdout } = await line('feeds retire high --report-file retired.html');
  expect(stdout).toContain('1 suspended, 1 passed on to other feeds');
  expect(page('retired.html')).toContain('1 suspended, 1 passed on to other feeds.');
});

/** A catalog in which a second run changed A and B and created C, and a third one changed A again. */
async function changedTwice() {
  const head = 'sku,currency,name,price\n';
  const cwd = folder({
    'one.csv': `${head}A,EUR,Lamp,1\nB,EUR,Chair,2\n`,
    'two.csv': `${head}A,EUR,Lamp,3\nB,EUR,Big chair,2\nC,EUR,Sofa,4\n`,
    'three.csv': `${head}A,EUR,Lamp,5\n`,
  });
  const type = (words: string) => typed(cwd, words.split(' '));
  for (const name of ['one', 'two', 'three']) await type(`products ${name}.csv -q`);
  return { type, read: (name: string) => readFileSync(join(cwd, name), 'utf8') };
}

it('reports of an undo tell what it changed, and those of its dry run the same', async () => {
  const { type, read } = await changedTwice();
  const told = async (name: string, more: string) => {
    await type(`undo 2 -q --report-file ${name}.ndjson --report-file ${name}.csv${more}`);
    const [, ...lines] = linesOf(read(`${name}.ndjson`));
    return { csv: read(`${name}.csv`), summary: lines.pop(), lines };
  };
  const dry = await told('dry', ' --dry-run');
  expect(dry.summary).toMatchObject({ dry_run: true, run: null, end: { restored: 1, suspended: 1, kept: 1 } });
  expect((await type('runs')).stdout).not.toContain('undo');
  const done = await told('done', '');
  expect(done.summary).toMatchObject({ dry_run: false, run: 4 });
  expect(done.lines.map(({ external_id }) => external_id)).toEqual(['B', 'C']);
  expect({ ...dry, summary: done.summary }).toEqual(done);
  expect(done.csv).toContain('name: ""Big chair"" → ""Chair""');
});

it('a record of which an undo keeps every field counts as unchanged', async () => {
  const { type } = await changedTwice();
  expect((await type('undo 2')).stdout).toContain('1 restored, 1 suspended, 1 kept');
  const run = JSON.parse((await type('runs show 4 --output json')).stdout);
  expect(run).toMatchObject({ updated: 2, unchanged: 1, total: 3 });
});

it('the summary of a feed that would be retired says that it is of a dry run', async () => {
  const { type, read } = await changedTwice();
  await type('products one.csv --feed erp');
  await type('feeds retire erp --dry-run --report-file r.ndjson');
  expect(linesOf(read('r.ndjson')).at(-1)).toMatchObject({ dry_run: true, end: { suspended: 0 } });
});
