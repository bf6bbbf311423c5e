import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputWidth } from '../../src/cli/output-width.js';
import { textTable } from '../../src/reporting/formats/text-table.js';
import { folder, products, typed } from './typed.js';

const head = ['key', 'status', 'name'];
const rows = [
  ['A-1', 'activated', 'A lamp for the table, with a shade of linen'],
  ['A-2', 'draft', 'A chair'],
];

describe('a table', () => {
  it('is as wide as it is where that fits, or nothing says how wide it may be', () => {
    const wide = textTable([head, ...rows], undefined);
    expect(wide.split('\n')[1]).toBe('A-1  activated  A lamp for the table, with a shade of linen');
    expect(textTable([head, ...rows], 200)).toBe(wide);
  });

  it('is wrapped between words where it is too wide', () => {
    expect(textTable([head, ...rows], 40)).toBe(
      [
        'key  status     name',
        'A-1  activated  A lamp for the table,',
        '                with a shade of linen',
        'A-2  draft      A chair',
        '',
      ].join('\n'),
    );
  });

  it('keeps a time with its offset on one line', () => {
    const started = '2026-11-27 07:51:05 +00:00';
    const table = textTable(
      [
        ['run', 'started', 'file'],
        ['1', started, 'the export of the night.csv'],
      ],
      50,
    );
    expect(table).toContain(`1    ${started}  the`);
    expect(
      textTable(
        [
          ['run', 'started', 'file'],
          ['1', started, 'the export of the night.csv'],
        ],
        36,
      ),
    ).toContain(`started  ${started}\n`);
  });

  it('has one cell below the other where not even its longest words fit', () => {
    expect(textTable([head, ...rows], 18)).toBe(
      [
        ...[
          'key     A-1',
          'status  activated',
          'name    A lamp for',
          '        the table,',
          '        with a',
          '        shade of',
        ],
        ...['        linen', '', 'key     A-2', 'status  draft', 'name    A chair', '', ''],
      ].join('\n'),
    );
  });

  it('breaks no word, and keeps to the width where no word is longer', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcé1-'), minLength: 1, maxLength: 9 });
    const cell = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
    const table = fc
      .integer({ min: 1, max: 6 })
      .chain((columns) =>
        fc.tuple(
          fc.array(word, { minLength: columns, maxLength: columns }),
          fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 5 }),
        ),
      );
    fc.assert(
      fc.property(table, fc.integer({ min: 22, max: 90 }), ([names, lines], width) => {
        const text = textTable([names, ...lines], width);
        expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
        const words = (all: string): string[] =>
          all
            .split(/\s+/)
            .filter((one) => one !== '')
            .sort();
        const shown = words(text);
        for (const one of words(lines.flat().join(' '))) expect(shown).toContain(one);
      }),
    );
  });

  it('gives a column that needs more what the others leave', () => {
    const runs = [
      ['run', 'started', 'feed', 'state', 'records', 'command'],
      ['1', '2026-11-27 02:49:11 +00:00', 'the-erp', 'done, exit 0', '2 created', 'products first.csv'],
    ];
    expect(textTable(runs, 80)).toBe(
      [
        'run  started                     feed     state       records    command',
        '1    2026-11-27 02:49:11 +00:00  the-erp  done, exit  2 created  products',
        '                                          0                      first.csv',
        '',
      ].join('\n'),
    );
  });

  it('breaks Chinese between its characters', () => {
    expect(
      textTable(
        [
          ['sku', 'name'],
          ['S-1', '翻新苹果手机十五专业版'],
        ],
        16,
      ),
    ).toBe('sku   S-1\nname  翻新苹果手\n      机十五专业\n      版\n\n');
  });

  it('of refusals breaks no word of a reason and keeps to the width, whatever the keys', async () => {
    const key = 'REFURB-IPHONE-15-PRO-MAX-256GB-NATURAL-TITANIUM';
    const cwd = folder({
      'feed.csv': `sku,currency,price,quantity_unit\n${key},EUR,refurbishediphone15promax,nothing\n`,
    });
    for (const width of [60, 80, 120]) {
      const { stdout } = await typed(cwd, ['products', 'feed.csv', '--dry-run'], { env: { COLUMNS: String(width) } });
      const lines = stdout.split('\n');
      expect([width, lines.filter((line) => line.length > width)]).toEqual([width, []]);
      expect(stdout).toContain('"refurbishediphone15promax"');
    }
  });

  it('follows COLUMNS, also into a pipe', async () => {
    expect(outputWidth({ env: { COLUMNS: '60' }, stdout: { columns: 200 } as NodeJS.WriteStream & { fd: 1 } })).toBe(
      60,
    );
    expect(outputWidth({ env: { COLUMNS: 'many' }, stdout: {} as NodeJS.WriteStream & { fd: 1 } })).toBeUndefined();
    const cwd = folder({ 'feed.csv': products(3) });
    await typed(cwd, ['products', 'feed.csv', '--feed', 'erp']);
    for (const args of [['runs'], ['list', 'products'], ['feeds'], ['why', 'product', 'S-1'], ['search', 'S']])
      for (const width of [60, 80, 120]) {
        const { stdout, code } = await typed(cwd, args, { env: { COLUMNS: String(width) } });
        expect([args, code]).toEqual([args, 0]);
        // The path of a file is one word, which stays whole.
        const lines = stdout.split('\n').filter((line) => !line.includes('feed.csv'));
        expect([args, width, Math.max(...lines.map((line) => line.length)) <= width]).toEqual([args, width, true]);
      }
  });
});
