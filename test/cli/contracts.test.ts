// Contracts on the command line: where they are written, what a breach does, and where its figures are shown.
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GivenServer, givenServer } from '../http/server/given-server.js';
import { repetitions } from '../tier.js';
import { outcome, start } from './started.js';
import { folder, typed, typedHere } from './typed.js';

const good =
  'sku,currency,price,ean\nA-1,EUR,10.00,4006381333931\nA-2,EUR,20.00,96385074\nA-3,EUR,30.00,036000291452\n';
const dear = good.replace('30.00', '3000.00');
const contract = `expect:
  rows: [2, 5]
  age: 26h
  columns: exact
  price: { filled: 99%, between: [1, 100] }
  ean: { check_digit: true, unique: true }
`;

function shop(files: Readonly<Record<string, string>> = {}) {
  const cwd = folder({ 'good.csv': good, 'dear.csv': dear, 'contract.yaml': contract, ...files });
  return { cwd, at: (name: string) => join(cwd, name), type: (...args: string[]) => typed(cwd, args) };
}

const guardsOf = (stdout: string) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '').guards;

describe('a contract', () => {
  it('stops a file that does not keep it before the first write, without a feed, too', async () => {
    const { cwd, type } = shop();
    const { code, stderr } = await type('products', 'dear.csv', '--expect', 'contract.yaml');
    expect(code).toBe(8);
    expect(stderr).toContain(
      '  --expect: price: 1 of 3 values not between 1 and 100, 33.3 % (limit 0 %)\n    line 4: A-3: 3000.00\n',
    );
    expect((await type('list', 'products', '--output', 'json')).stdout.trim()).toBe('[]');
    const [, plan = ''] = /catalog-import apply (\S+)/.exec(stderr) ?? [];
    expect(existsSync(join(cwd, 'blocked-1.plan'))).toBe(true);
    expect((await type('apply', plan)).code).toBe(0);
    expect((await type('get', 'product', '--sku', 'A-3')).stdout).toContain('3000.00');
  });

  it('gives its figures where it is kept, in the result, runs show, the status file and the page', async () => {
    const { cwd, at, type } = shop();
    const files = ['--status-file', 's.prom', '--report-file', 'page.html'];
    const night = ['products', 'good.csv', '--feed', 'erp', '--expect', 'contract.yaml'];
    const { code, stdout, stderr } = await outcome(start(cwd, [...night, '--output', 'ndjson', ...files]));
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('erp: 7 expectations met.');
    expect(guardsOf(stdout)).toContainEqual({
      ...{ guard: 'price.filled', option: '--expect', resource: 'product', against: 'contract', count: 0, back: 0 },
      ...{ of: 3, limit: 0.01, passed: true, words: 'price: 0 of 3 values missing, 0 % (limit 1 %)' },
    });
    const shown = (await type('runs', 'show', '1')).stdout;
    expect(shown).toContain('--expect: price: 0 of 3 values missing, 0 % (limit 1 %)\n');
    expect(shown).toContain('--expect: rows: 3 rows (expected: 2 to 5)\n');
    const status = readFileSync(at('s.prom'), 'utf8');
    const labels = (guard: string) => `feed="erp",resource="product",guard="${guard}",against="contract"`;
    expect(status).toContain(`catalog_import_guard_share{${labels('rows')}} 3\n`);
    expect(status).toContain(`catalog_import_guard_limit{${labels('price.filled')}} 0.01\n`);
    const page = readFileSync(at('page.html'), 'utf8');
    expect(page).toContain('ean: 0 of 3 values repeated, 0 % (limit 0 %)');
    // The second night is held against the guards of the feed as well, and both are told.
    const second = await type(...night.with(1, 'dear.csv'), '--max-changed', '10%');
    expect(second.code).toBe(8);
    expect(second.stderr).toContain('--expect: price: 1 of 3');
    expect(second.stderr).toContain('--max-changed: 1 would change');
  });

  it('holds for dry runs and plans', async () => {
    const { type } = shop();
    const expected = ['--expect', 'contract.yaml'];
    const dry = await type('products', 'dear.csv', '--dry-run', ...expected);
    expect(dry.code).toBe(8);
    expect(dry.stderr).toContain(
      'what it would change:\n  catalog-import products dear.csv --dry-run --expect off --diff --report changed\n',
    );
    expect((await type('products', 'dear.csv', '--dry-run', '--expect', 'off')).code).toBe(0);
    for (const more of [[], ['--feed', 'erp']]) {
      const { code, stderr } = await type('plan', 'products', 'dear.csv', '--out', 'p.plan', ...expected, ...more);
      expect(code).toBe(8);
      expect(stderr).toContain('--expect: price: 1 of 3 values not between 1 and 100');
      expect((await type('plan', 'show', 'p.plan')).stdout).toContain('not between 1 and 100');
    }
    expect((await type('plan', 'products', 'good.csv', '--out', 'p.plan', ...expected)).code).toBe(0);
  });

  it('under warn: is a warning, which --fail-on may name', async () => {
    const inline = '{warn: {price: {between: [1, 100]}, age: 1h}}';
    const { type } = shop();
    const run = (...more: string[]) => type('products', 'dear.csv', '--expect', inline, '--output', 'json', ...more);
    const { code, stdout } = await run();
    expect(code).toBe(0);
    expect(JSON.parse(stdout).response.warnings).toMatchObject([
      { code: 'expectation_missed', params: { rule: 'price.between', example: 'line 4: A-3: 3000.00' } },
    ]);
    expect((await run('--fail-on', 'expectation_missed')).code).toBe(3);
    const plan = await type('plan', 'products', 'dear.csv', '--out', 'p.plan', '--expect', inline);
    expect(plan.stderr).toContain('warning expectation_missed');
  });

  it('is written in a mapping, by section, and --expect off switches it off', async () => {
    const map =
      'import:\n  - { to: categories, once: first, each: { path: Cat, separator: ">" }, fields: { name: $name, parent: $parent } }\n  - to: products\n    fields: { sku: Art, price: VK }\n    set: { currency: EUR }\n    expect: { VK: { filled: true }, price: { between: [1, 100] }, columns: exact }\n';
    const { type } = shop({ 'feed.csv': 'Art,VK,Cat\nA,5.00,X > Y\nB,500,X\n', 'map.yaml': map });
    const run = (...more: string[]) => type('run', 'feed.csv', '--map', 'map.yaml', ...more);
    const { code, stderr } = await run();
    expect(code).toBe(8);
    expect(stderr).toContain('price: 1 of 2 values not between');
    expect(stderr).not.toContain('columns:');
    expect((await run('--expect', 'off')).code).toBe(0);
    const wrong = shop({ 'map.yaml': map.replace('VK: {', 'VKK: {'), 'feed.csv': 'Art,VK,Cat\nA,5.00,X\n' });
    const refused = await wrong.type('run', 'feed.csv', '--map', 'map.yaml');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      'map.yaml: import[1].expect.VKK: "VKK" is neither a field nor a column; did you mean "VK"?',
    );
    expect(existsSync(wrong.at('catalog.db'))).toBe(false);
  });

  it('is written in the configuration file, for a feed, too', async () => {
    const config = `profiles:
  erp:
    feed: erp
    products:
      expect:
        price: { between: [1, 100] }
  file: { expect: contract.yaml }
`;
    const { at, type } = shop({ 'catalog-import.yaml': config });
    expect((await type('products', 'dear.csv', '--profile', 'erp')).code).toBe(8);
    expect((await type('products', 'dear.csv', '--profile', 'file')).code).toBe(8);
    expect((await type('products', 'good.csv', '--profile', 'erp')).code).toBe(0);
    writeFileSync(at('catalog-import.yaml'), config.replace('between:', 'betwen:'));
    const wrong = await type('products', 'good.csv', '--profile', 'erp');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Did you mean between?')]);
    const schema = JSON.parse((await type('schema', 'config')).stdout);
    expect(JSON.stringify(schema.$defs.section)).toContain('"$ref":"#/$defs/contract"');
    expect(JSON.stringify(schema.$defs.contract)).toContain('check_digit');
    expect((await type('schema', 'mapping')).stdout).toContain('check_digit');
  });

  it('of a folder only makes its imports stricter', async () => {
    for (const value of ['off', '/etc/contract.yaml', '../contract.yaml']) {
      const { type } = shop({ 'catalog-import.yaml': `defaults: { expect: "${value}" }\n` });
      const { code, stderr } = await type('products', 'good.csv');
      expect([value, code, stderr.includes('defaults.expect: a ')]).toEqual([value, 2, true]);
    }
    const { type } = shop({ 'catalog-import.yaml': 'defaults: { expect: { price: { between: [1, 100] } } }\n' });
    expect((await type('products', 'dear.csv')).code).toBe(8);
  });

  it('of several resources names them', async () => {
    const several = 'expect:\n  products: { price: { between: [1, 100] } }\n  categories: { rows: [1, 1] }\n';
    const { cwd, type } = shop({ 'all.yaml': several });
    const { mkdirSync } = await import('node:fs');
    mkdirSync(join(cwd, 'in'));
    writeFileSync(join(cwd, 'in/products.csv'), dear);
    writeFileSync(join(cwd, 'in/categories.csv'), 'name\nHome\nGarden\n');
    const { code, stderr } = await type('run', 'in', '--expect', 'all.yaml');
    expect(code).toBe(8);
    expect(stderr).toContain('categories.csv: rows: 2 rows (expected: 1 to 1)');
    expect(stderr).toContain('products.csv: price: 1 of 3');
  });

  it('reads a pipe, and knows the age of files, but not of pipes', async () => {
    const { cwd, at, type } = shop();
    const piped = (text: string, given: string) =>
      typed(cwd, ['products', '-', '--expect', given, '--db', 'pipe.db'], { input: text });
    expect((await piped(good, '{price: {between: [1, 100]}}')).code).toBe(0);
    expect((await piped(dear, '{price: {between: [1, 100]}}')).code).toBe(8);
    expect((await piped(good, '{age: 26h}')).stderr).toContain('does not say when it was last modified');
    const past = Date.now() / 1000 - 40 * 3600;
    utimesSync(at('good.csv'), past, past);
    const old = await type('products', 'good.csv', '--expect', 'contract.yaml');
    expect([old.code, old.stderr]).toEqual([
      8,
      expect.stringMatching(/--expect: age: good\.csv .*40 h ago \(limit 26 h\)/),
    ]);
  });

  it('that cannot be read is exit 2, and names the place', async () => {
    const wrong = 'expect:\n  price:\n    filed: 99%\n';
    const { type } = shop({ 'wrong.yaml': wrong, 'bare.yaml': 'price: { filled: true }\n' });
    const messageOf = async (given: string) => {
      const { code, stderr } = await type('products', 'good.csv', '--expect', given);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await messageOf('wrong.yaml')).toContain('wrong.yaml: line 3: expect.price.filed: "filed" is not a word');
    expect(await messageOf('bare.yaml')).toContain('must be expect: with what is expected below it');
    expect(await messageOf('none.yaml')).toContain('The contract none.yaml cannot be read');
    expect(await messageOf('{price: {matches: "("}}')).toMatch(/price\.matches: .*regular expression/);
  });
});

describe('over HTTP', () => {
  let server: GivenServer;
  beforeAll(async () => {
    server = await givenServer();
  });
  afterAll(() => server.stop());

  it('a contract is judged where the file is', async () => {
    const { at } = shop();
    const send = (name: string) =>
      typedHere(['products', at(name), '--remote', server.server.url, '--expect', at('contract.yaml')], {
        CATALOG_API_KEY: server.key,
      });
    const stopped = await send('dear.csv');
    expect([stopped.code, stopped.stderr]).toEqual([8, expect.stringContaining('--expect off')]);
    const [, look = ''] = /would change:\n {2}catalog-import (.*)\n/.exec(stopped.stderr) ?? [];
    const seen = await typedHere(look.split(' '), { CATALOG_API_KEY: server.key });
    expect([seen.code, seen.stdout]).toEqual([0, expect.stringContaining('dry run: nothing was written')]);
    const products = () => typedHere(['list', 'products', '--db', server.file, '--output', 'json']);
    expect((await products()).stdout.trim()).toBe('[]');
    expect((await send('good.csv')).code).toBe(0);
  });
});

describe('a contract beside guards', () => {
  it('stops exactly the nights on which one of both is not kept, and tells all of them', async () => {
    const list = (count: number, price: number) =>
      `sku,currency,price\n${Array.from({ length: count }, (_, i) => `A-${i},EUR,${price}.00\n`).join('')}`;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 10, max: 40 }), fc.integer({ min: 5, max: 40 }), async (count, price) => {
        const { at, type } = shop();
        const night = (rows: number, amount: number) => {
          writeFileSync(at('f.csv'), list(rows, amount));
          const given = '{rows: [20, 30], price: {between: [8, 15]}}';
          const guards = ['--max-missing', '20%', '--max-created', '20%', '--max-price-change', '2x:5%'];
          return type('products', 'f.csv', '--feed', 'erp', '--expect', given, ...guards);
        };
        expect((await night(25, 10)).code).toBe(0);
        const { code, stderr } = await night(count, price);
        const broken = {
          'rows:': count < 20 || count > 30,
          'price:': price < 8 || price > 15,
          '--max-missing': count < 20,
          '--max-created': count > 30,
          '--max-price-change': price <= 5 || price >= 20,
        };
        const told = stderr.slice(stderr.indexOf('stopped by a guard'));
        expect(code).toBe(Object.values(broken).includes(true) ? 8 : 0);
        if (code === 8)
          for (const [words, is] of Object.entries(broken)) expect([words, told.includes(words)]).toEqual([words, is]);
      }),
      { numRuns: repetitions('CONTRACT_NIGHTS', { fast: 6, moderate: 6, full: 60 }) },
    );
  });
});
