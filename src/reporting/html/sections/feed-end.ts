// What the end of a feed's run did, or would do, separate from its rows.

import type { FeedEffect } from '../../../core/ledger/feed-end.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import { data, html, type Markup } from '../markup/markup.js';
import { section, table } from '../markup/table.js';
import type { RunReport } from '../run-report.js';

const effects: Readonly<Record<FeedEffect, string>> = {
  missing: 'reported as missing',
  suspended: 'suspended',
  regained: 'regained the status they had before they were suspended',
  passed_on: 'take the values of lower feeds',
};

/** The end of the feed's run; empty where it tells nothing. */
export function feedEndSection({ feedEnd, dryRun }: RunReport): Markup {
  if (feedEnd === undefined || feedEnd.notes.length + feedEnd.records.length === 0) return html``;
  const rows = feedEnd.records.map(({ effect, resource, count, keys }) => {
    const more = count - keys.length;
    return [
      html`<b>${effects[effect]}</b>`,
      html`<code>${resource}</code>`,
      html`${groupDigits(count)}`,
      html`${keys.map((key, i) => html`${i > 0 && ', '}${data(key, 'key')}`)}${more > 0 && ` and ${groupDigits(more)} more`}`,
    ];
  });
  const columns = [
    { label: dryRun ? 'What would happen' : 'What happened' },
    { label: 'Resource' },
    { label: 'Records', kind: 'number' as const },
    { label: 'Keys' },
  ];
  return section('feed-end', 'At the end of the run of the feed', [
    rows.length > 0 && table('Records that the end of the run changes', columns, rows),
    html`${feedEnd.notes.map((note) => html`<p>${note}</p>`)}`,
  ]);
}
