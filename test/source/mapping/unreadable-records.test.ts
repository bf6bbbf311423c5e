// Which keys the unreadable records of a lookup table may have.
import { describe, expect, it } from 'vitest';
import { unreadableRecords, wordsOf } from '../../../src/source/mapping/rows/unreadable-records.js';

const record = (text: string) => ({ text, line: 7, record: 0 });

describe('the key of an unreadable record', () => {
  it.each([
    ['a cell', 'A-1;red;"x', 'A-1'],
    ['a cell with another delimiter in it', 'A,1;red;"x', 'A,1'],
    ['a cell in quotation marks', '"A ""big"" 1";red;"x', 'A "big" 1'],
    ['a member of an object', '{"sku": "A\\u002d1", "color": "red"', 'A-1'],
    ['a part of a list', 'A-1/A-2;red;"x', 'A-2'],
  ])('may be %s', (_, text, key) => {
    const unread = unreadableRecords(true);
    unread.add(record(text));
    expect(unread.of(key)).toMatchObject({ line: 7 });
    expect(unread.of('B-1')).toBeUndefined();
  });

  it('is one of a bounded number of words, none of which is empty', () => {
    const words = wordsOf(`"";,${'word '.repeat(3)}${Array.from({ length: 5_000 }, (_, i) => `w${i}`).join('  ')}`);
    expect(words).not.toContain('');
    expect(words).toContain('w0');
    expect(words?.length).toBeLessThan(2_010);
  });

  it.each([
    ['where the key is made of cells', false, 'A-1;red;"x'],
    ['where it has more cells than are examined', true, Array.from({ length: 3_000 }, (_, i) => `w${i}`).join(';')],
    ['where it is longer than is examined', true, `"${'x""'.repeat(6_000_000)}`],
  ])('may be any %s', (_, isCell, text) => {
    const unread = unreadableRecords(isCell);
    unread.add(record(text));
    expect(unread.of('B-1')).toMatchObject({ line: 7 });
  });
});
