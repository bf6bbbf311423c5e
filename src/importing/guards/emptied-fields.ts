// Fields that lack values, as where a column was renamed or emptied: their records would keep old values unnoticed.
import { emptiedFields as fieldsLacking } from '../../core/ledger/filled-fields.js';
import { shareWords } from '../../core/text/percent.js';
import { groupDigits } from '../../core/text/sanitize.js';
import type { Guard } from './guard.js';

export const emptiedFields: Guard = {
  name: 'emptied_fields',
  option: '--max-missing',
  words: 'values are missing in a field',
  isLevel: true,
  measure({ filled: now }, { rows, filled: before, times }, isBeyond) {
    if (now === undefined || before === undefined) return undefined;
    const all = fieldsLacking(before, now);
    const beyond = all.filter(({ count }) => isBeyond(count));
    const fields = beyond.length === 1 ? '1 field lacks' : `${beyond.length} fields lack`;
    const run = times === 1 ? 'the last run' : 'the run a week ago';
    const worst = Math.max(0, ...all.map(({ count }) => count));
    return {
      count: worst,
      of: rows,
      words:
        beyond.length > 0
          ? `${fields} values that ${run} had`
          : `${groupDigits(worst)} values fewer in the field that lacks most, ${shareWords(worst, rows)}`,
      offenders: beyond.map(({ field, count }) => ({
        ...{ place: '', key: field },
        words: `${groupDigits(count)} values fewer, ${shareWords(count, rows)}`,
      })),
    };
  },
};
