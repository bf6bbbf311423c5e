// Whether two paths are one file, whatever they are called and through whatever links.
import { type BigIntStats, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** Systems whose disks take `R.csv` and `r.csv`, or two forms of `é`, for one name. */
const foldingSystems: ReadonlySet<string> = new Set(['win32', 'darwin']);

/**
 * Whether two paths are the same file, also under another name or through a link. Files that do not exist are compared
 * by path, as the disks of the system do.
 */
export function isSameFile(one: string, other: string, system: string = process.platform): boolean {
  const [a, b] = [statOf(one), statOf(other)];
  if (a !== undefined && b !== undefined) return a.dev === b.dev && a.ino === b.ino;
  return a === undefined && b === undefined && onDisk(one, system) === onDisk(other, system);
}

/** A path as the disks of a system compare it. Windows leaves out the points and blanks that a name ends in. */
function onDisk(path: string, system: string): string {
  const real = realPathOf(path);
  const folded = foldingSystems.has(system) ? real.normalize('NFC').toLowerCase() : real;
  return system === 'win32' ? folded.replace(/[. ]+(?=[\\/]|$)/g, '') : folded;
}

/** What is at a path; undefined where nothing is, or it cannot be asked. */
export function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false, bigint: true });
  } catch {
    return undefined;
  }
}

/** Whether a path leads to something within a folder, through whatever links. */
export function isWithin(path: string, folder: string): boolean {
  const inside = relative(realPathOf(folder), realPathOf(path));
  return !(inside === '..' || /^\.\.[\\/]/.test(inside) || isAbsolute(inside));
}

/** A path whose folder has its links resolved. */
export function realPathOf(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    try {
      return join(realpathSync(dirname(whole)), basename(whole));
    } catch {
      return whole;
    }
  }
}
