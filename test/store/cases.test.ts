// Every pair of fixtures/cases, on a catalog in a file: the store adds nothing to the rules and takes nothing away.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/core/import-report.js';
import { type LocalCatalog, openCatalog } from '../../src/store/open.js';
import { asExpected, type CaseCatalog, cases, runCase } from '../cases.js';
import { batchOf } from '../entries.js';
import { resourceCalled } from '../given.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-cases-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function first(reports: AsyncIterable<Report>): Promise<Report> {
  for await (const report of reports) return report;
  throw new Error('the catalog gave no report');
}

function onCatalog(catalog: LocalCatalog): CaseCatalog {
  return {
    send: (resource, items, mode) => first(catalog.importBatches(resourceCalled(resource), [batchOf(items)], mode)),
    id: async (resource, key) => String((await catalog.read(resourceCalled(resource), { key }))?.['id']),
    deleteProduct: async (sku) => expect(await catalog.deleteProduct(sku)).toBe(true),
  };
}

describe('cases on SQLite', () => {
  it.each(cases)('%s', async (name, it) => {
    const catalog = await openCatalog({ file: join(folder, `${name}.db`), create: true });
    try {
      expect(asExpected(await runCase(it, onCatalog(catalog)), it.report)).toEqual(it.report);
    } finally {
      await catalog.close();
    }
  });
});
