// Describes the rows of a file that share a key.
import { repeatWords } from '../../core/diagnostics/repeat-remedy.js';
import { groupDigits } from '../../core/text/sanitize.js';
import { quote } from '../../core/text/text.js';
import type { DuplicateRows } from '../../importing/observer.js';

const outcomes: Readonly<Record<DuplicateRows['applied'], (noun: string) => string>> = {
  last: (noun) => `the last accepted ${noun} of each key wins`,
  'last-batch': (noun) => `${noun}s of one batch are refused, otherwise the last accepted ${noun} of each key wins`,
  first: (noun) => `only the first ${noun} of each key was applied`,
  'last-only': (noun) => `only the last ${noun} of each key was applied`,
  none: () => 'none was applied',
};

/** Where two rows are: several parts of one row, and the records of some documents, are on one line. */
function placesOf([one, other]: readonly [number, number]): string {
  return one === other ? `twice on line ${one}` : `on lines ${Math.min(one, other)} and ${Math.max(one, other)}`;
}

export function describeDuplicates({ count, listed, applied, watchedKeys, remedy = 'option' }: DuplicateRows): string {
  const noun = listed.some(({ lines: [one, other] }) => one === other) ? 'item' : 'row';
  const rows = count === 1 ? `one ${noun} repeats a key` : `${groupDigits(count)} ${noun}s repeat a key`;
  const named = listed.map(({ key, lines }) => `${quote(key)} ${placesOf(lines)}`).join(', ');
  const more = count > listed.length ? ` and ${groupDigits(count - listed.length)} more` : '';
  const watched = watchedKeys === undefined ? '' : `; only the first ${groupDigits(watchedKeys)} keys were watched`;
  const help = remedy === 'option' ? ' (--on-duplicate)' : `; ${repeatWords[remedy]}`;
  return `${rows}: ${named}${more}; ${outcomes[applied](noun)}${help}${watched}`;
}
