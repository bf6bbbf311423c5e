// Whether this process has a catalog open, in any of its threads. Closing a descriptor of a file takes back every lock that the
// process has on it: SQLite before 3.51, of a shell for example, that opens and closes the catalog afterwards takes itself for the
// last one and removes the log, and the program that still has it open can store nothing more.
import { fstatSync, readdirSync } from 'node:fs';
import { foundAt } from '../../../files/found-file.js';

/** The numbers of all open files. Not on Windows, where a lock belongs to what was opened. */
const descriptors = '/dev/fd';

/** Whether this process has a file open. A call takes a microsecond for each of its open files. */
export function isOpenHere(file: string): boolean {
  const found = foundAt(file);
  return found !== undefined && openDescriptors().some((descriptor) => isSameFile(descriptor, found));
}

function openDescriptors(): readonly number[] {
  try {
    return readdirSync(descriptors).map(Number);
  } catch {
    return [];
  }
}

function isSameFile(descriptor: number, { dev, ino }: { readonly dev: number; readonly ino: number }): boolean {
  try {
    const opened = fstatSync(descriptor);
    return opened.dev === dev && opened.ino === ino;
  } catch {
    // It is closed by now.
    return false;
  }
}
