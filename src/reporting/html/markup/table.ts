// Tables of a page: each with a caption, and with labels for narrow screens.
import { groupDigits } from '../../../core/text/sanitize.js';
import { html, type Markup } from './markup.js';

export interface TableColumn {
  readonly label: string;
  /** Numbers are right-aligned; `bar` is a chart that repeats another cell. */
  readonly kind?: 'number' | 'bar' | 'code';
}

/** Maximum bytes of a table's rows: supplier text may be ten times as long after escaping. */
const longestTable = 250_000;

/** The first parts that fit the given bytes. */
export function withinBytes(parts: readonly Markup[], most: number): readonly Markup[] {
  let left = most;
  const end = parts.findIndex(({ text }) => {
    left -= Buffer.byteLength(text);
    return left < 0;
  });
  return end === -1 ? parts : parts.slice(0, end);
}

/** From this many rows on a table has a filter, if scripts run. */
const worthFilter = 8;

/** A table. Its cells are markup, in the order of the columns. */
export function table(caption: string, columns: readonly TableColumn[], rows: readonly (readonly Markup[])[]): Markup {
  const heads = columns.map(
    ({ label, kind }) =>
      html`<th scope="col"${kind === 'number' && html` class="num"`}${kind === 'bar' && html` class="barcell"`}>${label}</th>`,
  );
  const body = rows.map(
    (cells) =>
      html`<tr>${cells.map((cell, i) => {
        const { label = '', kind } = columns[i] ?? {};
        const className = kind === 'number' ? 'num' : kind === 'bar' ? 'barcell' : kind === 'code' ? 'code' : '';
        return html`<td${className !== '' && html` class="${className}"`} data-label="${label}">${cell}</td>`;
      })}</tr>\n`,
  );
  const shown = withinBytes(body, longestTable);
  const cut = body.length - shown.length;
  return html`<div class="tablebox"><table${rows.length >= worthFilter && html` data-filter`}><caption>${caption}</caption><thead><tr>${heads}</tr></thead><tbody>${shown}</tbody></table></div>${cut > 0 && html`<p class="cut">${groupDigits(cut)} more ${cut === 1 ? 'row is' : 'rows are'} not shown.</p>`}`;
}

/** A section with its heading. */
export function section(
  id: string,
  title: string,
  content: readonly (Markup | undefined | false)[],
  count = '',
): Markup {
  return html`<section id="${id}" aria-labelledby="h-${id}"><h2 id="h-${id}">${title}${count !== '' && html` <span class="count">${count}</span>`}</h2>${content}</section>\n`;
}
