// Items that are recognized as unchanged, on every kind of store: whatever is done in between, their lines and records are
// those of a catalog in which every item is decided.
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { unpackOffer } from '../../src/core/ledger/feed-offer.js';
import type { FeedSettings } from '../../src/core/ledger/feed-ranking.js';
import { hashNumber } from '../../src/core/ledger/recorded-change.js';
import { offerTable } from '../../src/core/ledger/run-tables.js';
import type { OnlyAction } from '../../src/core/only-action.js';
import { planProductDeletion } from '../../src/core/planning/delete-product.js';
import type { Resource } from '../../src/core/resource.js';
import { storeCatalog } from '../../src/store/catalog.js';
import { ledgerOf } from '../../src/store/ledger/ledger.js';
import { feedRun } from '../../src/store/ledger/run-of-feed.js';
import type { Store } from '../../src/store/store.js';
import { batchOf } from '../entries.js';
import { type Item, resourceCalled } from '../given.js';

/** What is done to a catalog. */
type Step =
  | {
      readonly kind: 'send';
      readonly word: string;
      readonly items: readonly Item[];
      /** `guard` is a dry run that reports differences: the planning pass of an import with guards. */
      readonly mode?: 'dry' | 'diff' | 'guard';
      readonly feed?: string;
      /** Its items come in two transactions, of which the first has so many. */
      readonly split?: number;
      readonly only?: OnlyAction;
      /** Whether the run is complete, so that what its feed no longer lists passes to other feeds. */
      readonly isComplete?: boolean;
    }
  | { readonly kind: 'delete'; readonly sku: string }
  | { readonly kind: 'undo'; readonly back: number }
  | { readonly kind: 'rank'; readonly settings: Pick<FeedSettings, 'order' | 'own'> }
  | { readonly kind: 'wait'; readonly hours: number };

/** One of two catalogs that are compared. */
interface Twin {
  /** Performs a step and returns its report. */
  take(step: Step): Promise<unknown>;
  /** Every product with all that is kept of it, and what feeds offer, but for what differs from catalog to catalog. */
  products(): Promise<unknown>;
  /** Products that were decided. */
  readonly counts: { decided: number };
  close(): Promise<void>;
}

const products = resourceCalled('products');
const skus = ['A', 'B', 'C'];

/** The resource as it is, or without recognition; either counts what it decides. */
function counted(counts: Twin['counts'], isRecognized: boolean): Resource {
  const { recognition, ...others } = products;
  return {
    ...others,
    ...(isRecognized && recognition && { recognition }),
    decide(task) {
      counts.decided++;
      products.decide(task);
    },
  };
}

/** Identifiers differ from catalog to catalog. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/\b(prod|cate|attr|prgr)_\w+/g, '$1'));
}

function twinOn(store: Store, isRecognized: boolean): Twin {
  const counts = { decided: 0 };
  const product = counted(counts, isRecognized);
  const ledger = ledgerOf({ store, importing: (origin) => storeCatalog(store, origin) }, 5000);
  const ids = new Map<string, string>();
  const runs: number[] = [];

  /** Identifiers are named by what they are of, as each catalog gives its own. */
  function named(items: readonly Item[]): Item[] {
    const id = (item: Item, field: string) => (field in item ? { [field]: ids.get(String(item[field])) } : {});
    return items.map((item) => ({ ...item, ...id(item, 'category'), ...id(item, 'scope_ident') }));
  }

  async function send(step: Extract<Step, { kind: 'send' }>): Promise<unknown> {
    const { word, items, mode, only, feed = 'erp', split = items.length, isComplete = false } = step;
    const open = await ledger.begin({ feed: '', detail: { command: word, files: [] } });
    const recorder = open.addFile({ file: word, resource: word });
    const target = storeCatalog(store, { recorder, feed: feedRun(feed) });
    const resource = word === 'products' ? product : resourceCalled(word);
    const lines: unknown[] = [];
    const options = {
      dryRun: mode === 'dry' || mode === 'guard',
      diff: mode === 'diff' || mode === 'guard',
      comparesLists: true,
      ...(only && { only }),
    };
    for (const part of [items.slice(0, split), items.slice(split)].filter(({ length }) => length > 0))
      for await (const { data } of target.importBatches(resource, [batchOf(named(part))], options))
        for (const { external_id: key, action, id, code, reason, notice, changes } of data) {
          if (id !== null && word === 'categories') ids.set(key, id);
          lines.push({ key, action, code, reason, notice, changes });
        }
    if (isComplete && !options.dryRun) {
      const keys = Float64Array.from(new Set(items.map((one) => hashNumber(String(one['sku']))))).sort();
      const seen = { resource: products, keys, total: items.length, untrusted: 0 };
      await ledger.passOn(feed, open, seen, { runs: await ledger.runs() });
    }
    await open.end({ state: 'done', exit: 0 });
    if (!options.dryRun) runs.push(open.number);
    return plain(lines);
  }

  async function undo(back: number): Promise<unknown> {
    const number = runs.at(-1 - (back % Math.max(runs.length, 1)));
    const [run] = (await ledger.runs()).filter((one) => one.number === number);
    if (run === undefined) return 'nothing';
    const open = await ledger.begin({ feed: '', detail: { command: 'undo', files: [], undoes: [run.number] } });
    const { restored, suspended, kept } = await ledger.undo([run.number], open, new AbortController().signal);
    await open.end({ state: 'done', exit: 0 });
    return { restored, suspended, kept };
  }

  return {
    counts,
    async take(step) {
      switch (step.kind) {
        case 'send':
          return send(step);
        case 'delete':
          return store.write((draft) => planProductDeletion(step.sku, Math.floor(Date.now() / 1000), draft));
        case 'undo':
          return undo(step.back);
        case 'rank':
          return ledger.setFeeds((settings) => ({ ...settings, ...step.settings }));
        case 'wait':
          return undefined;
      }
    },
    async products() {
      const { records } = await storeCatalog(store).list(products, {
        limit: 100,
        include: Object.keys(products.details),
      });
      // The order of identifiers differs, too, where a store decides a change again.
      const bySku = records.toSorted((a, b) => (String(a['sku']) < String(b['sku']) ? -1 : 1));
      const offers = await store.readAll(offerTable);
      // The shapes of offers are numbered in the order in which they first come.
      const { shapes = [] } = await ledger.feedSettings();
      const shown = offers.map(({ id, fields, created_at: live }) => ({
        id,
        fields: [...unpackOffer(fields, shapes)],
        isLive: live !== 0,
      }));
      return plain({ records: bySku, offers: shown.sort((a, b) => (a.id < b.id ? -1 : 1)) });
    },
    close: () => store.close(),
  };
}

const sku = fc.constantFrom(...skus);
/** Items that come again and again, each with something that its outcome depends on. */
const usual: readonly Item[] = [
  { sku: 'A', name: 'Phone', price: '1.00', slug: '' },
  { sku: 'A', name: 'Phone', price: '2.50', attributes: [{ type: 'Size', value: '9' }], category: 'Phones' },
  { sku: 'A', attributes: [{ type: 'Colour', value: 'red' }], brand: 'brand-1' },
  { sku: 'B', name: 'Phone', slug: 'phone', stock: 1 },
  { sku: 'B', slug: 'case', brand: 'brand-2', media: [{ file: 'file_1' }] },
  { sku: 'C', name: 'Phone', slug: '', status: 'activated' },
  { sku: 'C', grades: [{ grade: 'new', price: 5, stock: 1 }] },
  { sku: 'C', stock: 7, media: [{ file: 'file_2', is_main: true }] },
].map((one) => ({ currency: 'EUR', ...one }));

const item: fc.Arbitrary<Item> = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...usual) },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        sku,
        currency: fc.constantFrom('EUR', 'USD', 'none'),
        name: fc.constantFrom('Phone', 'Case', ''),
        price: fc.constantFrom('1.00', 1, '-1'),
        slug: fc.constantFrom('', 'phone', 'Phone'),
        status: fc.constantFrom('activated', 'suspended'),
        attributes: fc.constantFrom(
          [],
          [
            { type: 'Size', value: '10' },
            { type: 'Colour', value: 'Red' },
          ],
        ),
        grades: fc.constantFrom([], [{ grade: 'good', price: 3 }]),
      },
      { requiredKeys: ['sku'] },
    ),
  },
);

/** What products refer to, as it may come to be. */
const others: fc.Arbitrary<Step> = fc.constantFrom<Step>(
  { kind: 'send', word: 'characteristics', items: [{ name: 'Size' }] },
  { kind: 'send', word: 'characteristics', items: [{ name: 'Size', values: [{ label: '9' }] }] },
  { kind: 'send', word: 'characteristics', items: [{ name: 'Size', values: [{ label: '10' }] }] },
  { kind: 'send', word: 'characteristics', items: [{ kind: 'colour', values: [{ label: 'RED', hex: 'ff0000' }] }] },
  { kind: 'send', word: 'characteristics', items: [{ kind: 'colour', values: [] }] },
  { kind: 'send', word: 'characteristics', items: [{ name: 'Size', scope: 'category', scope_ident: 'Cases' }] },
  { kind: 'send', word: 'categories', items: [{ name: 'Phones', parent: '' }] },
  { kind: 'send', word: 'categories', items: [{ name: 'Phones', parent: 'Cases' }] },
  { kind: 'send', word: 'categories', items: [{ name: 'Cases', status: 'suspended' }] },
  { kind: 'send', word: 'brands', items: [{ id: 'brand-1' }] },
  { kind: 'send', word: 'files', items: [{ id: 'file_1' }] },
);

const ranking: fc.Arbitrary<Step> = fc
  .constantFrom<Pick<FeedSettings, 'order' | 'own'>>(
    { order: ['erp', 'shop'], own: {} },
    { order: ['erp', 'shop'], own: {} },
    { order: ['shop', 'erp'], own: {} },
    { order: ['erp', 'shop'], own: { other: ['stock', 'brand'] } },
    { order: [], own: { shop: ['grades', 'media', 'attributes'] } },
    { order: [], own: {} },
  )
  .map((settings) => ({ kind: 'rank', settings }));

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: others },
  {
    weight: 24,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      word: fc.constant('products'),
      feed: fc.constantFrom('erp', 'erp', 'erp', 'shop', 'shop', 'other'),
      split: fc.constantFrom(1, 4, 4),
      isComplete: fc.constantFrom(false, false, true),
      only: fc.constantFrom(undefined, undefined, undefined, 'update', 'create'),
      items: fc.oneof(
        { weight: 4, arbitrary: fc.uniqueArray(item, { minLength: 1, maxLength: 3, selector: (one) => one.sku }) },
        { weight: 1, arbitrary: fc.array(item, { minLength: 2, maxLength: 4 }) },
      ),
      mode: fc.oneof(
        { weight: 5, arbitrary: fc.constant(undefined) },
        { weight: 2, arbitrary: fc.constantFrom('dry' as const, 'diff' as const, 'guard' as const) },
      ),
    }) as fc.Arbitrary<Step>,
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), sku }) },
  { weight: 1, arbitrary: ranking },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo' as const), back: fc.nat({ max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 30, 70) }) },
);

const start: readonly Step[] = [
  {
    kind: 'send',
    word: 'characteristics',
    items: [{ name: 'Size' }, { kind: 'colour', values: [{ label: 'Red', hex: 'f00000' }] }],
  },
  { kind: 'send', word: 'categories', items: [{ name: 'Phones' }, { name: 'Cases' }] },
];

/** Runs the contract. @param runs sequences that are tried */
export function recognitionContract(name: string, open: () => Promise<Store>, runs: number): void {
  describe(`items that are recognized: ${name}`, () => {
    it('are not decided in a dry run, nor in the planning pass of guards, which shows no difference', async () => {
      const twin = twinOn(await open(), true);
      const send = (mode?: 'dry' | 'guard'): Promise<unknown> =>
        twin.take({
          kind: 'send',
          word: 'products',
          items: usual.filter(({ slug }) => slug === 'phone'),
          ...(mode && { mode }),
        });
      try {
        await send();
        // A store that decides ahead of its lock may decide the first new product again.
        const { decided } = twin.counts;
        expect(decided).toBeGreaterThan(0);
        expect(await send('dry')).toEqual([expect.not.objectContaining({ changes: [] })]);
        expect(await send('guard')).toEqual([expect.objectContaining({ action: 'unchanged', changes: [] })]);
        expect(twin.counts.decided).toBe(decided);
      } finally {
        await twin.close();
      }
    });

    it('have the notices of the item, and are not decided for them', async () => {
      const twin = twinOn(await open(), true);
      const items = [
        { sku: 'A', currency: 'EUR', ean: '4006381333932', price: 5 },
        { sku: '8.72E+12', currency: 'EUR', colour_of_box: 'red' },
      ];
      try {
        const first = (await twin.take({ kind: 'send', word: 'products', items })) as readonly Item[];
        const { decided } = twin.counts;
        expect(await twin.take({ kind: 'send', word: 'products', items })).toEqual(
          first.map((line) => ({ ...line, action: 'unchanged' })),
        );
        expect(first.map(({ notice }) => (notice as readonly Item[]).map(({ code }) => code))).toEqual([
          ['check_digit_wrong'],
          ['field_ignored', 'digits_lost'],
        ]);
        expect(twin.counts.decided).toBe(decided);
      } finally {
        await twin.close();
      }
    });

    it.each<[string, Item, string, Item]>([
      ['brand', { brand: 'brand-1' }, 'brands', { id: 'brand-2' }],
      ['warranty', { warranty: 'warranty-1' }, 'warranties', { id: 'warranty-2' }],
      ['picture for search engines', { seo_image: 'file_1' }, 'files', { id: 'file_2' }],
      ['photo', { media: [{ file: 'file_1' }] }, 'files', { id: 'file_2' }],
    ])('with a %s alone are decided again once the shop has others', async (_, sent, word, other) => {
      const twin = twinOn(await open(), true);
      const items = [{ sku: 'A', currency: 'EUR', ...sent }];
      const send = (): Promise<unknown> => twin.take({ kind: 'send', word: 'products', items });
      try {
        expect(await send()).toEqual([expect.objectContaining({ action: 'created' })]);
        expect(await send()).toEqual([expect.objectContaining({ action: 'unchanged' })]);
        await twin.take({ kind: 'send', word, items: [other] });
        expect(await send()).toEqual([expect.objectContaining({ action: 'refused' })]);
      } finally {
        await twin.close();
      }
    });

    it.skipIf(name.startsWith('a dry run'))(
      'with an attribute are decided again once its characteristic has another scope (a dry run reports no identifiers for it)',
      async () => {
        const twin = twinOn(await open(), true);
        const items = [{ sku: 'A', currency: 'EUR', category: 'Phones', attributes: [{ type: 'Size', value: '9' }] }];
        const notices = async () => {
          const lines = (await twin.take({ kind: 'send', word: 'products', items })) as readonly Item[];
          return lines.map(({ notice }) => (notice as readonly Item[]).map(({ code }) => code));
        };
        try {
          for (const one of start) await twin.take(one);
          await notices();
          expect(await notices()).toEqual([[]]);
          const scope = { name: 'Size', scope: 'category', scope_ident: 'Cases' };
          await twin.take({ kind: 'send', word: 'characteristics', items: [scope] });
          expect(await notices()).toEqual([['attribute_out_of_scope']]);
        } finally {
          await twin.close();
        }
      },
    );

    it('where feeds are ranked, are those of the highest one, whatever others send in between', async () => {
      const twin = twinOn(await open(), true);
      const send = (feed: string, items: readonly Item[]): Promise<unknown> =>
        twin.take({ kind: 'send', word: 'products', feed, items });
      const price = [{ sku: 'A', currency: 'EUR', price: '1.00' }];
      const badge = [{ sku: 'A', currency: 'EUR', badge: 'new' }];
      try {
        await twin.take({ kind: 'rank', settings: { order: ['erp', 'shop'], own: {} } });
        await send('shop', badge);
        expect(await send('erp', price)).toEqual([expect.objectContaining({ action: 'updated' })]);
        expect(await send('shop', badge)).toEqual([expect.objectContaining({ action: 'unchanged' })]);
        const { decided } = twin.counts;
        expect(await send('erp', price)).toEqual([expect.objectContaining({ action: 'unchanged' })]);
        expect(twin.counts.decided).toBe(decided);
        // After a change of the ranking each item is decided again.
        await twin.take({ kind: 'rank', settings: { order: ['shop', 'erp'], own: {} } });
        await send('erp', price);
        expect(twin.counts.decided).toBeGreaterThan(decided);
      } finally {
        await twin.close();
      }
    });

    it('where feeds are ranked, are decided again after an undo that took their offer back, also where it keeps all fields', async () => {
      const twin = twinOn(await open(), true);
      const send = (feed: string, item: Item): Promise<unknown> =>
        twin.take({ kind: 'send', word: 'products', feed, items: [{ sku: 'A', currency: 'EUR', ...item }] });
      const sent = { name: 'Phone', price: '1.00', attributes: [{ type: 'Size', value: '9' }] };
      try {
        for (const one of start) await twin.take(one);
        await twin.take({ kind: 'rank', settings: { order: ['erp', 'shop'], own: {} } });
        await send('erp', sent);
        await send('shop', { name: 'Phone' });
        expect(await twin.take({ kind: 'undo', back: 1 })).toEqual({ restored: 0, suspended: 0, kept: 1 });
        expect(await send('erp', sent)).toEqual([expect.objectContaining({ action: 'unchanged' })]);
        expect(await send('shop', { name: 'Case' })).toEqual([
          expect.objectContaining({
            action: 'unchanged',
            notice: [expect.objectContaining({ code: 'owned_by_feed', field: 'name' })],
          }),
        ]);
      } finally {
        await twin.close();
      }
    });

    it.each([
      ['', []],
      [', where feeds are ranked', [{ kind: 'rank', settings: { order: ['erp', 'shop'], own: {} } }]],
    ] as const)(
      'have the lines and the records of those that are decided, whatever is done in between%s',
      async (_, first) => {
        const saved = { decided: 0, all: 0 };
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), async (steps) => {
            vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
            const [quick, slow] = [twinOn(await open(), true), twinOn(await open(), false)];
            try {
              for (const one of [...start, ...first, ...steps]) {
                vi.setSystemTime(Date.now() + (one.kind === 'wait' ? one.hours * 3_600_000 : 60_000));
                expect(await quick.take(one), JSON.stringify(one)).toEqual(await slow.take(one));
                expect(await quick.products()).toEqual(await slow.products());
              }
              saved.decided += quick.counts.decided;
              saved.all += slow.counts.decided;
            } finally {
              vi.useRealTimers();
              await Promise.all([quick.close(), slow.close()]);
            }
          }),
          { numRuns: runs, endOnFailure: true },
        );
        if (runs > 10) expect(saved.decided).toBeLessThan(saved.all);
      },
    );
  });
}
