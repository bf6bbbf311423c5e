// A count with its noun: `1 item`, `12,400 items`.
import { groupDigits } from './sanitize.js';

/** @param nouns the plural: `products`, `categories` */
export function counted(count: number, nouns: string): string {
  return `${groupDigits(count)} ${count === 1 ? singular(nouns) : nouns}`;
}

/** `products` → `product`, `categories` → `category`. */
function singular(nouns: string): string {
  return nouns.endsWith('ies') ? `${nouns.slice(0, -3)}y` : nouns.replace(/s$/, '');
}
