// What was noticed about the run as a whole.
import { explain } from '../../../core/diagnostics/explain-code.js';
import { isRoutine } from '../../../core/diagnostics/warning-codes.js';
import { data, html, type Markup, prose } from '../markup/markup.js';
import { section, table } from '../markup/table.js';
import type { RunReport } from '../run-report.js';

/** Warnings, those of ordinary runs last; empty if there are none. */
export function warningsSection({ warnings }: RunReport): Markup {
  if (warnings.length === 0) return html``;
  const sorted = [...warnings].sort((a, b) => Number(isRoutine(a.code)) - Number(isRoutine(b.code)));
  const rows = sorted.map(({ code, message }) => {
    const known = explain(code);
    return [
      html`<b>${known?.title ?? code}</b> <code>${code}</code>`,
      data(message),
      html`${prose(known?.meaning ?? '')} <span class="dim">${prose(known?.remedy ?? '')}</span>`,
    ];
  });
  const columns = [{ label: 'Warning' }, { label: 'What was noticed' }, { label: 'What it means' }];
  return section('warnings', 'Warnings', [table('What was noticed about the run as a whole', columns, rows)]);
}
