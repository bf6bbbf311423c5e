// Shares as text.
import { groupDigits } from './sanitize.js';

/** `5 %`, with a decimal unless it is a whole number: 20.4 % is beyond 20 %. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1).replace(/\.0$/, '')} %`;
}

/** A limit as it was written: `0.99 %`, where a share of 1 % is beyond it. */
export function limitPercent(share: number): string {
  return `${Number((share * 100).toPrecision(10))} %`;
}

/** `5 % of 1,000`. */
export function shareWords(count: number, of: number): string {
  return `${percent(of === 0 ? Math.min(1, count) : count / of)} of ${groupDigits(of)}`;
}
