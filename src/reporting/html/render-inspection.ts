// Renders an inspection as the text of its page.

import { counted } from '../../core/text/counted.js';
import { groupDigits } from '../../core/text/sanitize.js';
import { formWords } from '../form-words.js';
import { cutText } from './collect/refused-collector.js';
import type { InspectionReport } from './inspection-report.js';
import { bar } from './markup/charts.js';
import { baseName, duration, fileName, moment, percent, typedOptions } from './markup/format-values.js';
import { data, html, type Markup, preText } from './markup/markup.js';
import { section, table } from './markup/table.js';
import { type PageAssets, page } from './page.js';
import { sign } from './sections/verdict.js';

const mostColumns = 1_000;
const longestMapping = 200_000;

export function renderInspection(report: InspectionReport, assets: PageAssets): string {
  const parts = [
    { id: 'trouble', label: 'To look at', markup: troubleSection(report) },
    { id: 'columns', label: 'Columns', markup: columnsSection(report) },
    { id: 'mapping', label: 'Mapping', markup: mappingSection(report) },
  ].filter(({ markup }) => markup.text !== '');
  const { tone, title } = headlineOf(report);
  return page(
    {
      title: `${title} · ${baseName(report.file)}`,
      subject: baseName(report.file),
      tone,
      nav: parts,
      main: [headline(report), ...parts.map(({ markup }) => markup)],
      foot: html`<p>Made by catalog-import ${report.version}. This file is all there is: it loads nothing and sends nothing. It shows samples of the feed; treat it as the feed itself.</p>`,
    },
    assets,
  );
}

function headlineOf({ failure, records = 0, resource, columns = [], troubles = [] }: InspectionReport) {
  if (failure !== undefined)
    return {
      tone: 'bad' as const,
      title: records === 0 ? 'The file could not be read' : 'The file could not be read to its end',
      text: failure,
    };
  const tone = troubles.length > 0 ? ('warn' as const) : ('good' as const);
  const title = `${counted(records, 'records')}${resource === undefined ? '' : `, probably ${resource}`}`;
  const fields = columns.filter(({ field }) => field !== undefined).length;
  const known =
    fields === 0
      ? 'No column is called after a field.'
      : `${groupDigits(fields)} of ${counted(columns.length, 'columns')} were recognized.`;
  const odd = troubles.reduce((sum, { count }) => sum + count, 0);
  return {
    tone,
    title,
    text: `${known} ${odd === 0 ? 'No row is ragged or damaged.' : `${counted(odd, 'rows')} to look at.`}`,
  };
}

function headline(report: InspectionReport): Markup {
  const { file, found, decimal, started, seconds, version, options, exit = 0 } = report;
  const { tone, title, text } = headlineOf(report);
  const typed = typedOptions(options);
  const facts: (readonly [string, Markup | undefined])[] = [
    ['File', html`${data(fileName(file))}${found && html`<span class="sub">${formOf(found)}</span>`}`],
    [
      'Encoding',
      found?.compression === 'xlsx'
        ? undefined
        : found && html`${found.encoding}${found.why !== '' && html`<span class="sub">${found.why}</span>`}`,
    ],
    [
      'Decimal sign',
      decimal &&
        html`${decimal.sign === undefined ? 'unknown' : html`<code>${decimal.sign}</code>`}<span class="sub">${decimal.why}</span>`,
    ],
    ['Command', html`<code>inspect</code>${typed.map((option) => html` <code>${data(option)}</code>`)}`],
    ['Started', html`${moment(started)}<span class="sub">took ${duration(seconds)}</span>`],
    ['Version', html`catalog-import ${version}`],
  ];
  return html`<section class="verdict ${tone}" aria-labelledby="verdict">
<div class="headline">${sign(tone)}<div><h1 id="verdict">${title}</h1><p>${text}</p></div><p class="exit"><b>Exit code ${exit}</b>${exit === 0 ? 'the file could be read' : 'the file could not be read'}</p></div>
<dl class="facts">${facts.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</section>\n`;
}

function formOf(found: NonNullable<InspectionReport['found']>): string {
  const { newline, header } = found;
  return [
    ...formWords(found),
    ...(newline === undefined ? [] : [`lines end in ${newline}`]),
    ...(header === undefined ? [] : [`header on line ${header}`]),
  ].join(', ');
}

function troubleSection({ troubles = [], remarks = [] }: InspectionReport): Markup {
  if (troubles.length === 0 && remarks.length === 0) return html``;
  const rows = troubles.map(({ what, count, lines }) => [
    html`${what}`,
    html`${groupDigits(count)}`,
    html`${lines.join(', ')}${count > lines.length && ' …'}`,
  ]);
  const columns = [{ label: 'What' }, { label: 'Rows', kind: 'number' as const }, { label: 'First lines' }];
  return section('trouble', 'To look at', [
    rows.length > 0 && table('Rows that are not records of the file’s shape, or hold damaged text', columns, rows),
    remarks.length > 0 &&
      html`<ul class="notes">${remarks.slice(0, 200).map((remark) => html`<li>${data(cutText(remark, 1_000))}</li>`)}</ul>`,
  ]);
}

function columnsSection({ columns = [], records = 0 }: InspectionReport): Markup {
  if (columns.length === 0) return html``;
  const rows = columns
    .slice(0, mostColumns)
    .map(({ name, field, filled, distinct, isMore, longest, longestLine, samples }) => [
      data(cutText(name, 200), 'key'),
      field === undefined ? html`<span class="dim">unknown</span>` : html`${field}`,
      bar(filled, records, 'fillrate'),
      html`${percent(filled, records)}`,
      html`${isMore && '> '}${groupDigits(distinct)}`,
      html`${groupDigits(longest)}${longest > 190 && html`<span class="sub">line ${groupDigits(longestLine)}</span>`}`,
      html`${samples.map((sample, i) => html`${i > 0 && html` <span class="dim">|</span> `}${data(sample)}`)}`,
    ]);
  const number = 'number' as const;
  const heads = [
    { label: 'Column' },
    { label: 'Field' },
    { label: 'Share', kind: 'bar' as const },
    { label: 'Filled', kind: number },
    { label: 'Different', kind: number },
    { label: 'Longest, bytes', kind: number },
    { label: 'Samples' },
  ];
  const cut = columns.length - rows.length;
  return section('columns', 'Columns', [
    table('Each column with the field it probably fills, how full it is, and what is in it', heads, rows),
    cut > 0 &&
      html`<p class="cut">${counted(cut, 'columns')} more are not shown; <code>--output json</code> has them.</p>`,
  ]);
}

function mappingSection({ mapping = '', resource, file }: InspectionReport): Markup {
  if (mapping === '' || resource === undefined || mapping.length > longestMapping) return html``;
  const command = /^import:/m.test(mapping) ? 'run' : resource;
  return section('mapping', 'A mapping to begin with', [
    html`<p class="lead">Save it as <code>feed.yaml</code>, correct it, then try it: <code>catalog-import ${command} ${data(file)} <span class="option">--map feed.yaml</span> <span class="option">--dry-run</span></code></p>`,
    html`<p class="actions script"><button type="button" data-copy="mapping-yaml">Copy</button></p>`,
    preText('mapping-yaml', mapping),
  ]);
}
