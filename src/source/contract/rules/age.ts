// `age: 26h`: when the file was last modified, as its system or the server of its address states it.
import { durationForm, durationSeconds } from '../../../core/text/duration.js';
import { shownFile } from '../../../core/text/sanitize.js';
import { expected } from '../../mapping/schema/schema-checks.js';
import type { FileRule } from '../rule.js';

export const age: FileRule = {
  check: expected('a time such as 26h', (given) => typeof given === 'string' && durationSeconds(given) !== undefined, {
    type: 'string',
    pattern: durationForm.source,
  }),
  judge(given, { file, modified, now }) {
    // --max-age is read already.
    const limit = typeof given === 'number' ? given : (durationSeconds(String(given)) ?? 0);
    const isKnown = !Number.isNaN(modified);
    const count = Math.max(0, Math.floor((now - (isKnown ? modified : 0)) / 1000));
    const words = isKnown
      ? `was last modified ${new Date(modified).toISOString()}, ${Math.floor(count / 3600)} h ago (limit ${limit / 3600} h)`
      : 'does not say when it was last modified';
    return { count, limit, passed: isKnown && count <= limit, words: `${shownFile(file)} ${words}` };
  },
};
