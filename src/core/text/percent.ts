// Shares as text.
import { groupDigits } from './sanitize.js';

/** `5 %`, with a decimal unless it is a whole number: 20.4 % is beyond 20 %. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1).replace(/\.0$/, '')} %`;
}

/** `5 % of 1,000`. */
export function shareWords(count: number, of: number): string {
  return `${percent(of === 0 ? Math.min(1, count) : count / of)} of ${groupDigits(of)}`;
}
