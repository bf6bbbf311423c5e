// A run report → the text of its page.
import { html } from './markup.js';
import { type PageAssets, page } from './page.js';
import type { RunReport } from './run-report.js';
import { causesSection } from './sections/causes.js';
import { changesSection } from './sections/changes.js';
import { columnsSection } from './sections/columns.js';
import { missingSection } from './sections/missing.js';
import { noticesSection } from './sections/notices.js';
import { refusedSection } from './sections/refused.js';
import { samplesSection } from './sections/samples.js';
import { throughputSection } from './sections/throughput.js';
import { filesTable, verdictOf, verdictSection } from './sections/verdict.js';
import { baseName } from './words.js';

/** Bytes of a page, whatever the run. */
const longestPage = 5_000_000;

/** The page of a run. What does not fit is left out from the end of the refused rows, and the page says so. */
export function renderRun(report: RunReport, assets: PageAssets): string {
  for (let parts = report.refused.packed.length; ; parts = Math.floor(parts * 0.8)) {
    const text = renderParts(report, parts, assets);
    if (parts === 0 || Buffer.byteLength(text) <= longestPage) return text;
  }
}

function renderParts(report: RunReport, packedParts: number, assets: PageAssets): string {
  const sections = [
    { id: 'files', label: 'Files', markup: filesTable(report) },
    { id: 'causes', label: 'Causes', markup: causesSection(report) },
    { id: 'missing', label: 'Missing values', markup: missingSection(report) },
    { id: 'changes', label: 'Changes', markup: changesSection(report) },
    { id: 'refused', label: 'Refused rows', markup: refusedSection(report, packedParts) },
    { id: 'notices', label: 'Notices', markup: noticesSection(report) },
    { id: 'columns', label: 'Columns', markup: columnsSection(report) },
    { id: 'samples', label: 'Samples', markup: samplesSection(report) },
    { id: 'throughput', label: 'Throughput', markup: throughputSection(report) },
  ].filter(({ markup }) => markup.text !== '');
  const verdict = verdictOf(report);
  const [first = ''] = report.asked;
  const subject = report.asked.length === 1 ? baseName(first) : `${report.command}, ${report.asked.length} files`;
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
