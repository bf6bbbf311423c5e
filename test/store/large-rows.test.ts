// A row with megabytes of text is the same as a small one for all that read it, and nobody else waits for many of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { rawEntry } from '../../src/core/entry.js';
import { category } from '../../src/core/resources/category.js';
import { product } from '../../src/core/resources/product.js';
import { openCatalog } from '../../src/store/open.js';
import { missing, newTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { allowed } from '../tier.js';

const folder = mkdtempSync(join(tmpdir(), 'catalog-large-'));
let database: TestDatabase | undefined;
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database?.close();
});

const long = '\u0001'.repeat(1024 * 1024);
const texts = ['description', 'seo_description', 'badge', 'tag', 'note', 'ean'];
const members = Object.fromEntries(texts.map((name) => [name, long]));
const items = [
  { sku: 'A', currency: 'EUR', slug: 'same', ...members },
  { sku: 'B', currency: 'EUR', slug: 'same', description: '[not JSON' },
  { sku: 'C', currency: 'EUR', note: '€'.repeat(40_000) },
];

const places: Readonly<Record<string, (name: string) => Promise<string>>> = {
  'in SQLite': async (name) => join(folder, `${name}.db`),
  ...(missing === undefined && {
    async 'in PostgreSQL'(name) {
      database ??= await newTestDatabase();
      return database.address(name);
    },
  }),
};

describe.each(Object.entries(places))('a large row %s', (_, place) => {
  it('is read, listed, compared and found by its slug', async () => {
    const catalog = await openCatalog({ file: await place('whole'), create: true });
    const importAll = async () => {
      const actions: string[] = [];
      for await (const { data } of catalog.importBatches(product, [items.map(rawEntry)]))
        actions.push(...data.map(({ action, reason }) => reason ?? action));
      return actions;
    };
    expect(await importAll()).toEqual(['created', 'created', 'created']);
    const began = performance.now();
    const record = await catalog.read(product, { key: 'A' });
    expect(performance.now() - began).toBeLessThan(allowed(60));
    expect(record).toMatchObject({ sku: 'A', slug: 'same' });
    for (const name of texts) expect(record?.[name] === long).toBe(true);
    const listed = await catalog.list(product, { limit: 10 });
    expect(listed.records.map(({ sku, slug }) => [sku, slug])).toEqual([
      ['A', 'same'],
      ['B', 'same-2'],
      ['C', 'c'],
    ]);
    expect(listed.records[0]?.['note'] === long).toBe(true);
    expect(listed.records[2]?.['note']).toBe('€'.repeat(40_000));
    expect(await importAll()).toEqual(['unchanged', 'unchanged', 'unchanged']);
    const changed = [rawEntry({ ...items[0], badge: 'short' })];
    for await (const { data } of catalog.importBatches(product, [changed])) expect(data[0]?.action).toBe('updated');
    expect((await catalog.read(product, { key: 'A' }))?.['badge']).toBe('short');
    const home = [rawEntry({ name: 'Home', description: long }), rawEntry({ name: 'Garden', parent: 'Home' })];
    for await (const { data } of catalog.importBatches(category, [home])) expect(data[0]?.reason).toBeNull();
    const parent = await catalog.read(category, { key: 'Home' });
    expect(parent?.['description'] === long).toBe(true);
    await catalog.close();
  });

  it('a small record is read while many large ones are', async () => {
    const catalog = await openCatalog({ file: await place('busy'), create: true });
    const sent = [{ sku: 'FIRST', currency: 'EUR' }, items[0], { sku: 'SMALL', currency: 'EUR' }];
    for await (const { data } of catalog.importBatches(product, [sent.map(rawEntry)]))
      expect(data.map(({ action }) => action)).toEqual(['created', 'created', 'created']);
    const first = String((await catalog.read(product, { key: 'FIRST' }))?.['id']);
    const ended: string[] = [];
    const end = (name: string) => () => ended.push(name);
    const large = Array.from({ length: 12 }, () => [
      catalog.read(product, { key: 'A' }).then(end('large')),
      catalog.read(product, { key: 'A' }, ['media', 'names']).then(end('large')),
      catalog.list(product, { limit: 5, after: first }).then(end('large')),
    ]);
    await catalog.read(product, { key: 'SMALL' }).then(end('small'));
    expect(ended.indexOf('small')).toBeLessThan(3);
    // One that is asked for in between, as by a request that comes while they are read, waits for few of them, too.
    await Promise.race(large.flat());
    await nextTurn();
    expect(ended.length).toBeLessThan(6);
    await catalog.read(product, { key: 'SMALL' }).then(end('later'));
    expect(ended.indexOf('later')).toBeLessThan(12);
    await Promise.all(large.flat());
    await catalog.close();
  });
});
