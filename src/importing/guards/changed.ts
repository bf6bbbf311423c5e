// Records that would change at all.
import { changeWords } from './field-change.js';
import type { Guard } from './guard.js';

export const changed: Guard = {
  name: 'changed',
  option: '--max-changed',
  share: { help: 'with --feed: stop before the first write where more changes, such as 30%' },
  words: 'would change',
  offence({ line: { action, changes = [] }, isNew }) {
    if (action !== 'updated' || isNew) return undefined;
    const [first] = changes;
    if (first === undefined) return { words: '' };
    const more = changes.length > 1 ? ` and ${changes.length - 1} more` : '';
    return { words: `${changeWords(first)}${more}`, change: first };
  },
};
