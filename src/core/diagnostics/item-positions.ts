// Lines whose diagnostics name another item: a place in the batch, which the batch's sender or a file's reader knows by
// another number. The sentence is made anew, of the diagnostic's data.
import type { Diagnostic, Line, Notice, Report } from '../import-report.js';
import { type MessageParams, messageText } from './message-text.js';
import { type NoticeCode, type Problem, type RefusalCode, reasonOf } from './refusal-codes.js';

/** Where another item of the batch is, for people. */
type PositionOf = (index: number) => MessageParams;

function renamed(diagnostic: Diagnostic, placeOf: PositionOf): Diagnostic {
  const index = diagnostic.params?.['index'];
  if (typeof index !== 'number') return diagnostic;
  const params = placeOf(index);
  const code = diagnostic.code as RefusalCode | NoticeCode;
  return { ...diagnostic, params, message: messageText(code, diagnostic.field, diagnostic.value, params) };
}

/** A line with other items named in another way. */
export function withPositions(line: Line, placeOf: PositionOf): Line {
  if (line.diagnostics?.some(({ params }) => params?.['index'] !== undefined) !== true) return line;
  const diagnostics = line.diagnostics.map((diagnostic) => renamed(diagnostic, placeOf));
  const [first] = diagnostics;
  const others = line.code === null ? diagnostics : diagnostics.slice(1);
  // Where the line leaves some out, what stands in their place is kept.
  const notice = line.notice.map((said: Notice, i): Notice => {
    const other = others[i];
    return other?.code === said.code && other.field === said.field ? { ...said, message: other.message } : said;
  });
  const reason = line.code === null || first === undefined ? line.reason : reasonOf(first as Problem);
  return { ...line, diagnostics, notice, reason };
}

/** A report on items of a file: other items are named by their line in it. */
export function withLineNumbers(report: Report, lines: readonly number[]): Report {
  if (report.data.every(({ diagnostics }) => diagnostics === undefined)) return report;
  const placeOf: PositionOf = (index) => (lines[index] === undefined ? { index } : { line: lines[index] });
  return { ...report, data: report.data.map((line) => withPositions(line, placeOf)) };
}
