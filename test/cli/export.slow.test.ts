// `export`: what it writes imports as unchanged into the same catalog, and as an equal catalog into an empty one.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Catalog } from '../../src/core/catalog.js';
import { includeWords } from '../../src/core/reading/record-view.js';
import { resources, shopResources } from '../../src/core/resources/index.js';
import { type LocalCatalog, openCatalog } from '../../src/store/open.js';
import { batches, seed, shop } from '../core/random-items.js';
import { batchOf } from '../entries.js';
import { type Item, resourceCalled } from '../given.js';
import { givenServer } from '../http/server/given-server.js';
import { repetitions } from '../tier.js';
import { demo, folder, typedHere } from './typed.js';

type Record_ = Readonly<Record<string, unknown>>;

async function opened<T>(file: string, work: (catalog: LocalCatalog) => Promise<T>, create = false): Promise<T> {
  const catalog = await openCatalog({ file, create });
  try {
    return await work(catalog);
  } finally {
    await catalog.close();
  }
}

async function send(catalog: Catalog, word: string, items: readonly unknown[]): Promise<void> {
  for await (const _ of catalog.importBatches(resourceCalled(word), [batchOf(items)]));
}

/** What differs from catalog to catalog, or cannot be sent: identifiers and times of records without a field for them. */
const ofTheCatalog = new Set(
  'id updated_at reduced_since scope_ident parent category group attribute type customer order product order_item unlisted unresolved'.split(
    ' ',
  ),
);

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !ofTheCatalog.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, comparable(member)]));
}

/** Values that their lists no longer have are left out, and those of one in another spelling get that of the list. */
function withListedValues(record: Record_): Record_ {
  const { attributes, ...rest } = record;
  if (attributes === undefined) return rest;
  const entries = attributes as readonly Record_[];
  const gone = new Set(entries.filter(({ unlisted }) => unlisted === true).map((entry) => entry['type_name']));
  const kept = entries.filter((entry) => !gone.has(entry['type_name']));
  return { ...rest, attributes: kept.map((entry) => ({ ...entry, value: String(entry['value']).toLowerCase() })) };
}

/**
 * Every record of a catalog that is not deleted, by resource, as it can be compared with that of another catalog: without the
 * lowest price before a reduction, which is found in the history of a catalog and not in its records.
 */
function contents(file: string): Promise<unknown> {
  return opened(file, async (catalog) => {
    const all: Record<string, unknown[]> = {};
    for (const resource of [...shopResources.slice(0, -1), ...resources]) {
      const { records } = await catalog.list(resource, {
        limit: 10_000,
        include: includeWords(resource).filter((word) => word !== 'lowest_price_30d'),
      });
      all[resource.name] = records
        .filter(({ status }) => status !== 'deleted')
        .map((record) => {
          const { created_at: time, ...plain } = comparable(withListedValues(record)) as {
            created_at: number;
          };
          return JSON.stringify(
            ['product', 'product_review', 'order'].includes(resource.name) ? { ...plain, time } : plain,
          );
        })
        .sort();
    }
    return all;
  });
}

interface Run {
  readonly data: readonly { readonly file: string; readonly data: readonly Record_[] }[];
}

/** Imports a folder; the lines that are not as wanted. */
async function linesBut(action: string, path: string, db: string): Promise<string[]> {
  const { stdout, stderr } = await typedHere(['run', path, '--db', db, '--output', 'json', '-q', '--report', 'all']);
  const { data } = (
    JSON.parse(stdout || `{"response":{"data":[{"file":${JSON.stringify(stderr)},"data":[{}]}]}}`) as { response: Run }
  ).response;
  return data.flatMap((file) =>
    file.data
      .filter((line) => line['action'] !== action)
      .map(
        (line) =>
          `${file.file} ${line['external_id']} ${line['action']} ${line['reason']} ${JSON.stringify(line['notice'])}`,
      ),
  );
}

/** The demo shop, the seed of the random items, or both: exported and imported back. */
async function roundTrip(db: string, form: string): Promise<void> {
  const cwd = folder();
  const out = join(cwd, 'out');
  const { code, stderr } = await typedHere(['export', out, '--db', db, '--output', form]);
  expect([code, stderr]).toEqual([0, expect.stringContaining('Exported')]);
  const before = await contents(db);
  expect(await linesBut('unchanged', out, db)).toEqual([]);
  expect(await contents(db)).toEqual(before);
  const copy = join(cwd, 'copy.db');
  const created = await linesBut('created', out, copy);
  expect(created.filter((line) => !/\.later\.\S+ \S+ updated/.test(line))).toEqual([]);
  expect(await contents(copy)).toEqual(before);
}

/** A catalog with the seed of the random items. */
async function seeded(db: string): Promise<(items: readonly Item[]) => readonly Item[]> {
  return opened(
    db,
    async (catalog) => {
      const ids = new Map<string, string>();
      for (const [word, ...items] of seed) {
        await send(catalog, word, items);
        for (const item of items) {
          const key = item['kind'] === 'colour' ? 'Colour' : String(item['sku'] ?? item['external_id'] ?? item['name']);
          ids.set(shop.id(word, key), String((await catalog.read(resourceCalled(word), { key }))?.['id']));
        }
      }
      return (items) => {
        let text = JSON.stringify(items);
        for (const [one, other] of ids) text = text.replaceAll(`"${one}"`, `"${other}"`);
        return JSON.parse(text) as Item[];
      };
    },
    true,
  );
}

describe('export', () => {
  it.each(['ndjson', 'json', 'csv'])('of the demo shop comes back: %s', async (form) => {
    const db = join(folder(), 'catalog.db');
    await typedHere(['run', demo, '--db', db, '-q']);
    await roundTrip(db, form);
  });

  it('round-trips whatever was imported, in every format', async () => {
    const batch = fc.oneof(...batches.map(([word, items]) => items.map((sent) => ({ word, items: sent }))));
    await fc.assert(
      fc.asyncProperty(
        fc.array(batch, { minLength: 1, maxLength: 10 }),
        fc.constantFrom('ndjson', 'json', 'csv'),
        async (sent, form) => {
          const db = join(folder(), 'catalog.db');
          const withIds = await seeded(db);
          await opened(db, async (catalog) => {
            for (const { word, items } of sent) await send(catalog, word, withIds(items));
          });
          await roundTrip(db, form);
        },
      ),
      { numRuns: repetitions('EXPORTS', { fast: 4, moderate: 4, full: 50 }) },
    );
  });

  it('round-trips a catalog with history: moved categories, scopes, deleted records, unlisted entries, removed shop records', async () => {
    const cwd = folder();
    const db = join(cwd, 'catalog.db');
    await opened(
      db,
      async (catalog) => {
        await send(catalog, 'category', [{ name: 'A > B' }, { name: 'cate_ring shop' }, { name: 'Top', slug: 'a-b' }]);
        // Each now lies below one that is newer.
        await send(catalog, 'category', [
          { name: 'A > B', parent: 'cate_ring shop' },
          { name: 'cate_ring shop', parent: 'Top' },
        ]);
        const id = async (word: string, key: string) => (await catalog.read(resourceCalled(word), { key }))?.['id'];
        const category = await id('category', 'A > B');
        const product = (sku: string, more: Item = {}) => ({
          sku,
          currency: 'EUR',
          name: '=1+1',
          note: ' x;\r\n"y"\t',
          ...more,
        });
        await send(catalog, 'attribute', [
          { name: 'Size', values: [{ label: 'S' }, { label: 'M' }] },
          { name: 'Old' },
          { name: 'Gone' },
        ]);
        const attributes = [
          { type: 'Size', value: 'S' },
          { type: 'Size', value: 'M' },
        ];
        await send(catalog, 'product', [
          product('1', { category, attributes, media: [{ file: 'file_x' }], brand: 'acme' }),
          product('2', { seo_image: 'file_x', name: '="0012"', note: '="a""b"' }),
          product('3'),
        ]);
        await send(catalog, 'attribute', [
          { name: 'Size', scope: 'category', scope_ident: category, values: [{ label: 'm' }, { label: 'L' }] },
          { name: 'Old', scope: 'product', scope_ident: await id('product', '2') },
          { name: 'Gone', scope: 'product', scope_ident: await id('product', '3') },
        ]);
        await catalog.deleteProduct('3');
        await send(catalog, 'files', [{ id: 'file_y' }]);
        await send(catalog, 'brands', [{ id: 'acme', name: 'Acme' }]);
        await send(catalog, 'customers', [{ external_id: 'c' }]);
        await send(catalog, 'orders', [
          { external_id: 'o', created_at: 7, items: [{ external_id: 'l1' }, { external_id: 'l2' }] },
        ]);
        const review = { customer_external_id: 'c', order_external_id: 'o', rating: 5 };
        await send(catalog, 'review', [
          { ...review, external_id: 'r1', product_sku: '3', order_item_external_id: 'l1', created_at: 3 },
          { ...review, external_id: 'r2', product_sku: '1', order_item_external_id: 'l2' },
        ]);
        await send(catalog, 'orders', [{ external_id: 'o', items: [{ external_id: 'l2' }] }]);
        await send(catalog, 'review', [{ ...review, external_id: 'r3', product_sku: '1' }]);
        await send(catalog, 'review', [{ ...review, external_id: 'r3', product_sku: '1', status: 'deleted' }]);
      },
      true,
    );
    for (const form of ['ndjson', 'csv']) {
      const out = join(cwd, form);
      const { stderr } = await typedHere(['export', out, '--db', db, '--output', form]);
      expect(stderr.split('\n').slice(1).sort()).toEqual([
        '',
        '1 products were left out, since they are deleted.',
        '1 reviews were left out, since they are deleted.',
        'of characteristics: 1 scopes were left out, since their product is deleted.',
        'of products: 2 characteristic values were left out, since their lists no longer have them.',
        'of products: 2 references were left out, since the shop no longer knows the record.',
      ]);
      expect(readdirSync(out).sort()).toContain(`characteristics.later.${form}`);
      const before = await contents(db);
      expect(await linesBut('unchanged', out, db)).toEqual([]);
      expect(await contents(db)).toEqual(before);
      const copy = join(cwd, `${form}.db`);
      expect((await linesBut('created', out, copy)).map((line) => line.replace(/ null.*/, ''))).toEqual([
        `${out}/characteristics.later.${form} Size updated`,
        `${out}/characteristics.later.${form} Old updated`,
      ]);
      await opened(copy, async (catalog) => {
        const read = (word: string, key: string) =>
          catalog.read(resourceCalled(word), { key }, includeWords(resourceCalled(word)));
        expect(await read('product', '1')).toMatchObject({
          category_name: 'A > B',
          name: '=1+1',
          note: ' x;\r\n"y"\t',
          media: [],
        });
        expect(await read('category', 'A > B')).toMatchObject({ parent_name: 'cate_ring shop' });
        expect(await read('attribute', 'Size')).toMatchObject({ scope: 'category', scope_name: 'A > B' });
        expect(await read('attribute', 'Old')).toMatchObject({ scope: 'product', scope_name: '2' });
        expect(await read('attribute', 'Gone')).toMatchObject({ scope: 'catalog' });
        expect(await read('product', '3')).toBeUndefined();
      });
    }
  });

  it('of one resource goes to stdout, with its scope, and imports back', async () => {
    const cwd = folder();
    const db = join(cwd, 'catalog.db');
    await typedHere(['run', demo, '--db', db, '-q']);
    for (const [word, form] of [
      ['products', 'csv'],
      ['review', 'json'],
      ['characteristics', 'ndjson'],
    ] as const) {
      const { code, stdout, stderr } = await typedHere(['export', word, '--db', db, '--output', form]);
      expect([code, stderr]).toEqual([0, '']);
      const file = join(cwd, `x.${form}`);
      writeFileSync(file, stdout);
      const { stdout: told } = await typedHere([word, file, '--db', db]);
      expect(told).toMatch(/0 created, 0 updated, [1-9]\d* unchanged, 0 refused/);
    }
    expect(await typedHere(['export', 'pages', '--db', db, '--output', 'csv'])).toMatchObject({
      stdout: expect.stringMatching(/^id,name\n/),
    });
  });

  it('takes an empty folder only, and leaves nothing of one that failed', async () => {
    const cwd = folder({ 'here.txt': 'x' });
    const db = join(cwd, 'catalog.db');
    await typedHere(['run', demo, '--db', db, '-q']);
    expect(await typedHere(['export', cwd, '--db', db])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not empty'),
    });
    expect(await typedHere(['export', 'prodcts', '--db', db])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean products?'),
    });
    expect(await typedHere(['export', join(cwd, 'here.txt'), '--db', db])).toMatchObject({ code: 2, stdout: '' });
    const missing = await typedHere(['export', join(cwd, 'out'), '--db', join(cwd, 'no.db')]);
    expect([missing.code, existsSync(join(cwd, 'out'))]).toEqual([7, false]);
    expect((await typedHere(['export', join(cwd, 'new', 'out'), '--db', db])).code).toBe(0);
    expect(readdirSync(join(cwd, 'new', 'out')).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('of a remote has what the HTTP interface returns', async () => {
    const given = await givenServer();
    try {
      await send(
        given.catalog,
        'category',
        Array.from({ length: 50 }, (_, i) => ({ name: `C${i}` })),
      );
      const items = Array.from({ length: 120 }, (_, i) => ({
        sku: `P${i}`,
        currency: 'EUR',
        grades: [{ grade: 'new', price: i }],
      }));
      for (let i = 0; i < 3; i++) await send(given.catalog, 'product', items.slice(i * 40, i * 40 + 40));
      const out = join(folder(), 'out');
      const env = { CATALOG_API_KEY: given.key };
      const { code, stderr } = await typedHere(['export', out, '--remote', given.server.url], env);
      expect([code, stderr]).toEqual([0, expect.stringContaining('Exported 50 categories, 120 products')]);
      const copy = join(folder(), 'copy.db');
      expect(await linesBut('created', out, copy)).toEqual([]);
      const whole = await typedHere(['get', 'product', '--sku', 'P7', '--all', '--remote', given.server.url], env);
      expect(JSON.parse(whole.stdout)).toMatchObject({ sku: 'P7', grades: [{ grade: 'new', price: '7.00' }] });
      expect(await typedHere(['export', 'files', '--remote', given.server.url], env)).toMatchObject({ code: 2 });
    } finally {
      await given.stop();
    }
  });
});
