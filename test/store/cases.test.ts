// Every pair of fixtures/cases, on a catalog in a file: the store adds nothing to the rules and takes nothing away.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCatalog } from '../../src/store/open.js';
import { asExpected, cases, runCase } from '../cases.js';
import { caseCatalog } from './case-catalog.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-cases-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('cases on SQLite', () => {
  it.each(cases)('%s', async (name, it) => {
    const catalog = await openCatalog({ file: join(folder, `${name}.db`), create: true });
    try {
      expect(asExpected(await runCase(it, caseCatalog(catalog)), it.report)).toEqual(it.report);
    } finally {
      await catalog.close();
    }
  });
});
