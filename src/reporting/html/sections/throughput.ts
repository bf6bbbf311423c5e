// Throughput over time: for longer runs, or with waits for a remote.

import { counted } from '../../../core/text/counted.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import { area } from '../markup/charts.js';
import { duration } from '../markup/format-values.js';
import { html, type Markup } from '../markup/markup.js';
import { section, table } from '../markup/table.js';
import type { RunReport, Tick } from '../run-report.js';

/** Seconds from which a chart over time is shown. */
const worthChart = 30;
const rowsAtMost = 12;

/** Throughput; empty for a short run without waits. */
export function throughputSection({ seconds, ticks, waits, counts }: RunReport): Markup {
  if ((seconds < worthChart && waits === undefined) || counts.total === 0) return html``;
  const points = ratesOf(ticks, 60);
  const most = Math.max(...points.map(({ y }) => y), 0);
  const rows = ratesOf(ticks, rowsAtMost).map(({ from, x, y, total }) => [
    html`${duration(from)} to ${duration(x)}`,
    html`${groupDigits(Math.round(y))}`,
    html`${groupDigits(total)}`,
  ]);
  const number = 'number' as const;
  const waited =
    waits &&
    html` The remote was waited for ${waits.count === 1 ? 'once' : `${groupDigits(waits.count)} times`}, ${duration(waits.seconds)} in all.`;
  return section('throughput', 'Throughput', [
    html`<p class="lead">${counted(counts.total, 'items')} in ${duration(seconds)}, ${groupDigits(Math.round(counts.total / Math.max(seconds, 0.001)))} a second on average, ${groupDigits(Math.round(most))} at best.${waited}</p>`,
    points.length > 1 &&
      html`<figure class="chart">${area(points, `Items a second over ${duration(seconds)}`)}<figcaption><span>0</span><span>items a second over time</span><span>${duration(seconds)}</span></figcaption></figure>`,
    html`<details class="astable"><summary>The chart as a table</summary>${table('Items a second, by time', [{ label: 'Time' }, { label: 'Items a second', kind: number }, { label: 'Done in all', kind: number }], rows)}</details>`,
  ]);
}

/** The rates in equal intervals of time. */
function ratesOf(ticks: readonly Tick[], parts: number): { from: number; x: number; y: number; total: number }[] {
  const end = ticks.at(-1)?.seconds ?? 0;
  if (end === 0) return [];
  const totalAt = (time: number): number => {
    const next = ticks.findIndex(({ seconds }) => seconds >= time);
    const [before, after] = [ticks[next - 1], ticks[next]];
    if (after === undefined || before === undefined) return after?.total ?? 0;
    const share = (time - before.seconds) / Math.max(1e-9, after.seconds - before.seconds);
    return before.total + share * (after.total - before.total);
  };
  return Array.from({ length: parts }, (_, i) => {
    const [from, x] = [(end * i) / parts, (end * (i + 1)) / parts];
    const total = totalAt(x);
    return { from, x, y: ((total - totalAt(from)) * parts) / end, total: Math.round(total) };
  });
}
