// A local catalog as the cases of fixtures/cases are run on it.
import { expect } from 'vitest';
import type { Report } from '../../src/core/import-report.js';
import type { LocalCatalog } from '../../src/store/open.js';
import type { CaseCatalog } from '../cases.js';
import { batchOf } from '../entries.js';
import { resourceCalled } from '../given.js';

async function first(reports: AsyncIterable<Report>): Promise<Report> {
  for await (const report of reports) return report;
  throw new Error('the catalog gave no report');
}

/** What a case asks of a catalog. */
export function caseCatalog(catalog: LocalCatalog): CaseCatalog {
  return {
    send: (resource, items, mode) => first(catalog.importBatches(resourceCalled(resource), [batchOf(items)], mode)),
    id: async (resource, key) => String((await catalog.read(resourceCalled(resource), { key }))?.['id']),
    deleteProduct: async (sku) => expect(await catalog.deleteProduct(sku)).toBe(true),
  };
}
