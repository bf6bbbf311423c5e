// Lines whose findings name another item: a place in the batch, which the batch's sender or a file's reader knows by
// another number. The sentence is made anew, of the finding's data.
import type { Finding, Line, Notice, Report } from '../import-report.js';
import { type Params, wordingOf } from './message-text.js';
import { type NoticeCode, type Problem, type RefusalCode, reasonOf } from './refusal-codes.js';

/** Where another item of the batch is, for people. */
type PlaceOf = (index: number) => Params;

function renamed(finding: Finding, placeOf: PlaceOf): Finding {
  const index = finding.params?.['index'];
  if (typeof index !== 'number') return finding;
  const params = placeOf(index);
  const code = finding.code as RefusalCode | NoticeCode;
  return { ...finding, params, message: wordingOf(code, finding.field, finding.value, params) };
}

/** A line with other items named in another way. */
export function renamePlaces(line: Line, placeOf: PlaceOf): Line {
  if (line.findings?.some(({ params }) => params?.['index'] !== undefined) !== true) return line;
  const findings = line.findings.map((finding) => renamed(finding, placeOf));
  const [first] = findings;
  const others = line.code === null ? findings : findings.slice(1);
  // Where the line leaves some out, what stands in their place is kept.
  const notice = line.notice.map((said: Notice, i): Notice => {
    const other = others[i];
    return other?.code === said.code && other.field === said.field ? { ...said, message: other.message } : said;
  });
  const reason = line.code === null || first === undefined ? line.reason : reasonOf(first as Problem);
  return { ...line, findings, notice, reason };
}

/** A report on items of a file: other items are named by their line in it. */
export function nameLines(report: Report, lines: readonly number[]): Report {
  if (report.data.every(({ findings }) => findings === undefined)) return report;
  const placeOf: PlaceOf = (index) => (lines[index] === undefined ? { index } : { line: lines[index] });
  return { ...report, data: report.data.map((line) => renamePlaces(line, placeOf)) };
}
