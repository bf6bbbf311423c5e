// The sentence about rows that share a key is made of data, by reporting and nowhere else.
import { describe, expect, it } from 'vitest';
import type { DuplicateRows } from '../../src/importing/observer.js';
import { describeDuplicates } from '../../src/reporting/causes/duplicate-rows.js';

describe('rows that share a key', () => {
  const listed: DuplicateRows['listed'] = [
    { key: 'A', lines: [2, 4] },
    { key: 'B', lines: [3, 9] },
  ];

  it.each([
    [
      { count: 1, listed: listed.slice(0, 1), applied: 'last' },
      'one row repeats a key: "A" on lines 2 and 4; the last accepted row of each key wins (--on-duplicate)',
    ],
    [
      { count: 1200, listed, applied: 'first' },
      '1,200 rows repeat a key: "A" on lines 2 and 4, "B" on lines 3 and 9 and 1,198 more; only the first row of each key was applied (--on-duplicate)',
    ],
    [
      { count: 2, listed, applied: 'none', watchedKeys: 350_000 },
      '2 rows repeat a key: "A" on lines 2 and 4, "B" on lines 3 and 9; none was applied (--on-duplicate); only the first 350,000 keys were watched',
    ],
    [
      { count: 1, listed: [{ key: 'A', lines: [4, 2] }], applied: 'last' },
      'one row repeats a key: "A" on lines 2 and 4; the last accepted row of each key wins (--on-duplicate)',
    ],
    [
      { count: 2, listed: [{ key: 'A', lines: [4, 4] }], applied: 'last-batch' },
      '2 items repeat a key: "A" twice on line 4 and 1 more; items of one batch are refused, otherwise the last accepted item of each key wins (--on-duplicate)',
    ],
    [
      { count: 1, listed: [{ key: 'A', lines: [2, 4] }], applied: 'last', remedy: 'merge' },
      'one row repeats a key: "A" on lines 2 and 4; the last accepted row of each key wins; rows: joins only rows that follow each other; write once: merge in place of it, or sort the file by its column',
    ],
    [
      { count: 1, listed: [{ key: '1.2E+11', lines: [2, 4] }], applied: 'last', remedy: 'export' },
      'one row repeats a key: "1.2E+11" on lines 2 and 4; the last accepted row of each key wins; a spreadsheet has shortened such keys, so that different ones are equal; export the column as text',
    ],
  ] as const)('%o', (rows, sentence) => {
    expect(describeDuplicates(rows)).toBe(sentence);
  });
});
