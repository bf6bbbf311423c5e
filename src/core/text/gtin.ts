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

/** A barcode in the one form of its number: a GTIN is the same with zeros before it, and however it is grouped. */
export function barcodeNumber(text: string): string {
  const digits = digitsOf(text);
  if (digits === undefined) return text.trim();
  return digits.startsWith('0') ? digits.replace(/^0+/, '') : digits;
}

/** The digits of a GTIN, which may be grouped by blanks and hyphens; undefined for any other text. */
function digitsOf(text: string): string | undefined {
  const digits = isDigits(text) ? text : ungrouped(text);
  const { length } = digits;
  return length === 13 || length === 12 || length === 8 || length === 14 ? digits : undefined;
}

function ungrouped(text: string): string {
  return /^[\d\s-]{8,24}$/.test(text) ? text.replace(/[\s-]/g, '') : '';
}

/** Checked sign by sign: an expression costs an import of products with barcodes several percent. */
function isDigits(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 48 || unit > 57) return false;
  }
  return true;
}

function checkSum(digits: string): number {
  let sum = 0;
  for (let i = digits.length - 1, weight = 1; i >= 0; i--, weight = 4 - weight)
    sum += (digits.charCodeAt(i) - 48) * weight;
  return sum;
}
