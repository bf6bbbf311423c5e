// Words of items, which fingerprints are the hash of: the same for the same item only.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CheckedFields } from '../../../../src/core/planning/item-task.js';
import { itemPutter, type PutItem, plainItemPutter } from '../../../../src/core/planning/recognition/item-words.js';
import {
  type KeyedHash,
  keyedHash,
  plainKeyedHash,
  wide,
} from '../../../../src/core/planning/recognition/keyed-hash.js';
import { resourceCalled } from '../../../given.js';

const { fields } = resourceCalled('products');
const [compiled, plain] = [itemPutter(fields), plainItemPutter(fields)];

/** Notes the words instead of hashing them. */
function wordsOf(item: CheckedFields, put: PutItem = compiled): number[] {
  const words: number[] = [];
  const note: KeyedHash = {
    begin: () => {},
    word: (word) => void words.push(word),
    text(text, word) {
      const isWide = [...text].some((letter) => letter > 'ÿ');
      const [letters, bits] = isWide ? [2, 16] : [4, 8];
      for (let i = 0; i < text.length; i += letters) {
        let packed = 0;
        for (let j = 0; j < letters; j++) packed += (text.charCodeAt(i + j) || 0) * 2 ** (j * bits);
        words.push(packed | 0);
      }
      words.push(isWide ? word | wide : word);
    },
    end: () => {},
  };
  put(note, item);
  return words;
}

function hashOf(item: CheckedFields, hash: KeyedHash, put: PutItem): string {
  const into = { high: 0, low: 0 };
  hash.begin({ high: 1, low: 2 });
  put(hash, item);
  hash.end(into);
  return `${into.high} ${into.low}`;
}

/** The same of the words, by the one function that adds a word. */
function hashOfWords(words: readonly number[], key = { high: 1, low: 2 }): string {
  const into = { high: 0, low: 0 };
  const hash = plainKeyedHash();
  hash.begin(key);
  for (const word of words) hash.word(word);
  hash.end(into);
  return `${into.high} ${into.low}`;
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
      expect(wordsOf(one).join() === wordsOf(other).join()).toBe(fc.stringify(one) === fc.stringify(other));
    }),
    { numRuns: 2000 },
  );
});

it('no text has the words of another one, of a prefix, or of one that continues in the next field', () => {
  fc.assert(
    fc.property(text, text, text, text, (sku, name, otherSku, otherName) => {
      const same = wordsOf({ sku, name }).join() === wordsOf({ sku: otherSku, name: otherName }).join();
      expect(same).toBe(sku === otherSku && name === otherName);
    }),
    { numRuns: 2000 },
  );
});

it('an entry of a list never has the words of a field, nor two lists those of one', () => {
  const items = [
    { attributes: [] },
    { attributes: [{}] },
    { attributes: [{}, {}] },
    { attributes: [{ type: 'a' }] },
    { attributes: [{ type: 'a' }, {}] },
    { attributes: [{}, { type: 'a' }] },
    { attributes: [{ type: 'a', value: 'b' }] },
    { attributes: [{ type: 'a' }, { value: 'b' }] },
    { sku: 'a', attributes: [{ value: 'b' }] },
    { attributes: [{ type: 'a' }], media: [{}] },
    { attributes: [{ type: 'a' }, {}], media: [] },
  ];
  expect(new Set(items.map((one) => wordsOf(one).join())).size).toBe(items.length);
});

it('the hash is that of the words, in both forms and of texts of any length', () => {
  const [fast, slow] = [keyedHash(), plainKeyedHash()];
  const check = (one: CheckedFields): void => {
    const hash = hashOfWords(wordsOf(one));
    expect(hashOf(one, fast, compiled)).toBe(hash);
    expect(hashOf(one, slow, compiled)).toBe(hash);
    expect(hashOf(one, fast, plain)).toBe(hash);
    expect(hashOf(one, slow, plain)).toBe(hash);
  };
  fc.assert(fc.property(item, check));
  for (let length = 0; length < 10; length++) {
    for (const letter of ['a', 'ÿ', 'Ā', '\ud83d']) check({ sku: letter.repeat(length), name: `aaa${letter}` });
    check({ sku: `${'a'.repeat(length)}Ж`, name: `Ж${'a'.repeat(length)}` });
  }
  check({ sku: 'x'.repeat(5000), description: 'Ж'.repeat(5001), stock: 3 });
  check({ sku: 'A', attributes: Array.from({ length: 500 }, (_, i) => ({ type: `t${i}`, value: 'v' })) });
  const { join } = Array.prototype;
  // A text that is put together, and a part of another one.
  const long = join.call(['long', 'enough', 'to', 'be', 'kept', 'as', 'a', 'part'], ' ');
  check({ sku: long.slice(3, 30), name: long + long });
});

it('a text too long for its last word has its length in front of that', () => {
  const lastWords = (sku: string): number[] => {
    const words: number[] = [];
    const push = (word: number): void => void words.push(word);
    compiled({ begin: () => {}, word: push, text: (_, word) => push(word), end: () => {} }, { sku });
    return words;
  };
  const long = 'x'.repeat(0xfffff9);
  expect(lastWords(long)).toEqual([0, 0xfffff9, 0xfffff9, 1]);
  expect(lastWords(long.slice(1))).toEqual([0xfffff8, 1]);
});

it('a hash depends on every word, their number and the key', () => {
  const lists = [[], [0], [0, 0], [7], [7, 0], [0, 7], [7, -1]];
  const other = [hashOfWords([7, 0], { high: 1, low: 3 }), hashOfWords([7, 0], { high: 3, low: 2 })];
  expect(new Set([...lists.map((words) => hashOfWords(words)), ...other]).size).toBe(9);
  expect(hashOfWords([7, 0])).toBe(hashOfWords([7, 0]));
});
