// A run over HTTP, its server killed at some of the commits of its end; at every one in test/long.
import { expect, it } from 'vitest';
import { postRuns } from './posted-run-kills.js';

it.each(['before-commit:4', 'after-commit:3', 'after-commit:6'])(
  'is ended once and whole, its server killed %s',
  async (point) => expect(await postRuns(point)).toBe(true),
);
