// What the end of a feed's run did, or would do, separate from its rows.

import type { EndLine, FeedEffect } from '../../../core/ledger/feed-end.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import { data, html, type Markup } from '../markup/markup.js';
import { section, table } from '../markup/table.js';
import type { RunReport } from '../run-report.js';
import { changedFields } from './samples.js';

const effects: Readonly<Record<FeedEffect, string>> = {
  missing: 'reported as missing',
  suspended: 'suspended',
  regained: 'regained the status they had before they were suspended',
  passed_on: 'take the values of lower feeds',
  restored: 'taken back, as if the undone runs had never been',
};

/** The end of the feed's run; empty where it tells nothing. */
export function feedEndSection({ feedEnd, ended, dryRun, asked }: RunReport): Markup {
  if (feedEnd === undefined || feedEnd.notes.length + feedEnd.records.length === 0) return html``;
  const rows = feedEnd.records.map(({ effect, resource, count, keys }) => {
    const more = count - keys.length;
    return [
      html`<b>${effects[effect]}</b>`,
      html`<code>${resource}</code>`,
      html`${groupDigits(count)}`,
      html`${keys.map((key, i) => html`<span class="item">${data(key, 'key')}${i < keys.length - 1 && ','}</span> `)}${more > 0 && `and ${groupDigits(more)} more`}`,
    ];
  });
  const columns = [
    { label: dryRun ? 'What would happen' : 'What happened' },
    { label: 'Resource' },
    { label: 'Records', kind: 'number' as const },
    { label: 'Keys' },
  ];
  const [heading, caption] =
    asked.length > 0
      ? ['At the end of the run', 'Records that the end of the run changes']
      : [dryRun ? 'What would change' : 'What changed', 'The records, by what happened to them'];
  return section('feed-end', heading, [
    rows.length > 0 && table(caption, columns, rows),
    ended.length > 0 && table('What changes in the first of them', lineColumns, ended.map(lineRow)),
    html`${feedEnd.notes.map((note) => html`<p>${note}</p>`)}`,
  ]);
}

const lineColumns = [{ label: 'Key' }, { label: 'Resource' }, { label: 'Why' }, { label: 'What' }];

const causes: Readonly<Record<EndLine['cause'], string>> = {
  missing: 'no longer listed',
  relisted: 'listed again',
  passed_on: 'no longer listed by this feed',
  retired: 'the feed was ended',
  undone: 'the run was undone',
};

function lineRow({ external_id, resource, cause, changes }: EndLine): readonly Markup[] {
  return [data(external_id, 'key'), html`<code>${resource}</code>`, html`${causes[cause]}`, changedFields(changes)];
}
