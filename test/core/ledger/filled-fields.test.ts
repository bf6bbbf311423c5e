// What a file or a plan keeps of how many rows filled each field may have been changed by others.
import { expect, it } from 'vitest';
import { asFilledFields } from '../../../src/core/ledger/filled-fields.js';

it('is read as it was stored', () => {
  for (const stored of [
    { rows: 2, fields: {} },
    { rows: 2, fields: { name: 2, price: 0 } },
    { rows: 2, fields: { name: 1 }, entries: 3, refused: 0 },
  ])
    expect(asFilledFields(JSON.parse(JSON.stringify(stored)))).toEqual(stored);
});

it.each([
  ['no object', 7],
  ['null', null],
  ['no rows', { fields: {} }],
  ['rows that are no count', { rows: -1, fields: {} }],
  ['no fields', { rows: 1 }],
  ['fields that are null', { rows: 1, fields: null }],
  ['a field whose number is no count', { rows: 1, fields: { name: 1, price: '1' } }],
  ['a field with half a row', { rows: 1, fields: { name: 0.5, price: 1 } }],
])('is not known: %s', (_, stored) => {
  expect(asFilledFields(stored)).toBeUndefined();
});

it('leaves out what else is no count', () => {
  expect(asFilledFields({ rows: 1, fields: {}, entries: 'x', refused: -1 })).toEqual({ rows: 1, fields: {} });
});
