// What refused records need when they come back is kept up to a bound; beyond it that is said.
import { expect, it } from 'vitest';
import { sourceProblem } from '../../../src/core/diagnostics/source-problems.js';
import { rawEntry, unreadableEntry } from '../../../src/core/entry.js';
import { recordKey } from '../../../src/core/fields/record-key.js';
import { deduplicator } from '../../../src/source/mapping/rows/deduplicate.js';
import { keepFirst } from '../../../src/source/mapping/rows/keep-first.js';
import { product } from '../given.js';
import { readMapped } from './given.js';

const key = recordKey(product, 'sku');
const from = (line: number, text: string) => ({ line, origin: line, isBack: false, parts: [{ text }] });
const refused = unreadableEntry(sourceProblem('json_depth', { levels: 1 }), '');

it('first rows beyond what is kept do not come back with a refused row that may have their key, and a notice says so', () => {
  const firsts = (mostText: number) => {
    const once = keepFirst(key, () => {}, true, mostText);
    for (const sku of ['A', 'B', 'C'])
      once.take({ ...rawEntry({ sku }), item: { sku } }, from(2, `${sku},${'x'.repeat(100)}`));
    const earlier = once.miss(refused, { ...from(5, 'C,1,2'), parts: [{ text: 'C', isKey: true }] });
    return { earlier, notes: once.notes() };
  };
  expect(firsts(1000).earlier).toHaveLength(1);
  expect(firsts(1000).notes).toEqual([]);
  expect(firsts(150).earlier).toEqual([]);
  expect(firsts(150).notes).toEqual([
    'once: first: 1 first row of keys that refused rows may have did not fit into memory, and do not come back with them: correct such rows in the file itself and import all of it',
  ]);
});

it('refused rows of merged records beyond 10,000 come back without the others, and a notice says so', () => {
  const once = deduplicator({ to: 'products', fields: {}, once: 'merge' }, key, 'f.csv');
  for (let i = 0; i < 10_002; i++) once?.miss(unreadableEntry(refused.problem, `S${i}`), from(i, ''));
  expect(once?.notes()).toEqual([
    'once: merge: 2 refused records come back without the other rows of their keys, since more than 10000 were refused: correct the file itself and import all of it',
  ]);
});

it('rows of another shape beyond 1,000 are not searched for their keys, and a notice says so', async () => {
  const broken = (count: number) => `sku,name\n${'A,B,C\n'.repeat(count)}`;
  const read = async (count: number) =>
    (await readMapped('to: products\nfields: { sku: sku, name: name }', broken(count), { raws: true })).notes;
  expect((await read(1000)).join()).not.toContain('come back');
  expect((await read(1002)).join()).toContain(
    '2 rows with another number of cells than the header, after 1000 others,',
  );
});
