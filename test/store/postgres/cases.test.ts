// Every pair of fixtures/cases, on a catalog in PostgreSQL: the store adds nothing to the rules and takes nothing away.
import { afterAll, describe, expect, it } from 'vitest';
import { openCatalog } from '../../../src/store/open.js';
import { asExpected, cases, runCase } from '../../cases.js';
import { missing, newTestDatabase } from '../../postgres/test-database.js';
import { caseCatalog } from '../case-catalog.js';

describe.skipIf(missing !== undefined)(
  `cases on PostgreSQL${missing === undefined ? '' : `: ${missing}`}`,
  async () => {
    if (missing !== undefined) return;
    const database = await newTestDatabase();
    afterAll(() => database.close());

    it.each(cases)('%s', async (_name, it) => {
      const catalog = await openCatalog({ file: database.address('cases'), create: true });
      try {
        expect(asExpected(await runCase(it, caseCatalog(catalog)), it.report)).toEqual(it.report);
      } finally {
        await catalog.close();
        await database.empty('cases');
      }
    });
  },
);
