// Limits the size of a line: in entries, in characters and in bytes. `more_omitted` counts what was left out.
import type { FieldChange, Line, Notice } from '../import-report.js';
import { byteLength } from '../text/text.js';
import { messageText } from './message-text.js';

/** Changes of one item that are reported. */
const mostChanges = 20;
/** Characters of a text in a change, and of the `external_id` of a refused item. */
const longestText = 500;
/** Bytes of a line as JSON. */
const mostBytes = 16 * 1024;
/** Only with more notices than this can a line be too long. */
const fewNotices = 10;

/** How much a line leaves out. */
type Omitted = Record<'problems' | 'notices' | 'changes', number>;

/** A text cut at the limit, in characters; any other value as it is. */
export function cutText<T>(value: T): T | string {
  if (typeof value !== 'string' || value.length <= longestText) return value;
  const characters = [...value.slice(0, 2 * longestText)];
  if (characters.length <= longestText && value.length <= 2 * longestText) return value;
  return `${characters.slice(0, longestText - 1).join('')}…`;
}

/**
 * A line within its limits.
 * @param line the whole line; the notices of a refused item are its further problems, then its notices
 * @param left how many problems and notices were omitted before
 */
export function withinLimits(line: Line, left: { readonly problems: number; readonly notices: number }): Line {
  const isWhole = left.problems === 0 && left.notices === 0;
  if (isWhole && line.changes === undefined && line.notice.length <= fewNotices) return line;
  const { changes, notice, diagnostics: _, ...others } = line;
  const omitted: Omitted = { problems: left.problems, notices: left.notices, changes: 0 };
  const shown = changes?.slice(0, mostChanges).map(({ field, from, to }) => {
    return { field: String(cutText(field)), from: cutText(from), to: cutText(to) };
  });
  omitted.changes = (changes?.length ?? 0) - (shown?.length ?? 0);
  const notices = [...notice];
  let size = bytesOf({ ...others, notice, ...(shown === undefined ? {} : { changes: shown }) }) + 200;
  while (size > mostBytes) {
    const last: FieldChange | Notice | undefined =
      shown === undefined || shown.length === 0 ? notices.pop() : shown.pop();
    if (last === undefined) break;
    size -= bytesOf(last) + 1;
    if ('message' in last) omitted.notices++;
    else omitted.changes++;
  }
  if (omitted.problems + omitted.notices + omitted.changes > 0)
    notices.push({
      code: 'more_omitted',
      field: '',
      message: messageText('more_omitted', '', undefined, { ...omitted }),
    });
  return { ...line, notice: notices, ...(shown === undefined ? {} : { changes: shown }) };
}

function bytesOf(value: unknown): number {
  return byteLength(JSON.stringify(value));
}
