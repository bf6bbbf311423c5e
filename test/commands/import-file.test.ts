import { describe, expect, it } from 'vitest';
import { openFeed } from '../../src/commands/feed.js';
import { type ImportContext, importFile } from '../../src/commands/import-file.js';
import { showProgress } from '../../src/commands/progress.js';
import type { Reporter } from '../../src/commands/reporter.js';
import { resolveNames } from '../../src/commands/resolve-names.js';
import type { Batch, Catalog } from '../../src/core/catalog.js';
import { rawEntry } from '../../src/core/entry.js';
import type { Report } from '../../src/core/line.js';
import { noCounts, reportOf } from '../../src/core/report.js';
import { resources } from '../../src/core/resources/index.js';
import type { Chunk, Source } from '../../src/source/read.js';
import { openCatalog } from '../../src/store/open.js';

const product = resources.find(({ name }) => name === 'product') as (typeof resources)[number];
const category = resources.find(({ name }) => name === 'category') as (typeof resources)[number];

async function* chunksOf(count: number, failure?: Error): AsyncGenerator<Chunk> {
  for (let i = 0; i < count; i += 30) {
    const lines = Array.from({ length: Math.min(30, count - i) }, (_, n) => i + n + 2);
    yield { entries: lines.map((line) => rawEntry({ sku: `S-${line}`, currency: 'EUR' })), lines };
  }
  if (failure !== undefined) throw failure;
}

function sourceOf(chunks: AsyncIterable<Chunk>): Source {
  return {
    found: { format: 'csv', encoding: 'utf-8', delimiter: ',', compression: undefined },
    chunks,
    progress: () => ({ read: 0, size: undefined }),
    unknown: () => new Map(),
    overflowed: () => false,
    notes: () => [],
    close: async () => undefined,
  };
}

const silent: Reporter = {
  begin: () => undefined,
  tell: () => undefined,
  finish: () => undefined,
  end: () => undefined,
};

function contextOf(catalog: Catalog, more: Partial<ImportContext> = {}): ImportContext {
  const watch = () => () => undefined;
  return {
    catalog,
    reporter: silent,
    guard: undefined,
    dryRun: false,
    diff: false,
    watch,
    onStop: () => undefined,
    ...more,
  };
}

describe('every count balances: items read = created + updated + unchanged + refused, or the run fails loudly', () => {
  /** A real catalog whose reports are tampered with on their way. */
  async function tampering(tamper: (report: Report) => readonly Report[]): Promise<Catalog> {
    const catalog = await openCatalog({ file: ':memory:', create: true, scratch: true });
    return {
      ...catalog,
      async *importBatches(resource, batches, options) {
        for await (const report of catalog.importBatches(resource, batches, options)) yield* tamper(report);
      },
    };
  }

  it.each([
    ['a line is missing', (report: Report) => [reportOf('product', false, report.data.slice(1))]],
    ['a count is wrong', (report: Report) => [{ ...report, created: report.created - 1 }]],
    ['a report is missing', () => []],
    ['a report comes twice', (report: Report) => [report, report]],
  ])('%s', async (_, tamper) => {
    const ended = importFile(sourceOf(chunksOf(100)), product, contextOf(await tampering(tamper)));
    const failure = await ended.then(
      (result) => result.failure,
      (cause: unknown) => cause,
    );
    expect(String(failure)).toMatch(/must be equal|for a batch of/);
  });

  it('nothing is wrong with an honest one', async () => {
    const ended = await importFile(sourceOf(chunksOf(100)), product, contextOf(await tampering((report) => [report])));
    expect(ended).toEqual({ counts: { ...noCounts(), created: 100, total: 100 }, cutShort: false });
  });
});

describe('a feed', () => {
  it('hands over what was read before its source failed, then tells the failure', async () => {
    const failure = new Error('unreadable');
    const feed = openFeed({ chunks: chunksOf(50, failure) }, 40, (chunks) => chunks);
    const sizes: number[] = [];
    for await (const batch of feed.batches as AsyncIterable<Batch>) sizes.push(batch.length);
    expect(sizes).toEqual([40, 10]);
    expect(feed.failure()?.cause).toBe(failure);
    expect(feed.waiting.flatMap(({ lines }) => lines)).toEqual(Array.from({ length: 50 }, (_, i) => i + 2));
  });

  it('can be stopped while its source waits for more', async () => {
    async function* endless(): AsyncGenerator<Chunk> {
      yield { entries: [rawEntry({}), rawEntry({})], lines: [2, 3] };
      await new Promise(() => undefined);
    }
    const feed = openFeed({ chunks: endless() }, 40, (chunks) => chunks);
    setTimeout(feed.stop, 50);
    const sizes: number[] = [];
    for await (const batch of feed.batches as AsyncIterable<Batch>) sizes.push(batch.length);
    expect(sizes).toEqual([2]);
    expect([feed.cutShort(), feed.handedOver(), feed.failure()]).toEqual([true, 2, undefined]);
  });

  it('lets timers run while it is read', async () => {
    async function* quick(): AsyncGenerator<Chunk> {
      for (let i = 0; i < 200; i++) {
        const until = performance.now() + 2;
        while (performance.now() < until);
        yield { entries: [rawEntry({})], lines: [i] };
      }
    }
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    for await (const _ of openFeed({ chunks: quick() }, 40, (chunks) => chunks).batches as AsyncIterable<Batch>);
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(3);
  });
});

it('names of categories are looked up once a name; what is not found stays for the catalog to refuse', async () => {
  const catalog = await openCatalog({ file: ':memory:', create: true, scratch: true });
  for await (const _ of catalog.importBatches(category, [
    [rawEntry({ name: 'Home' }), rawEntry({ name: 'Phones', parent: 'Home' })],
  ]));
  const asked: string[] = [];
  const counting: Catalog = {
    ...catalog,
    read(resource, selector) {
      asked.push('key' in selector ? selector.key : selector.id);
      return catalog.read(resource, selector);
    },
  };
  const names = ['Home > Phones', 'phones', 'Nowhere', 'cate_x', 'phones', 'Nowhere', 'Home > Phones'];
  async function* chunks(): AsyncGenerator<Chunk> {
    const items = [...names.map((name) => ({ sku: 'A', category: name })), { sku: 'B' }, 'no object'];
    yield { entries: items.map(rawEntry), lines: [] };
  }
  const resolved: unknown[] = [];
  for await (const { entries } of resolveNames(chunks(), product, { catalog: counting, resources }))
    resolved.push(...entries.map((entry) => (entry.kind === 'unreadable' ? entry : entry.item)));
  const id = (await catalog.read(category, { key: 'Phones' }))?.['id'];
  expect(resolved.map((item) => (item as { category?: string }).category)).toEqual([
    id,
    id,
    'Nowhere',
    'cate_x',
    id,
    'Nowhere',
    id,
    undefined,
    undefined,
  ]);
  const home = (await catalog.read(category, { key: 'Home' }))?.['id'];
  expect(asked).toEqual(['Home > Phones', 'Phones', home, 'phones', 'Nowhere']);
});

describe('progress without a terminal', () => {
  async function writtenWith(options: { readonly quiet: boolean; readonly lines: boolean }): Promise<string[]> {
    const { PassThrough } = await import('node:stream');
    const stderr = Object.assign(new PassThrough(), { isTTY: false }) as unknown as NodeJS.WriteStream;
    const watched = { file: 'feed.csv', counts: noCounts(), progress: () => ({ read: 1, size: 2 }) };
    const stop = showProgress(stderr, watched, { ...options, colour: false, interval: 20 });
    await new Promise((resolve) => setTimeout(resolve, 90));
    stop();
    const written = String(stderr.read() ?? '');
    return written.split('\n').slice(0, -1);
  }

  it('is a plain line now and then where it was asked for, else nothing', async () => {
    const lines = await writtenWith({ quiet: false, lines: true });
    expect(lines.length).toBeGreaterThan(1);
    expect(lines[0]).toMatch(/^feed\.csv: 0 items, 0 a second, 0 refused, 50 % read/);
    expect(await writtenWith({ quiet: false, lines: false })).toEqual([]);
    expect(await writtenWith({ quiet: true, lines: true })).toEqual([]);
  });
});
