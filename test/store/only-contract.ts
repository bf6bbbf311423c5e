// `only: update` and `only: create`, on every kind of store: an import of any batch does what an import of some of its items
// does, of those whose records exist, or of the others.
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Line } from '../../src/core/import-report.js';
import type { FeedSettings } from '../../src/core/ledger/feed-ranking.js';
import { offerTable } from '../../src/core/ledger/run-tables.js';
import { leftOutNotice, type OnlyAction, onlyActions } from '../../src/core/only-action.js';
import { type ImportOrigin, storeCatalog } from '../../src/store/catalog.js';
import { ledgerOf } from '../../src/store/ledger/ledger.js';
import { feedRun } from '../../src/store/ledger/run-of-feed.js';
import type { Store } from '../../src/store/store.js';
import { batchOf } from '../entries.js';
import { type Item, resourceCalled } from '../given.js';

const ranked: Partial<FeedSettings> = { order: ['erp', 'stock'], own: {} };

/** A catalog that imports item by item or all at once. */
function catalogOn(store: Store) {
  const importing = (origin: ImportOrigin) => storeCatalog(store, origin);
  const ledger = ledgerOf({ store, importing }, 5000);

  async function send(word: string, items: readonly Item[], options: Sending = {}): Promise<readonly Line[]> {
    const { only, dryRun = false, run = feedRun('erp'), limit = items.length } = options;
    const open = await ledger.begin({ feed: run.feed, detail: { command: word, files: [] } });
    const recorder = open.addFile({ file: word, resource: word });
    const batches = Array.from({ length: Math.ceil(items.length / Math.max(limit, 1)) }, (_, i) =>
      batchOf(items.slice(i * limit, (i + 1) * limit)),
    );
    const lines: Line[] = [];
    const mode = { dryRun, diff: true, ...(only && { only }) };
    for await (const report of importing({ recorder, feed: run }).importBatches(resourceCalled(word), batches, mode)) {
      const { created, updated, unchanged, refused, total } = report;
      expect(created + updated + unchanged + refused).toBe(total);
      expect(report.data.length).toBe(total);
      lines.push(...report.data);
    }
    await open.end({ state: 'done', exit: 0 });
    return lines;
  }

  async function has(word: string, item: Item): Promise<boolean> {
    const resource = resourceCalled(word);
    const key = String(item[resource.key]);
    return (await storeCatalog(store).read(resource, { key })) !== undefined;
  }

  /** Everything that is kept, but for what differs from catalog to catalog. */
  async function state(): Promise<unknown> {
    const kept: unknown[] = [];
    for (const word of ['categories', 'products', 'reviews']) {
      const resource = resourceCalled(word);
      const { records } = await storeCatalog(store).list(resource, {
        limit: 100,
        include: Object.keys(resource.details),
      });
      const shown = records.map((one) => ({ ...one, key: one[resource.key] }));
      kept.push(shown.sort((a, b) => (String(a.key) < String(b.key) ? -1 : 1)));
    }
    // The number of the shape of an offer: shapes are kept of refused items, too.
    const offers = (await store.readAll(offerTable))
      .map(({ id, fields }) => `${id} ${fields.replace(/^#\d+/, '')}`)
      .sort();
    return plain([kept, offers]);
  }

  return { ledger, send, has, state, offers: () => store.readAll(offerTable), close: () => store.close() };
}

interface Sending {
  readonly only?: OnlyAction;
  readonly dryRun?: boolean;
  readonly run?: ReturnType<typeof feedRun>;
  /** Items of a batch. */
  readonly limit?: number;
}

function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (name, one) => (/^(created|updated|published)_at$/.test(name) ? undefined : one));
  return JSON.parse(text.replaceAll(/\b(prod|cate|prvw|cust)_\w+/g, '$1'));
}

const products = fc.array(
  fc.record(
    {
      sku: fc.constantFrom('A', 'B', 'C', 'D'),
      currency: fc.constantFrom('EUR', 'none'),
      name: fc.constantFrom('Lamp', 'Chair', 'Lamp 2'),
      price: fc.constantFrom(1, 2, '-1'),
      stock: fc.nat(2),
      slug: fc.constantFrom('lamp', ''),
      status: fc.constantFrom('activated', 'suspended'),
      category: fc.constant('cate_nobody'),
      colour: fc.constant('red'),
      grades: fc.constantFrom([], [{ grade: 'new', price: 5, stock: 1 }]),
    },
    { requiredKeys: ['sku'] },
  ),
  { maxLength: 7 },
);

const categories = fc.array(
  fc.record(
    {
      name: fc.constantFrom('Home', 'Garden', 'Tools', 'home'),
      parent: fc.constantFrom('Home', 'Garden', ''),
      position: fc.constantFrom(1, 2, 'x'),
    },
    { requiredKeys: ['name'] },
  ),
  { maxLength: 7 },
);

const reviews = fc.uniqueArray(
  fc.record(
    {
      external_id: fc.constantFrom('r1', 'r2', 'r3', 'r4'),
      customer_external_id: fc.constantFrom('c1', 'c1', 'nobody'),
      product_sku: fc.constantFrom('A', 'B'),
      rating: fc.constantFrom(1, 5, 9),
      status: fc.constantFrom('published', 'deleted'),
    },
    { requiredKeys: ['external_id', 'customer_external_id', 'product_sku', 'rating'] },
  ),
  { selector: (one) => one.external_id, maxLength: 4 },
);

const sendings = fc.oneof(
  products.map((items) => ({ word: 'products', items: items as Item[] })),
  categories.map((items) => ({ word: 'categories', items: items as Item[] })),
  reviews.map((items) => ({ word: 'reviews', items: items as Item[] })),
);

/** What creation alone demands, so that it is no fault of an item that is left out. */
const ofCreation: readonly string[] = ['currency_required', 'review_not_imported'];

/** Runs the suite. @param runs catalogs and batches that are tried */
export function onlyContract(name: string, open: () => Promise<Store>, runs: number): void {
  describe(`only update, only create: ${name}`, () => {
    const started: { readonly close: () => Promise<void> }[] = [];
    const closeAll = async () => void (await Promise.all(started.splice(0).map((one) => one.close())));
    afterEach(closeAll);

    const start = async (isRanked: boolean) => {
      const catalog = catalogOn(await open());
      started.push(catalog);
      if (isRanked) await catalog.ledger.setFeeds((before) => ({ ...before, ...ranked }));
      await catalog.send('customers', [{ external_id: 'c1' }]);
      return catalog;
    };

    it('does what an import of the items does whose records exist, or of the others; the rest is left out or refused', async () => {
      await fc.assert(
        fc.asyncProperty(
          ...[fc.array(sendings, { maxLength: 3 }), sendings, fc.constantFrom(...onlyActions), fc.boolean(), fc.nat(3)],
          async (before, { word, items }, only, isRanked, limit) => {
            const [whole, parts] = [await start(isRanked), await start(isRanked)];
            for (const catalog of [whole, parts]) for (const one of before) await catalog.send(one.word, one.items);
            const sender = { only, limit: limit + 1 };
            const foreseen = await whole.send(word, items, { ...sender, run: feedRun('stock'), dryRun: true });
            const lines = await whole.send(word, items, { ...sender, run: feedRun('stock') });
            expect(lines.map(({ action, code }) => [action, code])).toEqual(
              foreseen.map(({ action, code }) => [action, code]),
            );
            const run = feedRun('stock');
            for (const [place, item] of items.entries()) {
              const line = lines[place] as Line;
              const exists = await parts.has(word, item);
              const codes = line.notice.map(({ code }) => code);
              if (exists === (only === 'update')) {
                const [expected] = await parts.send(word, [item], { run });
                expect([line.action, line.code, line.changes?.length]).toEqual([
                  expected?.action,
                  expected?.code,
                  expected?.changes?.length,
                ]);
                expect(codes).not.toContain(leftOutNotice[only]);
              } else if (line.action === 'refused') {
                expect(ofCreation).not.toContain(line.code);
              } else {
                expect([line.action, line.id !== null, line.changes]).toEqual(['unchanged', exists, []]);
                if (!exists) expect(codes).toContain('not_created');
              }
            }
            expect(await whole.state()).toEqual(await parts.state());
            await closeAll();
          },
        ),
        { numRuns: runs },
      );
    });

    it('leaves no trace of a stock row whose product is not there, and refuses wrong ones as ever', async () => {
      const catalog = await start(true);
      await catalog.send('products', [{ sku: 'A', currency: 'EUR', stock: 1 }]);
      const before = await catalog.state();
      const items = [
        { sku: 'B', stock: 5 },
        { sku: 'C', stock: 'many' },
        { sku: 'B', stock: 6, price: 'EUR 5' },
      ];
      const lines = await catalog.send('products', items, { only: 'update', run: feedRun('stock') });
      expect(lines.map(({ action, id, code, notice }) => [action, id, code, notice.map((one) => one.code)])).toEqual([
        ['unchanged', null, null, ['not_created']],
        ['refused', null, 'field_type', []],
        ['refused', null, expect.any(String), []],
      ]);
      expect(await catalog.state()).toEqual(before);
      expect((await catalog.ledger.runs()).at(-1)).toMatchObject({ chunks: 0 });
    });

    it('tells of a record that would have changed, and leaves one whose creation was undone as it is', async () => {
      const catalog = await start(false);
      await catalog.send('products', [{ sku: 'A', currency: 'EUR', stock: 1 }]);
      const codes = async (item: Item, only: OnlyAction) => {
        const [line] = await catalog.send('products', [item], { only });
        return [line?.action, line?.id !== null, line?.notice.map(({ code }) => code)];
      };
      expect(await codes({ sku: 'A', stock: 1 }, 'create')).toEqual(['unchanged', true, []]);
      expect(await codes({ sku: 'A', stock: 2 }, 'create')).toEqual(['unchanged', true, ['not_updated']]);
      const runs = await catalog.ledger.runs();
      const run = runs.find(({ detail, created }) => detail.command === 'products' && created === 1);
      const undoing = await catalog.ledger.begin({ feed: '', detail: { command: 'undo', files: [] } });
      await catalog.ledger.undo([run?.number ?? 0], undoing, new AbortController().signal);
      await undoing.end({ state: 'done', exit: 0 });
      expect(await codes({ sku: 'A', stock: 2 }, 'update')).toEqual(['unchanged', true, ['not_created']]);
      expect(await codes({ sku: 'A', currency: 'EUR', stock: 2 }, 'create')).toEqual([
        'updated',
        true,
        ['status_regained'],
      ]);
    });

    it('is a setting of a feed, too, unless the import says otherwise', async () => {
      const catalog = await start(false);
      await catalog.ledger.setFeeds((before) => ({ ...before, only: { stock: 'update' } }));
      const action = async (sku: string, sending: Sending) =>
        (await catalog.send('products', [{ sku, currency: 'EUR' }], sending)).map((line) => line.action);
      expect(await action('A', { run: feedRun('stock') })).toEqual(['unchanged']);
      expect(await action('A', { run: feedRun('stock'), only: 'create' })).toEqual(['created']);
      expect(await action('B', { run: feedRun('erp') })).toEqual(['created']);
    });

    it('a record that a feed of requests lists stays listed, though the feed only creates', async () => {
      const catalog = await start(true);
      const send = (feed: string, item: Item, only?: OnlyAction) =>
        catalog.send('products', [{ sku: 'A', currency: 'EUR', ...item }], {
          run: feedRun(feed, { marksAll: true }),
          ...(only && { only }),
        });
      await send('erp', { stock: 1 });
      const before = await catalog.offers();
      await send('erp', { stock: 2 }, 'create');
      const after = await catalog.offers();
      expect(after.map(({ fields }) => fields)).toEqual(before.map(({ fields }) => fields));
      expect(after.map(({ run }) => run)).not.toEqual(before.map(({ run }) => run));
    });
  });
}
