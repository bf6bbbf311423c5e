// What the guards of a run found: each with its figure and its limit; of a run that they stopped also what would have happened to which
// records, and the commands that look at it and go on.
import type { GuardBreach, GuardFigure, Offender } from '../../../core/ledger/guard-figure.js';
import { groupDecimal, groupDigits } from '../../../core/text/sanitize.js';
import { data, html, type Markup } from '../markup/markup.js';
import { section, table } from '../markup/table.js';
import type { RunReport } from '../run-report.js';

/** The guards; empty where none was asked. */
export function guardsSection({ guards, next }: RunReport): Markup {
  if (guards.length === 0) return html``;
  const breaches = guards.filter(isBreach);
  const found = guards.filter(({ passed, count }) => passed && count > 0);
  const idle = guards.filter(({ passed, count }) => passed && count === 0);
  const rows = [...breaches, ...found, ...idle].map(guardRow);
  const columns = [{ label: 'Guard' }, { label: 'Resource' }, { label: 'Found' }, { label: 'State' }];
  return section('guards', 'Guards', [
    next !== undefined && commands(next),
    table('What the guards found, those that stopped the run first', columns, rows),
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
  return html`<p class="lead">Nothing was written. Look at what the run would change:</p><pre class="command">${inWords(look)}</pre>
<p class="lead">If the change is intended, go on with:</p><pre class="command">${inWords(goOn)}</pre>`;
}

/** A command that breaks between its words. */
function inWords(command: string): Markup {
  return html`${command.split(' ').map((word, i) => html`${i > 0 && ' '}<span class="item">${data(word)}</span>`)}`;
}

/** The records that a guard stopped the run for, the largest jumps first. Of records that are only named there is no table. */
function offenders({ option, words, offenders: all, more }: GuardBreach): Markup {
  if (all.length === 0) return html``;
  const rest = more > 0 && html`<p class="dim">… and ${groupDigits(more)} more</p>`;
  const shown = all.every(({ place, words: what }) => place === '' && what === '')
    ? html`<p>${words}:</p><p>${all.map(({ key }, i) => html`${i === 0 ? '' : ', '}${data(key, 'key')}`)}</p>`
    : offenderTable(words, all);
  return html`<h3><code>${option}</code></h3>${shown}${rest}`;
}

function offenderTable(words: string, all: readonly Offender[]): Markup {
  if (all.every(({ change }) => change !== undefined)) {
    const columns = ['Where', 'Key', 'Field', 'Before', 'After'].map((label) => ({ label }));
    return table(words, columns, all.map(changeRow));
  }
  const saysWhat = all.some(({ words: what }) => what !== '');
  const columns = ['Where', 'Key', ...(saysWhat ? ['What'] : [])].map((label) => ({ label }));
  const row = (one: Offender) => [html`${one.place}`, data(one.key, 'key'), ...(saysWhat ? [data(one.words)] : [])];
  return table(words, columns, all.map(row));
}

function changeRow({ place, key, change }: Offender): Markup[] {
  const shown = (value: unknown): string =>
    /(^|\.)price$/.test(change?.field ?? '') ? groupDecimal(String(value)) : String(value);
  return [
    html`${place}`,
    data(key, 'key'),
    html`<code>${change?.field ?? ''}</code>`,
    data(shown(change?.from ?? '')),
    data(shown(change?.to ?? '')),
  ];
}
