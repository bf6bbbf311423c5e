// A file of a folder by its name, which systems write in two ways: macOS parts `ö` into `o` and its dots, others do not.
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { foundAt } from './found-file.js';

/** The path of a file in a folder, under the name that it has there. */
export function fileIn(folder: string, name: string): string {
  const path = join(folder, name);
  if (foundAt(path) !== undefined) return path;
  const same = namesIn(dirname(path)).find((one) => isSameName(one, basename(path)));
  return same === undefined ? path : join(dirname(path), same);
}

/** Whether two names are written with the same letters. */
export function isSameName(one: string, other: string): boolean {
  return one === other || one.normalize('NFC') === other.normalize('NFC');
}

/** None where the folder is missing or may not be read: opening the file fails then, with the reason. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
