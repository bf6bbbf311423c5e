// The columns of each file: their targets, how full they are, and which are ignored.

import { counted } from '../../../core/text/counted.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import { bar } from '../markup/charts.js';
import { baseName, percent } from '../markup/format-values.js';
import { data, html, type Markup } from '../markup/markup.js';
import { section, table, withinBytes } from '../markup/table.js';
import type { FileReport, RunReport } from '../run-report.js';

/** Maximum columns that a page shows, over all files. */
const mostShown = 1_000;
/** Maximum bytes shown of all files together. */
const longestBlocks = 600_000;

export function columnsSection({ files }: RunReport): Markup {
  let left = mostShown;
  const blocks = files.flatMap((file) => {
    if (file.columns.length === 0 && file.notes.length === 0) return [];
    const shown = file.columns.slice(0, Math.max(0, left));
    left -= file.columns.length;
    return [
      fileColumns({ ...file, columns: shown }, { isOnly: files.length === 1, cut: file.columns.length - shown.length }),
    ];
  });
  if (blocks.length === 0) return html``;
  const shownBlocks = withinBytes(blocks, longestBlocks);
  const cut = blocks.length - shownBlocks.length;
  return section('columns', 'Columns', [
    ...shownBlocks,
    cut > 0 && html`<p class="cut">The columns of ${counted(cut, 'files')} more are not shown.</p>`,
  ]);
}

function fileColumns(
  { file, resource, columns, leftOut, notes, counts }: FileReport,
  { isOnly, cut }: { readonly isOnly: boolean; readonly cut: number },
): Markup {
  const ignored = columns.filter(({ fields, filled }) => fields.length === 0 && filled !== 0);
  const records = Math.max(counts.total + leftOut, ...columns.map(({ filled = 0 }) => filled));
  const rows = columns.map(({ name, fields, filled }) => [
    data(name, 'key'),
    fields.length === 0
      ? html`<span class="tag ${filled === 0 ? '' : 'warn'}">left out</span>`
      : html`${fields.map((field, i) => html`${i > 0 && ', '}${data(field)}`)}`,
    filled === undefined
      ? html``
      : bar(filled, records, filled === 0 ? '' : fields.length === 0 ? 'ignored' : 'fillrate'),
    filled === undefined ? html`` : html`${percent(filled, records)}`,
    filled === undefined ? html`` : html`<span class="dim">${groupDigits(filled)}</span>`,
  ]);
  const number = 'number' as const;
  const heads = [
    { label: 'Column' },
    { label: 'Fills' },
    { label: 'Share', kind: 'bar' as const },
    { label: 'Filled', kind: number },
    { label: 'Values', kind: number },
  ];
  const words = [
    `${counted(columns.filter(({ fields }) => fields.length > 0).length, 'columns')} used`,
    ...(ignored.length > 0 ? [`${groupDigits(ignored.length)} with values left out`] : []),
    ...(leftOut > 0 ? [`${counted(leftOut, 'records')} skipped by the mapping`] : []),
  ].join(', ');
  const body = html`${columns.length > 0 && html`${isOnly && html`<p class="lead">${words}.</p>`}${table('Each column, the fields made of it, and how full it is', heads, rows)}`}${cut > 0 && html`<p class="cut">${counted(cut, 'columns')} more are not shown.</p>`}${notes.length > 0 && html`<ul class="notes">${notes.map((note) => html`<li>${data(note)}</li>`)}</ul>`}`;
  return isOnly
    ? body
    : html`<details class="file"><summary>${data(baseName(file), 'key')} <span class="dim">${resource}, ${words}</span></summary>${body}</details>`;
}
