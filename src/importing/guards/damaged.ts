// Records whose texts would be damaged (damaged-text.ts).
import { damagedText } from './damaged-text.js';
import { changeWords } from './field-change.js';
import type { Guard } from './guard.js';

export const damaged: Guard = {
  name: 'damaged',
  option: '--max-missing',
  words: 'would have a damaged text',
  offence({ line: { changes = [] }, isNew }) {
    const change = isNew ? undefined : damagedText(changes);
    return change && { words: changeWords(change), change };
  },
};
