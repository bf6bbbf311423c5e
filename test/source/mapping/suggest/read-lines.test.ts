// How a suggestion says that a file is read.
import { describe, expect, it } from 'vitest';
import type { Inspection } from '../../../../src/source/inspection/inspect-file.js';
import { readLines } from '../../../../src/source/mapping/suggest/read-lines.js';

const encoding = { field: 'encoding', candidates: [{ value: 'windows-1252', relation: 'Tür' }] };
const decimal = { field: 'decimal', candidates: [{ value: '.', relation: '1.234 is 1.234' }] };
const asks = (field: string) => `  ${field}: ?   # which one is it?`;
const open = '  # decimal: ","    # what could be either is refused until this says it';

describe('a file is read', () => {
  it.each([
    [
      'by its delimiter and decimal sign',
      { delimiter: ';' },
      ',',
      [],
      ['read:', '  format: csv', '  delimiter: ";"', '  decimal: ","'],
    ],
    [
      'in its encoding',
      { encoding: 'windows-1252' },
      '.',
      [],
      ['read:', '  format: csv', '  encoding: windows-1252', '  decimal: "."'],
    ],
    ['with an open sign', {}, undefined, [], ['read:', '  format: csv', open]],
    [
      'with a question about its encoding',
      { encoding: 'windows-1252', encodings: [{ name: 'windows-1252', sample: 'Tür' }] },
      undefined,
      [encoding],
      ['read:', '  format: csv', asks('encoding'), '  #   "windows-1252": Tür', open],
    ],
    [
      'with questions about its encoding and its decimal sign',
      { encodings: [{ name: 'windows-1252', sample: 'Tür' }] },
      undefined,
      [encoding, decimal],
      [
        ...['read:', '  format: csv', asks('encoding'), '  #   "windows-1252": Tür'],
        ...[asks('decimal'), '  #   ".": 1.234 is 1.234'],
      ],
    ],
    [
      'by its elements',
      { format: 'xml', recordPath: 'p' },
      '.',
      [],
      ['read:', '  format: xml', '  record: "p"', '  decimal: "."'],
    ],
    [
      'by its list',
      { format: 'json', recordPath: 'a.b' },
      '.',
      [],
      ['read:', '  format: json', '  items: "a.b"', '  decimal: "."'],
    ],
    [
      'as a workbook',
      { compression: 'xlsx', encoding: 'windows-1252', delimiter: ';', sheet: 'A' },
      '.',
      [],
      ['read:', '  sheet: "A"', '  decimal: "."'],
    ],
    ['as a workbook of which nothing is to be said', { compression: 'xlsx' }, undefined, [], ['read: {}', open]],
  ] as const)('%s', (_, found, sign, questions, expected) => {
    const inspection = { found: { format: 'csv', encoding: 'utf-8', ...found }, pageWords: [], sectionRows: undefined };
    expect(readLines(inspection as unknown as Inspection, sign, questions)).toEqual(expected);
  });
});
