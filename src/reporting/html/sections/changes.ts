// The changes found by `--diff`: how prices move, which change most, and how stock and status change.

import { counted } from '../../../core/text/counted.js';
import { groupDecimal, groupDigits } from '../../../core/text/sanitize.js';
import { bar, histogram } from '../markup/charts.js';
import { baseName, percent } from '../markup/format-values.js';
import { data, html, type Markup } from '../markup/markup.js';
import { section, table } from '../markup/table.js';
import type { ChangesReport, Jump, RunReport } from '../run-report.js';

/** From this number and share of changed prices, a power of ten is no coincidence. */
const manyPowers = 3;
const largeShare = 0.02;

/** Changes of stored records; empty without `--diff` or without changes. */
export function changesSection(report: RunReport): Markup {
  const { changes } = report;
  if (changes === undefined) return html``;
  if (changes.fields.length === 0)
    return section('changes', 'What changes', [html`<p class="lead">No stored record changes.</p>`]);
  const { prices } = changes;
  return section('changes', 'What changes', [
    warning(prices),
    prices.changed > 0 && pricesBlock(prices, report),
    html`<div class="columns">${countTable(
      'Stock, by what happened to it',
      { label: 'Stock', counts: 'Times' },
      changes.stock.map(({ what, count }) => [html`${what}`, count]),
    )}${countTable(
      'Status, from and to',
      { label: 'Status', counts: 'Times' },
      changes.status.map(({ from, to, count }) => [html`${from === '' ? 'none' : data(from)} → ${data(to)}`, count]),
    )}${countTable(
      'Fields that change, by how often',
      { label: 'Field', counts: 'Records', whole: changes.records },
      changes.fields.slice(0, 30).map(({ field, count }) => [data(field, 'key'), count]),
    )}</div>`,
  ]);
}

function warning({ powers, changed }: ChangesReport['prices']): Markup | undefined {
  const many = powers.filter(({ count }) => count >= manyPowers && count >= largeShare * changed);
  if (many.length === 0) return undefined;
  const words = many
    .map(({ factor, count }) => `${counted(count, 'prices')} ${count === 1 ? 'changes' : 'change'} by ${factor}`)
    .join(', ');
  return html`<p class="banner early" role="note"><b>${words}.</b> A decimal sign that was read wrongly, or cents for units, looks so. Check the table below before you import.</p>`;
}

function pricesBlock(prices: ChangesReport['prices'], report: RunReport): Markup {
  const { buckets, changed, up, down, jumps } = prices;
  const rows = buckets.map(({ label, count, direction }) => [
    html`${label}`,
    bar(count, changed, direction < 0 ? 'down' : 'up'),
    html`<span class="${count === 0 ? 'none' : ''}">${groupDigits(count)}</span>`,
  ]);
  const chart = histogram(
    buckets.map(({ short, count, direction }) => ({ label: short, count, className: direction < 0 ? 'down' : 'up' })),
    `How many prices change by how much: ${buckets.map(({ label, count }) => `${label}: ${count}`).join('; ')}`,
  );
  return html`<h3>Prices</h3><p class="lead">${counted(changed, 'prices')}: <b class="uptext">${groupDigits(up)} higher</b>, <b class="downtext">${groupDigits(down)} lower</b>.</p>
<figure class="chart">${chart}<figcaption>New price compared with the old one</figcaption></figure>
<details class="astable"><summary>The chart as a table</summary>${table('Prices by how much they change', [{ label: 'Change' }, { label: 'Share', kind: 'bar' }, { label: 'Prices', kind: 'number' }], rows)}</details>
${jumps.length > 0 && jumpsTable(jumps, report)}`;
}

function jumpsTable(jumps: readonly Jump[], { files }: RunReport): Markup {
  const rows = jumps.map(({ key, field, from, to, file, line }) => [
    data(key, 'key'),
    data(field),
    html`${amount(from)}`,
    html`<b>${amount(to)}</b>`,
    html`<span class="${to > from ? 'uptext' : 'downtext'}">${factorOf(from, to)}</span>`,
    html`${files.length > 1 && html`${data(baseName(files[file]?.file ?? ''))}:`}${line}`,
  ]);
  const number = 'number' as const;
  const columns = [
    { label: 'Key' },
    { label: 'Field' },
    { label: 'Old', kind: number },
    { label: 'New', kind: number },
    { label: 'Change', kind: number },
    { label: 'Line', kind: number },
  ];
  return table(
    `The ${jumps.length === 1 ? 'largest jump' : `${jumps.length} largest jumps`}, old to new`,
    columns,
    rows,
  );
}

const amount = (value: number): string => groupDecimal(value.toFixed(2));

/** `+12 %`, `×10`, `÷100`, `to 0`. */
function factorOf(from: number, to: number): string {
  if (to === 0) return 'to 0';
  const ratio = to / from;
  const short = (value: number): string =>
    Math.abs(value - Math.round(value)) < 0.05 ? groupDigits(Math.round(value)) : value.toFixed(1);
  if (ratio >= 2) return `×${short(ratio)}`;
  if (ratio <= 0.5) return `÷${short(1 / ratio)}`;
  return `${ratio > 1 ? '+' : '−'}${Math.round(Math.abs(ratio - 1) * 100)} %`;
}

function countTable(
  caption: string,
  { label, counts, whole }: { readonly label: string; readonly counts: string; readonly whole?: number },
  entries: readonly (readonly [Markup, number])[],
): Markup | undefined {
  if (entries.length === 0) return undefined;
  const all = whole ?? entries.reduce((sum, [, count]) => sum + count, 0);
  const rows = entries.map(([what, count]) => [
    what,
    html`${groupDigits(count)}`,
    html`<span class="dim">${percent(count, all)}</span>`,
  ]);
  return table(caption, [{ label }, { label: counts, kind: 'number' }, { label: 'Share', kind: 'number' }], rows);
}
