// A report as a table for spreadsheets: one row per item. Supplier text must not become a formula there.
import type { Line } from '../../core/import-report.js';
import type { ImportObserver } from '../../importing/observer.js';
import { cell } from './csv-cell.js';
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

/** One row per item, for all files; the column `changes` exists with `diff`. */
export function csvReport(write: Write, options: { readonly diff: boolean }): ImportObserver {
  let source = '';
  let begun = false;
  return {
    begin({ file, resource }) {
      source = `${cell(file)},${cell(resource.name)}`;
      const header = begun ? '' : `${[...columns, ...(options.diff ? ['changes'] : [])].join(',')}\n`;
      begun = true;
      return write(header);
    },
    batch({ report, lines, offset }) {
      let text = '';
      report.data.forEach((line, i) => {
        text += `${source},${lines[i] ?? ''},${offset + i},${rowOf(line)}`;
        text += options.diff ? `,${cell(changesOf(line))}\n` : '\n';
      });
      return write(text);
    },
  };
}

function rowOf({ external_id, action, id, code, title, reason, notice }: Line): string {
  const refusal = code === null ? ',,' : `${code},${cell(title ?? '')},${cell(reason ?? '')}`;
  const notices =
    notice.length === 0 ? '' : notice.map((one) => `${one.code} ${one.field}: ${one.message}`).join(' | ');
  return `${cell(external_id)},${action},${id ?? ''},${refusal},${cell(notices)}`;
}

function changesOf({ changes = [] }: Line): string {
  return changes.map(({ field, from, to }) => `${field}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`).join(' | ');
}
