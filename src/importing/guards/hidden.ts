// Records that customers see, and would see no longer.
import { changeWords } from './field-change.js';
import { type Guard, statusChange } from './guard.js';

export const hidden: Guard = {
  name: 'hidden',
  option: '--max-missing',
  words: 'would no longer be shown',
  offence({ line, isNew }) {
    const change = isNew ? undefined : statusChange(line, 'hidden');
    return change && { words: changeWords(change), change };
  },
  takesBack: ({ line }) => statusChange(line, 'shown') !== undefined,
};
