// Values that records have below names: `<c n="Artikelnummer">4711</c>`, `[{name: "Artikelnummer", wert: "4711"}]`. Each name is a
// column of its own, which is matched by that name and read by its path.
import { type ColumnProfile, columnProfiler } from '../../inspection/column-profile.js';
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
  const found = new Map<string, { path: string; profiler: ReturnType<typeof columnProfiler> }>();
  const several = namedLists(first).filter((list) => list.records.some(({ length }) => length > 1));
  for (const { of, records: entries } of several)
    entries.forEach((pairs, record) => {
      for (const [name, value] of pairs) {
        if (typeof name !== 'string' || /[[\]=]/.test(name) || own.has(plainWord(name)) || typeof value === 'object')
          continue;
        const known = found.get(name) ?? { path: of(name), profiler: columnProfiler(of(name)) };
        found.set(name, known);
        if (known.path === of(name)) known.profiler.take(String(value ?? ''), 0, record);
      }
    });
  if (found.size > mostNames) return new Map();
  return new Map(
    [...found].map(([name, { profiler }]) => {
      const facts = profiler.facts();
      const read = { ...facts, filled: Math.round((facts.filled / first.length) * records) };
      // A language says nothing of what is in it: `titles[lang=de].text` is matched as `titles.text`.
      const outer = read.name.replace(/\[[^\]]*\]/, '');
      return [{ ...read, name: isLanguage(name) && !own.has(plainWord(outer)) ? outer : name }, read];
    }),
  );
}
