// Records that would be created, and those that come back after an undo took back their creation.
import { rewrittenKeysWords } from '../../core/diagnostics/warning-kind.js';
import type { Guard, ResourceFigures } from './guard.js';

export const created: Guard = {
  name: 'created',
  option: '--max-created',
  share: {
    help: 'the same of records that would be created',
    standard: 0.2,
  },
  words: 'would be created',
  offence({ line: { action }, isNew }) {
    if (!isNew) return undefined;
    return { words: action === 'created' ? '' : 'created again, which was undone' };
  },
  remark: rewrittenRemark,
};

/** Keys in another form make records that are new, and others that are missing. */
export function rewrittenRemark({ rewritten }: ResourceFigures): string {
  const keys = rewritten.found();
  return keys === undefined ? '' : rewrittenKeysWords(keys.count, keys.example);
}
