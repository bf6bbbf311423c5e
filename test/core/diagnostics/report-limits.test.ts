// What a line leaves out, and how it says so. Decision 9.3; that lines of imports keep to it, limits.test.ts shows.
import { describe, expect, it } from 'vitest';
import { cutText, withinLimits } from '../../../src/core/diagnostics/report-limits.js';
import type { FieldChange, Line, Notice } from '../../../src/core/import-report.js';

const none = { problems: 0, notices: 0 };
const line = (notice: readonly Notice[], changes?: readonly FieldChange[]): Line => ({
  ...{ index: 0, external_id: 'A', action: 'updated', id: 'prod_1', code: null, title: null, reason: null, notice },
  ...(changes && { changes }),
});
const notices = (count: number, message: string) =>
  Array.from({ length: count }, () => ({ code: 'x', field: '', message }));
const changes = (count: number, to: string) => Array.from({ length: count }, () => ({ field: 'f', from: null, to }));
const left = (what: string) => `${what} of this item were left out of the report.`;

describe('a line', () => {
  it.each([
    [none, undefined],
    [{ problems: 1, notices: 0 }, left('1 more problem')],
    [{ problems: 0, notices: 2 }, left('2 more notices')],
    [{ problems: 3, notices: 1 }, left('3 more problems, 1 more notice')],
  ])('tells what was left out before: %j', (omitted, told) => {
    const limited = withinLimits(line(notices(2, 'x')), omitted);
    expect(limited.notice.slice(0, 2)).toEqual(notices(2, 'x'));
    expect(limited.notice.slice(2).map(({ message }) => message)).toEqual(told === undefined ? [] : [told]);
    expect(limited).not.toHaveProperty('changes');
  });

  it('has at most 20 changes, each text of at most 500 characters, also where nothing else is to be told', () => {
    const limited = withinLimits(line([], changes(21, 'x'.repeat(501))), none);
    expect(limited.changes).toEqual(changes(20, `${'x'.repeat(499)}…`));
    expect(limited.notice.map(({ message }) => message)).toEqual([left('1 more change')]);
    expect(withinLimits(line([], changes(20, 'x')), none)).toEqual(line([], changes(20, 'x')));
  });

  it('that is too long loses its last changes first, then its last notices', () => {
    const wide = '日'.repeat(400);
    const limited = withinLimits(line(notices(10, wide), changes(20, wide)), none);
    const kept = limited.changes?.length ?? 0;
    expect(limited.notice).toHaveLength(11);
    expect(limited.notice.at(-1)?.message).toBe(left(`${20 - kept} more changes`));
    expect([kept > 0, kept < 20]).toEqual([true, true]);
    const long = withinLimits(line(notices(20, wide), changes(2, wide)), none);
    expect(long.changes).toEqual([]);
    expect(long.notice.at(-1)?.message).toBe(left(`${21 - long.notice.length} more notices, 2 more changes`));
    const without = withinLimits(line(notices(20, wide)), none);
    expect(without.notice.at(-1)?.message).toBe(left(`${21 - without.notice.length} more notices`));
    for (const one of [limited, long, without]) {
      const bytes = Buffer.byteLength(JSON.stringify(one));
      expect(bytes).toBeLessThanOrEqual(16 * 1024);
      // One more would not fit.
      expect(bytes).toBeGreaterThan(14 * 1024);
    }
  });
});

it.each([
  ['x'.repeat(500), 'x'.repeat(500)],
  ['x'.repeat(501), `${'x'.repeat(499)}…`],
  ['🚲'.repeat(500), '🚲'.repeat(500)],
  ['🚲'.repeat(501), `${'🚲'.repeat(499)}…`],
  [501, 501],
])('a text is cut at 500 characters', (value, shown) => {
  expect(cutText(value)).toBe(shown);
});
