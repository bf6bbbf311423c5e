// The text above the records of a file: titles of a table, what is around the records of a document.
import { escapePattern } from '../core/text/text.js';
import type { Format } from './bytes/detect-format.js';
import type { ReaderContext } from './record-reader.js';

/** The text above the first record, from the beginning of a file; '' if the first record is not found in it. */
export function aboveRecords(head: string, format: Format, { head: rule, recordPath }: ReaderContext): string {
  if (format === 'csv' || format === 'tsv')
    return head
      .split(/\r\n|\r|\n/, rule?.skip ?? 0)
      .join('\n')
      .trim();
  const last = recordPath?.name.split(/[./]/).findLast((part) => part !== '*' && part !== '') ?? '';
  if (last === '') return '';
  const name = escapePattern(last);
  const begin = format === 'xml' ? new RegExp(`<${name}[\\s/>]`) : new RegExp(`"${name}"\\s*:\\s*[[{]`);
  const at = head.search(begin);
  return at === -1 ? '' : head.slice(0, at);
}
