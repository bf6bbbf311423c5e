// What the guards of a run found: each with its figure and its limit; of a run that they stopped also what would have happened to which
// records, and the commands that look at it and go on.
import type { GuardBreach, GuardFigure, Offender } from '../../../core/ledger/guard-figure.js';
import { counted } from '../../../core/text/counted.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import { data, html, type Markup } from '../markup/markup.js';
import { section, table } from '../markup/table.js';
import type { RunReport } from '../run-report.js';

/** The guards; empty where none was asked. */
export function guardsSection({ guards, next }: RunReport): Markup {
  if (guards.length === 0) return html``;
  const breaches = guards.filter(isBreach);
  const shown = guards.filter((one) => !one.passed || one.count > 0 || one.against === 'contract');
  const rows = [...breaches, ...shown.filter(({ passed }) => passed)].map(guardRow);
  const columns = [{ label: 'Guard' }, { label: 'Resource' }, { label: 'Found' }, { label: 'State' }];
  return section('guards', 'Guards', [
    next !== undefined && commands(next),
    rows.length > 0 && table('What the guards found, those that stopped the run first', columns, rows),
    shown.length < guards.length &&
      html`<p class="dim">${counted(guards.length - shown.length, 'other guards')} found nothing.</p>`,
    html`${breaches.map(offenders)}`,
  ]);
}

function isBreach(figure: GuardFigure | GuardBreach): figure is GuardBreach {
  return !figure.passed;
}

function guardRow({ option, resource, words, passed }: GuardFigure): Markup[] {
  const state = passed ? html`passed` : html`<span class="tag bad">stopped the run</span>`;
  return [html`<code>${option}</code>`, html`<code>${resource}</code>`, data(words), state];
}

function commands({ look, goOn }: NonNullable<RunReport['next']>): Markup {
  return html`<p class="lead">Nothing was written. Look at what the run would change:</p><pre class="command">${data(look)}</pre>
<p class="lead">If the change is intended, go on with:</p><pre class="command">${data(goOn)}</pre>`;
}

/** The records that a guard stopped the run for, the largest jumps first. */
function offenders({ option, words, offenders: all, more }: GuardBreach): Markup {
  if (all.length === 0) return html``;
  const areChanges = all.every(({ change }) => change !== undefined);
  const columns = areChanges
    ? [{ label: 'Where' }, { label: 'Key' }, { label: 'Field' }, { label: 'Before' }, { label: 'After' }]
    : [{ label: 'Where' }, { label: 'Key' }, { label: 'What' }];
  const rows = all.map((one) =>
    areChanges ? changeRow(one) : [html`${one.place}`, data(one.key, 'key'), data(one.words)],
  );
  const rest = more > 0 && html`<p class="dim">… and ${groupDigits(more)} more</p>`;
  return html`<h3><code>${option}</code></h3>${table(words, columns, rows)}${rest}`;
}

function changeRow({ place, key, change }: Offender): Markup[] {
  return [
    html`${place}`,
    data(key, 'key'),
    html`<code>${change?.field ?? ''}</code>`,
    data(change?.from ?? ''),
    data(change?.to ?? ''),
  ];
}
