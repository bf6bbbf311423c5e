// Where a change came from, as commands show it: a line of a file, or what did it where no line did.
import type { RunDetail, RunFile } from '../../../core/ledger/run-tables.js';
import type { LinePlace } from '../../../reporting/html/run-report.js';
import { isEndSection, notListed } from '../../../store/ledger/posted-end.js';
import type { LedgerRun } from '../../../store/ledger/runs.js';

/**
 * The files that a run read. What its end changes has sections of its own among them, which are no files; a request without
 * a file, such as the one that ends a run, adds none to those of its resource.
 */
export function readFiles({ files }: RunDetail): readonly RunFile[] {
  const read = files.filter(({ file }) => !isEndSection(file));
  const named = new Set(read.filter(({ file }) => file !== '').map(({ resource }) => resource));
  return read.filter(({ file, resource }) => file !== '' || !named.has(resource));
}

/** What the end of a run changed is in no file: it has a cause in its place, as the lines of reports have. */
export function placeJson(run: LedgerRun | undefined, { file, line }: LinePlace) {
  const name = run?.detail.files[file]?.file ?? '';
  if (run === undefined || !isEndSection(name)) return { file: name, line };
  const cause = isRetirement(run) ? 'retired' : name === notListed ? 'passed_on' : 'missing';
  return { file: '', line, cause };
}

/** `a.csv:13`, `(no longer listed)`, `feeds retire acme` */
export function placeWords(run: LedgerRun | undefined, { file, line }: LinePlace): string {
  const name = run?.detail.files[file]?.file ?? '';
  if (run === undefined || !isEndSection(name)) return lineOf(name, line);
  return isRetirement(run) ? run.detail.command : notListed;
}

/** `a.csv:13` */
export function lineOf(file: string, line: number): string {
  return `${file}${line === 0 ? '' : `:${line}`}`;
}

/** Such a run read no file. */
function isRetirement({ detail: { command, files } }: LedgerRun): boolean {
  return command.startsWith('feeds retire ') && files.every(({ file }) => isEndSection(file));
}
