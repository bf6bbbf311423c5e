// Entries that lists lose: what is left out of a list that is the whole set is deactivated. Their share is of the entries that the rows
// send, and of those that they lose.
import { counted } from '../../core/text/counted.js';
import type { Guard } from './guard.js';

export const emptiedLists: Guard = {
  name: 'emptied_lists',
  option: '--max-emptied',
  share: {
    help: 'the same of entries that lists lose, such as values of characteristics',
    standard: 0.2,
  },
  words: 'entries of lists would be deactivated',
  wordsOfOne: 'entry of a list would be deactivated',
  offence({ line: { notice, diagnostics = [] }, isNew }) {
    const [first] = notice.filter(({ code }) => code === 'entries_deactivated');
    if (first === undefined || isNew) return undefined;
    const told = diagnostics.filter(({ code }) => code === 'entries_deactivated');
    // A remote tells only that there are some.
    const count = told.reduce((sum, { params }) => sum + Number(params?.['count'] ?? 1), 0) || 1;
    return { words: `${first.field}: ${counted(count, 'entries')}`, count, weight: count };
  },
  base: ({ filled, total }, count) => (filled?.entries === undefined ? total : filled.entries + count),
};
