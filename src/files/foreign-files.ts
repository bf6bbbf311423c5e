// What another user of this machine may have put where files are written, or where the program keeps what it trusts. Root may
// put things anywhere, and systems without owners of files have none.
import { lstatSync, type Stats, statSync } from 'node:fs';

/** Whether a file belongs to another user. */
export function isForeign({ uid }: Pick<Stats, 'uid'>): boolean {
  const own = process.getuid?.();
  return own !== undefined && uid !== own && uid !== 0;
}

/**
 * Refuses a link or a pipe of another user: what is written there would replace a file of this user, or reach the other one.
 * @throws Error
 */
export function refusePlanted(path: string): void {
  const found = asked(lstatSync, path);
  if (found === undefined || !isForeign(found) || !(found.isSymbolicLink() || found.isFIFO())) return;
  throw new Error(`${path} is a ${found.isFIFO() ? 'pipe' : 'link'} of another user, with the number ${found.uid}`);
}

/**
 * What is at a path; undefined where nothing is, or it cannot be asked, as where a folder of the path is a file: whoever opens
 * it is told why.
 */
function asked(ask: (path: string) => Stats, path: string): Stats | undefined {
  try {
    return ask(path);
  } catch {
    return undefined;
  }
}

/** Permission to write for the group or all others. */
const writeForOthers = 0o022;

/** Why others may change the files of a folder; undefined if they may not, or it does not exist. */
export function whyOpenToOthers(folder: string): string | undefined {
  const link = asked(lstatSync, folder);
  const found = asked(statSync, folder);
  if (link === undefined || found === undefined) return undefined;
  if (isForeign(link) || isForeign(found)) return 'it belongs to another user';
  const isOpen = process.getuid !== undefined && (found.mode & writeForOthers) !== 0;
  return isOpen ? 'other users may write to it' : undefined;
}
