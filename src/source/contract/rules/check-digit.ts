// `check_digit: true`: barcodes (GTIN, EAN, UPC) whose last digit follows from the others.
import { isGtin } from '../../../core/text/gtin.js';
import type { ValueRule } from '../rule.js';
import { rest, shareOrTrue } from '../share-or-true.js';

export const checkDigit: ValueRule = {
  check: shareOrTrue,
  words: () => 'not a barcode with its check digit',
  share: rest,
  test:
    () =>
    ({ text }) =>
      isGtin(text),
};
