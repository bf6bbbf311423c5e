// Checks a number that was rewritten for core (`1.234,50` → `1234.50`), so that the message quotes the cell and not what it
// was rewritten to.
import type { NumberFault } from '../../core/diagnostics/number-problems.js';
import { integerFault } from '../../core/fields/check-item.js';
import { readDecimal } from '../../core/fields/decimal.js';
import type { Field } from '../../core/fields/fields.js';

/**
 * What core would refuse in a plain number.
 * @param number digits with an optional sign and decimal point
 * @param isMapped whether a mapping reads the value, which can round it
 * @returns the fault; undefined if the field takes the number
 */
export function numberFault(number: string, field: Field, isMapped: 'yes' | 'no'): NumberFault | undefined {
  if (field.kind === 'integer') {
    if (/^-?\d+(?:\.0+)?$/.test(number)) return undefined;
    const isOutOfRange = integerFault(number, field) === 'field_out_of_range';
    return isOutOfRange ? { kind: 'integer_range', min: field.min, max: field.max } : { kind: 'fraction' };
  }
  if (field.kind !== 'decimal') return undefined;
  const amount = readDecimal(number, field.scale);
  if (amount === 'field_decimals') return { kind: 'decimals', most: field.scale, isMapped };
  return amount === 'field_out_of_range' ? { kind: 'amount_range' } : undefined;
}
