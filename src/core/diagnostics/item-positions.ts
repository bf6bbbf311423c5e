// Rewrites diagnostics that refer to another item: its position in the batch becomes a position in the original batch,
// or a line of the file. The message is made again from the diagnostic's data.
import type { Diagnostic, Line, Notice, Report } from '../import-report.js';
import { type MessageParams, messageText } from './message-text.js';
import { type NoticeCode, type Problem, type RefusalCode, reasonOf } from './refusal-codes.js';

/** The position of another item, as message parameters. */
type PositionOf = (index: number) => MessageParams;

function renamed(diagnostic: Diagnostic, positionOf: PositionOf): Diagnostic {
  const index = diagnostic.params?.['index'];
  if (typeof index !== 'number') return diagnostic;
  const params = positionOf(index);
  const code = diagnostic.code as RefusalCode | NoticeCode;
  return { ...diagnostic, params, message: messageText(code, diagnostic.field, diagnostic.value, params) };
}

/** A line whose references to other items have new positions. */
export function withPositions(line: Line, positionOf: PositionOf): Line {
  if (line.diagnostics?.some(({ params }) => params?.['index'] !== undefined) !== true) return line;
  const diagnostics = line.diagnostics.map((diagnostic) => renamed(diagnostic, positionOf));
  const [first] = diagnostics;
  const others = line.code === null ? diagnostics : diagnostics.slice(1);
  // Where the line was truncated, `more_omitted` stays in its place.
  const notice = line.notice.map((said: Notice, i): Notice => {
    const other = others[i];
    return other?.code === said.code && other.field === said.field ? { ...said, message: other.message } : said;
  });
  const reason = line.code === null || first === undefined ? line.reason : reasonOf(first as Problem);
  return { ...line, diagnostics, notice, reason };
}

/** A report in which other items are referred to by their line in the file. */
export function withLineNumbers(report: Report, lines: readonly number[]): Report {
  if (report.data.every(({ diagnostics }) => diagnostics === undefined)) return report;
  const positionOf: PositionOf = (index) => (lines[index] === undefined ? { index } : { line: lines[index] });
  return { ...report, data: report.data.map((line) => withPositions(line, positionOf)) };
}
