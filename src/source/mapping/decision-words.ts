// What is said of numbers that told their decimal sign by themselves: once a file, a line a column.
import type { Decisions } from './scope.js';

const signWords = { ',': 'decimal comma', '.': 'decimal point' } as const;

/** A line for each column: `column "VK": decimal comma (1204 numbers)`. */
export function decisionWords(decisions: Decisions): string[] {
  return [...decisions].map(([column, signs]) => {
    const told = [...signs].map(
      ([sign, count]) => `${signWords[sign]} (${count} ${count === 1 ? 'number' : 'numbers'})`,
    );
    const both = signs.size > 1 ? '; both occur: say decimal: if one of them is wrong' : '';
    return `${column}: read with ${told.join(' and ')}${both}`;
  });
}
