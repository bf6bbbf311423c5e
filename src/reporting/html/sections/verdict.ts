// The head of a page: how the run ended, and what its exit code means.
import type { Counts } from '../../../core/import-report.js';
import type { AffectedRecords } from '../../../core/ledger/feed-end.js';
import { counted } from '../../../core/text/counted.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import { fileWords } from '../../run-lines.js';
import { stackedBar } from '../markup/charts.js';
import { baseName, duration, moment, percent, typedOptions } from '../markup/format-values.js';
import { data, html, type Markup } from '../markup/markup.js';
import { table } from '../markup/table.js';
import type { RunReport } from '../run-report.js';

export type Tone = 'good' | 'warn' | 'bad';

export interface RunVerdict {
  readonly tone: Tone;
  readonly title: string;
  readonly text: string;
}

/** What an exit code means. */
const exits: Readonly<Record<number, string>> = {
  0: 'every item was accepted',
  1: 'a bug: please report it',
  2: 'usage or configuration',
  3: 'finished, some items were refused',
  4: 'the remote refused the key',
  5: 'the input could not be read',
  6: 'the remote could not be reached',
  7: 'the catalog could not be used',
  8: 'stopped by a guard',
  129: 'the terminal was closed',
  130: 'interrupted',
  143: 'ended from outside',
};

/** Why a run ended early, by its code. */
const stops: Readonly<Record<string, string>> = {
  usage: 'The run could not begin as it was asked for',
  key_refused: 'The remote refused the key',
  input_unreadable: 'The file could not be read to its end',
  remote_failed: 'The remote could not be reached',
  try_again: 'Another program used what the run needs',
  catalog_unusable: 'The catalog cannot be used',
  catalog_locked: 'The catalog was locked by another process',
  catalog_unavailable: 'The catalog could not be reached',
  catalog_full: 'There is no room left for the catalog',
  guard_stopped: 'Stopped by a guard',
  batch_too_large: 'The batch was too large',
  interrupted: 'The run was interrupted',
};

/** The noun for the imported records: `products`, or `items` for several resources. */
function nounOf({ files }: Pick<RunReport, 'files'>): string {
  const words = new Set(files.map(({ resource }) => resource));
  const [word = 'items'] = words;
  return words.size === 1 ? word : 'items';
}

function sumOf(affected: readonly AffectedRecords[]): number {
  return affected.reduce((sum, { count }) => sum + count, 0);
}

export function verdictOf(report: RunReport): RunVerdict {
  const { counts, dryRun, stopped, failure = '', feedEnd, plan } = report;
  const { total, refused, created, updated, unchanged } = counts;
  const noun = nounOf(report);
  if (stopped !== undefined) {
    const title =
      total === 0 && stopped === 'input_unreadable'
        ? 'The file could not be read'
        : (stops[stopped] ?? 'The run failed');
    const kept = counted(total - refused, noun);
    const done =
      total === 0
        ? 'Nothing was imported.'
        : dryRun
          ? `${counted(total, noun)} had been checked.`
          : `${kept} had been saved before, and stay.`;
    if (report.next !== undefined) return { tone: 'bad', title, text: guardText(report) };
    return { tone: 'bad', title, text: `${failure}${failure === '' ? '' : ' '}${done}` };
  }
  const ending = feedEnd?.records.filter(({ effect }) => effect !== 'missing') ?? [];
  if (report.asked.length === 0) return endVerdict(report, ending);
  if (total === 0) return { tone: 'warn', title: 'There was nothing to import', text: 'No record was read.' };
  if (refused > 0) {
    const title = `${groupDigits(refused)} of ${counted(total, noun)} ${dryRun ? 'would be' : refused === 1 ? 'was' : 'were'} refused`;
    const others =
      total === refused
        ? ''
        : `${counted(total - refused, 'others')} ${dryRun ? 'would be saved' : total - refused === 1 ? 'is in the catalog' : 'are in the catalog'}. `;
    return {
      tone: 'warn',
      title,
      text: `${others.replace(/^1 other /, 'The other one ')}A refused row changes nothing: correct it, and import it again.`,
    };
  }
  if (unchanged === total && ending.length > 0)
    return {
      tone: 'warn',
      title: 'The rows change nothing, the end of the run does',
      text: `All ${counted(total, noun)} are in the catalog as they were sent; ${counted(sumOf(ending), 'other records')} ${dryRun ? 'would change' : 'changed'}.`,
    };
  if (unchanged === total)
    return {
      tone: 'good',
      title: 'Nothing to do',
      text: `${total === 1 ? 'The item is' : `All ${counted(total, noun)} are`} in the catalog as they were sent.`,
    };
  const done = [
    created > 0 && `${groupDigits(created)} created`,
    updated > 0 && `${groupDigits(updated)} updated`,
    unchanged > 0 && `${groupDigits(unchanged)} unchanged`,
  ].filter((part) => part !== false);
  const all = total === 1 ? `The ${counted(1, noun).slice(2)}` : `All ${counted(total, noun)}`;
  return {
    tone: plan === undefined || plan.found.length === 0 ? 'good' : 'warn',
    title: `${all} ${dryRun ? 'would be' : total === 1 ? 'was' : 'were'} accepted`,
    text: `${done.join(', ')}.`,
  };
}

/** The verdict on a run that read no file: what its end did. */
function endVerdict({ dryRun }: RunReport, ending: readonly AffectedRecords[]): RunVerdict {
  const done = endEffects.flatMap(([effect, words]) => {
    const count = sumOf(ending.filter((one) => one.effect === effect));
    return count === 0 ? [] : [`${groupDigits(count)} ${words}`];
  });
  if (done.length === 0) return { tone: 'good', title: 'Nothing to do', text: 'It changes no record.' };
  return {
    tone: 'warn',
    title: `${counted(sumOf(ending), 'records')} ${dryRun ? 'would change' : 'changed'}`,
    text: `${done.join(', ')}.`,
  };
}

/** What the end of a run does to records, in words. */
const endEffects = [
  ['suspended', 'suspended'],
  ['regained', 'shown again'],
  ['passed_on', 'passed on to other feeds'],
  ['restored', 'taken back'],
] as const;

/** Why guards stopped a run, in a sentence; the figures follow in their own section. */
function guardText({ guards }: RunReport): string {
  const found = guards.filter(({ passed }) => !passed).map(({ words }) => words);
  return `${found.join('; ')}. Nothing was written.`;
}

const signs: Readonly<Record<Tone, Markup>> = {
  good: html`<path d="M7 12.5l3.4 3.4L17 9"/>`,
  warn: html`<path d="M12 7v6.2M12 16.6v.1"/>`,
  bad: html`<path d="M8.2 8.2l7.6 7.6M15.8 8.2l-7.6 7.6"/>`,
};

/** A sign in a circle. */
export function sign(tone: Tone): Markup {
  return html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"/>${signs[tone]}</svg>`;
}

const parts = ['created', 'updated', 'unchanged', 'refused'] as const;

function outcomeBar(counts: Readonly<Counts>): Markup {
  const words = parts.map((part) => `${groupDigits(counts[part])} ${part}`).join(', ');
  return stackedBar(
    parts.map((part) => ({ count: counts[part], className: part })),
    `Of ${groupDigits(counts.total)} items: ${words}`,
  );
}

export function verdictSection(report: RunReport): Markup {
  const { tone, title, text } = verdictOf(report);
  const { counts, exit, dryRun, stopped } = report;
  const legend = parts.map(
    (part) =>
      html`<li class="${part}${counts[part] === 0 ? ' none' : ''}"><b>${groupDigits(counts[part])}</b> ${part}<span>${percent(counts[part], counts.total)}</span></li>`,
  );
  return html`<section class="verdict ${tone}" aria-labelledby="verdict">
${dryRun && dryBanner(report)}
${stopped !== undefined && counts.total > 0 && html`<p class="banner early" role="note"><b>Stopped early.</b> What follows is the report up to there.</p>`}
<div class="headline">${sign(tone)}<div><h1 id="verdict">${title}</h1><p>${text}</p></div><p class="exit"><b>Exit code ${exit}</b>${exit === 0 && counts.total === 0 ? 'done' : (exits[exit] ?? 'see the manual')}</p></div>
${counts.total > 0 && html`<div class="outcome">${outcomeBar(counts)}<ul class="legend">${legend}</ul></div>`}
${facts(report)}
</section>\n`;
}

/** Nothing was written: of a plan how it is applied, and what would stop the import. */
function dryBanner({ plan }: RunReport): Markup {
  if (plan === undefined)
    return html`<p class="banner" role="note"><b>Dry run.</b> Nothing was written; this is what an import would do.</p>`;
  const { file, apply, found } = plan;
  return html`<p class="banner" role="note"><b>A plan.</b> Nothing was written; this is what ${data(baseName(file), 'key')} would import. To import it: <code>${data(apply)}</code></p>
${found.length > 0 && html`<div class="banner early" role="note"><b>Guards would stop this import.</b> Applying the plan imports it all the same.<ul>${found.map(({ option, words }) => html`<li><code>${option}</code> ${data(words)}</li>`)}</ul></div>`}`;
}

function facts(report: RunReport): Markup {
  const { target, options, started, seconds, version, counts, files, asked, plan, number } = report;
  const rate =
    seconds >= 1 && counts.total >= 1000 ? ` · ${groupDigits(Math.round(counts.total / seconds))} items a second` : '';
  const names = files.length > 0 ? files.map(({ file }) => file) : asked;
  const asNamed = [...new Set(names)];
  const shown = data(fileWords(asNamed, 1));
  const { 'report-file': _, output, ...reported } = options;
  // A plan is a dry run with all changes, which nobody typed.
  const implied = plan === undefined ? {} : { 'dry-run': undefined, diff: undefined };
  const typed = typedOptions({ ...reported, ...(output !== 'table' && { output }), ...implied });
  const command = plan === undefined || report.command === 'plan' ? report.command : `plan ${report.command}`;
  const one = files.length === 1 ? files[0] : undefined;
  const isEnding = report.feedEnd?.records.some(({ effect }) => effect !== 'missing') ?? false;
  // What changed nothing has nothing to undo.
  const hasChanged = isEnding || counts.created + counts.updated > 0;
  const rows: (readonly [string, Markup])[] = [
    ...(names.length === 0
      ? []
      : [
          [
            asNamed.length === 1 ? 'File' : 'Files',
            html`${shown}${one && html`<span class="sub">${one.form}</span>`}`,
          ] as const,
        ]),
    ['Into', data(target)],
    ['Command', html`<code>${command}</code>${typed.map((option) => html` <code>${data(option)}</code>`)}`],
    ...(number === undefined
      ? []
      : [
          [
            'Run',
            html`${number}<span class="sub">runs show ${number}${hasChanged && `, undo ${number}`}</span>`,
          ] as const,
        ]),
    [plan === undefined ? 'Started' : 'Made', moment(started)],
    ...(plan === undefined ? [['Took', html`${duration(seconds)}${rate}`] as const] : []),
    ['Version', html`catalog-import ${version}`],
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** The files of a run that has several. */
export function filesTable({ files }: RunReport): Markup {
  if (files.length < 2) return html``;
  const rows = files.map(({ file, resource, counts, seconds, stopped }) => [
    data(baseName(file), 'key'),
    html`${resource}${stopped !== undefined && html` <span class="tag bad">stopped early</span>`}`,
    outcomeBar(counts),
    ...parts.map(
      (part) =>
        html`<span class="${counts[part] === 0 ? 'none' : part === 'refused' ? 'hot' : ''}">${groupDigits(counts[part])}</span>`,
    ),
    html`${duration(seconds)}`,
  ]);
  const columns = [
    { label: 'File' },
    { label: 'Resource' },
    { label: 'Outcome', kind: 'bar' as const },
    ...['Created', 'Updated', 'Unchanged', 'Refused', 'Took'].map((label) => ({ label, kind: 'number' as const })),
  ];
  return html`<section id="files" aria-labelledby="h-files"><h2 id="h-files">Files</h2>${table('Each file in the order of its import', columns, rows)}</section>\n`;
}
