// Compares the currency next to an amount with the currency of the product. A sign that several currencies
// share contradicts only a currency that does not use it.

import type { MessageParams } from '../diagnostics/message-text.js';
import type { WrittenAmount } from '../fields/currencies.js';

/** The first amount whose sign or code is not one of this currency. */
export function amountInOtherCurrency(amounts: readonly WrittenAmount[], currency: string): WrittenAmount | undefined {
  return currency === '' ? undefined : amounts.find(({ codes }) => !codes.includes(currency));
}

/** The message parameters of `currency_mismatch`. */
export function mismatchParams({ source, written }: WrittenAmount, currency: string): MessageParams {
  return { source, written, currency };
}
