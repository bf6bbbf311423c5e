// Rewrites amounts in cells, as people write them, if the decimal sign is given.
import { numberProblem } from '../../core/diagnostics/number-problems.js';
import { readDecimal } from '../../core/fields/decimal.js';
import type { DecimalField } from '../../core/fields/fields.js';
import { type CoercionNotes, noteProblem } from './coercion-notes.js';
import { numberFault } from './number-fault.js';

type Reader = (text: string, notes: Pick<CoercionNotes, 'problems'>) => string;

/**
 * Rewrites an amount in the form that core reads. A value that core would refuse is refused with the text of the cell.
 */
export function decimalReader(field: DecimalField, path: string, decimal: '.' | ','): Reader {
  return (text, notes) => {
    const digits = withoutGroupingSpaces(text, decimal);
    const plain = decimal === ',' ? commaDecimal(digits, field, path, notes) : pointDecimal(digits);
    const fault = plain === text ? undefined : numberFault(plain, field, 'no');
    if (fault !== undefined) noteProblem(notes, numberProblem(fault, text, path));
    return plain;
  };
}

const groupedBySpaces = {
  ',': /^-?[1-9]\d{0,2}([ \u00a0\u2009\u202f'’])\d{3}(?:\1\d{3})*(?:,(?:\d+|[-–—]{1,2}))?$/,
  '.': /^-?[1-9]\d{0,2}([ \u00a0\u2009\u202f'’])\d{3}(?:\1\d{3})*(?:\.(?:\d+|[-–—]{1,2}))?$/,
};

/** `1 234,50`, `1'234.50` → `1234,50`, `1234.50`: they have one meaning. Other texts are returned as they are. */
export function withoutGroupingSpaces(text: string, decimal: '.' | ','): string {
  return groupedBySpaces[decimal].test(text) ? text.replace(/[ \u00a0\u2009\u202f'’]/g, '') : text;
}

/** `1.234,50` → `1234.50`, `,50` → `0.50`, `15,-` → `15`. A point that does not group thousands is an error: core would read it as a decimal point. */
function commaDecimal(text: string, field: DecimalField, path: string, notes: Pick<CoercionNotes, 'problems'>): string {
  if (/^-?(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d+)?$/.test(text)) return text.replaceAll('.', '').replace(',', '.');
  if (/^,\d+$/.test(text)) return text.replace(',', '0.');
  const dashed = /^(\d+|[1-9]\d{0,2}(?:\.\d{3})+),[-–—]{1,2}$/.exec(text)?.[1];
  if (dashed !== undefined) return dashed.replaceAll('.', '');
  if (/^-?\d+\.\d+$/.test(text)) noteProblem(notes, numberProblem({ kind: 'point_in_comma_file' }, text, path));
  // The remedy of core has a decimal point, which this file may not have.
  else if (readDecimal(text, field.scale) === 'field_format')
    noteProblem(notes, numberProblem({ kind: 'wrong_sign', decimal: ',', remedy: 'none' }, text, path));
  return text;
}

/** `.50` → `0.50`, `15.-` → `15`; only with an explicit decimal sign. */
function pointDecimal(text: string): string {
  if (/^\.\d+$/.test(text)) return `0${text}`;
  return /^(\d+)\.[-–—]{1,2}$/.exec(text)?.[1] ?? text;
}
