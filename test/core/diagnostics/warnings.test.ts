// Warnings of a run: their words, which of them are ordinary, and that each is told once.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  isRoutine,
  newWarning,
  type Warning,
  warningLine,
  warnings,
} from '../../../src/core/diagnostics/warning-codes.js';
import { firstKeys } from '../../../src/core/diagnostics/warning-kind.js';
import { warningLog } from '../../../src/core/diagnostics/warning-log.js';

const page = readFileSync(new URL('../../../src/manual/codes.md', import.meta.url), 'utf8');

it('those that the manual calls ordinary are notes, and are not meant by --fail-on warnings', () => {
  const ordinary = [...page.matchAll(/^\| `(\w+)` \(ordinary\) \|/gm)].map(([, code]) => code);
  expect(Object.keys(warnings).filter(isRoutine)).toEqual(ordinary);
  expect(isRoutine('toString')).toBe(false);
  const no = newWarning('no_records', { file: 'a.csv' });
  const cut = newWarning('texts_cut', { file: 'a.csv', words: '2 texts were cut.' });
  expect([no, cut].map(warningLine)).toEqual([
    'warning no_records: a.csv: it contains no records.',
    'note texts_cut: a.csv: 2 texts were cut.',
  ]);
});

describe('the words of a warning', () => {
  const words = (shared: number, unsettled: number) =>
    newWarning('items_not_withheld', { file: 'a.csv', shared, unsettled }).message;

  it('tell only the reasons that there are', () => {
    const told = (count: string, reasons: string) =>
      `a.csv: ${count} could not be left out by --changed-only: ${reasons}.`;
    const [others, refused] = [
      'whose records another feed, file or set of options sent last',
      'that were refused or cut off the last time',
    ];
    expect(words(1, 0)).toBe(told('1 item', `1 ${others}`));
    expect(words(0, 2000)).toBe(told('2,000 items', `2,000 ${refused}`));
    expect(words(1, 2)).toBe(told('3 items', `1 ${others}, 2 ${refused}`));
  });

  it('name the field that an ignored column probably means', () => {
    const params = { file: 'a.csv', columns: { x: 1, Nmae: 2 }, count: 3, meant: { Nmae: 'name' } };
    expect(newWarning('columns_ignored', params).message).toBe(
      'a.csv: ignored columns: x (1 value), Nmae (2 values; did you mean name?), and 1 more. ' +
        'Name the field of one with --rename "Nmae=name", or in the mapping.',
    );
    expect(newWarning('columns_ignored', { ...params, isMapped: true }).message).toMatch(
      /and 1 more\. Name the field of one in the mapping\.$/,
    );
  });

  it('name the first 20 keys, and tell how many more there are', () => {
    const keys = Array.from({ length: 21 }, (_, i) => `k${i}`);
    const first = keys.slice(0, 20).join(', ');
    expect(firstKeys(keys, 1021)).toBe(`${first} and 1,001 more`);
    expect(firstKeys(keys.slice(0, 20), 20)).toBe(first);
    expect(firstKeys(['a'], 2)).toBe('a and 1 more');
    expect(firstKeys(['x'.repeat(41)], 1)).toHaveLength(40);
  });
});

describe('a log', () => {
  it('keeps and tells each warning once, in the order in which they were noticed', () => {
    const told: Warning[] = [];
    const log = warningLog((warning) => told.push(warning));
    log.warn('no_records', { file: 'b.csv' });
    log.warn('no_records', { file: 'a.csv' });
    log.add(newWarning('no_records', { file: 'b.csv' }));
    expect(log.all().map(({ message }) => message)).toEqual([
      'b.csv: it contains no records.',
      'a.csv: it contains no records.',
    ]);
    expect(told).toEqual(log.all());
  });

  it('keeps and tells no more than 1,000', () => {
    const told: Warning[] = [];
    const log = warningLog((warning) => told.push(warning));
    for (let i = 0; i < 1002; i++) log.warn('no_records', { file: `${i}.csv` });
    expect([log.all().length, told.length]).toEqual([1000, 1000]);
    expect(log.all().at(-1)?.message).toContain('999.csv');
  });
});
