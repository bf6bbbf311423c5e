// An import without flags, process or terminal: a request as data, a catalog, an observer that collects.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CatalogError } from '../../src/core/errors.js';
import type { ImportObserver, Outcome } from '../../src/importing/observer.js';
import type { FileRequest, ImportRequest } from '../../src/importing/request.js';
import { runImport } from '../../src/importing/run-import.js';
import { type LocalCatalog, openCatalog } from '../../src/store/open.js';
import { resourceCalled } from '../given.js';
import { folder } from './given.js';

interface Collected extends ImportObserver {
  /** `begin feed.csv`, `batch 40`, `finish`, `end`, `discard`. */
  readonly calls: string[];
  readonly outcomes: Outcome[];
  readonly lines: (readonly [line: number, key: string, action: string])[];
}

function collector(): Collected {
  const calls: string[] = [];
  const outcomes: Outcome[] = [];
  const lines: (readonly [number, string, string])[] = [];
  return {
    calls,
    outcomes,
    lines,
    begin: ({ file }) => void calls.push(`begin ${file.split('/').at(-1)}`),
    batch({ report, lines: physical }) {
      calls.push(`batch ${report.total}`);
      for (const [i, { external_id, action }] of report.data.entries())
        lines.push([physical[i] ?? 0, external_id, action]);
    },
    finish(outcome) {
      calls.push('finish');
      outcomes.push(outcome);
    },
    end(total) {
      calls.push('end');
      outcomes.push(total);
    },
    discard: () => void calls.push('discard'),
  };
}

const fileOf = (word: string, cwd: string, name: string): FileRequest => ({
  resource: resourceCalled(word),
  source: { file: join(cwd, name) },
});

/** Runs a request into a catalog of its own. */
async function ran(
  cwd: string,
  files: readonly FileRequest[],
  more: Partial<ImportRequest> = {},
  observers: readonly ImportObserver[] = [],
  signal?: AbortSignal,
) {
  let catalog: LocalCatalog | undefined;
  const catalogFor = async () => {
    catalog ??= await openCatalog({ file: join(cwd, 'catalog.db'), create: true, scratch: more.dryRun === true });
    return catalog;
  };
  try {
    return await runImport({ files, ...more }, catalogFor, observers, signal);
  } finally {
    await catalog?.close();
  }
}

const rows = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, i) => `S-${from + i},EUR,${i}.00\n`).join('');

describe('an import by itself', () => {
  it('imports files in their order, and tells observers of each batch with its lines', async () => {
    const cwd = folder({
      'categories.csv': 'name\nPhones\n',
      'products.csv': `sku,currency,price,category\nA,EUR,1.00,Phones\nB,EUR,dear,\nC,EUR,2.00,Nowhere\n`,
    });
    const seen = collector();
    const files = [fileOf('categories', cwd, 'categories.csv'), fileOf('products', cwd, 'products.csv')];
    const result = await ran(cwd, files, {}, [seen]);
    const counts = { created: 2, updated: 0, unchanged: 0, refused: 2, total: 4 };
    expect(result).toEqual({ counts, outcome: { counts, seconds: expect.any(Number) } });
    expect(seen.calls).toEqual([
      'begin categories.csv',
      'batch 1',
      'finish',
      'begin products.csv',
      'batch 3',
      'finish',
      'end',
      'discard',
    ]);
    expect(seen.lines).toEqual([
      [2, 'Phones', 'created'],
      [2, 'A', 'created'],
      [3, 'B', 'refused'],
      [4, 'C', 'refused'],
    ]);
    expect(seen.outcomes.map(({ counts }) => counts.total)).toEqual([1, 3, 4]);
    expect((await ran(cwd, files)).counts).toMatchObject({ unchanged: 2, refused: 2 });
  });

  it('a file that cannot be read makes no catalog, and no observer is called', async () => {
    const cwd = folder();
    const seen = collector();
    const { counts, failure } = await ran(cwd, [fileOf('products', cwd, 'none.csv')], {}, [seen]);
    expect([counts.total, (failure as CatalogError).code]).toEqual([0, 'input_unreadable']);
    expect(existsSync(join(cwd, 'catalog.db'))).toBe(false);
    expect(seen.calls).toEqual(['discard']);
  });

  it('a file that fails later ends the run: committed items stay, and the reports are closed', async () => {
    const cwd = folder({ 'a.csv': `sku,currency,price\n${rows(3)}` });
    const seen = collector();
    const result = await ran(cwd, [fileOf('products', cwd, 'a.csv'), fileOf('products', cwd, 'b.csv')], {}, [seen]);
    expect(result.failure).toBeInstanceOf(CatalogError);
    expect(result.counts.created).toBe(3);
    expect(seen.outcomes.at(-1)).toMatchObject({ stopped: 'input_unreadable', counts: { total: 3 } });
  });

  it('a dry run keeps nothing', async () => {
    const cwd = folder({ 'a.csv': `sku,currency,price\n${rows(3)}` });
    const result = await ran(cwd, [fileOf('products', cwd, 'a.csv')], { dryRun: true });
    expect(result.counts.created).toBe(3);
    expect(existsSync(join(cwd, 'catalog.db'))).toBe(false);
  });

  it('the refusal limit counts over all files, and the batch beyond it is not applied', async () => {
    const bad = (count: number) => `sku,currency,price\n${'X,EUR,dear\n'.repeat(count)}`;
    const cwd = folder({ 'a.csv': bad(2), 'b.csv': bad(2), 'c.csv': bad(1) });
    const files = ['a.csv', 'b.csv', 'c.csv'].map((name) => fileOf('products', cwd, name));
    const seen = collector();
    const { counts, failure } = await ran(cwd, files, { maxRefused: 3 }, [seen]);
    expect((failure as CatalogError).code).toBe('guard_stopped');
    expect((failure as CatalogError).message).toContain('Nothing from line 2 on was imported.');
    expect(counts.refused).toBe(2);
    expect(seen.calls.filter((call) => call.startsWith('begin'))).toEqual(['begin a.csv', 'begin b.csv']);
    expect((await ran(cwd, files, { maxRefused: 5 })).failure).toBeUndefined();
  });

  it.each([
    ['last', 'last', ['created', 'created', 'updated']],
    ['first', 'first', ['created', 'created', 'refused']],
    ['refuse', 'none', ['refused', 'created', 'refused']],
  ] as const)('rows that share a key: %s', async (duplicates, applied, actions) => {
    const cwd = folder({ 'a.csv': 'sku,currency,price\nA,EUR,1.00\nB,EUR,1.00\nA,EUR,2.00\n' });
    const seen = collector();
    await ran(cwd, [fileOf('products', cwd, 'a.csv')], { duplicates }, [seen]);
    expect(seen.lines.map(([, , action]) => action)).toEqual(actions);
    expect(seen.outcomes[0]?.duplicates).toEqual({ count: 1, listed: [{ key: 'A', lines: [2, 4] }], applied });
  });

  it.each(['refuse', 'keep-last'] as const)(
    'a signal while the keys of a file are read before ends it with nothing imported: %s',
    async (duplicates) => {
      const cwd = folder({ 'a.csv': `sku,currency,price\n${rows(300_000)}` });
      const controller = new AbortController();
      // Once the file has begun, its keys are read: on no machine all of them within a millisecond.
      const stopping: ImportObserver = { begin: () => void setTimeout(() => controller.abort('SIGINT'), 1) };
      const files = [fileOf('products', cwd, 'a.csv')];
      const { counts, failure } = await ran(cwd, files, { duplicates }, [stopping], controller.signal);
      expect(failure).toMatchObject({ code: 'interrupted', cause: 'SIGINT' });
      expect(counts.total).toBe(0);
    },
  );

  it('a signal ends it after the batch under way, with the file it was in', async () => {
    const cwd = folder({ 'a.csv': `sku,currency,price\n${rows(12_000)}`, 'b.csv': `sku,currency,price\n${rows(1)}` });
    const files = [fileOf('products', cwd, 'a.csv'), fileOf('products', cwd, 'b.csv')];
    const controller = new AbortController();
    const seen = collector();
    const stopping: ImportObserver = { batch: () => controller.abort('SIGTERM') };
    const { counts, failure, interruptedIn } = await ran(cwd, files, {}, [seen, stopping], controller.signal);
    expect(failure).toMatchObject({ code: 'interrupted', cause: 'SIGTERM' });
    expect(interruptedIn).toBe(files[0]);
    expect(counts.total).toBeGreaterThan(0);
    expect(counts.total).toBeLessThan(12_000);
    expect(seen.outcomes).toHaveLength(2);
    expect(seen.outcomes.map(({ stopped }) => stopped)).toEqual(['interrupted', 'interrupted']);
    // Exactly the reported items are stored.
    const again = await ran(cwd, files);
    expect(again.counts).toMatchObject({ unchanged: counts.total + 1, created: 12_000 - counts.total });
  });
});

describe('observers', () => {
  it('see the findings of those before them', async () => {
    const cwd = folder({ 'a.csv': 'sku,currency,price\nA,EUR,1.00\n' });
    const marking: ImportObserver = {
      batch: (result) => ({ ...result, followers: new Set([0]) }),
      finish: (outcome) => ({ ...outcome, remarks: ['one thing'] }),
    };
    const seen: unknown[] = [];
    const looking: ImportObserver = {
      batch: ({ followers }) => void seen.push(followers),
      finish: ({ remarks }) => void seen.push(remarks),
    };
    await ran(cwd, [fileOf('products', cwd, 'a.csv')], {}, [marking, looking]);
    expect(seen).toEqual([new Set([0]), ['one thing']]);
  });

  it('one that fails ends the import with its error; committed items stay, and no temporary file is left', async () => {
    const cwd = folder({ 'a.csv': `sku,currency,price\n${rows(3)}` });
    const seen = collector();
    const failing: ImportObserver = {
      batch() {
        throw new CatalogError('usage', 'the disk is full');
      },
    };
    const { failure } = await ran(cwd, [fileOf('products', cwd, 'a.csv')], {}, [seen, failing]);
    expect(failure).toMatchObject({ message: 'the disk is full' });
    expect(seen.calls.slice(-2)).toEqual(['end', 'discard']);
    expect((await ran(cwd, [fileOf('products', cwd, 'a.csv')])).counts.unchanged).toBe(3);
  });
});
