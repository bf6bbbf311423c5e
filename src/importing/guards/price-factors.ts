// The factor by which most prices change.
import type { FieldChange } from '../../core/import-report.js';
import { changeWords, isPrice } from './field-change.js';

/** A factor, with the rows in which a price changes by it. */
interface PriceFactor {
  readonly factor: number;
  readonly rows: number;
  readonly example: string;
}

/** Counts the rows by the factor of their price. */
interface PriceFactors {
  /** Takes the changes of a row; its first price counts. @param place where it is, with its key */
  take(changes: readonly FieldChange[], place: string): void;
  /** The most frequent factor; of equal ones the middle. */
  most(): PriceFactor | undefined;
}

/** A price below this is too much rounded to show a factor. */
const lowest = 1;

/** Whether it tells of another price list: less than 1 % is a cent more of 100, and what doubles or halves is for the guard of prices. */
const isTelling = (factor: number): boolean => Math.abs(factor - 1) >= 0.01 && factor > 0.5 && factor < 2;

export function priceFactors(): PriceFactors {
  /** By the factor in thousandths. */
  const factors = new Map<number, Omit<PriceFactor, 'factor'>>();
  return {
    take(changes, place) {
      const change = changes.find(isPrice);
      const [from, to] = [Number(change?.from), Number(change?.to)];
      if (change === undefined || !(from >= lowest && isTelling(to / from))) return;
      // All factors of which the price may be rounded to a cent.
      const [first, last] = [(to - 0.005) / from, (to + 0.005) / from];
      for (let factor = Math.floor(first * 1000); factor <= Math.ceil(last * 1000); factor++) {
        const { rows, example } = factors.get(factor) ?? { rows: 0, example: `${place}: ${changeWords(change)}` };
        factors.set(factor, { rows: rows + 1, example });
      }
    },
    most() {
      const rows = Math.max(...[...factors.values()].map((one) => one.rows));
      const equal = [...factors].filter(([, one]) => one.rows === rows).sort(([a], [b]) => a - b);
      const [factor, middle] = equal[Math.floor(equal.length / 2)] ?? [];
      return factor === undefined || middle === undefined ? undefined : { factor: factor / 1000, ...middle };
    },
  };
}
