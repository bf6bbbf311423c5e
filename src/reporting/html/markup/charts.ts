// Charts as inline SVG: with attributes only, since the page's policy forbids inline styles.
import { html, type Markup } from './markup.js';

/** A bar in a table: its length is the share of the whole. A table cell next to it has the number. */
export function bar(part: number, whole: number, className = ''): Markup {
  const width = whole === 0 ? 0 : (100 * part) / whole;
  // A share above zero is visible, however small.
  const shown = part === 0 ? 0 : Math.max(0.8, Math.min(100, width));
  return html`<svg class="bar ${className}" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="1"/><rect class="fill" width="${shown.toFixed(2)}" height="1"/></svg>`;
}

/** A part in a bar of several. */
interface StackedPart {
  readonly count: number;
  readonly className: string;
}

/** The gap between two parts, in thousandths of the bar. */
const gap = 2;

/** One bar with several parts. */
export function stackedBar(parts: readonly StackedPart[], label: string): Markup {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const shown = parts.filter(({ count }) => count > 0);
  let at = 0;
  const rects = shown.map(({ count, className }) => {
    const width = Math.max(5, (1000 * count) / total);
    const rect = html`<rect class="${className}" x="${at.toFixed(1)}" width="${width.toFixed(1)}" height="1"/>`;
    at += width + gap;
    return rect;
  });
  const whole = Math.max(1000, at - gap).toFixed(1);
  return html`<svg class="stack" viewBox="0 0 ${whole} 1" preserveAspectRatio="none" role="img" aria-label="${label}">${rects}</svg>`;
}

interface HistogramColumn {
  readonly label: readonly [string, string];
  readonly count: number;
  readonly className: string;
}

/** Columns side by side, each with its count above and its label below. */
export function histogram(columns: readonly HistogramColumn[], label: string): Markup {
  const most = Math.max(1, ...columns.map(({ count }) => count));
  const [each, height, base] = [58, 150, 172];
  const drawn = columns.map(({ label: words, count, className }, i) => {
    const tall = count === 0 ? 0 : Math.max(2, (height * count) / most);
    const middle = i * each + each / 2;
    return html`<rect class="${className}" x="${i * each + 5}" y="${(base - tall).toFixed(1)}" width="${each - 10}" height="${tall.toFixed(1)}" rx="2"/>${
      count > 0 && html`<text class="value" x="${middle}" y="${(base - tall - 6).toFixed(1)}">${String(count)}</text>`
    }<text x="${middle}" y="${base + 16}">${words[0]}</text><text x="${middle}" y="${base + 28}">${words[1]}</text>`;
  });
  const width = columns.length * each;
  return html`<svg class="histogram" viewBox="0 0 ${width} 206" role="img" aria-label="${label}"><line class="axis" x1="0" x2="${width}" y1="${base}" y2="${base}"/>${drawn}</svg>`;
}

interface LinePoint {
  readonly x: number;
  readonly y: number;
}

/** A filled line. */
export function area(points: readonly LinePoint[], label: string): Markup {
  const [width, height] = [1000, 180];
  const mostX = Math.max(...points.map(({ x }) => x), 1e-9);
  const mostY = Math.max(...points.map(({ y }) => y), 1e-9);
  const line = points
    .map(({ x, y }) => `${((width * x) / mostX).toFixed(1)} ${(height - ((height - 8) * y) / mostY).toFixed(1)}`)
    .join('L');
  return html`<svg class="area" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}"><path class="under" d="M0 ${height}L${line}L${width} ${height}Z"/><path class="line" d="M${line}" vector-effect="non-scaling-stroke"/></svg>`;
}
