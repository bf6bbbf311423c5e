// Finds categories by words within headers, such as `defaultCategory`, and doubts one that another column divides further.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { wordsOf } from './header-stems.js';
import { askAmong, type Match, matchOf, sureOf } from './questions.js';
import { headerWords, namesAny } from './read-header.js';

/** Shorter words may be parts of others. */
const shortestWord = 5;
const stems = (headerWords['category'] ?? []).filter((word) => word.length >= shortestWord || /\P{ASCII}/u.test(word));

/**
 * The category: of several columns that have a word for it none is certain. Next to `Familia` with one value `Subfamilia` may be
 * it.
 * @param match what is known of it by now
 * @param named the columns that can be categories, and fill nothing yet
 */
export function categoryMatch(match: Match | undefined, named: readonly ColumnProfile[]): Match | undefined {
  const others = named.filter((one) => namesAny(one.name, stems) && one.repeats > 0);
  if (match === undefined)
    return others.every(({ name }) => wordsOf(name).length === 1) ? matchOf(others) : askAmong(others);
  const sure = sureOf(match);
  const finer = others.filter(({ distinct }) => sure !== undefined && distinct > sure.distinct);
  return sure === undefined || finer.length === 0 ? match : askAmong([sure, ...finer]);
}
