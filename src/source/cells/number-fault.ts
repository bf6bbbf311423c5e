// Anticipates core's check of a number that was written otherwise than core reads it, so that the message quotes the cell.
import type { RefusalCode } from '../../core/diagnostics/refusal-codes.js';
import { integerFault } from '../../core/fields/check-item.js';
import { readDecimal } from '../../core/fields/decimal.js';
import type { Field } from '../../core/fields/fields.js';

/**
 * What is wrong with a plain number for the field it fills; undefined where nothing is.
 * @param remedy what to do about too many decimals
 */
export function numberFault(
  number: string,
  field: Field,
  remedy: (scale: number) => string,
): { readonly code: RefusalCode; readonly message: string } | undefined {
  if (field.kind === 'integer') {
    if (/^-?\d+(?:\.0+)?$/.test(number)) return undefined;
    const code = integerFault(number, field) ?? 'field_type';
    const message =
      code === 'field_type'
        ? 'must be a whole number'
        : `is out of range; it must be from ${field.min} to ${field.max}`;
    return { code, message };
  }
  const amount = field.kind === 'decimal' ? readDecimal(number, field.scale) : 0;
  if (amount === 'field_decimals' && field.kind === 'decimal')
    return { code: amount, message: `has more than ${field.scale} decimals; ${remedy(field.scale)}` };
  return amount === 'field_out_of_range'
    ? { code: amount, message: 'is out of range; it must be 0 or more' }
    : undefined;
}
