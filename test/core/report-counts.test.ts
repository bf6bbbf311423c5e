// Lines → counts, counts → totals.
import { describe, expect, it } from 'vitest';
import { addCounts, noCounts, reportOf } from '../../src/core/report-counts.js';
import { given } from '../given.js';

describe('totals', () => {
  it('are the sums of the reports', () => {
    const shop = given();
    const reports = shop.sendBatches('category', [[{ name: 'A' }, {}], [{ name: 'A' }, { name: 'B' }], []]);
    const total = noCounts();
    for (const report of reports) addCounts(total, report);
    expect(total).toEqual({ created: 2, updated: 0, unchanged: 1, refused: 1, total: 4 });
  });

  it('are computed from the lines, so that they cannot disagree with them', () => {
    const lines = given().send('category', [{ name: 'A' }, {}, { name: 'A' }]).data;
    expect(reportOf('category', true, lines)).toMatchObject({
      dry_run: true,
      created: 1,
      refused: 1,
      unchanged: 1,
      total: 3,
    });
  });
});
