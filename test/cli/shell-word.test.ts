import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellAtHand, shellCommand, shellWord } from '../../src/cli/shell-word.js';
import { execFileSync } from '../child.js';

describe('a word to paste', () => {
  it.skipIf(process.platform === 'win32')('is read by a shell as it was', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), {
      minLength: 1,
      // A shell takes longer to start than to read words.
      maxLength: 60,
      size: 'max',
    });
    fc.assert(
      fc.property(texts, (all) => {
        const words = all.map((text) => text.replaceAll('\0', '')).filter((text) => text !== '');
        const line = words.map((word) => shellWord(word, 'posix')).join(' ');
        const read = execFileSync('sh', ['-c', `for word in ${line}; do printf '%s\\0' "$word"; done`], {
          encoding: 'utf8',
        });
        expect(read.split('\0').slice(0, -1)).toEqual(words);
      }),
      { numRuns: 10 },
    );
  });

  it.each([
    ['cmd', 'C:\\feeds\\a b.csv', '"C:\\feeds\\a b.csv"'],
    ['cmd', "it's.csv", '"it\'s.csv"'],
    ['cmd', 'C:\\feeds\\a.csv', 'C:\\feeds\\a.csv'],
    ['powershell', "it's.csv", "'it''s.csv'"],
    ['powershell', 'a$b.csv', "'a$b.csv'"],
    ['powershell', 'a,b@c', "'a,b@c'"],
    ['powershell', 'C:\\feeds\\a.csv', 'C:\\feeds\\a.csv'],
  ] as const)('%s: %s', (shell, word, quoted) => {
    expect(shellWord(word, shell)).toBe(quoted);
  });

  it('is quoted for the shell in which the program was typed', () => {
    expect(shellAtHand({ platform: 'linux', env: { PROMPT: 'x' } })).toBe('posix');
    expect(shellAtHand({ platform: 'win32', env: { PROMPT: '$P$G' } })).toBe('cmd');
    expect(shellAtHand({ platform: 'win32', env: {} })).toBe('powershell');
    expect(shellCommand(['apply', 'two words.plan'], 'cmd')).toBe('catalog-import apply "two words.plan"');
  });
});
