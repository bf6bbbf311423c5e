// A report as the JSON text of a response. Made before the batch is committed, since making it may fail, and bounded:
// at most 16 KiB per item, whatever its item was.
import type { FieldChange, Line, Notice, Report } from '../../../core/import-report.js';
import { type EndLine, endLineOf } from '../../../core/ledger/feed-end.js';
import { sentReport } from '../../../core/report-counts.js';

/** Maximum bytes of JSON for one line. */
const mostBytes = 16 * 1024;

/** Maximum characters of a text in a line that is too long. */
const longestText = 500;

/** Notices and changes of one line that are measured together; each takes 40 bytes or more. */
const mostEntries = 400;

/** Maximum size of a line without changes, per character of its texts: `\u0000` is six bytes. */
const mostPerCharacter = 6;

/** A report as JSON, each line at most 16 KiB. A line that would be longer says in a last notice what was left out. */
export function reportText(given: Report): string {
  const report = sentReport(given);
  return report.data.some(mayBeLong)
    ? JSON.stringify({ ...report, data: report.data.map(bounded) })
    : JSON.stringify(report);
}

/** Bytes of lines about the end of a run in one response; the others are counted. */
const mostEndBytes = 4 * 1024 * 1024;

/** A report with what the end of the run changed in addition to its items: `"end": {"passed_on": 3, "data": [...]}`. */
export function withRunEnd(report: string, feed: string, lines: readonly EndLine[]): string {
  const data: string[] = [];
  let room = mostEndBytes;
  for (const line of lines) {
    const text = JSON.stringify(boundedEnd(feed, line));
    room -= Buffer.byteLength(text);
    if (room < 0) break;
    data.push(text);
  }
  return `${report.slice(0, -1)},"end":{"passed_on":${lines.length},"data":[${data.join()}]}}`;
}

/** A line about the end of a run, bounded as a line about an item is. */
function boundedEnd(feed: string, line: EndLine) {
  const { line: none, ...sent } = endLineOf(feed, line);
  return { ...sent, ...bounded({ ...sent, index: 0 }), index: undefined, line: none };
}

/** Whether a line has to be measured: most have a few short texts. */
function mayBeLong({ external_id, reason, notice, changes }: Line): boolean {
  if (changes !== undefined) return true;
  let characters = external_id.length + (reason?.length ?? 0);
  for (const { code, field, message } of notice) characters += code.length + field.length + message.length + 40;
  return characters * mostPerCharacter > mostBytes / 2;
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

function bounded(line: Line): Line {
  const entries = line.notice.length + (line.changes?.length ?? 0);
  // Measuring requires making the text, so it is skipped for a list that is too long anyway.
  if (entries < mostEntries && (!mayBeLong(line) || sizeOf(line) <= mostBytes)) return line;
  const { notice, changes, ...rest } = line;
  const short: Line = {
    ...rest,
    external_id: cut(line.external_id),
    reason: line.reason === null ? null : cut(line.reason),
    notice: [],
    ...(changes === undefined ? {} : { changes: [] }),
  };
  // Space for the notice that counts what is left out.
  let room = mostBytes - sizeOf(short) - 300;
  const take = <T>(values: readonly T[], cutOne: (value: T) => T): T[] => {
    const taken: T[] = [];
    for (const value of values) {
      const short = cutOne(value);
      room -= sizeOf(short) + 1;
      if (room < 0) break;
      taken.push(short);
    }
    return taken;
  };
  const notices = take(notice, cutNotice);
  const kept = take(changes ?? [], cutChange);
  return {
    ...short,
    notice: [...notices, moreOmitted(entries - notices.length - kept.length)],
    ...(changes === undefined ? {} : { changes: kept }),
  };
}

function cut(text: string): string {
  if (text.length <= longestText) return text;
  return `${text.slice(0, longestText - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function cutNotice({ code, field, message }: Notice): Notice {
  return { code, field: cut(field), message: cut(message) };
}

function cutChange({ field, from, to }: FieldChange): FieldChange {
  return {
    field: cut(field),
    from: typeof from === 'string' ? cut(from) : from,
    to: typeof to === 'string' ? cut(to) : to,
  };
}

function moreOmitted(entries: number): Notice {
  const limits = `an answer has at most ${mostBytes / 1024} KiB for an item, and then texts of ${longestText} characters`;
  const message =
    entries === 0 ? `Long texts were cut: ${limits}.` : `${entries} more entries were left out: ${limits}.`;
  return { code: 'more_omitted', field: '', message };
}
