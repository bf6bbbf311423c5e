// Values that records have below names: `<c n="Artikelnummer">4711</c>`, `[{name: "Artikelnummer", wert: "4711"}]`. Each name is a
// column of its own, which is matched by that name and read by its path.
import { type ColumnProfile, profilesOf } from '../../inspection/column-profile.js';
import type { Inspection } from '../../inspection/inspect-file.js';
import { namedLists } from './named-values.js';
import { plainWord } from './read-header.js';

/** Maximum names: more are characteristics. */
const mostNames = 60;

const isLanguage = (name: string): boolean => /^[a-z]{2}(?:[-_][a-z]{2})?$/i.test(name);

/** Each column below a name: as it is matched → as it is read. @param columns the columns of the records themselves */
export function namedColumns(
  { first, records }: Inspection,
  columns: readonly ColumnProfile[],
): ReadonlyMap<ColumnProfile, ColumnProfile> {
  const own = new Set(columns.map(({ name }) => plainWord(name)));
  const paths = new Map<string, string>();
  const values = namedLists(first)
    .filter((list) => list.records.some(({ length }) => length > 1))
    .flatMap(({ of, records: entries }) =>
      entries.flatMap((pairs, record) =>
        pairs.flatMap(([name, value]): [string, string, number][] => {
          if (typeof name !== 'string' || typeof value === 'object' || /[[\]=]/.test(name)) return [];
          if (own.has(plainWord(name))) return [];
          paths.set(name, paths.get(name) ?? of(name));
          return paths.get(name) === of(name) ? [[name, String(value ?? ''), record]] : [];
        }),
      ),
    );
  if (paths.size > mostNames) return new Map();
  return new Map(
    profilesOf(values).map((facts) => {
      const { name } = facts;
      const filled = Math.round((facts.filled / first.length) * records);
      const read = { ...facts, filled, name: paths.get(name) ?? name };
      // The name is a language, and does not tell which field the value fills. The path does: `titles[lang=de].text` is matched as `titles.text`.
      const outer = read.name.replace(/\[[^\]]*\]/, '');
      return [{ ...read, name: isLanguage(name) && !own.has(plainWord(outer)) ? outer : name }, read];
    }),
  );
}
