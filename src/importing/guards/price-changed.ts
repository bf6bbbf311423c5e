// Prices that grow or shrink by a factor, and those that change their currency. The largest jumps are shown.
import type { FieldChange } from '../../core/import-report.js';
import { limitPercent } from '../../core/text/percent.js';
import { changeWords, isPrice } from './field-change.js';
import type { Guard } from './guard.js';

export const priceChanged: Guard = {
  name: 'price_changed',
  option: '--max-price-change',
  words: 'would change in price too much',
  limitOf({ maxPriceChange: price }, { times }) {
    return price && { share: price.share * times, shown: `${price.factor}x:${limitPercent(price.share * times)}` };
  },
  offence({ line: { changes = [] }, isNew, price }) {
    if (price === undefined || isNew) return undefined;
    const change = changes.find((one) => isLeap(one, price.factor) || isOtherCurrency(one));
    return change && { words: changeWords(change), change, weight: weightOf(change) };
  },
};

/** Whether a price at least doubled or halved (for factor 2); a change from or to 0 always counts. */
function isLeap(change: FieldChange, factor: number): boolean {
  const { from, to } = change;
  if (!isPrice(change) || !isValue(from)) return false;
  const [before, after] = [Number(from), Number(to)];
  if (before === after || Number.isNaN(before) || Number.isNaN(after)) return false;
  // In cents and thousandths, as they are typed: 0.30 is three times 0.10.
  const [cents, former, times] = [Math.round(after * 100), Math.round(before * 100), Math.round(factor * 1000)];
  return cents * 1000 >= former * times || cents * times <= former * 1000;
}

/** The same number in another currency is another price. */
function isOtherCurrency({ field, from, to }: FieldChange): boolean {
  return field === 'currency' && isValue(from) && from !== to;
}

/** By which factor, whether it grew or shrank. */
function weightOf({ from, to }: FieldChange): number {
  const factor = Math.abs(Math.log(Number(to) / Number(from)));
  return Number.isNaN(factor) ? 0 : factor;
}

function isValue(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}
