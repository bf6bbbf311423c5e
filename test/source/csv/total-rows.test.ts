// Totals are told from records by their values, whatever they are called.
import { describe, expect, it } from 'vitest';
import { readCsv } from '../given.js';
import { suggested } from '../suggested.js';

const czech = `Kód;Název;Cena;Sklad;EAN
N-100;Kladivo;250,00 Kč;5;8590000000013
N-101;Pila;750,00 Kč;2;8590000000020
Mezisoučet;2;1 000,00 Kč;;
N-200;Hřebíky;100,00 Kč;9;8590000000037
N-201;Vruty;150,00 Kč;0;8590000000044
Mezisoučet;2;250,00 Kč;;
Úhrnem;4;1 250,00 Kč;;
`;

describe('a row of totals with a word that no list has', () => {
  it.each([
    ['sub-totals below groups', czech, ['Mezisoučet', 'Úhrnem']],
    [
      'a sum in every column of amounts, of keys without digits',
      'Code,Name,Price,Stock\nPOT,Tea pot,10.50,4\nCUP,Tea cup,2.50,9\nJUG,Jug,7.00,3\nKokku,,20.00,16\n',
      ['Kokku'],
    ],
    ['a count of records', 'Code,Name,Price\nA-1,Pot,10.50\nA-2,Cup,2.50\nA-3,Jug,7.00\nIš viso,3,\n', ['Iš viso']],
    [
      'below a column that comes before the key',
      'Brand;Code;Name;Price\nX;A-1;Pot;10,50\nX;A-2;Cup;2,50\nY;A-3;Jug;7,00\nKoguhind;;;20,00\n',
      ['Koguhind'],
    ],
    ['two columns only', 'Code,Price,Stock\nA-1,10.50,4\nA-2,2.50,9\nA-3,7.00,3\nKokku,20.00,16\n', ['Kokku']],
    [
      'below names that come first',
      'Name;Price;Stock\nPot;10,50;1\nCup;12,50;2\nJug;1,00;7\nKoos;24,00;10\n',
      ['Koos'],
    ],
    [
      'a word for each group',
      'Code;Name;Price\nA-1;Pot;10,50\nA-2;Cup;2,50\nVahesumma nõud;;13,00\nB-1;Saw;7,00\nB-2;Axe;8,00\nVahesumma tööriistad;;15,00\n',
      ['Vahesumma'],
    ],
  ])('is left out by a suggestion: %s', async (_, content, words) => {
    expect((await suggested(content)).yaml).toContain(`leave_out: ${JSON.stringify(words)}`);
  });

  it.each(['Итого:', 'Razem brutto', '合計', 'Jumlah', 'Yhteensä', 'المجموع', 'Do zapłaty'])(
    '%s is one',
    async (word) => {
      const content = `sku;name;price;stock\nA-1;Pot;10,50;4\nA-2;Cup;2,50;9\n${word};;99,90;\n`;
      expect((await suggested(content)).yaml).toContain(`leave_out: ["${word.replace(':', '')}"]`);
    },
  );

  it('is not known below a single record, nor in place of it', async () => {
    for (const rows of ['A-1;Pot;10,50\nCUP;;10,50\n', 'CUP;;10,50\nA-1;Pot;10,50\n'])
      expect((await readCsv(`sku;name;price\n${rows}`, { decimal: ',' })).notes).toEqual([]);
    const { notes } = await readCsv('sku;name;price\nA-1;Pot;10,50\nA-2;Pan;2,50\nCUP;;13,00\n', { decimal: ',' });
    expect(notes.join()).toContain('"CUP" on line 4');
  });

  it('is reported by an import', async () => {
    const { notes } = await readCsv(
      czech.replace('Kód;Název;Cena;Sklad', 'sku;name;price;stock').replaceAll(' Kč', ''),
    );
    expect(notes.join()).toContain(
      'page headers or totals were read as records: "Mezisoučet" on lines 4, 7; "Úhrnem" on line 8.',
    );
  });
});

it.each([
  ['a code without digits', 'sku;name;price;stock\nA-1;Pot;10,50;4\nA-2;Cup;2,50;9\nPEN;Pen;7,00;3\n'],
  [
    'a name of digits in a file of such codes',
    'sku;name;price;stock\nPOT;Pot;10,50;4\nCUP;Cup;2,50;9\nXBOX;360;199,00;3\n',
  ],
  ['an amount that is the sum of two others', 'sku;name;price\nA-1;Pot;10,50\nA-2;Cup;2,50\nA-3;Set;13,00\n'],
  ['units in a column', 'sku;price;weight\nA;1,00;2 kg\nB;2,00;3 kg\nC;3,00;4 kg\n'],
  ['names that come first', 'name;price;stock\nPot;1,50;1\nCup;2,50;2\nJug;4,00;3\n'],
])('no record is taken for a total: %s', async (_, content) => {
  expect((await suggested(content)).yaml).not.toContain('leave_out');
  expect((await readCsv(content.replace(/^name/, 'sku'))).notes.join()).not.toContain('totals');
});
