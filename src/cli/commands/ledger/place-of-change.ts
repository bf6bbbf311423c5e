// Where a change came from, as commands show it: a line of a file, or what did it where no line did.
import type { LinePlace } from '../../../reporting/html/run-report.js';
import { isEndSection, notListed } from '../../../store/ledger/posted-end.js';
import type { LedgerRun } from '../../../store/ledger/runs.js';

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
