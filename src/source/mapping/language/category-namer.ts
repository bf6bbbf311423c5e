// Derives a category's unique name from its path.
import { fold } from '../../../core/text/text.js';
import type { PathNames, PathNaming } from '../mapping.js';

/** The separator between segments of a path, in names and messages. */
const pathSign = ' > ';

/** Derives a name from a path without its first `drop` segments. */
export type CategoryNamer = (parts: readonly string[]) => string;

/**
 * How paths become names.
 *
 *  name                   Home > Accessories      Garden > Accessories     Home > Phones
 *  last                   Accessories             Accessories: refused     Phones
 *  full                   Home > Accessories      Garden > Accessories     Home > Phones
 *  parent                 Accessories (Home)      Accessories (Garden)     Phones (Home)
 *  {repeated: parent}     Accessories (Home)      Accessories (Garden)     Phones
 *
 * @param repeated last parts, folded, that occur under several parents
 */
export function categoryNamer({ name, names }: PathNames, repeated: ReadonlySet<string>): CategoryNamer {
  if (typeof name !== 'object') return namers[name ?? (names === 'path' ? 'full' : 'last')];
  const nameRepeated = namers[name.repeated];
  return (parts) => (repeated.has(fold(parts.at(-1) ?? '')) ? nameRepeated(parts) : namers.last(parts));
}

const namers: Readonly<Record<PathNaming, CategoryNamer>> = {
  last: (parts) => parts.at(-1) ?? '',
  full: (parts) => parts.join(pathSign),
  parent: (parts) => (parts.length < 2 ? (parts[0] ?? '') : `${parts.at(-1)} (${parts.at(-2)})`),
};

/** A rule for repeated names. */
export type RepeatedNaming = Exclude<PathNaming, 'last'>;

/** The rules that make longer names than another one. */
const longer: Readonly<Record<PathNaming, readonly RepeatedNaming[]>> = {
  last: ['parent', 'full'],
  parent: ['full'],
  full: [],
};

/** The rules that make longer names than that of a mapping, the shortest first. */
export function longerNaming({ name, names }: PathNames): readonly RepeatedNaming[] {
  const now = typeof name === 'object' ? name.repeated : (name ?? (names === 'path' ? 'full' : 'last'));
  return longer[now];
}

/** The rule that tells two categories apart which the rule of a mapping does not; undefined if none does. */
export function tellingApart(
  names: PathNames,
  one: readonly string[],
  other: readonly string[],
): RepeatedNaming | undefined {
  return longerNaming(names).find((rule) => fold(namers[rule](one)) !== fold(namers[rule](other)));
}

/**
 * The path to a category as the names of its levels, so that its ancestors can be compared with the stored ones. If a
 * level is named after its whole path, the path cannot be split again, and only the name is used.
 */
export function categoryPath(parts: readonly string[], namer: CategoryNamer): string {
  const levels = parts.map((_, i) => namer(parts.slice(0, i + 1)));
  return levels.some((level) => level.includes(pathSign)) ? (levels.at(-1) ?? '') : levels.join(pathSign);
}
