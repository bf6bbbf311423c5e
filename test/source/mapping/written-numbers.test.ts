// Numbers without quotes in a mapping are texts where a word takes a text: they stay as they are written.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readMapping } from '../../../src/source/mapping/read-mapping.js';
import { fileOf } from '../given.js';
import { readMapped } from './given.js';

const feed = 'nr,kind\n0012,007\n12,8\n';

it('constants, values, keys and conditions have all of their digits', async () => {
  const map = `
skip: { of: nr, is: 12 }
set: { name: 12345678901234567890 }
fields:
  sku: nr
  description: { column: kind, map: { 007: bond }, else: 1.50 }
`;
  const { items } = await readMapped(map, feed);
  expect(items).toEqual([{ sku: '0012', name: '12345678901234567890', description: 'bond' }]);
  const skipped = await readMapped('skip: { of: nr, is: 0012 }\nfields: { sku: nr, name: { value: 1.50 } }', feed);
  expect(skipped.items).toEqual([{ sku: '12', name: '1.50' }]);
});

it('in JSON, too', async () => {
  const map = '{"fields": {"sku": "nr", "name": {"value": 12345678901234567890}, "description": {"value": 1.50}}}';
  const { items } = await readMapped(map, 'nr\nA\n');
  expect(items).toEqual([{ sku: 'A', name: '12345678901234567890', description: '1.50' }]);
});

it('any number is the text that is written', () => {
  const written = fc.stringMatching(/^[-+]?(?:0|[0-9]{1,22})(?:\.[0-9]{1,4})?(?:[eE][-+]?[0-9]{1,2})?$/);
  fc.assert(
    fc.property(written, (number) => {
      const file = fileOf(
        `set: { name: ${number} }\nfields: { sku: { column: nr, map: { ${number}: x } } }`,
        'map.yaml',
      );
      const { name, sku } = (readMapping(file).import[0]?.fields ?? {}) as unknown as {
        name: { value: unknown };
        sku: { map: object };
      };
      expect([String(name.value), Object.keys(sku.map)]).toEqual([number, [number]]);
    }),
    { numRuns: 200 },
  );
});

it.each([
  [
    'round: 02',
    'fields: { sku: nr, price: { column: nr, round: 02 } }',
    /must be a whole number from 0 to 20; "02" was found/,
  ],
  ['two keys of one text', 'fields: { sku: { column: nr, map: { 1: a, "1": b } } }', /Map keys must be unique/],
])('%s is refused', async (_, map, message) => {
  await expect(async () => await readMapped(map, feed)).rejects.toThrow(message);
});
