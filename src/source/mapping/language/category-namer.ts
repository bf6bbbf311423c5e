// Derives a category's unique name from its path.
import { fold } from '../../../core/text/text.js';
import type { PathNames, PathNaming } from '../mapping.js';

/** The sign between the parts of a path, in a name and wherever a path is shown. */
const pathSign = ' > ';

/** Names what a path leads to; the path has lost its first `drop` parts. */
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
  const apart = namers[name.repeated];
  return (parts) => (repeated.has(fold(parts.at(-1) ?? '')) ? apart(parts) : namers.last(parts));
}

const namers: Readonly<Record<PathNaming, CategoryNamer>> = {
  last: (parts) => parts.at(-1) ?? '',
  full: (parts) => parts.join(pathSign),
  parent: (parts) => (parts.length < 2 ? (parts[0] ?? '') : `${parts.at(-1)} (${parts.at(-2)})`),
};

/**
 * The path to a category by the names of its levels, so that its ancestors can be compared with the stored ones. Where a
 * level is called after its whole path that cannot be cut into levels again, and the name alone must do.
 */
export function categoryPath(parts: readonly string[], namer: CategoryNamer): string {
  const levels = parts.map((_, i) => namer(parts.slice(0, i + 1)));
  return levels.some((level) => level.includes(pathSign)) ? (levels.at(-1) ?? '') : levels.join(pathSign);
}
