// Renders a run report as the text of its page.

import { baseName } from './markup/format-values.js';
import { html, type Markup } from './markup/markup.js';
import { type PageAssets, page } from './page.js';
import type { RunReport } from './run-report.js';
import { causesSection } from './sections/causes.js';
import { changesSection } from './sections/changes.js';
import { columnsSection } from './sections/columns.js';
import { feedEndSection } from './sections/feed-end.js';
import { guardsSection } from './sections/guards.js';
import { missingSection } from './sections/missing.js';
import { noticesSection } from './sections/notices.js';
import { refusedSection } from './sections/refused.js';
import { samplesSection } from './sections/samples.js';
import { throughputSection } from './sections/throughput.js';
import { filesTable, verdictOf, verdictSection } from './sections/verdict.js';
import { warningsSection } from './sections/warnings.js';

/** Maximum bytes of a page, whatever the run. */
const longestPage = 5_000_000;

/** Bytes reserved for notes about what is left out. */
const forWords = 2_000;

/** The page of a run. What does not fit is cut from the end of the refused rows, and the page says so. */
export function renderRun(report: RunReport, assets: PageAssets): string {
  const guards = { id: 'guards', label: 'Guards', markup: guardsSection(report) };
  const isBlocked = report.guards.some(({ passed }) => !passed);
  const before = [
    { id: 'files', label: 'Files', markup: filesTable(report) },
    ...(isBlocked ? [guards] : []),
    { id: 'warnings', label: 'Warnings', markup: warningsSection(report) },
    { id: 'causes', label: 'Causes', markup: causesSection(report) },
    { id: 'missing', label: 'Missing values', markup: missingSection(report) },
    { id: 'feed-end', label: report.asked.length > 0 ? 'End of the run' : 'Changes', markup: feedEndSection(report) },
    ...(isBlocked ? [] : [guards]),
    { id: 'changes', label: 'Changes', markup: changesSection(report) },
  ];
  const sections = [
    { id: 'notices', label: 'Notices', markup: noticesSection(report) },
    { id: 'columns', label: 'Columns', markup: columnsSection(report) },
    { id: 'samples', label: 'Samples', markup: samplesSection(report) },
    { id: 'throughput', label: 'Throughput', markup: throughputSection(report) },
  ];
  const withParts = (parts: number): string => {
    const refused = { id: 'refused', label: 'Refused rows', markup: refusedSection(report, parts) };
    return pageOf(report, [...before, refused, ...sections], assets);
  };
  let left = longestPage - forWords - Buffer.byteLength(withParts(0));
  const { packed } = report.refused;
  const tooMany = packed.findIndex(({ text }) => {
    left -= text.length + 1;
    return left < 0;
  });
  return withParts(tooMany === -1 ? packed.length : tooMany);
}

interface PagePart {
  readonly id: string;
  readonly label: string;
  readonly markup: Markup;
}

function pageOf(report: RunReport, parts: readonly PagePart[], assets: PageAssets): string {
  const sections = parts.filter(({ markup }) => markup.text !== '');
  const verdict = verdictOf(report);
  const [first = ''] = report.asked;
  const files = report.asked.length === 0 ? '' : `, ${report.asked.length} files`;
  const subject = report.asked.length === 1 ? baseName(first) : report.command + files;
  return page(
    {
      title: `${verdict.title} · ${subject}`,
      subject,
      tone: verdict.tone,
      nav: sections,
      main: [verdictSection(report), ...sections.map(({ markup }) => markup)],
      foot: html`<p>Made by catalog-import ${report.version}. This file is all there is: it loads nothing and sends nothing. It may hold data of customers; treat it as the feed itself.</p>`,
    },
    assets,
  );
}
