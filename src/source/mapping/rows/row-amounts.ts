// The amounts of several rows of a key that were written with a currency: which of them the item of the key was made of, so that
// they are to be in its currency.
import type { UnreadableEntry } from '../../../core/entry.js';
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

/**
 * A refused entry with the amounts that are to be compared once it is corrected and comes back. Those of the field that it is
 * refused for are corrected themselves.
 */
export function withOpenAmounts(entry: UnreadableEntry, amounts: readonly WrittenAmount[] = []): UnreadableEntry {
  const open = uncompared(amounts, entry.item ?? {}).filter(({ field }) => field !== entry.problem.field);
  return open.length === 0 && entry.amounts === undefined ? entry : { ...entry, amounts: open };
}

/** The amounts that are still to be compared: none where the item has a currency that is that of all. */
export function uncompared(
  amounts: readonly WrittenAmount[],
  { currency }: Readonly<Record<string, unknown>>,
): readonly WrittenAmount[] {
  const isKnown = typeof currency === 'string' && currency.trim() !== '';
  return isKnown && amountInOtherCurrency(amounts, currency.trim().toUpperCase()) === undefined ? [] : amounts;
}
