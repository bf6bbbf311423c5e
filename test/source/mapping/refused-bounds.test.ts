// What is searched for the keys of refused records is bounded, and a notice says what is beyond.
import { expect, it } from 'vitest';
import { readMapped } from './given.js';

it('rows of another shape beyond 1,000 are not searched for their keys, and a notice says so', async () => {
  const broken = (count: number) => `sku,name\n${'A,B,C\n'.repeat(count)}`;
  const read = async (count: number) =>
    (await readMapped('to: products\nfields: { sku: sku, name: name }', broken(count), { raws: true })).notes;
  expect((await read(1000)).join()).not.toContain('come back');
  expect((await read(1002)).join()).toContain(
    '2 rows with another number of cells than the header, after 1000 others,',
  );
});
