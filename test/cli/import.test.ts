import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readdirSync, readFileSync, readlinkSync, statSync, writeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { execFileSync, lineOf, outcome, startChild } from '../child.js';
import { allowed } from '../tier.js';
import { settled, until } from '../until.js';
import { program, start, typedAsProcess } from './started.js';
import { demo, folder, products, typed } from './typed.js';

interface LineOut {
  readonly type?: string;
  readonly index: number;
  readonly line: number;
  readonly external_id: string;
  readonly action: string;
  readonly changes?: unknown;
}

function linesOf(ndjson: string): LineOut[] {
  return ndjson
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LineOut)
    .filter(({ type }) => type !== 'run');
}

/** The files that a process has open. */
function opened({ pid }: ChildProcess): string {
  const fds = `/proc/${pid}/fd`;
  const names = readdirSync(fds).map((fd) => {
    try {
      return readlinkSync(join(fds, fd));
    } catch {
      return '';
    }
  });
  return names.join('\n');
}

describe('reports', () => {
  it('ndjson: one line an item with its physical line, index over the whole file, and a final summary', async () => {
    const cwd = folder({
      'feed.csv': `sku,currency,name\n\nA,EUR,"two\nlines"\n${Array.from({ length: 50 }, (_, i) => `S-${i},EUR,n`).join('\n')}\n`,
    });
    const { code, stdout } = await typed(cwd, ['products', 'feed.csv', '--output', 'ndjson']);
    expect(code).toBe(0);
    const lines = linesOf(stdout);
    const run = JSON.parse(stdout.split('\n', 1)[0] ?? '');
    expect(run).toMatchObject({ type: 'run', command: 'products', files: ['feed.csv'], dry_run: false });
    expect(lines).toHaveLength(52);
    expect(lines[0]).toMatchObject({ index: 0, line: 3, external_id: 'A', action: 'created' });
    expect(lines.slice(0, -1).map(({ index }) => index)).toEqual(Array.from({ length: 51 }, (_, i) => i));
    expect(lines[50]).toMatchObject({ line: 54, external_id: 'S-49' });
    expect(lines[51]).toMatchObject({ type: 'summary', resource: 'product', created: 51, total: 51 });
  });

  it('json is the spec’s report over the whole file, in its envelope', async () => {
    const cwd = folder({ 'feed.csv': products(45) });
    const { stdout } = await typed(cwd, ['products', 'feed.csv', '--output', 'json', '-n']);
    const { code, title, response } = JSON.parse(stdout);
    expect({ code, title }).toEqual({ code: 200, title: 'OK' });
    expect(response).toMatchObject({
      object: 'list',
      resource: 'product',
      dry_run: true,
      created: 45,
      updated: 0,
      unchanged: 0,
      refused: 0,
      total: 45,
    });
    expect(response.data[44]).toEqual({
      index: 44,
      external_id: 'S-44',
      action: 'created',
      id: null,
      code: null,
      title: null,
      reason: null,
      notice: [],
      line: 46,
    });
    expect(response).not.toHaveProperty('stopped');
  });

  it('--report chooses the lines: all, changed, refused, none', async () => {
    const cwd = folder({
      'a.csv': products(2),
      'b.csv': 'sku,currency,price,stock\nS-0,EUR,0.50,0\nS-1,EUR,9.99,1\nNEW,EUR,1.00,1\nBAD,EUR,x,1\n',
    });
    await typed(cwd, ['products', 'a.csv']);
    const told = async (report: string): Promise<string[]> => {
      const { stdout } = await typed(cwd, ['products', 'b.csv', '-n', '--output', 'ndjson', '--report', report]);
      return linesOf(stdout).flatMap(({ type, external_id }) => (type === undefined ? [external_id] : []));
    };
    expect(await told('all')).toEqual(['S-0', 'S-1', 'NEW', 'BAD']);
    expect(await told('changed')).toEqual(['S-1', 'NEW', 'BAD']);
    expect(await told('refused')).toEqual(['BAD']);
    expect(await told('none')).toEqual([]);
  });

  it('--diff lists each changed field; without it the line has exactly the spec’s members and line', async () => {
    const cwd = folder({ 'a.csv': products(1), 'b.csv': 'sku,price\nS-0,12.00\n' });
    await typed(cwd, ['products', 'a.csv']);
    const [line] = linesOf((await typed(cwd, ['products', 'b.csv', '-n', '--diff', '--output', 'ndjson'])).stdout);
    expect(line?.changes).toEqual([{ field: 'price', from: '0.50', to: '12.00' }]);
    const table = await typed(cwd, ['products', 'b.csv', '--diff', '--report', 'changed']);
    expect(table.stdout).toContain('price "0.50" → "12.00"');
  });

  it('reports go to stdout, everything else to stderr; with --quiet stderr is empty', async () => {
    const cwd = folder({ 'feed.csv': 'sku;currency;colour\nA;EUR;red\n' });
    const { stdout, stderr } = await typed(cwd, ['products', 'feed.csv', '--output', 'ndjson']);
    expect(linesOf(stdout)).toHaveLength(2);
    expect(stderr).toContain('cells separated by semicolon');
    expect(stderr.match(/ignored columns: colour/g)).toHaveLength(1);
    expect((await typed(cwd, ['products', 'feed.csv', '-q'])).stderr).toBe('');
  });

  it('an ignored column whose name is a few letters off a field is asked about', async () => {
    const cwd = folder({ 'feed.csv': 'sku,curency,colour\nA,EUR,red\n' });
    const { stderr, stdout } = await typed(cwd, ['products', 'feed.csv', '--output', 'ndjson']);
    expect(stderr).toContain('curency (1 value; did you mean currency?), colour (1 value)');
    expect(stderr).toContain('--rename "curency=currency"');
    expect(Object(linesOf(stdout).at(-1)).warnings).toMatchObject([
      { code: 'columns_ignored', params: { columns: { curency: 1, colour: 1 }, meant: { curency: 'currency' } } },
    ]);
  });

  it('--limit 0 does not say that a file with records has none', async () => {
    const cwd = folder({ 'feed.csv': products(2), 'empty.csv': 'sku,currency\n' });
    expect((await typed(cwd, ['products', 'feed.csv', '--limit', '0'])).stderr).not.toContain('no_records');
    expect((await typed(cwd, ['products', 'empty.csv'])).stderr).toContain('no_records');
  });

  it('a file of empty rows without a mapping contains no records', async () => {
    const cwd = folder({ 'feed.csv': 'sku,currency\n,\n' });
    expect((await typed(cwd, ['products', 'feed.csv'])).stderr).toContain('feed.csv: it contains no records.');
  });

  it('a mapping that makes no item of any record is said to', async () => {
    const map = 'each: {path: p, separator: ">", drop: 2}\nfields: {name: $name, parent: $parent}\n';
    const cwd = folder({ 'feed.csv': 'p\na > b\n', 'm.yaml': map });
    const { stderr } = await typed(cwd, ['categories', 'feed.csv', '--map', 'm.yaml']);
    expect(stderr).toContain('no_records: feed.csv: it contains no record of which the mapping makes an item.');
    expect(stderr).toContain('drop: 2 leaves out the first 2 names of each path');
  });

  it('the table shows the first 20 refused lines, and all of them by code beyond that', async () => {
    const cwd = folder({
      'feed.csv': `sku,currency,price\n${Array.from({ length: 30 }, (_, i) => `S-${i},EUR,${i % 3 ? 'x' : '1.234'}`).join('\n')}\n`,
    });
    const { stdout } = await typed(cwd, ['products', 'feed.csv']);
    expect(stdout.match(/^ +\d+ {2}S-\d+/gm)).toHaveLength(20);
    expect(stdout).toContain('… and 10 more; --report-file <path> writes every line');
    const told = await typed(cwd, ['products', 'feed.csv', '--report-file', 'all.csv']);
    expect(told.stdout).toContain('… and 10 more; every line is in all.csv');
    expect(stdout).toMatch(/20 {2}field_format/);
    expect(stdout).toMatch(/10 {2}field_decimals/);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(stdout).not.toContain('\u001b');
  });

  it('supplier text is stripped of control characters before it reaches a terminal', async () => {
    const evil = 'A\u001b[2J\u009b31m\u202eB';
    const cwd = folder({ 'feed.ndjson': `${JSON.stringify({ sku: evil, price: evil, [evil]: 1 })}\n` });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    const steering = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;
    for (const output of ['table', 'json', 'ndjson']) {
      const { stdout, stderr } = await typed(cwd, ['products', 'feed.ndjson', '--output', output]);
      expect(stdout + stderr, output).not.toMatch(steering);
      expect(stdout).toContain('field_format');
    }
    const [line] = linesOf((await typed(cwd, ['products', 'feed.ndjson', '--output', 'ndjson'])).stdout);
    expect(line?.external_id).toBe(evil);
  });

  it('a JSON document is read from a pipe as from a file, as far as its list begins within 4 million characters', async () => {
    const item = { sku: 'A', currency: 'EUR', price: '1.00', name: 'A' };
    const ended = async (document: object, ...options: string[]) => {
      const child = start(folder(), ['products', '-', '--output', 'ndjson', ...options]);
      child.stdin?.on('error', () => undefined).end(JSON.stringify(document));
      return outcome(child);
    };
    for (const document of [{ blob: 'x'.repeat(200_000), items: [item] }, { data: { page: 1, products: [item] } }])
      expect(linesOf((await ended(document)).stdout).at(-1)).toMatchObject({ created: 1 });
    const late = { blob: 'x'.repeat(5_000_000), items: [item] };
    expect(await ended(late)).toMatchObject({ code: 2, stderr: expect.stringContaining('Name it with --items') });
    expect(linesOf((await ended(late, '--items', 'items')).stdout).at(-1)).toMatchObject({ created: 1 });
  });

  it('a closed pipe never stops an import', async () => {
    const cwd = folder({ 'feed.csv': products(2000) });
    const child = start(cwd, ['products', 'feed.csv', '--output', 'ndjson']);
    child.stdin?.end();
    await lineOf(child, /./);
    child.stdout?.destroy();
    expect((await outcome(child)).code).toBe(0);
    expect((await typed(cwd, ['get', 'product', '--sku', 'S-1999'])).code).toBe(0);
  });
});

describe('report files', () => {
  it('take their form from the extension, and hold every line', async () => {
    const cwd = folder({ 'feed.csv': 'sku,currency,price\n=1+1,EUR,1.00\n"@x,y",EUR,1.234\n' });
    for (const form of ['r.ndjson', 'r.json', 'r.csv', 'r']) {
      const { code } = await typed(cwd, ['products', 'feed.csv', '-n', '-q', '--report-file', form]);
      expect(code).toBe(3);
    }
    expect(linesOf(readFileSync(join(cwd, 'r.ndjson'), 'utf8'))).toHaveLength(3);
    const timeless = (name: string) =>
      linesOf(readFileSync(join(cwd, name), 'utf8')).map((line) => ({ ...line, seconds: 0 }));
    expect(timeless('r')).toEqual(timeless('r.ndjson'));
    expect(JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8')).response.data).toHaveLength(2);
    const [head, first, second] = readFileSync(join(cwd, 'r.csv'), 'utf8').split('\n');
    expect(head).toBe('\ufefffile,resource,line,index,external_id,action,id,code,title,reason,notice');
    expect(first).toBe("feed.csv,product,2,0,'=1+1,created,,,,,");
    expect(second).toContain(`"'@x,y",refused,,field_decimals,Too many decimals,`);
    expect(readdirSync(cwd).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    const other = await typed(cwd, ['products', 'feed.csv', '-n', '-q', '--report-file', 'r.log']);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('.log is not a form of report')]);
  });

  it('appear whole or not at all', async () => {
    const cwd = folder({ 'feed.csv': products(1), 'r.json': 'the report before' });
    await typed(cwd, ['products', 'missing.csv', '--report-file', 'r.json']);
    expect(readFileSync(join(cwd, 'r.json'), 'utf8')).toBe('the report before');
    const nowhere = await typed(cwd, ['products', 'feed.csv', '--report-file', 'no/such/folder/r.json']);
    expect(nowhere.code).toBe(2);
    expect(nowhere.stderr).toContain('--report-file');
    // The folder is looked for before a catalog is made.
    expect((await typed(cwd, ['get', 'product', '--sku', 'S-0'])).code).toBe(7);
  });

  it('never overwrite the feed or the catalog', async () => {
    const cwd = folder({ 'feed.csv': products(1) });
    await typed(cwd, ['products', 'feed.csv']);
    for (const file of ['feed.csv', 'catalog.db'])
      expect((await typed(cwd, ['products', 'feed.csv', '--report-file', `./${file}`])).code).toBe(2);
    expect(readFileSync(join(cwd, 'feed.csv'), 'utf8')).toBe(products(1));
  });
});

describe('an import', () => {
  it('running again reports every line unchanged (P4)', async () => {
    const cwd = folder({ 'feed.csv': products(130) });
    expect((await typed(cwd, ['products', 'feed.csv'])).stdout).toContain('130 created');
    expect((await typed(cwd, ['products', 'feed.csv'])).stdout).toContain('130 unchanged');
  });

  it('a dry run writes nothing and its lines equal the real ones (P5)', async () => {
    const cwd = folder();
    const products = join(demo, '4-products.csv');
    const args = ['products', products, '--output', 'ndjson', '-q'];
    const dry = await typed(cwd, [...args, '--dry-run']);
    expect(existsSync(join(cwd, 'catalog.db'))).toBe(false);
    const real = await typed(cwd, args);
    const comparable = (text: string) =>
      linesOf(text).map((line) => ({ ...line, id: null, run: null, dry_run: null, seconds: null }));
    expect(comparable(dry.stdout)).toEqual(comparable(real.stdout));
    const before = readFileSync(join(cwd, 'catalog.db'));
    await typed(cwd, [...args, '--dry-run', '--set', 'note=other']);
    expect(readFileSync(join(cwd, 'catalog.db'))).toEqual(before);
  });

  it('reads the standard input, renames columns, sets constants, stops after --limit', async () => {
    const cwd = folder();
    const input = 'Art. Nr.;Preis\nA;1.234,50\nB;2,00\nC;3,00\n';
    const args = [
      'products',
      '-',
      '--rename',
      'Art. Nr.=sku',
      '--rename',
      'Preis=price',
      '--set',
      'currency=EUR',
      '--decimal',
      ',',
      '--limit',
      '2',
    ];
    const { code, stdout } = await typed(cwd, args, { input });
    expect(code).toBe(0);
    expect(stdout).toContain('2 created');
    const { stdout: read } = await typed(cwd, ['get', 'products', '--sku', 'A']);
    expect(JSON.parse(read)).toMatchObject({ object: 'product', price: '1234.50', currency: 'EUR' });
  });

  it('a product’s category and group may be a name or a path: looked up in the target', async () => {
    const cwd = folder({
      'categories.csv': 'name,parent\nHome,\nPhones,Home\nA > B,\n',
      'groups.csv': 'name\nG\n',
      'products.csv':
        'sku,currency,category,group\nA,EUR,Home > phones,G\nB,EUR,PHONES,\nC,EUR,A > B,\nD,EUR,Home > Nowhere,\n',
    });
    await typed(cwd, ['categories', 'categories.csv']);
    await typed(cwd, ['groups', 'groups.csv']);
    const { code, stdout } = await typed(cwd, ['products', 'products.csv']);
    expect(code).toBe(3);
    expect(stdout).toMatch(/D +reference_not_found +category: Category "Home > Nowhere"/);
    const record = async (...args: string[]) => JSON.parse((await typed(cwd, ['get', ...args])).stdout);
    const { id } = await record('category', '--name', 'Phones');
    expect(await record('product', '--sku', 'A')).toMatchObject({
      category: id,
      group: (await record('group', '--name', 'G')).id,
    });
    expect(await record('product', '--sku', 'B')).toMatchObject({ category: id });
    expect(await record('product', '--sku', 'C')).toMatchObject({
      category: (await record('category', '--name', 'A > B')).id,
    });
  });
});

describe('interruption', () => {
  it('Ctrl-C finishes the batch, prints the report so far and how to continue, exits 130', async () => {
    const cwd = folder({ 'feed.csv': products(60_000) });
    const child = start(cwd, ['products', 'feed.csv', '--output', 'ndjson', '--report-file', 'r.json']);
    child.stdin?.end();
    await lineOf(child, /./);
    child.kill('SIGINT');
    const { code, stdout, stderr } = await outcome(child);
    expect(code).toBe(130);
    expect(stderr).toContain('Run the same command again');
    const lines = linesOf(stdout);
    const summary = lines.at(-1) as unknown as { total: number; stopped: string };
    expect(summary.stopped).toBe('interrupted');
    expect(summary.total).toBe(lines.length - 1);
    expect(summary.total).toBeLessThan(60_000);
    expect(JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8')).response).toMatchObject({
      total: summary.total,
      stopped: 'interrupted',
    });
    const limit = String(summary.total + 100);
    const again = linesOf((await typed(cwd, ['products', 'feed.csv', '--output', 'ndjson', '--limit', limit])).stdout);
    expect(again.at(-1)).toMatchObject({ unchanged: summary.total, created: 100 });
  });

  it('Ctrl-C is handled while the keys of a file are read ahead, and while a mapping skips row after row', async () => {
    const none = 'to: products\nkeep: {of: sku, is: [none]}\nfields: {sku: sku}\n';
    const some = products(40_000);
    const more = some.slice(some.indexOf('\n') + 1);
    // Seconds of rows, also where this process has to wait.
    const short = `sku,name\n${'S-1,A\n'.repeat(1_500_000)}`;
    const cwd = folder({ 'feed.csv': some + more.repeat(9), 'short.csv': short, 'none.yaml': none });
    for (const [file, ...options] of [
      ['feed.csv', '--on-duplicate', 'refuse'],
      ['short.csv', '--map', 'none.yaml', '--refused-file', 'refused.csv'],
    ] as const) {
      const db = `${options[1]}.db`;
      const child = start(cwd, ['products', file, '-q', '--db', db, ...options]);
      child.stdin?.end();
      // Signals are listened to before the catalog gets its tables; on Linux it is seen that the file is read, too.
      await until('tables', () => statSync(join(cwd, `${db}-wal`), { throwIfNoEntry: false })?.size);
      if (process.platform === 'linux') await until('the file to be read', () => opened(child).includes(file));
      child.kill('SIGINT');
      expect((await outcome(child)).code, options.join(' ')).toBe(130);
    }
  });

  it('SIGTERM ends an import that waits for its input, with 143, and keeps what was imported', async () => {
    const cwd = folder();
    const child = start(cwd, ['products', '-', '--output', 'json']);
    const ended = outcome(child);
    child.stdin?.write(products(50));
    // The first batch is in: what was sent with it waits for the rest of the second.
    await expect.poll(async () => (await typed(cwd, ['get', 'product', '--sku', 'S-39'])).code).toBe(0);
    child.kill('SIGTERM');
    const { code, stdout } = await ended;
    expect(code).toBe(143);
    expect(JSON.parse(stdout).response).toMatchObject({ created: 50, stopped: 'interrupted' });
    expect((await typed(cwd, ['get', 'product', '--sku', 'S-49'])).code).toBe(0);
  });

  it.runIf(process.platform === 'linux')(
    'SIGTERM ends within a second an import that waits for a pipe, first or later, without a writer or with a silent one',
    async () => {
      for (const [names, isWritten] of [
        [['pipe.csv'], false],
        [['feed.csv', 'pipe.csv'], false],
        [['feed.csv', 'pipe.csv'], true],
      ] as const) {
        const cwd = folder({ 'feed.csv': products(3) });
        execFileSync('mkfifo', [join(cwd, 'pipe.csv')]);
        const child = start(cwd, ['products', ...names, '--output', 'ndjson', '--verbose']);
        await expect.poll(() => opened(child).includes('pipe.csv')).toBe(true);
        if (isWritten) writeSync(openSync(join(cwd, 'pipe.csv'), 'r+'), 's');
        const began = performance.now();
        child.kill('SIGTERM');
        // Before anything is to be ended in order, the signal itself ends it.
        const { code, signal } = await outcome(child);
        expect(names.length > 1 ? [143] : [143, 'SIGTERM']).toContain(signal ?? code);
        expect(performance.now() - began).toBeLessThan(allowed(1000));
      }
    },
  );

  it.runIf(process.platform === 'linux')('reads a pipe whose writer comes late', async () => {
    const cwd = folder();
    execFileSync('mkfifo', [join(cwd, 'pipe.csv')]);
    const child = start(cwd, ['products', 'pipe.csv', '--output', 'json']);
    await expect.poll(() => opened(child).includes('pipe.csv')).toBe(true);
    await writeFile(join(cwd, 'pipe.csv'), products(3000));
    const { code, stdout } = await outcome(child);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).response.created).toBe(3000);
  });

  it('a second Ctrl-C ends at once and corrupts nothing', async () => {
    const cwd = folder({ 'feed.csv': products(60_000) });
    const child = start(cwd, ['products', 'feed.csv', '--report-file', 'r.csv', '--output', 'ndjson']);
    child.stdin?.end();
    await lineOf(child, /./);
    child.kill('SIGINT');
    child.kill('SIGINT');
    const { code, signal } = await outcome(child);
    // Two signals at once may arrive as one.
    expect([code, signal]).toSatisfy(([c, s]) => c === 130 || s === 'SIGINT');
    expect(readdirSync(cwd).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect((await typed(cwd, ['doctor'])).code).toBe(0);
    expect((await typed(cwd, ['products', 'feed.csv', '--limit', '2000'])).stdout).toMatch(/2,000 items/);
  });
});

it('memory is bounded: refused lines are counted, not kept', async () => {
  const cwd = folder();
  const child = startChild(process.execPath, ['--max-old-space-size=64', program, 'products', '-', '-q'], { cwd });
  child.stdin?.write('sku,currency,price\n');
  const long = 'S'.repeat(100);
  for (let i = 0; i < 60; i++) {
    const rows = Array.from({ length: 1000 }, (_, n) => `${long}-${i}-${n},EUR,no price at all`).join('\n');
    if (!child.stdin?.write(`${rows}\n`)) await settled('rows to be read', once(child.stdin as Writable, 'drain'));
  }
  child.stdin?.end();
  const { code, stdout } = await outcome(child);
  expect(code).toBe(3);
  expect(stdout).toContain('60,000 refused');
});

it('a file that is read in a thread of its own is mapped there, and notes appear once', async () => {
  const rows = Array.from({ length: 1200 }, (_, i) => `S-${i};${i % 90},50;${'x'.repeat(4000)}`);
  const cwd = folder({
    'feed.csv': `no;vk;text\n${rows.join('\n')}\n`,
    'map.yaml': 'fields: { sku: no, currency: { value: EUR }, price: vk, note: { column: text, case: upper } }',
  });
  const { stdout, stderr, code } = await typedAsProcess(cwd, [
    'products',
    'feed.csv',
    '--map',
    'map.yaml',
    '--output',
    'json',
    '--report',
    'none',
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).response).toMatchObject({ created: 1200, refused: 0 });
  expect(stderr).toContain('column "vk": read with decimal comma (1200 numbers)');
  const product = JSON.parse((await typed(cwd, ['get', 'product', '--sku', 'S-1199'])).stdout);
  expect(product).toMatchObject({ price: `${1199 % 90}.50`, note: 'X'.repeat(4000) });
});
