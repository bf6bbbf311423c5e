// Values that closed lists lack, with the most similar existing one, and the JSON that adds them.
import { groupDigits } from '../../../core/text/sanitize.js';
import { baseName } from '../markup/format-values.js';
import { data, html, type Markup, preText } from '../markup/markup.js';
import { section, table } from '../markup/table.js';
import type { RunReport } from '../run-report.js';

/** Maximum bytes of the JSON, after its quotes are escaped. */
const longestJson = 300_000;

/** Missing values; empty if no list lacks any. */
export function missingSection({ missing, missingJson, files }: RunReport): Markup {
  if (missing.length === 0) return html``;
  const rows = missing.map(({ characteristic, value, count, line, nearest, file }) => [
    data(characteristic),
    data(value, 'key'),
    html`${groupDigits(count)}`,
    nearest === undefined ? html`<span class="dim">none</span>` : data(nearest, 'key'),
    html`${files.length > 1 && html`${data(baseName(files[file]?.file ?? ''))}:`}${line}`,
  ]);
  const columns = [
    { label: 'Characteristic' },
    { label: 'Value' },
    { label: 'Rows', kind: 'number' as const },
    { label: 'Nearest in the list' },
    { label: 'First line', kind: 'number' as const },
  ];
  const json = missingJson === '' ? undefined : preText('missing-json', missingJson);
  const isLong = json === undefined || Buffer.byteLength(json.text) > longestJson;
  return section('missing', 'Values that lists lack', [
    html`<p class="lead">A value that is near one of the list is probably a misspelling: correct it in the file, or with a value map. The others are new: add them to their list.</p>`,
    table('Values that are in no list, the most frequent first', columns, rows),
    isLong
      ? html`<p class="cut">The characteristics that add them are too large for a page; <code>--write-missing-values file.json</code> writes them.</p>`
      : html`<details class="json"><summary>Characteristics that add them, as JSON</summary><p>Take out what is misspelled, save the rest, and import it: <code>catalog-import characteristics missing.json</code>. Nothing is deactivated.</p><p class="actions script"><button type="button" data-copy="missing-json">Copy</button></p>${json}</details>`,
  ]);
}
