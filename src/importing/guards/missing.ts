// Records that the feed listed and no longer lists. They are counted once all rows were read, and come back by being listed again.
import { rewrittenRemark } from './created.js';
import type { Guard } from './guard.js';

export const missing: Guard = {
  name: 'missing',
  option: '--max-missing',
  share: {
    help: 'the same of records that the feed lists no longer',
    standard: 0.2,
  },
  words: 'are missing',
  wordsOfOne: 'is missing',
  remark: rewrittenRemark,
};
