// Which keys a run of a feed sent so far.
import { expect, it } from 'vitest';
import { feedRun } from '../../../src/store/ledger/run-of-feed.js';

/** Keys whose places in a table of any size are the same, or follow each other, and others that are far apart. */
const hashes = Array.from({ length: 400 }, (_, i) => [
  ...[i, i + 0x7fffffff, i + 2 * 0x7fffffff, 2 * i, 1_000_003 * i + 7, 4096 * i],
]).flat();

it('are those that it was told, each resource for itself, however many and whatever they are', () => {
  const run = feedRun('erp');
  const context = () => run.contextOf('product', undefined);
  const sent = [...new Set(hashes)];
  const others = sent.map((hash) => hash + 3 * 0x7fffffff);
  expect(sent.filter((hash) => context().hasSent(hash))).toEqual([]);
  for (const hash of sent) {
    context().keepSent([hash, hash]);
    expect(context().hasSent(hash)).toBe(true);
  }
  expect(sent.filter((hash) => !context().hasSent(hash))).toEqual([]);
  const unknown = others.filter((hash) => !sent.includes(hash));
  expect(unknown.filter((hash) => context().hasSent(hash))).toEqual([]);
  expect(sent.filter((hash) => run.contextOf('product_group', undefined).hasSent(hash))).toEqual([]);
});

it('are found in a table that is nearly full of even ones', () => {
  const context = feedRun('erp').contextOf('product', undefined);
  for (let i = 0; i < 5000; i++) context.keepSent([2 * i]);
  const known = Array.from({ length: 10_000 }, (_, hash) => hash).filter((hash) => context.hasSent(hash));
  expect(known).toEqual(Array.from({ length: 5000 }, (_, i) => 2 * i));
});
