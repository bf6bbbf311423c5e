// Records that would be out of stock.
import type { FieldChange } from '../../core/import-report.js';
import { changeWords } from './field-change.js';
import type { Guard } from './guard.js';

export const soldOut: Guard = {
  name: 'sold_out',
  option: '--max-missing',
  words: 'would be out of stock',
  offence({ line: { changes = [] }, isNew }) {
    const change = isNew ? undefined : changes.find(isSoldOut);
    return change && { words: changeWords(change), change };
  },
  takesBack: ({ line: { changes = [] } }) =>
    changes.some(({ field, from, to }) => isSoldOut({ field, from: to, to: from })),
};

function isSoldOut({ field, from, to }: FieldChange): boolean {
  return field === 'stock' && Number(from) > 0 && Number(to) <= 0;
}
