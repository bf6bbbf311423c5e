// Amounts as exact integers of their smallest unit.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDecimal, showDecimal, showShortDecimal } from '../../../src/core/fields/decimal.js';

const scale = fc.constantFrom(2, 3);
const units = fc.oneof(fc.nat({ max: 99_999_999_999_999 }), fc.nat(100_000));

describe('an amount', () => {
  it('that is shown is read as the same amount, with zeros beyond the limit too', () => {
    fc.assert(
      fc.property(units, scale, fc.nat(5), (amount, decimals, zeros) => {
        expect(readDecimal(showDecimal(amount, decimals), decimals)).toBe(amount);
        expect(readDecimal(showShortDecimal(amount, decimals), decimals)).toBe(amount);
        expect(readDecimal(showDecimal(amount, decimals) + '0'.repeat(zeros), decimals)).toBe(amount);
        expect(readDecimal('0'.repeat(zeros) + showDecimal(amount, decimals), decimals)).toBe(amount);
      }),
    );
  });

  it('as a JSON number counts by its value, up to fifteen digits', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10 ** 14 - 1 }), scale, (amount, decimals) => {
        expect(readDecimal(JSON.parse(showDecimal(amount, decimals)), decimals)).toBe(amount);
      }),
    );
  });

  it('with too many decimals is refused, at any position', () => {
    fc.assert(
      fc.property(
        fc.nat(10 ** 9),
        scale,
        fc.nat(4),
        fc.integer({ min: 1, max: 9 }),
        (amount, decimals, zeros, digit) => {
          const written = `${showDecimal(amount, decimals)}${'0'.repeat(zeros)}${digit}`;
          expect(readDecimal(written, decimals)).toBe('field_decimals');
        },
      ),
    );
  });

  it('below zero is out of range', () => {
    fc.assert(
      fc.property(units, scale, (amount, decimals) => {
        expect(readDecimal(`-${showDecimal(amount, decimals)}`, decimals)).toBe('field_out_of_range');
      }),
    );
  });

  it('is read only from plain decimals, without binary fractions', () => {
    fc.assert(
      fc.property(fc.string(), scale, (written, decimals) => {
        const read = readDecimal(written, decimals);
        if (typeof read === 'number') {
          expect(Number.isSafeInteger(read)).toBe(true);
          expect(written).toMatch(/^\d+(\.\d+)?$/);
        } else {
          expect(read).toMatch(/^field_/);
        }
      }),
    );
  });

  it.each([
    ['999999999999', 99_999_999_999_900],
    ['999999999999.99', 99_999_999_999_999],
    ['1000000000000', 'field_out_of_range'],
    ['0999999999999', 99_999_999_999_900],
    ['.5', 'field_format'],
    ['5.', 'field_format'],
    ['1..5', 'field_format'],
    ['', 'field_format'],
    // Numbers with an exponent are no plain decimals; those out of range are told so.
    ['0e5', 'field_format'],
    ['1e11', 'field_format'],
    ['1e12', 'field_out_of_range'],
    ['1.5e11', 'field_format'],
    ['-1e1', 'field_out_of_range'],
    ['1e-2', 'field_format'],
    ['1e-3', 'field_decimals'],
    ['10e-3', 'field_format'],
    [0, 0],
    [0.05, 5],
    [1e21, 'field_out_of_range'],
    [1e-7, 'field_decimals'],
    [Number.POSITIVE_INFINITY, 'field_out_of_range'],
    [true, 'field_type'],
  ])('%j with two decimals is %j', (value, read) => expect(readDecimal(value, 2)).toBe(read));

  it('is shown with two decimals, or without trailing zeros', () => {
    expect([showDecimal(0, 2), showDecimal(5, 2), showDecimal(1250, 2)]).toEqual(['0.00', '0.05', '12.50']);
    expect([0, 1500, 10_000, 1, 120].map((weight) => showShortDecimal(weight, 3))).toEqual([
      '0',
      '1.5',
      '10',
      '0.001',
      '0.12',
    ]);
  });
});
