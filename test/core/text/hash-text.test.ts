// Hashes that are stored: they must not change.
import { expect, it } from 'vitest';
import { hashNumber } from '../../../src/core/ledger/recorded-change.js';
import { hashText } from '../../../src/core/text/hash-text.js';

it.each([
  ['', 451841411, 1217125560, 3338908027751811],
  ['a', 2194241793, 1344023463, 7929297801672961],
  ['ab', 2323933010, 1332479127, 3382748631033682],
  ['Ünïcode 漢字', 1905261277, 2517600150, 4371204870765277],
])('%j has the hash that it always had', (text, low, high, number) => {
  const hash = { low: 0, high: 0 };
  hashText(text, hash);
  expect([hash, hashNumber(text)]).toEqual([{ low, high }, number]);
});
