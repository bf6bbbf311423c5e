// Whether two paths are one file, whatever they are called and through whatever links.
import { type BigIntStats, readlinkSync, realpathSync, statSync } from 'node:fs';
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
  return a === undefined && b === undefined && onDisk(realPathOf(one), system) === onDisk(realPathOf(other), system);
}

/** A path, or a name, as the disks of a system compare it. Windows leaves out the points and blanks that a name ends in. */
export function onDisk(path: string, system: string = process.platform): string {
  const folded = foldingSystems.has(system) ? path.normalize('NFC').toLowerCase() : path;
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

/** Links that a path may lead through, as Linux counts them. */
const mostLinks = 40;

/** A path with its links resolved: also where what it leads to is not there yet. */
export function realPathOf(path: string, links = mostLinks): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    const target = links === 0 ? undefined : targetOf(whole);
    if (target !== undefined) return realPathOf(resolve(dirname(whole), target), links - 1);
  }
  try {
    return join(realpathSync(dirname(whole)), basename(whole));
  } catch {
    return whole;
  }
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}
