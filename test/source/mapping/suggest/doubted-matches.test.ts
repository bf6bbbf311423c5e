// Keys, barcodes and names that other columns put in doubt, so that a person is asked.
import { describe, expect, it } from 'vitest';
import { askDoubted, isOneWord, isUnique } from '../../../../src/source/mapping/suggest/doubted-matches.js';
import { askAmong, type Match } from '../../../../src/source/mapping/suggest/questions.js';
import { columnOf, columnsOf } from './profiles.js';

type Table = Parameters<typeof columnsOf>[0];

/** What is left of matches: the column of a field that is certain, or the columns that are asked about. */
function doubted(matches: Readonly<Record<string, string | readonly string[]>>, table: Table) {
  const columns = columnsOf(table);
  const called = (names: string | readonly string[]) => columns.filter(({ name }) => [names].flat().includes(name));
  const found = new Map(
    Object.entries(matches).map(([field, names]): [string, Match] => {
      const [sure] = called(names);
      return [field, typeof names === 'string' && sure !== undefined ? { sure } : askAmong(called(names))];
    }),
  );
  const used = new Set(Object.values(matches).flat());
  askDoubted(found, columns, () => columns.filter(({ name }) => !used.has(name)));
  return Object.fromEntries(
    [...found].map(([field, match]) => [
      field,
      'sure' in match ? match.sure.name : match.open.map(({ column }) => column.name),
    ]),
  );
}

const codes = ['EC-1000', 'EC-1001', 'EC-1002'];
const numbers = ['10001', '10002', '10003'];
const unordered = ['5021', '5035', '5012'];
const eans = ['4006381333931', '4006381333948', '5901234123457'];

describe('the key', () => {
  it.each<[string, string | string[], Table, string | string[]]>([
    [
      'shared by some',
      ['SKU', 'Code'],
      { SKU: ['S1', 'S1', 'S2'], Code: ['C-1', 'C-2', 'C-3'], Ref: codes },
      ['SKU', 'Code', 'Ref'],
    ],
    ['not in all', 'SKU', { SKU: ['S1', '', 'S3'], Ref: codes, Stück: ['12', '0', '3'] }, ['SKU', 'Ref']],
    ['not in all, next to amounts', 'SKU', { SKU: ['S1', '', 'S3'], 'Preis A': ['1990', '4900', '990'] }, 'SKU'],
    ['not in all, next to measures', 'SKU', { SKU: ['S1', '', 'S3'], Tiefe: ['1.5', '4.25', '2.75'] }, 'SKU'],
    ['a number in order', 'goods_id', { goods_id: numbers, goods_sn: codes }, ['goods_id', 'goods_sn']],
    [
      'a number in order, or a key',
      ['goods_id', 'SKU'],
      { goods_id: numbers, SKU: ['A-9', 'A-7', 'A-8'], goods_sn: codes },
      ['goods_id', 'SKU'],
    ],
    [
      'a number next to what is no code in all',
      'goods_id',
      { goods_id: numbers, goods_sn: ['EC-1000', '77', '88'] },
      ['goods_id'],
    ],
    ['a number next to that of the maker', 'goods_id', { goods_id: numbers, MPN: codes }, ['goods_id']],
    [
      'a number next to two codes',
      'goods_id',
      { goods_id: numbers, MPN: codes, goods_sn: ['X-1', 'X-2', 'X-3'] },
      ['goods_id', 'MPN', 'goods_sn'],
    ],
    [
      'of ten digits',
      'goods_id',
      { goods_id: ['1000000000', '1000000500', '1000000300'], goods_sn: codes },
      ['goods_id', 'goods_sn'],
    ],
    [
      'of nine digits',
      'goods_id',
      { goods_id: ['999999999', '999999997', '999999998'], goods_sn: codes },
      ['goods_id'],
    ],
    ['a path', 'Artikel', { Artikel: ['a/1', 'a/2', 'b/3'], goods_sn: codes }, ['Artikel', 'goods_sn']],
    ['a path in some', 'Artikel', { Artikel: ['a/1', 'a/2', 'b3'], goods_sn: codes }, 'Artikel'],
    [
      'a number of products, next to codes',
      'PRODUCTNO',
      { PRODUCTNO: ['P50', 'P35', 'P12'], ITEM_ID: ['ITM_1', 'ITM_2', 'ITM_3'] },
      ['PRODUCTNO', 'ITEM_ID'],
    ],
    [
      'a number of products, next to some codes',
      'PRODUCTNO',
      { PRODUCTNO: ['P50', 'P35', 'P12'], ITEM_ID: ['ITM_1', 'ITM_2', '77x'] },
      'PRODUCTNO',
    ],
    [
      'a code of products, next to numbers',
      'PRODUCTNO',
      { PRODUCTNO: ['P50', 'P35', 'P12'], ITEM_ID: unordered },
      ['PRODUCTNO', 'ITEM_ID'],
    ],
    [
      'a code of some products, next to numbers',
      'PRODUCTNO',
      { PRODUCTNO: ['P50', '35', '12'], ITEM_ID: unordered },
      'PRODUCTNO',
    ],
    [
      'plainly called so, next to others by type',
      'Artikelnummer',
      { Artikelnummer: ['A9', 'A7', 'A8'], 'identifiers[type=ref].value': codes },
      'Artikelnummer',
    ],
    [
      'a code, next to others by type',
      'Code',
      { Code: ['A9', 'A7', 'A8'], 'identifiers[type=ref].value': codes },
      ['Code', 'identifiers[type=ref].value'],
    ],
    [
      'a barcode, where products share a number',
      'EAN',
      { EAN: eans, Artikelnr: ['A1', 'A1', 'B2'] },
      ['Artikelnr', 'EAN'],
    ],
    [
      'a slug, where products share a number',
      'Slug',
      { Slug: ['red-cup', 'blue-cup', 'pot'], Artikelnr: ['A1', 'A1', 'B2'] },
      ['Artikelnr', 'Slug'],
    ],
    [
      'a code, where products share a number',
      'Code',
      { Code: ['A9', 'A7', 'A8'], Artikelnr: ['A1', 'A1', 'B2'] },
      'Code',
    ],
    [
      'a barcode or a code, where products share a number',
      ['EAN', 'Code'],
      { EAN: eans, Code: ['A9', 'A7', 'A8'], Artikelnr: ['A1', 'A1', 'B2'] },
      ['EAN', 'Code'],
    ],
    ['the number of something else', 'Batch number', { 'Batch number': ['B9', 'B7', 'B8'] }, ['Batch number']],
    ['of groups', 'Artikelnummer', { Artikelnummer: ['0 986 400 100', '0 986 400 101'] }, 'Artikelnummer'],
    [
      'of groups, shared by some',
      'Artikelnummer',
      { Artikelnummer: ['0 986 400 100', '0 986 400 100'] },
      ['Artikelnummer'],
    ],
  ])('%s: %j', (_, key, table, left) => {
    expect(doubted({ sku: key }, table)['sku']).toEqual(left);
  });

  it('a barcode or a code leaves the barcode certain; several barcodes, or a barcode alone, do not', () => {
    const table = { EAN: eans, GTIN: ['4012345678901', '4260000000011', '4260000000028'], Code: ['C9', 'C7', 'C8'] };
    expect(doubted({ sku: ['EAN', 'Code'] }, { EAN: table.EAN, Code: table.Code })).toMatchObject({ ean: 'EAN' });
    expect(doubted({ sku: ['EAN', 'GTIN', 'Code'] }, table)).not.toHaveProperty('ean');
    expect(doubted({ sku: 'EAN' }, { EAN: eans })).toEqual({ sku: 'EAN' });
    expect(doubted({ sku: ['EAN', 'Code'], ean: 'GTIN' }, table)).toMatchObject({ ean: 'GTIN' });
  });

  it('is unique where each record has one of its own', () => {
    const [key, gaps] = columnsOf({ key: ['a', 'b'], gaps: ['a', ''] });
    const columns = [key, gaps].flatMap((one) => one ?? []);
    expect(columns.map((one) => isUnique(one, columns))).toEqual([true, false]);
    expect(isUnique(columnOf('key', ['a', 'a']), [])).toBe(false);
    expect(isUnique(columnOf('key', ['a']), [])).toBe(false);
  });

  it('is one word of at most 190 bytes', () => {
    const long = (bytes: number) => isOneWord(columnOf('key', ['a'.repeat(bytes)]));
    expect([long(190), long(191), isOneWord(columnOf('key', ['a b']))]).toEqual([true, false, false]);
  });
});

describe('the barcode', () => {
  const lists = ['["4006381333931","5901234123457"]', '4006381333948'];
  const types = ['["unit","box"]', 'unit'];

  it.each<[string, Table, string | string[]]>([
    ['alone', { EAN: eans }, 'EAN'],
    ['of cartons', { 'EAN Karton': eans }, ['EAN Karton']],
    ['of which a cell has two', { EAN: ['4006381333931', '4006381333948,5901234123457'] }, ['EAN']],
    ['of which a record has several', { EAN: lists }, 'EAN'],
    [
      'of which a record has several with their types',
      { Bild: ['["a","b"]', 'c'], 'EAN@lang': ['de', 'en'], EAN: lists, 'EAN@type': types },
      ['EAN'],
    ],
    ['of which a record has one with a type', { EAN: eans.slice(1), 'EAN@type': types }, 'EAN'],
  ])('%s is certain, or asked', (_, table, left) => {
    const [name = ''] = Object.keys(table).filter((one) => /^EAN(?!@)/.test(one));
    expect(doubted({ ean: name }, table)['ean']).toEqual(left);
  });

  it.each<[Table, string]>([
    [
      { EAN: ['4006381333931', '4006381333948,5901234123457'] },
      'some cells hold several: write { column: "EAN", split: ",", take: first }',
    ],
    [
      { Bild: ['["a","b"]', 'c'], 'EAN@lang': ['de', 'en'], EAN: lists, 'EAN@type': types },
      'some records have several: write "EAN[@type=unit]"',
    ],
  ])('of several is asked with what to write: %j', (table, remark) => {
    const columns = columnsOf(table);
    const found = new Map<string, Match>(columns.flatMap((sure) => (sure.name === 'EAN' ? [['ean', { sure }]] : [])));
    askDoubted(found, columns, () => []);
    expect(found.get('ean')).toMatchObject({ open: [{ remark }] });
  });
});

describe('the name', () => {
  const short = ['Red cup', 'Blue cup', 'Tea pot'];
  const ofBytes = (bytes: number) => ['Red '.padEnd(bytes, 'x'), 'Blue cup', 'Tea pot'];
  const shades = ['Rose', 'Coral', 'Plum'];

  it.each<[string, Record<string, string>, Table, Record<string, string | string[]>]>([
    ['is a short description', { description: 'Descripción' }, { Descripción: short }, { name: 'Descripción' }],
    ['is one of 190 bytes', { description: 'Descripción' }, { Descripción: ofBytes(190) }, { name: 'Descripción' }],
    ['is none of more', { description: 'Descripción' }, { Descripción: ofBytes(191) }, { description: 'Descripción' }],
    [
      'is none that is called long',
      { description: 'Long description' },
      { 'Long description': short },
      { description: 'Long description' },
    ],
    [
      'is a description rather than a group',
      { name: 'Productgroep', description: 'Descripción' },
      { Productgroep: ['Cups', 'Cups', 'Pots'], Descripción: short },
      { name: 'Descripción' },
    ],
    [
      'is what is called a name',
      { name: 'Name', description: 'Descripción' },
      { Name: ['Cup', 'Cup', 'Pot'], Descripción: short },
      { name: 'Name', description: 'Descripción' },
    ],
    [
      'is the article',
      { name: 'Artikel', description: 'Descripción' },
      { Artikel: short, Descripción: ['Rot', 'Blau', 'Tee'] },
      { name: 'Artikel', description: 'Descripción' },
    ],
    [
      'of a shade is asked next to texts',
      { name: 'Shade name' },
      { 'Shade name': shades, Style: ['Polo shirt', 'Polo shirt', 'Tee'] },
      { name: ['Shade name', 'Style'] },
    ],
    [
      'of a shade is not asked next to words that occur again',
      { name: 'Shade name' },
      { 'Shade name': shades, Style: ['Polo', 'Polo', 'Tee'] },
      { name: 'Shade name' },
    ],
    [
      'of a shade is not asked next to numbers',
      { name: 'Shade name' },
      { 'Shade name': shades, Style: ['12', '13', '14'] },
      { name: 'Shade name' },
    ],
    [
      'of a shade is asked next to texts of 190 bytes',
      { name: 'Shade name' },
      { 'Shade name': shades, Style: [...ofBytes(190).slice(0, 1), ...ofBytes(190).slice(0, 1), ''] },
      { name: ['Shade name', 'Style'] },
    ],
    [
      'of a shade is not asked next to longer texts',
      { name: 'Shade name' },
      { 'Shade name': shades, Style: [...ofBytes(191).slice(0, 1), ...ofBytes(191).slice(0, 1), ''] },
      { name: 'Shade name' },
    ],
    [
      'that is a short description is asked next to a shorter one',
      { name: 'Short description', description: 'Text' },
      { 'Short description': short, Text: ['Red', 'Blue', 'Tea'] },
      { name: ['Text', 'Short description'] },
    ],
    [
      'that is a short description is not asked next to one as long',
      { name: 'Short description', description: 'Text' },
      { 'Short description': short, Text: short },
      { name: 'Short description', description: 'Text' },
    ],
    [
      'that is a short description is not asked next to other texts',
      { name: 'Short description' },
      { 'Short description': short, Finish: ['Oak', 'Pine', 'Teak'] },
      { name: 'Short description' },
    ],
    [
      'that is a short description is asked next to a product',
      { name: 'Short description', description: 'Text' },
      { 'Short description': short, Text: ofBytes(300), Produkt: ['Cup', 'Pot', 'Tin'] },
      { name: ['Produkt', 'Short description'], description: 'Text' },
    ],
  ])('%s', (_, matches, table, left) => {
    expect(doubted(matches, table)).toEqual(left);
  });
});
