// The catalogs that this thread has open. Closing a descriptor of a file takes back every lock that the process has on it: SQLite
// before 3.51, of a shell for example, that opens and closes the catalog afterwards takes itself for the last one and removes the
// log, and the program that still has it open can store nothing more.
import { foundAt } from '../../../files/found-file.js';
import type { Database } from '../driver.js';

const open = new Map<Database, string>();

function identityOf(file: string): string | undefined {
  const found = foundAt(file);
  return found && `${found.dev}:${found.ino}`;
}

/** Notes that a database is open. To be called when its file exists. */
export function noteOpen(database: Database, file: string): void {
  const identity = identityOf(file);
  if (identity !== undefined) open.set(database, identity);
}

/** Whether this thread has a file open as a database. */
export function isOpenHere(file: string): boolean {
  for (const database of open.keys()) if (!database.open) open.delete(database);
  const identity = identityOf(file);
  return identity !== undefined && [...open.values()].includes(identity);
}
