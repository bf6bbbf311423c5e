// Totals of a table, told from its records by their values, whatever they are called.
import { parseNumber } from '../mapping/values/parse-number.js';

/** Records from which the columns are known, and how many of them must be alike. */
const learned = 1000;
const fewest = 2;
const nearlyAll = 0.9;
const fewestSigns = 2;

/**
 * Makes the finder for a table, which is given all its rows in their order. Next to its word a total has amounts only, and two
 * of these signs: the word has no digit where keys have some; no other cell has words where records have names or codes; an
 * amount is a sum, or a number in place of a name counts the records; all of several amounts are sums. Sums and counts begin
 * anew below a total.
 * @param addsUp whether amounts are summed up, which takes longer
 * @returns whether a row is a total, by its cells and the first of them that is filled
 */
export function totalRows(addsUp: boolean): (cells: readonly string[], first: string) => boolean {
  let records = 0;
  let codes = 0;
  const words: number[] = [];
  const sums: number[] = [];
  let before = { records: 0, sums: [] as readonly number[] };

  function learn(cells: readonly string[]): void {
    if (records >= learned && !addsUp) {
      records++;
      return;
    }
    // The title of a section is no record.
    if (cells.filter((cell) => cell !== '').length * 2 < cells.length) return;
    if (records < learned) {
      if (/\p{N}/u.test(cells[0] ?? '')) codes++;
      cells.forEach((cell, i) => {
        if (isWords.test(cell)) words[i] = (words[i] ?? 0) + 1;
      });
    }
    records++;
    if (addsUp)
      cells.forEach((cell, i) => {
        sums[i] = (sums[i] ?? 0) + amountOf(cell);
      });
  }

  const isUsual = (count = 0): boolean => count >= Math.min(records, learned) * nearlyAll;
  const isSum = (amount: number, i: number): boolean =>
    [0, before.sums[i] ?? 0].some((sum) => Math.abs((sums[i] ?? 0) - sum - amount) < rounding);
  const isCount = (amount: number): boolean => [records, records - before.records].includes(amount);

  function isTotal(cells: readonly string[]): boolean {
    const at = cells.findIndex((cell) => cell.trim() !== '');
    const word = cells[at] ?? '';
    if (/\p{N}/u.test(word) || !/\p{L}/u.test(word)) return false;
    const isNamed = (i: number) => i !== at && isUsual(words[i] ?? 0);
    // Most records have a name.
    if (!cells.every((cell, i) => i === at || isAmountOrCount(cell.trim()))) return false;
    const others = cells.map((cell, i) => ({ cell: cell.trim(), i })).filter(({ cell, i }) => i !== at && cell !== '');
    if (!others.some(({ cell }) => /\p{N}/u.test(cell))) return false;
    const adds = ({ cell, i }: { readonly cell: string; readonly i: number }) => {
      const amount = amountOf(cell);
      return amount > 1 && (isSum(amount, i) || (isNamed(i) && isCount(amount)));
    };
    const named = words.flatMap((_, i) => (isNamed(i) ? [cells[i] ?? ''] : []));
    const hasNoName = named.length > 0 && named.every((cell) => !/\p{L}/u.test(cell) || isCount(amountOf(cell)));
    const added = others.filter(adds);
    // Several sums at once are no chance.
    const isAllAdded = added.length > 1 && added.length === others.length && records > fewest;
    const signs = [isUsual(codes), hasNoName, added.length > 0, isAllAdded];
    return signs.filter(Boolean).length >= fewestSigns;
  }

  return (cells, first) => {
    // Nearly every key has a digit.
    const isFound = records >= fewest && !/[0-9]/.test(first) && isTotal(cells);
    if (isFound) before = { records, sums: [...sums] };
    else learn(cells);
    return isFound;
  };
}

const rounding = 0.005;

/** `Tea pot` and `A-1`; `450 g` is an amount. */
const isWords = /^\P{N}*\p{L}/u;

/** The number of a cell, or of what it counts: `40 items`; 0 without one. */
function amountOf(cell: string): number {
  if (!/\d/.test(cell) || cell.length > longestAmount) return 0;
  const read = parseNumber(counted.exec(cell.trim())?.[1] ?? cell);
  return 'text' in read ? Number(read.text) : 0;
}
const longestAmount = 40;
const counted = /^(\p{N}+) \p{L}+\.?$/u;

/** Whether a cell has no words besides a currency, or counts the rows: `40 items`. */
export function isAmountOrCount(cell: string): boolean {
  if (!/\p{L}/u.test(cell.replace(/\b[A-Z]{3}\b/, ''))) return true;
  return /\p{N}/u.test(cell) && (counted.test(cell) || 'text' in parseNumber(cell));
}
