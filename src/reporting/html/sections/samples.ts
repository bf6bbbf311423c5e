// Samples of created, updated and deactivated records, so that somebody who knows the shop can check them.

import type { FieldChange } from '../../../core/import-report.js';
import { counted } from '../../../core/text/counted.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import { cutText } from '../collect/refused-collector.js';
import { baseName } from '../markup/format-values.js';
import { data, html, type Markup } from '../markup/markup.js';
import { section, table } from '../markup/table.js';
import type { RunReport, Sample } from '../run-report.js';

/** The samples; empty if nothing was created, updated or deactivated. */
export function samplesSection(report: RunReport): Markup {
  const { samples, counts, deactivated } = report;
  const kinds = [
    { name: 'Created', list: samples.created, total: counts.created },
    { name: 'Updated', list: samples.updated, total: counts.updated },
    { name: 'Deactivated', list: samples.deactivated, total: deactivated },
  ].filter(({ list }) => list.length > 0);
  if (kinds.length === 0) return html``;
  return section(
    'samples',
    'Samples',
    kinds.map(
      ({ name, list, total }, i) =>
        html`<details class="file"${i === 0 && html` open`}><summary>${name} <span class="dim">${list.length < total ? `${list.length} of ${groupDigits(total)}` : counted(total, 'records')}</span></summary>${samplesTable(name, list, report)}</details>`,
    ),
  );
}

function samplesTable(name: string, list: readonly Sample[], { files }: RunReport): Markup {
  const rows = list.map(({ key, id, file, line, changes, words }) => [
    data(key, 'key'),
    html`${files.length > 1 && html`${data(baseName(files[file]?.file ?? ''))}:`}${line}`,
    id === '' ? html`<span class="dim">not yet</span>` : html`<code>${id}</code>`,
    words !== '' ? data(words) : changedFields(changes),
  ]);
  // Of a new record everything is a change.
  const hasMore = name !== 'Created' && list.some(({ changes, words }) => changes.length > 0 || words !== '');
  const columns = [
    { label: 'Key' },
    { label: 'Line', kind: 'number' as const },
    { label: 'Identifier' },
    ...(hasMore ? [{ label: 'What' }] : []),
  ];
  return table(
    `${name}: the first ${files.length > 1 ? 'of each file' : 'of them'}`,
    columns,
    hasMore ? rows : rows.map((row) => row.slice(0, 3)),
  );
}

/** Fields before and after. */
export function changedFields(changes: readonly FieldChange[]): Markup {
  return html`${changes.map(({ field, from, to }, i) => html`${i > 0 && html`<br>`}${data(field, 'key')} ${from !== null && html`<del>${data(shown(from))}</del> → `}<ins>${data(shown(to))}</ins>`)}`;
}

function shown(value: unknown): string {
  return cutText(typeof value === 'string' ? value : JSON.stringify(value ?? null), 200);
}
