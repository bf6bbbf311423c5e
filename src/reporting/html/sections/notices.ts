// Notices about accepted items, by code.
import { explain } from '../../../core/diagnostics/explain-code.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import { html, type Markup, prose } from '../markup/markup.js';
import { section, table } from '../markup/table.js';
import type { RunReport } from '../run-report.js';

/** Notices by code; empty if there are none. */
export function noticesSection({ notices }: RunReport): Markup {
  if (notices.length === 0) return html``;
  const rows = notices.map(({ code, count }) => {
    const known = explain(code);
    return [
      html`<b>${known?.title ?? code}</b> <code>${code}</code>`,
      html`${groupDigits(count)}`,
      html`${prose(known?.meaning ?? '')} <span class="dim">${prose(known?.remedy ?? '')}</span>`,
    ];
  });
  const columns = [{ label: 'Notice' }, { label: 'Times', kind: 'number' as const }, { label: 'What it means' }];
  return section('notices', 'Notices on accepted rows', [
    table('Worth knowing about rows that were accepted', columns, rows),
  ]);
}
