// Amounts as exact integers of their smallest unit: 12.50 with 2 decimals is 1250. No calculation uses floating point.
import { NumberLiteral } from '../text/parse-json.js';

/** Why a value is not an amount. */
export type DecimalFault = 'field_type' | 'field_format' | 'field_out_of_range' | 'field_decimals';

/** Digits before the point of an amount: with 3 decimals it is still exact. */
export const mostAmountDigits = 12;

/**
 * Reads an amount of zero or more with at most `scale` decimals; zeros beyond them are fine.
 * @param value a JSON number, which counts by its value, or a plain decimal as text
 * @returns the amount in units of 10^-scale, or why it does not match
 */
export function readDecimal(value: unknown, scale: number): number | DecimalFault {
  if (typeof value === 'number') return readNumber(value, scale);
  if (value instanceof NumberLiteral) return readDecimal(value.text, scale);
  if (typeof value !== 'string') return 'field_type';
  const units = readDigits(value, scale);
  if (units !== undefined) return units;
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value);
  if (parts === null) return scientificFault(value, scale);
  if (parts[1] === '-') return 'field_out_of_range';
  return scaled(parts[2] ?? '', parts[3] ?? '', scale);
}

/**
 * Fast path for most amounts: up to 12 digits, a point, up to `scale` digits; undefined for any other text. Adding up
 * digit by digit takes a fifth of the time of the general path.
 */
function readDigits(text: string, scale: number): number | undefined {
  let units = 0;
  let point = -1;
  if (text.length === 0 || text.length > 12) return undefined;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit >= 0 && digit <= 9) units = units * 10 + digit;
    else if (digit === -2 && point === -1 && i > 0) point = i;
    else return undefined;
  }
  const decimals = point === -1 ? 0 : text.length - point - 1;
  if (decimals > scale || point === text.length - 1) return undefined;
  for (let i = decimals; i < scale; i++) units *= 10;
  return units;
}

function readNumber(value: number, scale: number): number | DecimalFault {
  if (!Number.isFinite(value) || value < 0) return 'field_out_of_range';
  const written = String(value);
  const point = written.indexOf('.');
  // Exponents appear from 1e21 up and below 1e-6: beyond the range, or beyond the decimals.
  if (written.includes('e')) return value > 1 ? 'field_out_of_range' : 'field_decimals';
  if (point < 0) return scaled(written, '', scale);
  return scaled(written.slice(0, point), written.slice(point + 1), scale);
}

/** A text with an exponent is not a plain decimal; a value out of range gets the code for its range. */
function scientificFault(text: string, scale: number): DecimalFault {
  const [, sign, whole = '', fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?[eE]([-+]?\d+)$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  if (exponent === undefined || digits === '') return 'field_format';
  if (sign === '-') return 'field_out_of_range';
  const lowest = Number(exponent) - fraction.length;
  if (digits.length + lowest > mostAmountDigits) return 'field_out_of_range';
  const zeros = digits.length - digits.replace(/0+$/, '').length;
  return lowest + zeros < -scale ? 'field_decimals' : 'field_format';
}

function scaled(whole: string, fraction: string, scale: number): number | DecimalFault {
  for (let i = scale; i < fraction.length; i++) if (fraction[i] !== '0') return 'field_decimals';
  if (whole.length > mostAmountDigits && whole.replace(/^0+/, '').length > mostAmountDigits)
    return 'field_out_of_range';
  return Number(whole + fraction.slice(0, scale).padEnd(scale, '0'));
}

/** An amount in units of 10^-scale as text with exactly `scale` decimals. */
export function showDecimal(units: number, scale: number): string {
  const digits = String(units).padStart(scale + 1, '0');
  const point = digits.length - scale;
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** The same without trailing zeros: 1500 with 3 decimals is 1.5. */
export function showShortDecimal(units: number, scale: number): string {
  return showDecimal(units, scale).replace(/\.?0+$/, '');
}
