// Words of items, of which fingerprints are made: the same for the same item only.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CheckedFields } from '../../../../src/core/planning/item-task.js';
import { hashWords } from '../../../../src/core/planning/recognition/item-fingerprint.js';
import {
  type EncodeText,
  itemWriter,
  newWordBuffer,
  plainEncodeText,
  plainItemWriter,
  seal,
  type WriteItem,
} from '../../../../src/core/planning/recognition/item-words.js';
import { resourceCalled } from '../../../given.js';

const { fields } = resourceCalled('products');
const [compiled, plain] = [itemWriter(fields), plainItemWriter(fields)];

const encoder = new TextEncoder();
const ofPlatform: EncodeText = (text, into) => encoder.encodeInto(text, into).written;

function wordsOf(write: WriteItem, item: CheckedFields, encode = ofPlatform): number[] {
  const buffer = newWordBuffer();
  // What an item before it left behind.
  buffer.words.fill(-1);
  seal(buffer, write(buffer, item), encode);
  return [...buffer.words.subarray(0, buffer.length)];
}

/** Letters whose words could be taken for one another, four or two of them in one. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '\0', 'ÿ', 'Ā', 'ꪪ', '￿', '慡'), maxLength: 9 }),
  fc.string({ unit: 'binary' }),
);
const value = fc.oneof(text, fc.constantFrom(null, true, false, 0, -0, 1, -1, 0.5, 2 ** 31, -(2 ** 31)), fc.double());
const entry = fc.record({ type: value, value, unit: value }, { requiredKeys: [], noNullPrototype: true });
const item = fc.record(
  { sku: value, name: value, note: value, attributes: fc.array(entry, { maxLength: 3 }), media: fc.array(entry) },
  { requiredKeys: [], noNullPrototype: true },
);

it('two items have the same words only where they are equal', () => {
  fc.assert(
    fc.property(item, item, (one, other) => {
      const same = wordsOf(compiled, one).join() === wordsOf(compiled, other).join();
      expect(same).toBe(fc.stringify(one) === fc.stringify(other));
    }),
    { numRuns: 2000 },
  );
});

it('no text has the words of another one, of a prefix, or of one that continues in the next field', () => {
  fc.assert(
    fc.property(text, text, text, text, (sku, name, otherSku, otherName) => {
      const same =
        wordsOf(compiled, { sku, name }).join() === wordsOf(compiled, { sku: otherSku, name: otherName }).join();
      expect(same).toBe(sku === otherSku && name === otherName);
    }),
    { numRuns: 2000 },
  );
});

it('the plain form equals the compiled one, also beyond the size of a new buffer', () => {
  fc.assert(
    fc.property(item, (one) => {
      expect(wordsOf(plain, one, plainEncodeText)).toEqual(wordsOf(compiled, one));
    }),
  );
  const long = { sku: 'x'.repeat(5000), description: 'Ж'.repeat(5001), stock: 3 };
  expect(wordsOf(plain, long, plainEncodeText)).toEqual(wordsOf(compiled, long));
  expect(wordsOf(plain, long)).toHaveLength((5000 + 2 * 5001 + 2) / 4 + 1 + 1 + 2 + 1);
  const letters = { sku: 'aé€😀'.repeat(300), name: 'half of a pair: \ud83d' };
  expect(wordsOf(plain, letters, plainEncodeText)).toEqual(wordsOf(compiled, letters));
  const listed = { sku: 'A', attributes: Array.from({ length: 500 }, (_, i) => ({ type: `t${i}`, value: 'v' })) };
  expect(wordsOf(plain, listed, plainEncodeText)).toEqual(wordsOf(compiled, listed));
});

it('a hash depends on every word, their number and the key', () => {
  const hash = (words: readonly number[], key = { high: 1, low: 2 }): string => {
    const into = { high: 0, low: 0 };
    hashWords(key, { words: Int32Array.of(...words, 9), length: words.length }, into);
    return `${into.high} ${into.low}`;
  };
  const lists = [[], [0], [0, 0], [7], [7, 0], [0, 7], [7, -1]];
  const other = [hash([7, 0], { high: 1, low: 3 }), hash([7, 0], { high: 3, low: 2 })];
  expect(new Set([...lists.map((words) => hash(words)), ...other]).size).toBe(9);
  expect(hash([7, 0])).toBe(hash([7, 0]));
});
