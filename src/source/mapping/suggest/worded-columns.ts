// Finds categories and descriptions by a word within their headers: `defaultCategory`, `Kurzbeschreibung`.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { isNested } from './column-kinds.js';
import { columnWith } from './given.js';
import { wordsOf } from './header-stems.js';
import { askAmong, type Match, matchOf, sureOf } from './questions.js';
import { headerWords, namesAny } from './read-header.js';
import { doubtfulSign } from './referred-sections.js';

/** Shorter words may be parts of others. */
const shortestWord = 5;
const ofCategories = (headerWords['category'] ?? []).filter(
  (word) => word.length >= shortestWord || /\P{ASCII}/u.test(word),
);

/**
 * The category: of several columns that have a word for it none is certain. Next to `Familia` with one value `Subfamilia` may be
 * it.
 * @param match what is known of it by now
 * @param named the columns that can be categories, and fill nothing yet
 * @param records how many records there are: a column that is empty in some may not be all
 */
export function categoryMatch(
  match: Match | undefined,
  named: readonly ColumnProfile[],
  records: number,
): Match | undefined {
  const others = named.filter((one) => namesAny(one.name, ofCategories) && one.repeats > 0);
  if (match === undefined)
    return others.every(({ name }) => wordsOf(name).length === 1) ? matchOf(others) : askAmong(others);
  const sure = sureOf(match);
  const finer = others.filter(
    ({ distinct }) => sure !== undefined && (distinct > sure.distinct || sure.filled < records),
  );
  return sure === undefined || finer.length === 0 ? match : askAmong([sure, ...finer]);
}

/** A category whose values may be paths, or names with a sign in them, is asked about. */
export function askOddPaths(found: Map<string, Match>): void {
  const sure = sureOf(found.get('category'));
  const sign = sure && doubtfulSign(sure);
  if (sure === undefined || sign === undefined) return;
  const path = columnWith(sure.name, `path: ${JSON.stringify(sign)}`);
  const each = `each: { path: ${JSON.stringify(sure.name)}, separator: ${JSON.stringify(sign)}, name: { repeated: full } }`;
  const section = `in the section ${each}, fields: { name: $name, parent: $parent }`;
  found.set('category', askAmong([sure], `names or lists with ${sign} in them; for paths write ${path}, ${section}`));
}

const ofDescriptions = headerWords['description'] ?? [];
const ofOthers = /seo|meta|categ|kateg|image|bild|tax|ship|unit|brand/iu;

/** The columns that could be the description, or say less than it. */
export const describingColumns = (columns: readonly ColumnProfile[]): readonly ColumnProfile[] =>
  columns.filter(
    (one) =>
      namesAny(one.name, ofDescriptions) &&
      !ofOthers.test(one.name) &&
      one.spaced * 2 >= one.filled &&
      one.distinct * 2 > one.filled &&
      !isNested(one),
  );
