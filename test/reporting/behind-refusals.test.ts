// What is behind refusals: one cause of many, values that no list has, and keys that come twice.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newKeyHashSet } from '../../src/source/key-hash-set.js';
import { folder, typed } from '../cli/typed.js';
import { collected } from '../collected.js';
import { isFast } from '../tier.js';

describe('root causes collapse in the summary', () => {
  it('products of a refused category are summarized by the category', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `S-${i},EUR,${i % 2 === 0 ? 'Home > Phones' : ''}`);
    const cwd = folder({
      'categories.csv': 'name,parent,position\nPhones,,x\nCases,Phones,1\n',
      'products.csv': `sku,currency,category\n${rows.join('\n')}\n`,
    });
    const { stdout, code } = await typed(cwd, ['run', '.']);
    expect(code).toBe(3);
    expect(stdout).toContain('1 category refused: category "Phones" was refused (categories.csv:2)');
    expect(stdout).toContain('30 products refused: category "Phones" was refused (categories.csv:2)');
    expect(stdout).not.toContain('S-10');
    expect(stdout).toMatch(/60 items: 30 created, 0 updated, 0 unchanged, 30 refused/);
  });
});

describe('values missing from closed lists', () => {
  it('are reported with count, first line and suggestion, and written as characteristics that add them and deactivate none', async () => {
    const cwd = folder({
      'c.json': '[{"name":"Size","values":[{"label":"Small"},{"label":"Large"},{"label":"Old","status":"suspended"}]}]',
      'meanwhile.json': '[{"name":"Size","values":{"add":[{"label":"New"}]}}]',
      'p.csv': 'sku,currency,attributes[Size]\nA,EUR,Smal\nB,EUR,smal\nC,EUR,Huge\nD,EUR,Large\n',
    });
    await typed(cwd, ['characteristics', 'c.json']);
    const first = await typed(cwd, ['products', 'p.csv', '--write-missing-values', 'missing.json']);
    expect(first.stdout).toContain('Size: "Smal" is not in its list: 2 times, first on line 2. Did you mean "Small"?');
    expect(first.stdout).toContain('Size: "Huge" is not in its list: once, on line 4');
    expect(JSON.parse(readFileSync(join(cwd, 'missing.json'), 'utf8'))).toEqual([
      { name: 'Size', values: { add: [{ label: 'Smal' }, { label: 'Huge' }] } },
    ]);
    await typed(cwd, ['characteristics', 'meanwhile.json']);
    const added = await typed(cwd, ['characteristics', 'missing.json', '--output', 'json']);
    expect(added.stdout).not.toContain('entries_deactivated');
    const { stdout } = await typed(cwd, ['export', 'characteristics']);
    expect(JSON.parse(stdout).values.map(({ label, status }: Record<string, string>) => `${label} ${status}`)).toEqual([
      ...['Small activated', 'Large activated', 'Old suspended', 'New activated'],
      ...['Smal activated', 'Huge activated'],
    ]);
    const again = await typed(cwd, ['products', 'p.csv', '--output', 'json']);
    expect(JSON.parse(again.stdout).response).toMatchObject({ created: 3, unchanged: 1, refused: 0 });
  });
});

describe('values missing from closed lists, over the files of a folder', () => {
  it('are reported with the file that has them, and written once for all', async () => {
    const cwd = folder({
      '1-characteristics.json': '[{"name":"Size","values":[{"label":"Small"}]}]',
      '2-products.csv': 'sku,currency,attributes[Size]\nA,EUR,Huge\n',
      '3-products.csv': 'sku,currency\nB,EUR\n',
      '4-products.csv': 'sku,currency,attributes[Size]\nC,EUR,Small\nD,EUR,Huge\nE,EUR,Wide\n',
    });
    const missing = join(folder(), 'missing.json');
    const { stdout } = await typed(cwd, ['run', '.', '--write-missing-values', missing]);
    const told = stdout.split('\n').filter((line) => /in its list|^products/.test(line));
    expect(told).toEqual([
      'products  2-products.csv',
      '  Size: "Huge" is not in its list: once, on line 2',
      'products  3-products.csv',
      'products  4-products.csv',
      '  Size: "Huge" is not in its list: once, on line 3',
      '  Size: "Wide" is not in its list: once, on line 4',
    ]);
    expect(JSON.parse(readFileSync(missing, 'utf8'))).toMatchObject([
      { values: { add: [{ label: 'Huge' }, { label: 'Wide' }] } },
    ]);
  });
});

describe('amounts with a decimal comma', () => {
  it('are reported once with the option that reads them, which then does', async () => {
    const cwd = folder({ 'p.csv': 'sku;currency;price\nA;EUR;12,50\nB;EUR;1.234,00\nC;EUR;x,1\n' });
    const { stdout } = await typed(cwd, ['products', 'p.csv']);
    expect(stdout).toContain('  12,50 and others in 2 items are refused for a decimal comma: --decimal , reads such');
    const read = await typed(cwd, ['products', 'p.csv', '--decimal', ',']);
    expect(read.stdout).toMatch(/3 items: 2 created, 0 updated, 0 unchanged, 1 refused/);
    expect(read.stdout).not.toContain('--decimal');
  });

  it('in a mapping itself are written with a point', async () => {
    const cwd = folder({
      'p.csv': 'sku\nA\n',
      'm.yaml': 'set: {price: "1.234,50"}\nfields: {sku: sku, currency: {value: EUR}}\n',
    });
    const { stdout } = await typed(cwd, ['products', 'p.csv', '--map', 'm.yaml']);
    expect(stdout).toMatch(/1\.234,50 is refused for a decimal comma: a mapping .* decimal\s+point:\s+1234\.50\./s);
    expect(stdout).not.toContain('--decimal');
  });
});

describe('keys that come twice in a file', () => {
  it.each([
    ['rows: Art', 'a', 'write once: merge in place of it'],
    ['skip: { of: Art, is: x }', '1.23457E+11', 'export the column as text'],
    ['skip: { of: Art, is: x }', 'a', '(--on-duplicate)'],
  ])('name what helps: %s, %s', async (rule, key, remedy) => {
    const cwd = folder({
      'p.csv': `Art\n${key}\nb\n${key}\n`,
      'm.yaml': `${rule}\nfields: {sku: Art, currency: {value: EUR}}\n`,
    });
    const args = ['products', 'p.csv', '--map', 'm.yaml'];
    expect((await typed(cwd, args)).stderr).toContain(remedy);
    const refused = await typed(cwd, [...args, '--on-duplicate', 'refuse', '--output', 'json']);
    const [{ reason }] = JSON.parse(refused.stdout).response.data;
    expect(reason).toContain(remedy === '(--on-duplicate)' ? 'use --on-duplicate last' : remedy);
  });

  const feed = 'sku,currency,name\nA,EUR,first\nB,EUR,other\nA,EUR,last\n';
  const run = async (mode: readonly string[]) => {
    const cwd = folder({ 'p.csv': feed });
    const { stdout, stderr } = await typed(cwd, ['products', 'p.csv', '--output', 'json', ...mode]);
    const { data } = JSON.parse(stdout).response;
    const lines = data.map(
      (line: { line: number; action: string; code: string | null }) => `${line.line} ${line.code ?? line.action}`,
    );
    return { lines, stderr, reason: data.map((line: { reason: string | null }) => line.reason) };
  };

  it('are reported with both lines, and the last stays, unless an option changes that', async () => {
    const { lines, stderr } = await run([]);
    expect(lines).toEqual(['2 created', '3 created', '4 updated']);
    expect(stderr).toContain('one row repeats a key: "A" on lines 2 and 4; the last accepted row of each key wins');
  });

  it('are counted with the thousands apart', async () => {
    const rows = Array.from({ length: 2400 }, (_, i) => `S-${i % 1200},EUR\n`).join('');
    const cwd = folder({ 'p.csv': `sku,currency\n${rows}` });
    const { stderr } = await typed(cwd, ['products', 'p.csv']);
    expect(stderr).toMatch(/1,200 rows repeat a key: "S-0" on lines 2 and 1202, .* and 1,195 more;/);
  });

  it('--on-duplicate first takes the first and refuses the others; refuse takes none', async () => {
    const first = await run(['--on-duplicate', 'first']);
    expect(first.lines).toEqual(['2 created', '3 created', '4 repeated_in_file']);
    const none = await run(['--on-duplicate', 'refuse']);
    expect(none.lines).toEqual(['2 repeated_in_file', '3 created', '4 repeated_in_file']);
    expect(none.reason[0]).toContain('is on line 4 too');
    expect(none.reason[2]).toContain('is on line 2 too');
  });

  it('of a review, which is accepted once per batch, are not reported as replaced by the last row', async () => {
    const rows = 'r1,c1,A,5\nr1,c1,A,4\n';
    const cwd = folder({ 'r.csv': `external_id,customer_external_id,product_sku,rating\n${rows}` });
    const { stderr } = await typed(cwd, ['reviews', 'r.csv']);
    expect(stderr).toContain(
      '"r1" on lines 2 and 3; rows of one batch are refused, otherwise the last accepted row of each key wins',
    );
  });

  it('a characteristic of kind colour has the key Colour, whatever its name', async () => {
    const cwd = folder({ 'c.csv': 'kind,name\ncolour,Farbe\ncolour,\n' });
    const { stderr } = await typed(cwd, ['characteristics', 'c.csv', '--on-duplicate', 'first']);
    expect(stderr).toContain('"Colour" on lines 2 and 3; only the first row of each key was applied');
  });

  it('refuse reads the standard input twice, too', async () => {
    const cwd = folder({ 'feed.csv': feed });
    const ofFile = await typed(cwd, ['products', 'feed.csv', '--on-duplicate', 'refuse', '--dry-run']);
    const piped = await typed(cwd, ['products', '-', '--on-duplicate', 'refuse', '--dry-run'], { input: feed });
    expect(ofFile.code).toBe(3);
    expect(piped.code).toBe(3);
    const items = /^ +\d+ items?: .* refused/m;
    expect(items.exec(piped.stdout)?.[0]).toBe(items.exec(ofFile.stdout)?.[0]);
  });
});

describe('the detection of duplicate keys', () => {
  it('finds the same duplicates as a map of all keys', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 12_000, size: 'max' }), (keys) => {
        const watch = newKeyHashSet(2_000_000);
        const known = new Map<string, number>();
        const mistaken = keys.filter((key, i) => {
          const expected = known.get(key);
          if (expected === undefined) known.set(key, i + 1);
          return watch.before(key, i + 1) !== expected;
        });
        expect(mistaken).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  it.skipIf(isFast)('two million keys stay within 160 MB', () => {
    const before = collected().arrayBuffers;
    const watch = newKeyHashSet(2_000_000);
    for (let i = 1; i <= 2_000_000; i++)
      if (watch.before(`SKU-${i}`, i) !== undefined) throw new Error(`taken for another: ${i}`);
    expect(collected().arrayBuffers - before).toBeLessThan(160e6);
    expect(watch.linesOf('SKU-77')).toEqual({ first: 77, second: 0 });
  });
});
