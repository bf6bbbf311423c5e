// The refused rows: the first ones as a plain table, all that were kept packed for the script of the page.
import { deflateRawSync } from 'node:zlib';
import { groupDigits } from '../../../core/text/sanitize.js';
import { baseName, fileName } from '../markup/format-values.js';
import { data, html, Markup } from '../markup/markup.js';
import { section } from '../markup/table.js';
import type { RefusedPage, RefusedRow } from '../refused-row.js';
import type { RunReport } from '../run-report.js';

/** Maximum bytes of the plain table; further rows come without their cells, and then not at all. */
const longestPlain = 900_000;
/** Rows on paper, about five pages. */
const mostPrinted = 200;
/** Maximum cells of a row in the plain table in addition to the faulty ones. */
const cellsShown = 30;

/** The refused rows; empty if there are none. */
export function refusedSection(report: RunReport, packedParts: number): Markup {
  const { counts, refused } = report;
  if (counts.refused === 0) return html``;
  const packed = refused.packed.slice(0, packedParts);
  const kept = packed.reduce((sum, { rows }) => sum + rows, 0);
  const plain = plainRows(report);
  return section(
    'refused',
    'Refused rows',
    [
      html`<p class="lead script" id="refused-lead">Each row as it came, with the cell at fault marked.</p>`,
      cutWords(report, plain.count, kept),
      html`<div id="explorer" hidden data-total="${counts.refused}"></div>`,
      html`<div class="tablebox plain"><table><caption>${plain.count === 1 ? 'The refused row' : `The first ${groupDigits(plain.count)} refused rows`}, in the order of the file</caption><thead><tr><th scope="col" class="num">Line</th><th scope="col">Key</th><th scope="col">Code</th><th scope="col">Why, and the row as it came</th></tr></thead><tbody>${plain.rows}</tbody></table></div>`,
      payload(report, packed),
    ],
    groupDigits(counts.refused),
  );
}

/** Says what is not in the page, and where everything is. */
function cutWords({ counts, everyLine }: RunReport, plain: number, kept: number): Markup {
  const whole =
    everyLine.length > 0
      ? html`Every line is in ${everyLine.map((file, i) => html`${i > 0 && ' and '}${data(fileName(file), 'key')}`)}.`
      : html`<code>--report-file report.ndjson</code> next to this one writes every line, <code>--refused-file</code> the rows to be corrected.`;
  const printed = plain > mostPrinted && html`<p class="cut print">Of these the first ${mostPrinted} are printed.</p>`;
  if (kept >= counts.refused && plain >= counts.refused) return html`${printed}`;
  const refused = `${groupDigits(counts.refused)} refused rows`;
  const share = kept < counts.refused ? `Of ${refused} the first ${groupDigits(kept)} are` : `All ${refused} are`;
  return html`<p class="cut">${share} in this page${plain < kept && html`<span class="noscript">; without JavaScript the first ${groupDigits(plain)} are shown</span>`}. ${(kept < counts.refused || everyLine.length > 0) && whole}</p>${printed}`;
}

function plainRows(report: RunReport): { readonly rows: readonly Markup[]; readonly count: number } {
  const rows: Markup[] = [];
  let size = 0;
  for (const row of report.refused.first) {
    const cells = size < longestPlain / 2 ? cellList(row, report) : undefined;
    const shown = plainRow(row, { cells, isPrinted: rows.length < mostPrinted }, report);
    size += Buffer.byteLength(shown.text);
    if (size > longestPlain) break;
    rows.push(shown);
  }
  return { rows, count: rows.length };
}

function plainRow(
  { f, l, k, code, reason, more = [] }: RefusedRow,
  { cells, isPrinted }: { readonly cells: Markup | undefined; readonly isPrinted: boolean },
  { files }: RunReport,
): Markup {
  const where = files.length > 1 && html`<span class="sub">${data(baseName(files[f]?.file ?? ''))}</span>`;
  return html`<tr${!isPrinted && html` class="unprinted"`}><td class="num" data-label="Line">${l}${where}</td><td data-label="Key">${data(k, 'key')}</td><td data-label="Code"><code>${code}</code></td><td data-label="Why"><span class="reason">${data(reason)}</span>${more.map((one) => html`<br><span class="reason">${data(one)}</span>`)}${cells}</td></tr>\n`;
}

/** The cells with a value, the faulty ones highlighted. */
function cellList({ f, cells, names, bad = [] }: RefusedRow, { refused }: RunReport): Markup | undefined {
  if (cells === undefined) return undefined;
  const heads = names ?? refused.heads[f] ?? [];
  const shown = cells
    .map((cell, i) => ({ cell, i }))
    .filter(({ cell, i }) => bad.includes(i) || cell !== '')
    .filter(({ i }, position) => bad.includes(i) || position < cellsShown);
  const list = shown.map(
    ({ cell, i }) =>
      html`<span class="cell${bad.includes(i) ? ' fault' : ''}"><span class="name">${data(heads[i] ?? `column ${i + 1}`)}</span> ${bad.includes(i) ? html`<mark>${cell === '' ? 'empty' : data(cell)}</mark>` : data(cell)}</span> `,
  );
  return html`<span class="cells">${list}</span>`;
}

/** The data for the script. Base64 contains no character with a meaning in HTML. */
function payload({ files, refused, causes }: RunReport, packed: RunReport['refused']['packed']): Markup {
  const page: RefusedPage = {
    files: files.map(({ file }) => baseName(file)),
    heads: refused.heads,
    causes: causes.map(({ code, column }) => ({ code, column })),
  };
  const head = deflateRawSync(JSON.stringify(page)).toString('base64');
  const texts = packed.map(({ text }) => text).join('\n');
  return html`<script type="text/plain" id="refused-page">${new Markup(head)}</script><script type="text/plain" id="refused-rows">${new Markup(texts)}</script>`;
}
