// Rows next to unreadable ones, and rows that show no group.
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../../src/core/diagnostics/refusal-codes.js';
import { type Entry, rawEntry, unreadableEntry } from '../../../../src/core/entry.js';
import { recordKey } from '../../../../src/core/fields/record-key.js';
import { keylessRow, mayHold, undecidedRow } from '../../../../src/source/mapping/rows/group-gap.js';
import { product } from '../../given.js';

const key = recordKey(product, 'sku');
const problem = (field: string) => ({ field, code: 'field_format', message: 'wrong' }) as Problem;
const amounts = [{ field: 'price', written: '€', codes: ['EUR'], text: '1 €', source: 'column "p"' }];

it.each([
  ['rows without a group may be of any', '', 'sku', undefined, true],
  ['its text has the cell', 'A', 'sku', undefined, true],
  ['its text has it not', 'B', 'sku', undefined, false],
  ['a group that is made is in no text', 'B', { column: 'sku', case: 'upper' }, undefined, true],
  ['a group that is filled is in no text', 'B', 'sku', { columns: ['sku'] }, true],
] as const)('%s', (_, group, rows, fill, holds) => {
  const gap = { line: 2, number: 1, text: 'A;x;y' };
  expect(mayHold(gap, group, { to: '', fields: {}, rows, ...(fill && { fill }) }, true)).toBe(holds);
});

describe('a row of which it is not known whether it is kept', () => {
  const item = { sku: ' A ', name: 'Tea' };
  const unread = { ...unreadableEntry(problem('name'), 'B'), amounts, item };

  it.each<[string, Entry[], string, object]>([
    ['makes one item', [rawEntry(item)], 'A', { item: { ...item, _unread: 'kind' } }],
    ['makes no item', [], '', { item: { _unread: 'kind' } }],
    ['makes several', [rawEntry(item), rawEntry(item)], '', { item: { ...item, _unread: 'kind' } }],
    ['has amounts', [{ ...rawEntry(item), amounts }], 'A', { item: { ...item, _unread: 'kind' }, amounts }],
    ['makes one that is refused', [unread], 'B', { item: { ...item, _unread: 'kind' }, amounts }],
  ])('%s', (_, made, id, more) => {
    expect(undecidedRow(made, problem('kind'), key)).toEqual({ ...unreadableEntry(problem('kind'), id), ...more });
  });

  it('names the code where the problem is of no field', () => {
    expect(undecidedRow([], problem(''), key).item).toEqual({ _unread: 'field_format' });
  });
});

describe('a row of a group', () => {
  const of = (item: object, group: string) => keylessRow([rawEntry(item)], group, key);

  it('without a key is refused where its group is not known', () => {
    expect(of({ name: 'Tea' }, '')).toMatchObject({
      externalId: '',
      problem: { code: 'field_required', field: 'sku' },
    });
    expect(of({ sku: 'A' }, '')).toBeUndefined();
    expect(of({ name: 'Tea' }, 'A')).toBeUndefined();
  });

  it('with a NUL in its key is refused where its group has that, too', () => {
    expect(of({ sku: 'A\0' }, 'A\0')).toMatchObject({
      externalId: '',
      problem: { code: 'invalid_text', field: 'sku' },
    });
    expect(of({ sku: 'A\0' }, 'A')).toBeUndefined();
    expect(of({ sku: 'A' }, 'B\0')).toBeUndefined();
    expect(of({ name: 'Tea' }, 'B\0')).toMatchObject({ problem: { code: 'field_required' } });
  });

  it('that is refused already is not refused again', () => {
    expect(keylessRow([unreadableEntry(problem('sku'), '')], '', key)).toBeUndefined();
    expect(keylessRow([], '', key)).toBeUndefined();
  });
});
