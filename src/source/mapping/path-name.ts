// A category's place as a path → the name it has here, where names are unique and have no path.
import type { PathNames } from './mapping.js';

/** The sign between the parts of a path, in a name and wherever a path is shown. */
const pathSign = ' > ';

/** The name of what a path leads to: the path without its first `drop` parts, or only its last part. */
export function pathName(parts: readonly string[], { names = 'last', drop = 0 }: PathNames): string {
  const left = parts.slice(drop);
  return names === 'path' ? left.join(pathSign) : (left.at(-1) ?? '');
}
