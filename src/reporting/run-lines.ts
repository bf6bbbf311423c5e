// Lines with date and time at the start and the end of a run, for logs: which run it is, its files, and how it ended.
import type { Counts } from '../core/import-report.js';
import { groupDigits, shownFile } from '../core/text/sanitize.js';
import type { ImportObserver, Outcome } from '../importing/observer.js';
import type { RunInfo } from './run-info.js';

/** Maximum files that are listed; the others are counted. */
const namedAtMost = 3;

/**
 * Makes two observers: the first is to be called before all others, the second after them.
 * @param say prints a line
 */
export function runLines(
  say: (words: string) => void,
  { command, files, started, dryRun, exitOf, number, feed }: RunInfo,
): readonly [first: ImportObserver, last: ImportObserver] {
  let isStarted = false;
  const named = `${command} ${fileWords(files, namedAtMost)}`;
  const which = (): string => {
    const run = number?.();
    const words = [run === undefined ? '' : `run ${run}`, feed === undefined ? '' : `feed ${feed}`].filter(Boolean);
    return words.length === 0 ? '' : ` (${words.join(', ')})`;
  };
  const start = (): void => {
    if (!isStarted) say(`${stamp(started)} ${named}: ${dryRun ? 'dry run ' : ''}started${which()}`);
    isStarted = true;
  };
  const end = (total: Outcome): void => {
    start();
    const now = new Date();
    // Since its start: the counts take the time of the import alone, without the guards before it.
    const seconds = (now.getTime() - started.getTime()) / 1000;
    say(
      `${stamp(now)} ${named}: ended with exit code ${exitOf(total)} after ${seconds.toFixed(1)} s${which()}: ${countWords(total.counts)}`,
    );
  };
  return [{ begin: start }, { end, failed: end }];
}

/** The files of a run in a few words: their names, or of many in one folder the folder. */
export function fileWords(files: readonly string[], most: number): string {
  const [first = ''] = files;
  if (files.length <= most) return files.map(shownFile).join(', ');
  const folder = folderOf(first);
  if (folder !== undefined && files.every((file) => folderOf(file) === folder))
    return `${shownFile(folder)} (${files.length} files)`;
  return `${files.slice(0, most).map(shownFile).join(', ')} and ${files.length - most} more`;
}

/** The folder or the archive of a file; undefined in the working folder. */
function folderOf(file: string): string | undefined {
  return /^(.+)(?:[\\/]|: )[^\\/]+$/.exec(file)?.[1];
}

function stamp(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}

function countWords({ created, updated, unchanged, refused }: Readonly<Counts>): string {
  const words = Object.entries({ created, updated, unchanged, refused });
  return words.map(([word, count]) => `${groupDigits(count)} ${word}`).join(', ');
}
