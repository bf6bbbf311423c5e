// A report as a table for spreadsheets: one row per item. Supplier text must not become a formula there.
import { explain } from '../../core/diagnostics/explain-code.js';
import type { Line } from '../../core/import-report.js';
import type { ImportObserver } from '../../importing/observer.js';
import { byteOrderMark, cell } from './csv-cell.js';
import type { Write } from './report-form.js';

const columns = [
  'file',
  'resource',
  'line',
  'index',
  'external_id',
  'action',
  'id',
  'code',
  'title',
  'reason',
  'notice',
];

/** Columns that rows about a run of a feed have, too. */
const feedColumns = ['cause', 'feed'];

interface CsvForm {
  /** Whether lines list their changes, in a column of their own. */
  readonly diff: boolean;
  readonly feed?: string | undefined;
}

/**
 * One row per item, for all files; in a run of a feed also one for each record that its end changed. Then the warnings, whose action is
 * `warning`.
 */
export function csvReport(write: Write, { diff, feed }: CsvForm): ImportObserver {
  const more = [...(feed === undefined ? [] : feedColumns), ...(diff ? ['changes'] : [])];
  const ofItems = feed === undefined ? '' : ',,';
  const row = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\n`;
  let source = '';
  let begun = false;
  const header = (): string => {
    const text = begun ? '' : `${byteOrderMark}${[...columns, ...more].join(',')}\n`;
    begun = true;
    return text;
  };
  return {
    begin({ file, resource }) {
      source = `${cell(file)},${cell(resource.name)}`;
      return write(header());
    },
    batch({ report, lines, offset }) {
      let text = '';
      report.data.forEach((line, i) => {
        text += `${source},${lines[i] ?? ''},${offset + i},${rowOf(line)}`;
        text += `${ofItems}${diff ? `,${cell(changesOf(line))}` : ''}\n`;
      });
      return write(text);
    },
    end({ effects, warnings = [] }) {
      const lines = feed === undefined ? [] : (effects?.lines ?? []);
      const rows = lines.map(({ resource, external_id, id, cause, changes }) =>
        row([
          ...['', resource, '', '', external_id, 'updated', id, '', '', '', '', cause, feed ?? ''],
          ...(diff ? [changesOf({ changes })] : []),
        ]),
      );
      const noticed = warnings.map(({ code, message }) =>
        row(['', '', '', '', '', 'warning', '', code, titleOf(code), message, '', ...more.map(() => '')]),
      );
      return write([header(), ...rows, ...noticed].join(''));
    },
  };
}

function rowOf({ external_id, action, id, code, title, reason, notice }: Line): string {
  const refusal = code === null ? ',,' : `${code},${cell(title ?? '')},${cell(reason ?? '')}`;
  const notices =
    notice.length === 0 ? '' : notice.map((one) => `${one.code} ${one.field}: ${one.message}`).join(' | ');
  return `${cell(external_id)},${action},${id ?? ''},${refusal},${cell(notices)}`;
}

function titleOf(code: string): string {
  return explain(code)?.title ?? '';
}

function changesOf({ changes = [] }: Pick<Line, 'changes'>): string {
  return changes.map(({ field, from, to }) => `${field}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`).join(' | ');
}
