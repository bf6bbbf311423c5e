// Barcodes of articles (GTIN-8, -12, -13 and -14, called EAN, UPC and JAN, too): the last digit follows from the others.

/** Whether a text is a GTIN with the right check digit. */
export function isGtin(text: string): boolean {
  const digits = digitsOf(text);
  return digits !== undefined && !/^0+$/.test(digits) && checkSum(digits) % 10 === 0;
}

/** Whether a text has the digits of a GTIN, and its last digit does not follow from the others. */
export function hasWrongCheckDigit(text: string): boolean {
  const digits = digitsOf(text);
  return digits !== undefined && checkSum(digits) % 10 !== 0;
}

/** The digits of a GTIN, which may be grouped by blanks and hyphens; undefined for any other text. */
function digitsOf(text: string): string | undefined {
  const digits = /^[\d\s-]{8,24}$/.test(text) ? text.replace(/[\s-]/g, '') : '';
  return /^(?:\d{8}|\d{12,14})$/.test(digits) ? digits : undefined;
}

function checkSum(digits: string): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 1 : 3);
  return sum;
}
