import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Batch, Catalog } from '../../src/core/catalog.js';
import { rawEntry } from '../../src/core/entry.js';
import type { Report } from '../../src/core/import-report.js';
import { noCounts, reportOf } from '../../src/core/report-counts.js';
import { resources } from '../../src/core/resources/index.js';
import { batchReading, batchSource, type ChunkStep, stopReading } from '../../src/importing/batch-source.js';
import { type ImportContext, importFile } from '../../src/importing/import-file.js';
import { nameResolver } from '../../src/importing/name-resolver.js';
import { inOrder } from '../../src/importing/observer.js';
import { showProgress } from '../../src/reporting/progress.js';
import type { Chunk } from '../../src/source/open-source.js';
import { openCatalog } from '../../src/store/open.js';
import { until } from '../until.js';
import { folder, sourceOf } from './given.js';

const product = resources.find(({ name }) => name === 'product') as (typeof resources)[number];
const category = resources.find(({ name }) => name === 'category') as (typeof resources)[number];

async function* chunksOf(count: number, failure?: Error): AsyncGenerator<Chunk> {
  for (let i = 0; i < count; i += 30) {
    const lines = Array.from({ length: Math.min(30, count - i) }, (_, n) => i + n + 2);
    yield { entries: lines.map((line) => rawEntry({ sku: `S-${line}`, currency: 'EUR' })), lines };
  }
  if (failure !== undefined) throw failure;
}

function contextOf(catalog: Catalog): ImportContext {
  return {
    catalog,
    observer: inOrder([]),
    limit: undefined,
    dryRun: false,
    file: 'feed.csv',
    diff: false,
    signal: new AbortController().signal,
    duplicates: (chunk) => chunk,
  };
}

describe('every count balances: items read = created + updated + unchanged + refused, or the run fails loudly', () => {
  /** A real catalog whose reports are tampered with on their way. */
  async function tampering(tamper: (report: Report) => readonly Report[]): Promise<Catalog> {
    const catalog = await openCatalog({ file: join(folder(), 'catalog.db'), create: true, scratch: true });
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

  it('accepts consistent counts', async () => {
    const ended = await importFile(sourceOf(chunksOf(100)), product, contextOf(await tampering((report) => [report])));
    expect(ended).toEqual({ counts: { ...noCounts(), created: 100, total: 100 }, cutShort: false });
  });
});

const asItIs: ChunkStep = (chunk) => chunk;

describe('batches of a source', () => {
  it('hold what was read before the source failed, then report its failure', async () => {
    const failure = new Error('unreadable');
    const reading = batchReading();
    const sizes: number[] = [];
    for await (const batch of batchSource({ chunks: chunksOf(50, failure) }, 40, reading, [asItIs]))
      sizes.push(batch.length);
    expect(sizes).toEqual([40, 10]);
    expect(reading.failure?.cause).toBe(failure);
    expect(reading.waiting.flatMap(({ lines }) => lines)).toEqual(Array.from({ length: 50 }, (_, i) => i + 2));
  });

  it('can be stopped while the source waits for more', async () => {
    async function* endless(): AsyncGenerator<Chunk> {
      yield { entries: [rawEntry({}), rawEntry({})], lines: [2, 3] };
      stopReading(reading);
      await new Promise(() => undefined);
    }
    const reading = batchReading();
    const sizes: number[] = [];
    for await (const batch of batchSource({ chunks: endless() }, 40, reading, [])) sizes.push(batch.length);
    expect(sizes).toEqual([2]);
    expect(reading).toMatchObject({ cutShort: true, handedOver: 2, failure: undefined });
  });

  it('let timers run while they are read', async () => {
    async function* quick(): AsyncGenerator<Chunk> {
      for (let i = 0; i < 200; i++) {
        const until = performance.now() + 2;
        while (performance.now() < until);
        yield { entries: [rawEntry({})], lines: [i] };
      }
    }
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    for await (const _ of batchSource({ chunks: quick() }, 40, batchReading(), []));
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(3);
  });

  it('have every entry once, in order, with its line and text, and are full but for the last', async () => {
    async function* sized(sizes: readonly number[]): AsyncGenerator<Chunk> {
      let next = 0;
      for (const size of sizes) {
        const lines = Array.from({ length: size }, () => next++);
        yield { entries: lines.map((line) => rawEntry({ line })), lines, raws: lines.map(String) };
      }
    }
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(30)), fc.integer({ min: 1, max: 12 }), async (sizes, limit) => {
        const reading = batchReading();
        const found: Batch[] = [];
        for await (const batch of batchSource({ chunks: sized(sizes) }, limit, reading, [asItIs])) found.push(batch);
        const total = sizes.reduce((sum, size) => sum + size, 0);
        const numbers = Array.from({ length: total }, (_, i) => i);
        expect(reading.waiting.flatMap(({ lines }) => lines)).toEqual(numbers);
        expect(reading.waiting.flatMap(({ raws = [] }) => raws)).toEqual(numbers.map(String));
        expect(reading.waiting.map(({ entries }) => entries)).toEqual(found);
        expect(found.flat()).toEqual(numbers.map((line) => rawEntry({ line })));
        expect(found.map((batch) => batch.length)).toEqual([
          ...Array.from({ length: Math.floor(total / limit) }, () => limit),
          ...(total % limit === 0 ? [] : [total % limit]),
        ]);
      }),
    );
  });
});

it('each category name is looked up once; names that are not found are left to the catalog to refuse', async () => {
  const catalog = await openCatalog({ file: join(folder(), 'catalog.db'), create: true, scratch: true });
  for await (const _ of catalog.importBatches(category, [
    [rawEntry({ name: 'Home' }), rawEntry({ name: 'Phones', parent: 'Home' })],
  ]));
  const asked: string[] = [];
  let calls = 0;
  const counting: Catalog = {
    ...catalog,
    readAll(resource, selectors) {
      calls++;
      asked.push(...selectors.map((selector) => ('key' in selector ? selector.key : selector.id)));
      return catalog.readAll(resource, selectors);
    },
  };
  const names = ['Home > Phones', 'phones', 'Nowhere', 'cate_x', 'phones', 'Nowhere', 'Home > Phones'];
  const items = [...names.map((name) => ({ sku: 'A', category: name })), { sku: 'B' }, 'no object'];
  const sent = { entries: items.map(rawEntry), lines: [] };
  const before = structuredClone(sent);
  const resolver = nameResolver(product, { catalog: counting, resources });
  if (resolver === undefined) throw new Error('products refer to categories by name');
  const chunk = await resolver(sent);
  expect(sent, 'what came is not changed').toEqual(before);
  const resolved = chunk.entries.map((entry) => (entry.kind === 'unreadable' ? entry : entry.item));
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
  // All names, then the last segment of the path, then the category above it: a call for each, however many names there are.
  expect(asked).toEqual(['Home > Phones', 'phones', 'Nowhere', 'Phones', home]);
  expect(calls).toBe(3);
  await resolver(sent);
  expect(calls, 'known names are not looked up again').toBe(3);
});

describe('progress without a terminal', () => {
  /** @param count how many lines are waited for, however slow the machine; 0: some intervals pass */
  async function writtenWith(
    options: { readonly quiet: boolean; readonly lines: boolean },
    count: number,
  ): Promise<string[]> {
    const { PassThrough } = await import('node:stream');
    const stderr = Object.assign(new PassThrough(), { isTTY: false }) as unknown as NodeJS.WriteStream;
    const watched = { file: 'feed.csv', counts: noCounts(), progress: () => ({ read: 1, size: 2 }) };
    const stop = showProgress(stderr, watched, { ...options, colour: false, canSpin: true, interval: 20 });
    let written = '';
    stderr.setEncoding('utf8').on('data', (text) => {
      written += text;
    });
    if (count === 0) await new Promise((resolve) => setTimeout(resolve, 90));
    else await until(`${count} lines of progress`, () => written.split('\n').length > count);
    stop();
    return written.split('\n').slice(0, -1);
  }

  it('is a plain line from time to time if requested, otherwise nothing', async () => {
    const lines = await writtenWith({ quiet: false, lines: true }, 2);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines[0]).toMatch(/^feed\.csv: 0 items, 0 a second, 0 refused, 50 % read/);
    expect(await writtenWith({ quiet: false, lines: false }, 0)).toEqual([]);
    expect(await writtenWith({ quiet: true, lines: true }, 0)).toEqual([]);
  });
});
