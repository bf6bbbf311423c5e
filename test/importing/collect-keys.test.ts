// Which keys an import reads: what a feed lists.
import { expect, it } from 'vitest';
import { hashNumber } from '../../src/core/ledger/recorded-change.js';
import { seenKeys } from '../../src/importing/collect-keys.js';
import { given, resourceCalled } from '../given.js';

it('are all keys of all batches, refused ones as well, each once', () => {
  const keys = Array.from({ length: 3_000 }, (_, i) => `K-${i}`);
  const { begin, batch, seen } = seenKeys();
  begin?.({ resource: resourceCalled('products'), source: { found: {} } } as never);
  const sent = [...keys, 'K-0'].map((sku, i) => ({ sku, ...(i % 2 === 0 && { currency: 'EUR' }) }));
  for (const report of given().sendBatches('product', [sent.slice(0, 1_000), sent.slice(1_000)]))
    batch?.({ report, lines: [], offset: 0 });
  const [found] = seen();
  expect(found).toMatchObject({ total: 3_001, untrusted: 0, filled: { refused: 1_500 } });
  expect([...(found?.keys ?? [])]).toEqual([...Float64Array.from(keys.map(hashNumber)).sort()]);
});

it.each(['Farbe', 'x'.repeat(300), 5])('an item of kind colour is Colour with the name %j', (name) => {
  const { begin, batch, seen } = seenKeys();
  begin?.({ resource: resourceCalled('characteristics'), source: { found: {} } } as never);
  for (const report of given().sendBatches('attribute', [[{ kind: 'colour', name }, { name: 'X' }]]))
    batch?.({ report, lines: [], offset: 0 });
  const [found] = seen();
  expect(found).toMatchObject({ total: 2, untrusted: 0 });
  expect(found?.keys).toEqual(Float64Array.of(hashNumber('colour'), hashNumber('x')).sort());
});

it('counts a last row that has no key, and not all of its cells, once', () => {
  const { begin, batch, seen } = seenKeys();
  begin?.({ resource: resourceCalled('products'), source: { found: {} } } as never);
  const [report] = given().sendBatches('product', [[{ sku: 'A', currency: 'EUR' }, {}]]);
  if (report === undefined) throw new Error('no report');
  const data = report.data.map((line, i) => (i === 0 ? line : { ...line, code: 'row_shape' }));
  batch?.({ report: { ...report, data } as typeof report, lines: [], offset: 0 });
  expect(seen()).toMatchObject([{ total: 2, untrusted: 1 }]);
});

it('counts a row of several lines with a wrong form: the keys of rows that a quote joined are unknown', () => {
  const untrusted = (lines: object) => {
    const { begin, batch, seen } = seenKeys();
    begin?.({ resource: resourceCalled('products'), source: { found: {} } } as never);
    const [report] = given().sendBatches('product', [[{ sku: 'A', currency: 'EUR' }, { sku: 'B' }]]);
    if (report === undefined) throw new Error('no report');
    const problem = { code: 'row_shape', field: '', message: '', params: { fault: 'cell_count', ...lines } };
    const data = report.data.map((line, i) =>
      i === 0 ? { ...line, code: 'row_shape', diagnostics: [problem] } : line,
    );
    batch?.({ report: { ...report, data } as typeof report, lines: [], offset: 0 });
    return seen()[0]?.untrusted;
  };
  expect(untrusted({ lines: 2 })).toBe(1);
  expect(untrusted({})).toBe(0);
});
