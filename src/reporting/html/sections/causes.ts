// The causes of refusals: first the records that caused other refusals, then each code by column.
import { explain } from '../../../core/diagnostics/explain-code.js';
import { counted } from '../../../core/text/counted.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import { bar } from '../markup/charts.js';
import { baseName, percent } from '../markup/format-values.js';
import { data, html, type Markup, prose } from '../markup/markup.js';
import { section, table, withinBytes } from '../markup/table.js';
import type { CauseReport, LinePlace, RunReport } from '../run-report.js';

/** Maximum bytes of the cards of all causes. */
const longestCards = 500_000;

/** The causes of refusals; empty without refusals. */
export function causesSection(report: RunReport): Markup {
  const { causes, rootCauses, counts, otherRefusals } = report;
  if (counts.refused === 0) return html``;
  const numbered = causes.map((cause, number) => ({ cause, number })).sort((a, b) => b.cause.count - a.cause.count);
  const own = sumOfCauses(causes) + otherRefusals;
  const cards = numbered.map(({ cause, number }) => causeCard(cause, number, { own, report }));
  const shown = withinBytes(cards, longestCards);
  const others = otherRefusals + sumOfCauses(numbered.slice(shown.length).map(({ cause }) => cause));
  return section('causes', 'Why rows were refused', [
    rootTable(report),
    causes.length > 0 && html`<p class="lead">${lead(own, causes.length, rootCauses.length > 0)}</p>`,
    html`<div class="causes">${shown}</div>`,
    others > 0 && html`<p class="cut">${counted(others, 'refusals')} have other causes, each with few rows.</p>`,
  ]);
}

function sumOfCauses(causes: readonly CauseReport[]): number {
  return causes.reduce((sum, { count }) => sum + count, 0);
}

function lead(own: number, causes: number, isRest: boolean): string {
  const why = causes === 1 ? 'one reason' : `${groupDigits(causes)} reasons`;
  return isRest
    ? `Of the others, ${counted(own, 'rows')} for ${why}. Correct the records above first.`
    : `${counted(own, 'rows')} for ${why}, the most frequent first.`;
}

function rootTable({ rootCauses, counts }: RunReport): Markup | undefined {
  if (rootCauses.length === 0) return undefined;
  const rows = rootCauses.map(({ what, name, file, line, followed }) => [
    html`${what} ${data(name, 'key')}`,
    html`${data(baseName(file))}, line ${line}`,
    bar(sumOf(followed), counts.refused, 'refused'),
    html`${groupDigits(sumOf(followed))}`,
    html`${followed.map(([word, count]) => counted(count, word)).join(', ')}`,
  ]);
  const columns = [
    { label: 'Refused record' },
    { label: 'Where' },
    { label: 'Share', kind: 'bar' as const },
    { label: 'Refused for it', kind: 'number' as const },
    { label: 'Which' },
  ];
  return html`<div class="root"><h3>Correct these first</h3>${table('Records whose refusal is why others were refused', columns, rows)}</div>`;
}

function sumOf(followed: readonly (readonly [string, number])[]): number {
  return followed.reduce((sum, [, count]) => sum + count, 0);
}

function causeCard(
  { code, column, isColumn, resource, count, places, example }: CauseReport,
  number: number,
  { own, report }: { readonly own: number; readonly report: RunReport },
): Markup {
  const known = explain(code);
  const where =
    column === ''
      ? html`<span class="dim">whole row</span>`
      : isColumn
        ? data(column, 'key')
        : html`<span class="dim">field</span> ${data(column, 'key')}`;
  return html`<details class="cause"${number === 0 && report.causes.length < 4 && html` open`}><summary><span class="what"><b>${known?.title ?? code}</b> <code>${code}</code></span><span class="where">${where}</span><span class="much">${bar(count, own, 'refused')}<b>${groupDigits(count)}</b><span class="dim">${percent(count, own)}</span></span></summary>
<div class="body"><dl><div><dt>Example</dt><dd>${data(example.key, 'key')} <span class="reason">${data(example.reason)}</span></dd></div>
${known && html`<div><dt>Means</dt><dd>${prose(known.meaning)}</dd></div><div><dt>What to do</dt><dd><b>${prose(known.remedy)}</b></dd></div>`}
<div><dt>First lines</dt><dd>${placesOf(places, count, report)}</dd></div>
${report.files.length > 1 && html`<div><dt>Resource</dt><dd>${resource}</dd></div>`}</dl>
<p class="actions script"><button type="button" data-show="${number}">Show these rows</button> <button type="button" data-csv="${number}">Download them as CSV</button></p></div></details>\n`;
}

function placesOf(places: readonly LinePlace[], count: number, { files }: RunReport): Markup {
  const words = places.map(({ file, line }) =>
    files.length > 1 ? html`${data(baseName(files[file]?.file ?? ''))}:${line}` : html`${line}`,
  );
  return html`${words.map((word, i) => html`${i > 0 && ', '}${word}`)}${count > places.length && html` <span class="dim">and ${groupDigits(count - places.length)} more</span>`}`;
}
