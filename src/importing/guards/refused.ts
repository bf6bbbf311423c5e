// Rows that would be refused. By default a feed may have as many as in its last accepted run, and 20 % of its rows more: a feed may
// always have had some.

import { percent } from '../../core/text/percent.js';
import { groupDigits } from '../../core/text/sanitize.js';
import { type ComparedRun, type Guard, limit } from './guard.js';

export const refused: Guard = {
  name: 'refused',
  option: '--max-refused',
  words: 'would be refused',
  isLevel: true,
  limitOf({ maxRefused, maxRefusedMore }, run) {
    if (maxRefused !== undefined) return run.times === 1 ? limit(maxRefused) : undefined;
    if (maxRefusedMore === undefined) return undefined;
    const [before, more] = [refusedShare(run), maxRefusedMore * run.times];
    return {
      share: Math.min(1, before + more),
      shown: `${percent(more)} above the ${percent(before)} of ${runWords(run)}`,
    };
  },
  offence: ({ line: { action, code } }) => (action === 'refused' ? { words: code ?? '' } : undefined),
  base: ({ total }) => total,
};

function refusedShare({ rows, filled }: ComparedRun): number {
  return rows === 0 ? 0 : (filled?.refused ?? 0) / rows;
}

function runWords({ rows, times }: ComparedRun): string {
  return `${times === 1 ? 'the last run' : 'the run a week ago'} (${groupDigits(rows)} rows)`;
}
