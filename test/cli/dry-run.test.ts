// A dry run of the command line says what the real run does: grades, attributes and photos are compared, locally, over a
// folder and for a remote.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { givenServer } from '../http/server/given-server.js';
import { outcomes } from './outcomes.js';
import { folder, typedHere } from './typed.js';

const grade = (price: number) =>
  JSON.stringify({ sku: 'A', currency: 'EUR', grades: [{ grade: 'new', price, stock: 1 }] });

async function givenCatalog() {
  const cwd = folder({ 'products.ndjson': grade(5) });
  const at = (name: string) => join(cwd, name);
  await typedHere(['products', at('products.ndjson'), '--db', at('c.db')]);
  writeFileSync(at('products.ndjson'), grade(6));
  return at;
}

describe('a dry run compares lists', () => {
  it('locally, without listing changes', async () => {
    const at = await givenCatalog();
    const { stdout } = await typedHere([
      'products',
      at('products.ndjson'),
      '-n',
      '--db',
      at('c.db'),
      '--output',
      'ndjson',
    ]);
    expect(outcomes(stdout)).toEqual(['A updated']);
    expect(stdout).not.toContain('"changes"');
  });

  it('over a folder', async () => {
    const at = await givenCatalog();
    mkdirSync(at('shop'));
    writeFileSync(at('shop/products.ndjson'), grade(6));
    const { stdout } = await typedHere(['run', at('shop'), '-n', '--db', at('c.db'), '--output', 'ndjson']);
    expect(outcomes(stdout)).toEqual(['A updated']);
  });

  it('for a remote, by sending diff', async () => {
    const given = await givenServer();
    onTestFinished(() => given.stop());
    const cwd = folder({ 'a.ndjson': grade(5), 'b.ndjson': grade(6) });
    const type = (name: string, ...options: string[]) =>
      typedHere(['products', join(cwd, name), '--remote', given.server.url, '--output', 'ndjson', ...options], {
        CATALOG_API_KEY: given.key,
        XDG_STATE_HOME: join(cwd, 'state'),
      });
    await type('a.ndjson');
    const same = await type('a.ndjson', '-n');
    expect([outcomes(same.stdout), same.stdout.includes('lists_not_compared')]).toEqual([['A unchanged'], false]);
    const { stdout } = await type('b.ndjson', '-n');
    expect([outcomes(stdout), stdout.includes('"changes"')]).toEqual([['A updated'], false]);
    expect((await type('b.ndjson', '-n', '--diff')).stdout).toContain('"field":"grades[new].price"');
  });

  it('of a plan: apply --dry-run refuses what apply refuses, where a list changed since', async () => {
    const at = await givenCatalog();
    const db = ['--db', at('c.db'), '--output', 'ndjson'];
    await typedHere(['plan', 'products', at('products.ndjson'), '--out', at('night.plan'), '--db', at('c.db')]);
    writeFileSync(at('other.ndjson'), grade(7));
    await typedHere(['products', at('other.ndjson'), '--db', at('c.db')]);
    const dry = await typedHere(['apply', at('night.plan'), '--dry-run', ...db]);
    const real = await typedHere(['apply', at('night.plan'), ...db]);
    expect([dry.code, outcomes(dry.stdout)]).toEqual([3, ['A changed_since_plan']]);
    expect([real.code, outcomes(real.stdout)]).toEqual([3, ['A changed_since_plan']]);
  });
});

it('--diff shows the changed fields in the table without a further option', async () => {
  const at = await givenCatalog();
  const { stdout } = await typedHere(['products', at('products.ndjson'), '-n', '--diff', '--db', at('c.db')]);
  expect(stdout).toContain('grades[new].price "5.00" → "6.00"');
});
