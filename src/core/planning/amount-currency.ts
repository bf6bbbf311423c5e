// Amounts that a currency was written beside, against the currency that they will be in (decisions 4.8). A sign that several
// currencies share contradicts only what does not use it.

import type { MessageParams } from '../diagnostics/message-text.js';
import type { WrittenAmount } from '../entry.js';

/** The first amount whose sign or code is not one of this currency. */
export function amountInOtherCurrency(amounts: readonly WrittenAmount[], currency: string): WrittenAmount | undefined {
  return currency === '' ? undefined : amounts.find(({ codes }) => !codes.includes(currency));
}

/** What the sentence of `currency_mismatch` names. */
export function mismatchParams({ source, written }: WrittenAmount, currency: string): MessageParams {
  return { source, written, currency };
}
