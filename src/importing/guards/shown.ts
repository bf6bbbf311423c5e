// Records that customers do not see, and would see from now on, such as drafts. One that regains its status, since its feed lists it
// again, is what it was.
import { changeWords } from './field-change.js';
import { type Guard, statusChange } from './guard.js';

export const shown: Guard = {
  name: 'shown',
  option: '--max-shown',
  share: {
    help: 'the same of records that become visible, such as drafts',
    standard: 0.2,
  },
  words: 'would become visible',
  offence({ line, isNew, isBack }) {
    const isRegained = isBack || line.notice.some(({ code }) => code === 'status_regained');
    const change = isNew || isRegained ? undefined : statusChange(line, 'shown');
    return change && { words: changeWords(change), change };
  },
  takesBack: ({ line }) => statusChange(line, 'hidden') !== undefined,
};
