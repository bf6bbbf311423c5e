// What a header says about a price: of what it is, whether it says more, and whether it is a price at all.
import { hasAny, wordsOf } from './header-stems.js';
import { isOfPrice, isPackage, type MoneyRole, moneyStems, namingWords, otherAmounts, says } from './read-header.js';
import { unknownIn } from './whole-header.js';

/** What a header says about amounts that has a word of a tax and none of price, and says more: `Exkl. moms`, `Satış (KDV dahil)`. */
export function taxedRole(name: string): MoneyRole {
  const whole = wordsOf(name);
  if (!says(whole, 'tax') || whole.every((word) => says([word], 'tax'))) return 'other';
  return (['reference', 'cost', 'promo', 'net'] as const).find((role) => says(whole, role)) ?? 'price';
}

const otherRates = (moneyStems['rate'] ?? []).filter((stem) => stem !== 'rate');

/** Whether a header is called a rate, and says of no tax, measure or other amount that it is theirs. */
export function namesRate(name: string): boolean {
  const whole = wordsOf(name);
  const isOther = hasAny(whole, otherRates) || ([...otherAmounts, 'tax'] as const).some((kind) => says(whole, kind));
  return whole.includes('rate') && !isOther;
}

/** Whether a header says what one pays the price for: `Preis pro Paket`. */
export const isForSomething = (name: string): boolean =>
  /(?<!\p{L})(?:pro|per|je|par|por|za)\s+\p{L}/iu.test(name) || namingWords(name).some(isPackage);

/**
 * Whether a header is known as a whole as that of a price: `Unit price`, and not `Average price`. Words that another column
 * has, too, say nothing: `Variant price` next to `Variant compare at price`.
 */
export const isPlainPrice = (name: string, ...beside: readonly { readonly name: string }[]): boolean =>
  unknownIn(name, 'price', beside) === undefined;

/** Whether a header names the quantity that prices are for. */
export function namesPriceQuantity(name: string): boolean {
  return says(wordsOf(name), 'priceUnit') || isOfPrice(name);
}

/** Whether a header names what is left to pay: `Final price`, `Net price after discount`, `Endpreis`. */
export const namesFinal = (name: string): boolean =>
  /^(?:final|end(?:preis|price|prijs))|\b(?:after|nach|po|après) (?:dis|rab|reb|rem|sle|sconto)/.test(
    wordsOf(name).join(' '),
  );
