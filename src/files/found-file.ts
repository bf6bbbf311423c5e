// What the system knows of a path that may not be there.
import { accessSync, type Stats, statSync } from 'node:fs';

/**
 * The file, folder or device at a path. Undefined where there is none, and also where the system refuses the path (too long, a
 * loop of links, below a file, in a folder that may not be searched): opening it fails then, with the reason.
 */
export function foundAt(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Whether this user has a right to a path.
 * @param right a right of `fs.constants`, such as `W_OK`
 */
export function mayAccess(path: string, right: number): boolean {
  try {
    accessSync(path, right);
    return true;
  } catch {
    return false;
  }
}
