// The amounts of several rows of a key that were written with a currency: which of them the item of the key was made of, so that
// they are to be in its currency.
import type { WrittenAmount } from '../../../core/fields/currencies.js';
import { amountInOtherCurrency } from '../../../core/planning/amount-currency.js';
import type { Aggregate } from './aggregate.js';
import type { ItemEntry } from './deduplicator.js';

type RowItem = ItemEntry['item'];

/**
 * The amounts of an item with those of a further row. Of two values in different currencies neither is the smaller one, nor do they
 * agree: only of the first or last value the others do not count.
 * @param before the item, to which the row is added
 */
export function withAmountsOf(
  known: readonly WrittenAmount[],
  { item, amounts = [] }: Pick<ItemEntry, 'item' | 'amounts'>,
  before: RowItem,
  aggregates: ReadonlyMap<string, Aggregate>,
): readonly WrittenAmount[] {
  const staying = known.filter(({ field }) => aggregates.get(field) !== 'last' || item[field] === undefined);
  const more = amounts.filter(({ field, written }) => {
    if (aggregates.get(field) === 'first' && before[field] !== undefined) return false;
    return !staying.some((one) => one.field === field && one.written === written);
  });
  return more.length === 0 ? staying : [...staying, ...more];
}

/** The amounts that are still to be compared: none where the item has a currency that is that of all. */
export function uncompared(amounts: readonly WrittenAmount[], { currency }: RowItem): readonly WrittenAmount[] {
  const isKnown = typeof currency === 'string' && currency.trim() !== '';
  return isKnown && amountInOtherCurrency(amounts, currency.trim().toUpperCase()) === undefined ? [] : amounts;
}
