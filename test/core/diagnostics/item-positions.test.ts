// Diagnostics that name another item: by its line in the file, or its position in the batch that was sent.
import { describe, expect, it } from 'vitest';
import { withLineNumbers, withPositions } from '../../../src/core/diagnostics/item-positions.js';
import { messageText } from '../../../src/core/diagnostics/message-text.js';
import type { Diagnostic, Line, Notice } from '../../../src/core/import-report.js';
import { reportOf } from '../../../src/core/report-counts.js';
import { given } from '../../given.js';

const repeated: Diagnostic = {
  ...{ code: 'repeated_in_batch', field: 'sku', params: { index: 0 } },
  message: messageText('repeated_in_batch', 'sku', undefined, { index: 0 }),
};
const ignored: Diagnostic = { code: 'price_ignored', field: 'price', message: 'price was not applied.' };
const toNotice = ({ code, field, message }: Diagnostic): Notice => ({ code, field, message });

function accepted(diagnostics: readonly Diagnostic[] | undefined, notice = (diagnostics ?? []).map(toNotice)): Line {
  const line = { index: 0, external_id: 'A', action: 'updated' as const, id: 'prod_1', code: null, title: null };
  return { ...line, reason: null, notice, ...(diagnostics && { diagnostics }) };
}

const shown = ({ reason, notice }: Line) => ({ reason, notice: notice.map(({ message }) => message) });
const applied = (where: string) => `The same record is ${where}; this one was applied on top of it.`;

describe('the position of another item', () => {
  it.each([
    ['alone', [repeated], [applied('item 7 of this batch')]],
    ['before others', [repeated, ignored], [applied('item 7 of this batch'), ignored.message]],
    ['after others', [ignored, repeated], [ignored.message, applied('item 7 of this batch')]],
    ['nowhere', [ignored], [ignored.message]],
  ])('is replaced in the notices of an accepted item: %s', (_, diagnostics, messages) => {
    const line = withPositions(accepted(diagnostics), () => ({ index: 7 }));
    expect(shown(line)).toEqual({ reason: null, notice: messages });
    expect(line.diagnostics?.map(({ message }) => message)).toEqual(messages);
  });

  it('is replaced in the reason of a refused item, and its further problems stay', () => {
    const first = { code: 'duplicate_in_batch', field: 'number', value: 'N1', params: { index: 0 } };
    const diagnostics = [
      { ...first, message: messageText('duplicate_in_batch', 'number', 'N1', { index: 0 }) },
      { code: 'field_required', field: 'name', message: 'name is required.' },
    ];
    const line: Line = {
      ...{ ...accepted(undefined), action: 'refused', code: 'duplicate_in_batch', reason: 'before', diagnostics },
      notice: diagnostics.slice(1).map(toNotice),
    };
    expect(shown(withPositions(line, () => ({ line: 12 })))).toEqual({
      reason: 'number: "N1" is on line 12 already. Send each record once.',
      notice: ['name is required.'],
    });
  });

  it('leaves what stands in the place of notices that were left out', () => {
    const omitted = { code: 'more_omitted', field: '', message: '1 more notice of this item were left out.' };
    const whole = { code: 'not_created', field: '', message: 'not created' };
    const line = accepted(
      [repeated, whole, ignored],
      [toNotice(repeated), omitted, toNotice({ ...whole, field: 'x' })],
    );
    expect(shown(withPositions(line, () => ({ line: 3 }))).notice).toEqual([
      applied('on line 3'),
      omitted.message,
      'not created',
    ]);
  });
});

describe('a report tells other items by their lines', () => {
  const item = { sku: 'A', currency: 'EUR' };
  const batch = [item, { sku: 'B', currency: 'EUR' }, item];

  it('where some lines have diagnostics, and where all have', () => {
    const lines = [accepted(undefined), accepted([repeated])];
    for (const data of [lines, lines.slice(1)])
      expect(withLineNumbers(reportOf('product', false, data), [5, 9]).data.map(shown)).toEqual(
        data.map(({ diagnostics }) => ({
          ...{ reason: null, notice: diagnostics === undefined ? [] : [applied('on line 5')] },
        })),
      );
  });

  it('and an item without a line by its position', () => {
    const report = withLineNumbers(reportOf('product', false, [accepted([repeated])]), []);
    expect(report.data.map(shown)).toEqual([{ reason: null, notice: [applied('item 0 of this batch')] }]);
  });

  it('which a catalog gives from 0', () => {
    expect(given().send('product', batch).data.at(-1)?.notice).toEqual([toNotice(repeated)]);
  });
});
