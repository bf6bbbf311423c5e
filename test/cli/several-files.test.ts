// Several files of one resource at once, and the help in groups.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, typedHere } from './typed.js';

const files = { 'a.csv': 'sku,currency\nA,EUR\n', 'b.csv': 'sku,currency\nB,EUR\nC,QQ\n' };

describe('several files', () => {
  it('are imported in their order, with one report each and a total', async () => {
    const cwd = folder(files);
    const names = ['b.csv', 'a.csv'].map((name) => join(cwd, name));
    const { code, stdout } = await typedHere(['products', ...names, '--db', join(cwd, 'c.db'), '--output', 'json']);
    const reports = JSON.parse(stdout).response.data;
    expect(code).toBe(3);
    expect(reports.map(({ created, refused }: Record<string, number>) => [created, refused])).toEqual([
      [1, 1],
      [1, 0],
    ]);
  });

  it('go through one mapping', async () => {
    const map = 'to: products\nfields: { sku: { column: sku, prefix: X- }, currency: currency }\n';
    const cwd = folder({ ...files, 'map.yaml': map });
    const [a, b, mapping, db] = ['a.csv', 'b.csv', 'map.yaml', 'c.db'].map((name) => join(cwd, name));
    await typedHere(['products', `${a}`, `${b}`, '--map', `${mapping}`, '--db', `${db}`]);
    const { code } = await typedHere(['get', 'product', '--sku', 'X-B', '--db', `${db}`]);
    expect(code).toBe(0);
  });

  it('must all exist before the first is imported', async () => {
    const cwd = folder(files);
    const [there, missing, db, status] = ['a.csv', 'missing.csv', 'c.db', 'erp.prom'].map((name) => join(cwd, name));
    const args = ['products', `${there}`, `${missing}`, '--db', `${db}`];
    const { code, stderr } = await typedHere([...args, '--status-file', `${status}`]);
    expect([code, stderr]).toEqual([5, expect.stringContaining(`error: ${missing}: file not found.`)]);
    expect((await typedHere(['get', 'product', '--sku', 'A', '--db', `${db}`])).code).not.toBe(0);
    expect(readFileSync(`${status}`, 'utf8')).toMatch(/catalog_import_last_exit_code\S* 5/);
  });

  it('must differ from each other', async () => {
    const cwd = folder(files);
    const name = join(cwd, 'a.csv');
    const { code, stderr } = await typedHere(['products', name, name, '--db', join(cwd, 'c.db')]);
    expect([code, stderr]).toEqual([2, `error: ${name} is named twice; name each file once.\n`]);
  });
});

describe('help', () => {
  it('shows the options of an import in groups', async () => {
    const { stdout } = await typedHere(['products', '--help']);
    const headings = [...stdout.matchAll(/^([A-Z]\w+):$/gm)].map(([, word]) => word);
    const groups = ['Input', 'Mapping', 'Report', 'Run', 'Feed', 'Target', 'Remote'];
    expect(headings.sort()).toEqual([...groups, 'Arguments', 'Options', 'Examples'].sort());
    expect(/^Options:\n((?: {2}.*\n)+)/m.exec(stdout)?.[1]).toMatch(/^ {2}-h, --help +show this help\n$/);
  });

  it('of a command for local catalogs only has no option of remotes', async () => {
    const { stdout } = await typedHere(['shop', 'load', '--help']);
    expect(stdout).not.toMatch(/--concurrency|--resume|--changed-only|--remote|--full/);
    expect(stdout).toContain('--ca-file');
  });

  it('gives no key more scopes than were named', async () => {
    const { code, stdout, stderr } = await typedHere(['keys', 'create', '--name=a', '--all', '--scope=product:read']);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('leave out --all or --scope')]);
  });

  it.each([
    [['products', 'a.csv', '--limit=-1'], 'Use a whole number of 0 or more.'],
    [['products', 'a.csv', '--max-refused=101%'], 'Use a whole number of 0 or more, a share up to 100%, or off.'],
    [['products', 'a.csv', '--min-rows=x'], 'Use a whole number of 0 or more, or off.'],
    [['products', 'a.csv', '--max-missing=101%'], 'Use a share up to 100%, such as 30%, or off.'],
    [['serve', '--port=65536'], 'Use a port from 0 to 65535.'],
    [['runs', 'forget', '--keep', '0s'], 'Use a number from 1 to 999999 and one of s m h d, such as 90d.'],
    [['serve', '--metrics-port=1e3'], 'Use a port from 0 to 65535.'],
  ])('says which numbers an option takes: %j', async (typed, remedy) => {
    const { code, stderr } = await typedHere(typed);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`is invalid. ${remedy}`)]);
  });

  it.each([
    ['--json', '--output json'],
    ['--mapping=feed.yaml', '--map'],
    ['--separator=;', '--delimiter'],
    ['--rejects=refused.csv', '--refused-file'],
  ])('names the option that is meant by %s', async (typed, meant) => {
    const { code, stderr } = await typedHere(['products', 'a.csv', typed]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `unknown option '${typed.replace(/=.*/, '')}' (Did you mean ${meant}?)\n(catalog-import products --help`,
    );
    expect(stderr.match(/Did you mean/g)).toHaveLength(1);
  });
});

it.each([
  ['groups:write', 'product_group:write'],
  ['characteristic:read', 'attribute:read'],
  ['reviews:read', 'product_review:read'],
  ['attribute:write', 'attribute:write'],
])('the scope %s is understood as %s', async (typedScope, scope) => {
  const db = join(folder(), 'c.db');
  const { code, stderr } = await typedHere(['keys', 'create', '--name', 'erp', '--scope', typedScope, '--db', db]);
  expect([code, stderr.includes(` may: ${scope}.`)]).toEqual([0, true]);
});
