// Describes the rows of a file that share a key.
import { groupDigits } from '../../core/text/sanitize.js';
import { quote } from '../../core/text/text.js';
import type { DuplicateRows } from '../../importing/observer.js';

const outcomes: Readonly<Record<DuplicateRows['applied'], string>> = {
  last: 'the last row of each key counts',
  'last-batch': 'rows of one batch are refused, otherwise the last row of each key counts',
  first: 'only the first row of each key was applied',
  'last-only': 'only the last row of each key was applied',
  none: 'none was applied',
};

export function describeDuplicates({ count, listed, applied, watchedKeys }: DuplicateRows): string {
  const rows = count === 1 ? 'one row repeats a key' : `${groupDigits(count)} rows repeat a key`;
  const named = listed.map(({ key, lines: [one, other] }) => `${quote(key)} on lines ${one} and ${other}`).join(', ');
  const more = count > listed.length ? ` and ${groupDigits(count - listed.length)} more` : '';
  const watched = watchedKeys === undefined ? '' : `; only the first ${groupDigits(watchedKeys)} keys were watched`;
  return `${rows}: ${named}${more}; ${outcomes[applied]} (--on-duplicate)${watched}`;
}
