// Codes that a spreadsheet has shortened.
/**
 * Whether a spreadsheet turned a barcode or SKU into a number, so that several are equal now: 8.72E+12, or 8,72E+12 with a
 * decimal comma.
 */
export function hasLostDigits(code: string): boolean {
  // Nearly no value has a plus: this check is faster than starting the expression.
  return code.includes('+') && /^\s*\d([.,]\d+)?E\+\d{1,2}\s*$/i.test(code);
}
