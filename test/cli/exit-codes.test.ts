import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { spawnSync } from '../child.js';
import { program } from './started.js';
import { folder, products, typed } from './typed.js';

const bad = 'sku,currency,price\nA,EUR,1.00\nB,EUR,1.234\n';

describe('exit codes', () => {
  it('0: every item accepted, an empty file included', async () => {
    const cwd = folder({ 'feed.csv': products(3), 'empty.csv': '' });
    expect((await typed(cwd, ['products', 'feed.csv'])).code).toBe(0);
    const empty = await typed(cwd, ['products', 'empty.csv']);
    expect(empty.code).toBe(0);
    expect(empty.stdout).toContain('0 items');
    expect(empty.stderr).toContain('empty.csv: it contains no records.');
  });

  it('a path that leads through a file, or to a folder, is an error of usage', async () => {
    const cwd = folder({ 'feed.csv': bad });
    const through = 'feed.csv/x';
    for (const [code, args] of [
      [5, ['products', through]],
      [5, ['run', through]],
      [5, ['run', `${through}.zip`]],
      [5, ['shop', 'load', 'files', through]],
      [7, ['get', 'product', '--sku', 'A', '--db', through]],
      [7, ['keys', 'list', '--db', through]],
      [2, ['products', 'feed.csv', '--refused-file', through]],
      [2, ['products', 'feed.csv', '--refused-file', '.']],
      [2, ['products', 'feed.csv', '--refused-file', 'none/x.csv']],
      [2, ['inspect', 'feed.csv', '--write-map', through]],
    ] as const) {
      const told = await typed(cwd, args);
      expect([told.code, told.stderr.includes('This is a bug')], args.join(' ')).toEqual([code, false]);
    }
    // Nothing was imported before it was known that the refused records have no place.
    expect((await typed(cwd, ['get', 'product', '--sku', 'A'])).code).not.toBe(0);
  });

  it('9: not found, by each command that the manual names', async () => {
    const cwd = folder({ 'feed.csv': products(1) });
    await typed(cwd, ['products', 'feed.csv']);
    const lines = [
      ...['get product X', 'why product X', 'prices product X', 'shop delete-product X', 'runs show 9', 'undo 9'],
      ...['missing --feed x', 'feeds retire x', 'explain x', 'keys revoke abcdefgh'],
    ];
    for (const line of lines) expect([line, (await typed(cwd, line.split(' '))).code]).toEqual([line, 9]);
    const page = readFileSync(new URL('../../src/manual/exit-codes.md', import.meta.url), 'utf8');
    const [, row = ''] = /^\| 9 \| ([^|]*)/m.exec(page) ?? [];
    const named = [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    expect(named.sort()).toEqual(
      lines.map((line) => /^[a-z]+( show| delete-product| retire| revoke)?/.exec(line)?.[0]).sort(),
    );
  });

  it('2: usage or configuration, with a suggestion', async () => {
    const cwd = folder({ 'feed.csv': products(1), 'odd.csv': 'artikel;preis\nA;1\n' });
    const option = await typed(cwd, ['products', 'feed.csv', '--dryrun']);
    expect(option).toMatchObject({ code: 2, stdout: '' });
    expect(option.stderr).toContain('--dry-run');
    const command = await typed(cwd, ['prodcts', 'feed.csv']);
    expect(command.code).toBe(2);
    expect(command.stderr).toContain('products');
    expect((await typed(cwd, ['get'])).stderr).toMatch(/argument 'resource': characteristics, categories, /);
    expect((await typed(cwd, ['products'])).stderr).toMatch(/argument 'files': CSV, TSV, /);
    const resource = await typed(cwd, ['get', 'prodct', '--sku', 'A']);
    expect(resource.code).toBe(2);
    expect(resource.stderr).toContain('Did you mean product?');
    const columns = await typed(cwd, ['products', 'odd.csv']);
    expect(columns.code).toBe(2);
    expect(columns.stderr).toContain('--rename');
    for (const args of [
      [],
      ['products'],
      ['products', 'feed.csv', '--max-refused', 'few'],
      ['products', 'feed.csv', '--set', 'x'],
      ['products', 'feed.csv', '--delimiter', '::'],
    ])
      expect((await typed(cwd, args)).code, args.join(' ')).toBe(2);
    expect(existsSync(join(cwd, 'catalog.db'))).toBe(false);
  });

  it('--db with --remote, or both variables and no flag: 2; flags beat variables', async () => {
    const cwd = folder({ 'feed.csv': products(1) });
    expect((await typed(cwd, ['products', 'feed.csv', '--db', 'a.db', '--remote', 'http://127.0.0.1:9'])).code).toBe(2);
    const env = { CATALOG_DB: 'b.db', CATALOG_REMOTE: 'http://127.0.0.1:9' };
    const both = await typed(cwd, ['products', 'feed.csv'], { env });
    expect(both.code).toBe(2);
    expect(both.stderr).toContain('CATALOG_DB and CATALOG_REMOTE');
    expect((await typed(cwd, ['products', 'feed.csv', '--db', 'a.db'], { env })).code).toBe(0);
    expect((await typed(cwd, ['products', 'feed.csv'], { env: { CATALOG_DB: 'c.db' } })).code).toBe(0);
    expect(['a.db', 'b.db', 'c.db', 'catalog.db'].filter((name) => existsSync(join(cwd, name)))).toEqual([
      'a.db',
      'c.db',
    ]);
  });

  it.each([
    ['products', 'feed.csv', '--output', 'ndjson'],
    ['get', 'product', '--sku', 'S-1'],
  ])('2: stdout cannot be written, reported once: %s', async (...args) => {
    const cwd = folder({ 'feed.csv': products(300) });
    await typed(cwd, ['products', 'feed.csv']);
    // A file that is open for reading only takes nothing, as a full disk does.
    const stdout = openSync(join(cwd, 'feed.csv'), 'r');
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
      cwd,
      stdio: ['ignore', stdout, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(stdout);
    expect(status).toBe(2);
    expect(stderr.match(/could not be written to stdout/g)).toHaveLength(1);
  });

  it('2: a report file that cannot be written whole leaves the earlier one as it was', async () => {
    const cwd = folder({ 'feed.csv': products(4000), 'report.csv': 'of yesterday' });
    await typed(cwd, ['products', 'feed.csv']);
    // Of a dry run the report is all that is written; it may have 200 blocks.
    const command = `ulimit -f 200; exec "$0" "$1" products feed.csv --dry-run --report-file report.csv`;
    const { status, stderr } = spawnSync('sh', ['-c', command, process.execPath, program], { cwd, encoding: 'utf8' });
    expect(stderr).toContain('The report file report.csv cannot be written (EFBIG');
    expect(status).toBe(2);
    expect(readFileSync(join(cwd, 'report.csv'), 'utf8')).toBe('of yesterday');
    expect(readdirSync(cwd).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('3: finished, at least one item refused', async () => {
    const cwd = folder({ 'feed.csv': bad });
    const { code, stdout } = await typed(cwd, ['products', 'feed.csv']);
    expect(code).toBe(3);
    expect(stdout).toMatch(/1 created.*1 refused/);
    expect(stdout).toMatch(/3 {2}B {4}field_decimals/);
  });

  it('3: the summary points to `explain` for the most frequent code', async () => {
    const cwd = folder({ 'feed.csv': 'sku,currency,price\nA,EUR,1.234\nB,,1.00\nC,,2.00\n' });
    const { stdout } = await typed(cwd, ['products', 'feed.csv']);
    expect(stdout).toContain('catalog-import explain currency_required');
  });

  it('5: input unreadable or malformed; the reports so far remain valid', async () => {
    const items = Array.from({ length: 60 }, (_, i) => JSON.stringify({ sku: `S-${i}`, currency: 'EUR' }));
    const cwd = folder({ 'broken.json': `[${items.join(',\n')},\n{"sku": ]` });
    const { code, stdout, stderr } = await typed(cwd, ['products', 'broken.json', '--output', 'json']);
    expect(code).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({ response: { created: 60, total: 60, stopped: 'input_unreadable' } });
    expect(stderr).toContain('broken.json');
    expect((await typed(cwd, ['get', 'product', '--sku', 'S-59'])).code).toBe(0);
    for (const file of ['missing.csv', '.']) {
      const unread = await typed(cwd, ['products', file, '--db', 'other.db']);
      expect(unread, file).toMatchObject({ code: 5, stdout: '' });
      expect(unread.stderr).not.toContain(' at ');
    }
    expect(existsSync(join(cwd, 'other.db'))).toBe(false);
  });

  it('7: a file that is not a catalog', async () => {
    const cwd = folder({ 'feed.csv': products(1) });
    writeFileSync(join(cwd, 'catalog.db'), 'this is not a database, however long one looks at it '.repeat(50));
    const { code, stderr } = await typed(cwd, ['products', 'feed.csv']);
    expect(code).toBe(7);
    expect(stderr).toContain('catalog.db');
  });

  it('8: stopped by --max-refused, without applying the batch that goes beyond', async () => {
    const rows = Array.from({ length: 100 }, (_, i) => `S-${i},EUR,${i === 70 || i === 75 ? '1.234' : '1.00'}`);
    const cwd = folder({ 'feed.csv': `sku,currency,price\n${rows.join('\n')}\n` });
    const stopped = await typed(cwd, ['products', 'feed.csv', '--max-refused', '1', '--output', 'json']);
    expect(stopped.code).toBe(8);
    expect(JSON.parse(stopped.stdout).response).toMatchObject({ created: 40, total: 40, stopped: 'guard_stopped' });
    // Its reasons are in no report, so they are printed here.
    expect(stopped.stderr).toContain('line 77: S-75: field_decimals');
    expect((await typed(cwd, ['get', 'product', '--sku', 'S-39'])).code).toBe(0);
    expect((await typed(cwd, ['get', 'product', '--sku', 'S-41'])).code).toBe(9);
    expect((await typed(cwd, ['products', 'feed.csv', '--max-refused', '2'])).code).toBe(3);
  });

  it('9: not found, in the words of the specification', async () => {
    const cwd = folder({ 'feed.csv': products(1), 'c.csv': 'name\nPhones\n' });
    await typed(cwd, ['products', 'feed.csv']);
    expect(await typed(cwd, ['get', 'product', '--sku', 'none'])).toMatchObject({
      code: 9,
      stdout: '',
      stderr: 'error: Product not found.\n',
    });
    expect((await typed(cwd, ['get', 'attribute', '--name', 'none'])).stderr).toBe(
      'error: Characteristic not found.\n',
    );
    expect((await typed(cwd, ['get', 'product-group', '--name', 'none'])).stderr).toBe(
      'error: Product group not found.\n',
    );
    expect((await typed(cwd, ['get', 'review', '--external-id', 'none'])).stderr).toBe(
      'error: Product review not found.\n',
    );
    expect((await typed(cwd, ['shop', 'delete-product', 'none'])).code).toBe(9);
    const code = await typed(cwd, ['explain', 'field_requird']);
    expect(code.code).toBe(9);
    expect(code.stderr).toContain('Did you mean field_required?');
  });
});
