// What is kept of the problems and notices of one item.
import { describe, expect, it } from 'vitest';
import {
  addIgnored,
  addNotice,
  addProblem,
  isClean,
  newDiagnostics,
  noticesOf,
} from '../../../src/core/diagnostics/diagnostics.js';

describe('a diagnostic has the value and the parameters that its message was made of, and no empty members', () => {
  it.each([
    [undefined, undefined, {}],
    ['8.7E+12', undefined, { value: '8.7E+12' }],
    [undefined, { count: 2 }, { params: { count: 2 } }],
    ['8.7E+12', { count: 2 }, { value: '8.7E+12', params: { count: 2 } }],
  ])('%j and %j', (value, params, kept) => {
    const found = newDiagnostics();
    addNotice(found, 'digits_lost', 'barcode', value, params);
    expect(found.notices).toStrictEqual([
      { code: 'digits_lost', field: 'barcode', message: expect.any(String), ...kept },
    ]);
  });
});

it('diagnostics are clean while nothing was added', () => {
  const [problem, notice, ignored, none] = [newDiagnostics(), newDiagnostics(), newDiagnostics(), newDiagnostics()];
  addProblem(problem, 'field_required', 'name');
  addNotice(notice, 'price_ignored', 'price');
  addIgnored(ignored, 'colour');
  expect([problem, notice, ignored, none].map(isClean)).toEqual([false, false, false, true]);
  expect(noticesOf(ignored)).toMatchObject([{ code: 'field_ignored', field: 'colour' }]);
});
