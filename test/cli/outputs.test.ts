// What options name must cost neither the feed nor the catalog: names of catalogs, files that are written, their modes,
// and what a process that died left.
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { execFileSync, lineOf, outcome, spawnSync } from '../child.js';
import { until } from '../until.js';
import { program, start } from './started.js';
import { folder, products, typed } from './typed.js';

const feed = ['products', 'feed.csv', '--quiet'];

describe('the name of a catalog', () => {
  it.each(['', ' ', '\t\n', '\u00a0', ':memory:', ' :memory: ', 'folder/'])(
    '%j is a usage error that names the option or the variable, and makes nothing',
    async (name) => {
      const cwd = folder({ 'feed.csv': products(1) });
      const byOption = await typed(cwd, [...feed, '--db', name]);
      expect([byOption.code, byOption.stdout, byOption.stderr]).toEqual([2, '', expect.stringContaining('--db ')]);
      const byVariable = await typed(cwd, feed, { env: { CATALOG_DB: name } });
      expect([byVariable.code, byVariable.stderr]).toEqual([2, expect.stringContaining('CATALOG_DB ')]);
      expect(readdirSync(cwd)).toEqual(['feed.csv']);
    },
  );

  it('a blank name is refused by every command that has --db', async () => {
    const cwd = folder({ 'customers.csv': 'external_id\nC\n' });
    for (const command of [
      ['products', 'feed.csv', '-n'],
      ['run', '.'],
      ['get', 'product', '--sku', 'S-0'],
      ['keys', 'create', '--name', 'x', '--all'],
      ['keys', 'list'],
      ['keys', 'revoke', '12345678'],
      ['serve', '--port', '0'],
      ['shop', 'load', 'customers', 'customers.csv'],
      ['shop', 'delete-product', 'A'],
    ]) {
      const { code, stdout, stderr } = await typed(cwd, [...command, '--db', ' ']);
      expect([code, stdout, stderr], command.join(' ')).toEqual([2, '', expect.stringContaining('--db is blank')]);
    }
    expect(readdirSync(cwd)).toEqual(['customers.csv']);
  });

  it('a blank CATALOG_REMOTE does not send an import into ./catalog.db', async () => {
    const cwd = folder({ 'feed.csv': products(1) });
    for (const name of ['', ' ']) {
      const { code, stderr } = await typed(cwd, feed, { env: { CATALOG_REMOTE: name } });
      expect([code, stderr]).toEqual([2, expect.stringContaining('CATALOG_REMOTE is blank')]);
    }
    expect(readdirSync(cwd)).toEqual(['feed.csv']);
  });

  it.each(['x ', ' x\n', 'file:x.db?mode=memory'])('%j is the name of a file', async (name) => {
    const cwd = folder({ 'feed.csv': products(2) });
    const db = `--db=${name}`;
    expect((await typed(cwd, [...feed, db])).code).toBe(0);
    expect(readdirSync(cwd).sort()).toEqual(['feed.csv', name].sort());
    expect(readFileSync(join(cwd, name)).subarray(0, 15).toString()).toBe('SQLite format 3');
    const again = await typed(cwd, ['products', 'feed.csv', '-q', '--output', 'ndjson', '--report', 'none', db]);
    expect(JSON.parse(again.stdout)).toMatchObject({ unchanged: 2, total: 2 });
    const dry = await typed(cwd, ['products', 'feed.csv', '-qn', '--output', 'ndjson', '--report', 'none', db]);
    expect(JSON.parse(dry.stdout)).toMatchObject({ unchanged: 2, total: 2 });
    expect((await typed(cwd, ['get', 'product', '--sku', 'S-1', db])).code).toBe(0);
    expect(readdirSync(cwd).sort()).toEqual(['feed.csv', name].sort());
  });
});

describe('an output file', () => {
  const writing = ['--report-file', '--status-file', '--refused-file', '--write-missing-values'];
  const refused = 'sku,currency\n,EUR\n';

  /** A feed, a mapping and a catalog, which none of the commands changes. */
  async function filled(): Promise<string> {
    const cwd = folder({
      'feed.csv': products(2),
      'map.yaml': 'set: {status: draft}\ntables: {rates: {file: rates.csv, key: code, columns: {rate: rate}}}\n',
      'rates.csv': 'code,rate\nEUR,1\n',
      'contract.yaml': 'expect: {rows: {min: 1}}\n',
      'catalog-import.yaml': 'defaults: {output: table}\n',
    });
    mkdirSync(join(cwd, 'sub'));
    expect((await typed(cwd, [...feed, '--db', 'c.db'])).code).toBe(0);
    linkSync(join(cwd, 'c.db'), join(cwd, 'hard.csv'));
    symlinkSync(join(cwd, 'c.db'), join(cwd, 'soft.csv'));
    linkSync(join(cwd, 'feed.csv'), join(cwd, 'feed-hard.csv'));
    return cwd;
  }
  const given = filled();

  const notWritten = [
    ...['c.db', 'c.db-wal', 'c.db-shm', './sub/../c.db-journal', 'hard.csv', 'soft.csv'],
    ...['feed.csv', 'feed-hard.csv', 'map.yaml', 'rates.csv', 'contract.yaml', 'catalog-import.yaml'],
  ];
  it.each(writing.flatMap((option) => notWritten.map((path) => [option, path])))(
    '%s %s: exit 2 before anything is read, and nothing is touched',
    async (option, path) => {
      const cwd = await given;
      const before = readFileSync(join(cwd, 'c.db'));
      const read = ['--map', 'map.yaml', '--expect', 'contract.yaml'];
      const args = ['products', 'feed.csv', '-q', '--db', 'c.db', ...read, option, path];
      const { code, stdout, stderr } = await typed(cwd, args);
      expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(`${option} ${path} would overwrite`)]);
      expect(readFileSync(join(cwd, 'c.db')).equals(before)).toBe(true);
      expect(readFileSync(join(cwd, 'feed.csv'), 'utf8')).toBe(products(2));
    },
  );

  it('is compared with the catalog also where that is a link', async () => {
    const cwd = folder({ 'feed.csv': products(2) });
    mkdirSync(join(cwd, 'real'));
    symlinkSync(join('real', 'c.db'), join(cwd, 'c.db'));
    expect((await typed(cwd, [...feed, '--db', 'c.db'])).code).toBe(0);
    const { code } = await typed(cwd, [...feed, '--db', 'c.db', '--report-file', 'real/c.db-wal']);
    expect(code).toBe(2);
  });

  it('is compared with the catalog also where neither is there yet, and one is a link', async () => {
    const cwd = folder({ 'feed.csv': products(2) });
    symlinkSync('c.db', join(cwd, 'link.ndjson'));
    for (const option of writing)
      expect((await typed(cwd, [...feed, '--db', 'c.db', option, 'link.ndjson'])).code).toBe(2);
    expect(existsSync(join(cwd, 'c.db'))).toBe(false);
  });

  it.each(['--report-file', '--status-file'])('%s is not the plan that is applied', async (option) => {
    const cwd = folder({ 'feed.csv': products(2) });
    await typed(cwd, ['plan', 'products', 'feed.csv', '--db', 'c.db', '--out', 'night.ndjson']);
    const plan = readFileSync(join(cwd, 'night.ndjson'), 'utf8');
    const told = await typed(cwd, ['apply', 'night.ndjson', '--db', 'c.db', option, 'night.ndjson']);
    expect([told.code, told.stderr]).toEqual([2, expect.stringContaining('would overwrite night.ndjson')]);
    expect(readFileSync(join(cwd, 'night.ndjson'), 'utf8')).toBe(plan);
  });

  it('with the number of the run in its name is no input either, nor the report of a run that failed', async () => {
    const cwd = folder({ '1.csv': products(2), 'r.failed.csv': products(3), 'r.csv': 'earlier' });
    for (const [file, report] of [
      ['1.csv', '{run}.csv'],
      ['r.failed.csv', 'r.csv'],
    ] as const) {
      const told = await typed(cwd, ['products', file, '--db', `${file}.db`, '--report-file', report]);
      expect([told.code, told.stderr]).toEqual([2, expect.stringContaining(`would overwrite ${file}`)]);
    }
    expect(readFileSync(join(cwd, '1.csv'), 'utf8')).toBe(products(2));
  });

  it.each(writing.flatMap((one, i) => writing.slice(i + 1).map((other) => [one, other])))(
    '%s and %s are not one file',
    async (one, other) => {
      const cwd = folder({ 'x.json': 'before' });
      const { code, stderr } = await typed(cwd, ['products', 'missing.csv', one, 'x.json', other, './x.json']);
      expect([code, stderr]).toEqual([2, expect.stringContaining('would overwrite the file of')]);
      expect(readFileSync(join(cwd, 'x.json'), 'utf8')).toBe('before');
    },
  );

  it('refused records of a folder do not overwrite the input folder', async () => {
    const cwd = folder();
    mkdirSync(join(cwd, 'shop'));
    writeFileSync(join(cwd, 'shop', '1-products.csv'), refused);
    const { code, stderr } = await typed(cwd, ['run', 'shop', '--db', 'c.db', '--refused-file', 'shop']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('would overwrite')]);
    expect(readFileSync(join(cwd, 'shop', '1-products.csv'), 'utf8')).toBe(refused);
  });

  it.skipIf(process.platform === 'win32').each(['pipe', '/dev/null', '.'])(
    'of --status-file that is no file is refused before the import: %s',
    async (path) => {
      const cwd = folder({ 'feed.csv': refused });
      execFileSync('mkfifo', [join(cwd, 'pipe')]);
      for (const command of ['products feed.csv', 'products feed.csv --dry-run', 'feeds retire erp']) {
        const { code, stderr } = await typed(cwd, [...command.split(' '), '--status-file', path]);
        expect([code, stderr]).toEqual([2, expect.stringContaining(`--status-file ${path} is a folder, a pipe or a`)]);
      }
      expect(existsSync(join(cwd, 'catalog.db'))).toBe(false);
    },
  );

  it('a device is written to and stays a device', async () => {
    const cwd = folder({ 'feed.csv': refused });
    const args = ['products', 'feed.csv', '-q', '--report-file', '/dev/null', '--refused-file', '/dev/null'];
    expect((await typed(cwd, args)).code).toBe(3);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('is private to its owner where it is new, and keeps its mode where it exists; so is a new catalog', async () => {
    const cwd = folder({ 'feed.csv': refused, 'old.json': '', 'old.csv': '' });
    const mode = (name: string): string => (statSync(join(cwd, name)).mode & 0o777).toString(8);
    for (const name of ['old.json', 'old.csv']) chmodSync(join(cwd, name), 0o644);
    const before = mode('old.json');
    expect((await typed(cwd, [...feed, '--report-file', 'new.json', '--refused-file', 'new.csv'])).code).toBe(3);
    expect((await typed(cwd, [...feed, '--report-file', 'old.json', '--refused-file', 'old.csv'])).code).toBe(3);
    expect((await typed(cwd, [...feed, '--report-file', 'new.ndjson'])).code).toBe(3);
    expect(['new.json', 'new.csv', 'new.ndjson', 'catalog.db'].map(mode)).toEqual(['600', '600', '600', '600']);
    expect(before).not.toBe('600');
    expect(['old.json', 'old.csv'].map(mode)).toEqual([before, before]);
  });

  it('temporary files of a killed process are removed by the next run', async () => {
    const cwd = folder({ 'feed.csv': refused });
    const child = start(cwd, ['products', '-', '-q', '--report-file', 'r.json', '--refused-file', 'r.csv']);
    const ended = outcome(child);
    child.stdin?.on('error', () => undefined);
    child.stdin?.write(refused.repeat(1) + ',EUR\n'.repeat(50_000));
    const left = (): string[] => readdirSync(cwd).filter((name) => name.endsWith('.tmp'));
    await until('two temporary files', () => left().length === 2, { instead: left });
    child.kill('SIGKILL');
    await ended;
    expect(left()).toHaveLength(2);
    writeFileSync(join(cwd, 'r.csv.notes.tmp'), 'not ours');
    expect(
      (await typed(cwd, ['products', 'feed.csv', '-q', '--report-file', 'r.json', '--refused-file', 'r.csv'])).code,
    ).toBe(3);
    expect(left()).toEqual(['r.csv.notes.tmp']);
  });
});

describe('a report whose target fails', () => {
  it.skipIf(!existsSync('/dev/full'))(
    'ends the import, and stdout says so with the counts (needs /dev/full)',
    async () => {
      const cwd = folder({ 'feed.csv': products(3000) });
      const table = await typed(cwd, ['products', 'feed.csv', '--report-file', '/dev/full']);
      expect([table.code, table.stdout]).toEqual([2, expect.stringContaining('stopped early')]);
      expect(table.stdout).toMatch(/items: \d+ created/);
      expect(table.stderr).toContain('/dev/full cannot be written');
      const json = await typed(cwd, ['products', 'feed.csv', '--report-file', '/dev/full', '--output', 'json', '-q']);
      const { response } = JSON.parse(json.stdout);
      expect(response).toMatchObject({ stopped: 'usage', total: response.unchanged + response.created });
      expect(response.total).toBeGreaterThan(0);
    },
  );
});

describe('a stdout that is full', () => {
  it.skipIf(!existsSync('/dev/full'))('ends the command, its log and its run with the same exit code', async () => {
    const cwd = folder({ 'feed.csv': products(3) });
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [program, 'products', 'feed.csv'], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    expect(status).toBe(2);
    expect(stderr).toContain('could not be written to stdout (ENOSPC');
    expect(stderr).toContain('ended with exit code 2');
    expect(JSON.parse((await typed(cwd, ['runs', '--output', 'json'])).stdout)).toMatchObject([{ exit: 2 }]);
  });
});

describe('SIGHUP', () => {
  it('ends an import as SIGTERM does, with 129', async () => {
    const cwd = folder();
    const child = start(cwd, ['products', '-', '--output', 'ndjson', '--report-file', 'r.json']);
    const ended = outcome(child);
    child.stdin?.write(products(2_000));
    await lineOf(child, /./);
    child.kill('SIGHUP');
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(129);
    expect(stderr).toContain('SIGHUP: stopping');
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'summary',
      stopped: 'interrupted',
    });
    expect(JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8')).response.stopped).toBe('interrupted');
  });

  it('ends a server gracefully', async () => {
    const child = start(folder(), ['serve', '--port', '0']);
    const ended = outcome(child);
    await lineOf(child, /listening on/);
    child.kill('SIGHUP');
    expect((await ended).code).toBe(0);
  });
});
