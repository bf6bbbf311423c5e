// Fingerprints of items: the same for the same item only.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { list, text as textField } from '../../../../src/core/fields/fields.js';
import type { CheckedFields } from '../../../../src/core/planning/item-task.js';
import { hashItem, hashText } from '../../../../src/core/planning/recognition/fingerprint.js';
import { anyCharacter } from '../../../any-character.js';
import { resourceCalled } from '../../../given.js';

const key = { high: 1, low: -2 };
const { fields } = resourceCalled('products');

function hashOf(item: CheckedFields): string {
  return shown(hashItem(key, fields, item));
}

function shown({ high, low }: { readonly high: number; readonly low: number }): string {
  return `${high} ${low}`;
}

/** Letters whose words could be taken for one another. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '\0', 'ÿ', 'Ā', 'ꪪ', '￿', '慡'), maxLength: 9 }),
  fc.string({ unit: anyCharacter }),
);
const value = fc.oneof(text, fc.constantFrom(null, true, false, 0, 1, -1, 0.5, 2 ** 31, -(2 ** 31), 2 ** 53 - 1));
const entry = fc.record({ type: value, value, unit: value }, { requiredKeys: [], noNullPrototype: true });
const item = fc.record(
  { sku: value, name: value, note: value, attributes: fc.array(entry, { maxLength: 3 }), media: fc.array(entry) },
  { requiredKeys: [], noNullPrototype: true },
);

it('two items have the same one only where they have the same values of the same fields', () => {
  fc.assert(
    fc.property(item, item, (one, other) => {
      const isSame = hashOf(one) === hashOf(other);
      expect(isSame).toBe(fc.stringify(one) === fc.stringify(other));
    }),
    { numRuns: 2000 },
  );
});

it('a value in another field, list or entry makes another one', () => {
  const items = [
    { name: 'a' },
    { note: 'a' },
    { attributes: [] },
    { media: [] },
    { attributes: [{}] },
    { attributes: [{}, {}] },
    { attributes: [{ type: 'a' }] },
    { attributes: [{ value: 'a' }] },
    { attributes: [{ type: 'a' }, { value: 'b' }] },
    { attributes: [{ type: 'a', value: 'b' }] },
    { stock: 1 },
    { stock: '1' },
    { stock: true },
  ];
  expect(new Set(items.map(hashOf)).size).toBe(items.length);
});

it('depends on every letter, their number and each half of the key', () => {
  const texts = [
    '',
    '\0',
    '\0\0',
    '\0\0\0',
    'a',
    'a\0',
    '\0a',
    'aa',
    'aaa',
    'Ж',
    'aЖ',
    'Жa',
    '\ud83d',
    'x'.repeat(70_000),
  ];
  const others = [hashText({ high: 2, low: -2 }, 'a'), hashText({ high: 1, low: 2 }, 'a')];
  const all = [...texts.map((one) => hashText(key, one)), ...others];
  expect(new Set(all.map(shown)).size).toBe(all.length);
  expect(hashText(key, 'lamp')).toEqual(hashText(key, 'lamp'));
});

it('a text has the same one on every machine and in every build', () => {
  expect(hashText(key, '')).toEqual({ high: -1955101552, low: -682442813 });
  expect(hashText(key, 'a')).toEqual({ high: 751322573, low: -285932743 });
  expect(hashText(key, 'abc')).toEqual({ high: 1421719850, low: -1268369159 });
  expect(hashText(key, 'Ünïcode 漢字')).toEqual({ high: 1984499574, low: -940643197 });
  expect(hashText({ high: 0, low: 0 }, 'abc')).toEqual({ high: 657486928, low: 1938574386 });
});

it('an item is hashed piece by piece: its values by their positions, the ends of lists and entries, how many there are', () => {
  const own = { a: textField('a'), b: list('b', { c: textField('c') }, 'c') };
  expect(hashItem(key, own, {})).toEqual({ high: -181516299, low: 262448189 });
  expect(hashItem(key, own, { a: 'x' })).toEqual({ high: -554522522, low: 1646809866 });
  expect(hashItem(key, own, { b: [{ c: 'x' }] })).toEqual({ high: -1314188049, low: 1426437111 });
  expect(hashItem(key, own, { a: null })).toEqual({ high: 1778845600, low: 85345895 });
  expect(hashItem(key, own, { a: 1990 })).toEqual({ high: 764588541, low: -1229081559 });
});
