// Columns that are called keys and names are none where their values cannot be so.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

/** The columns that are or may be a field of a file of three products, which has other keys and names as well. */
async function candidates(
  field: 'sku' | 'name',
  header: string,
  values: readonly string[],
): Promise<readonly string[]> {
  const rows = values.map((value, i) => `${value};KX-${7 - i}Z;${['Red tea cup', 'Blue pot', 'Tea tin'][i]};1${i},50`);
  const { fields, asked } = await suggested([`${header};Code;Bezeichnung;Preis`, ...rows].join('\n'));
  return [fields[field] ?? [], Object.keys(asked[field] ?? {})].flat();
}

const long = (words: string, length: number) => words.padEnd(length, ' of clay');

describe('a column that is called a name is none', () => {
  it.each([
    ['of numbers', ['101', '102', '103']],
    ['of barcodes', ['4006381333931', '4006381333948', '5901234123457']],
    ['of codes', ['R-1', 'R-2', 'R-3']],
    ['of addresses', ['https://x.de/a', 'https://x.de/b', 'https://x.de/c']],
    ['of texts that are too long', [long('A cup', 191), long('A pot', 191), long('A tin', 191)]],
  ] as const)('%s', async (_, values) => {
    expect(await candidates('name', 'Titel', values)).toEqual(['Bezeichnung']);
  });

  it('but of texts as long as a name may be', async () => {
    const values = [long('A cup', 190), long('A pot', 190), long('A tin', 190)];
    expect(await candidates('name', 'Titel', values)).toContain('Titel');
  });
});

describe('a column that is called a key is none', () => {
  it.each([
    ['of words', ['for the kitchen', 'for the garden', 'for a desk']],
    ['of amounts', ['1,50', '2,75', '3,20']],
    ['of addresses', ['https://x.de/a1', 'https://x.de/b2', 'https://x.de/c3']],
    ['of lists', ['["A1","A2"]', '["B1"]', '["C1"]']],
    ['of what was searched for', ['<em>A</em>1', '<em>A</em>2', '<em>A</em>3']],
    ['of what is too long', ['a'.repeat(191), 'b'.repeat(191), 'c'.repeat(191)]],
  ] as const)('%s', async (_, values) => {
    expect(
      await candidates(
        'sku',
        'SKU',
        values.map((value) => `"${value.replaceAll('"', '""')}"`),
      ),
    ).toEqual(['Code']);
  });

  it('but of codes as long as a key may be', async () => {
    expect(
      await candidates(
        'sku',
        'SKU',
        ['a1', 'b2', 'c3'].map((code) => code.repeat(95)),
      ),
    ).toEqual(['SKU']);
  });
});
