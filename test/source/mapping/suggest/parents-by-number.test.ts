// Categories that name their parents by numbers or codes: the lookup table that gives the names.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

/** The lines of the suggestion from its table on, without remarks. */
async function treeOf(header: string, rows: readonly string[]): Promise<readonly string[]> {
  const { yaml } = await suggested([header, ...rows].join('\n'), 'categories.csv');
  const lines = yaml.split('\n').map((line) => line.replace(/\s+#.*$/, '').trim());
  const from = lines.findIndex((line) => line.startsWith('tree:'));
  return from === -1
    ? []
    : lines.slice(from, lines.indexOf('read:')).filter((line) => line !== '' && !/^#|^to:/.test(line));
}

const parents = ['0', '1', '1', '2', '3'];
const names = ['Home', 'Lamps', 'Pots', 'Desks', 'Rugs'];
/** Rows of five categories: what is before the number of the parent, the parent, and its names. */
const rowsOf = (
  idOf: (number: number) => string,
  named: readonly string[] = names,
  parentOf = (parent: string): string => (parent === '0' ? '0' : (idOf(Number(parent)).split(';').at(-1) ?? '')),
) => named.map((name, i) => `${idOf(i + 1)};${parentOf(parents[i] ?? '')};${name}`);
const again = ['Home', 'Lamps', 'Pots', 'Sale', 'Sale'];
const root = '{ column: "parent_id", map: { "0": "" }, else: keep }';

describe('the table of a tree', () => {
  it.each([
    ['by numbers', 'id;parent_id;name', rowsOf(String), `{ key: "id", parent: ${root}, columns: { name: "name" } }`],
    [
      'with the number after names that occur again',
      'id;parent_id;name',
      rowsOf((i) => `10000000000${i}`, again),
      `{ key: "id", parent: ${root}, columns: { name: { template: "{name} ({id})" } } }`,
    ],
    [
      'with all names above them, where numbers have 13 digits',
      'id;parent_id;name',
      rowsOf((i) => `100000000000${i}`, again),
      `{ key: "id", parent: ${root}, columns: { name: "name" }, name: { repeated: full } }`,
    ],
    [
      'with all names above them, where a template could not name the column',
      'id {x};parent_id;name',
      rowsOf(String, again),
      `{ key: "id {x}", parent: ${root}, columns: { name: "name" }, name: { repeated: full } }`,
    ],
    [
      'by long numbers without names that occur again',
      'id;parent_id;name',
      rowsOf((i) => `100000000000${i}`),
      `{ key: "id", parent: ${root}, columns: { name: "name" } }`,
    ],
    [
      'where each has another parent',
      'parent_id;id;name',
      names.map((name, i) => `${i};${i + 1};${name}`),
      `{ key: "id", parent: ${root}, columns: { name: "name" } }`,
    ],
    [
      'next to numbers that no parent has',
      'sort;id;parent_id;name',
      rowsOf((i) => `${i * 10};${i}`),
      `{ key: "id", parent: ${root}, columns: { name: "name" } }`,
    ],
    [
      'next to numbers that some records lack',
      'old;id;parent_id;name',
      rowsOf((i) => `${i === 3 ? '' : 10 - i};${i}`),
      `{ key: "id", parent: ${root}, columns: { name: "name" } }`,
    ],
    [
      'next to numbers that occur again',
      'sort;id;parent_id;name',
      rowsOf((i) => `${i > 2 ? 2 : 1};${i}`),
      `{ key: "id", parent: ${root}, columns: { name: "name" } }`,
    ],
    [
      'by codes, next to other codes of which most are those of parents',
      'alt;code;parent;name',
      ['K-9;K-1;;Home', 'K-1;K-2;K-1;Lamps', 'K-2;K-3;K-1;Pots', 'Z-3;K-4;K-2;Desks', 'Z-4;K-5;K-3;Rugs'],
      '{ key: "code", parent: "parent", columns: { name: "name" } }',
    ],
    [
      'by codes, before other codes of which most are those of parents',
      'code;alt;parent;name',
      ['K-1;K-9;;Home', 'K-2;K-1;K-1;Lamps', 'K-3;K-2;K-1;Pots', 'K-4;Z-3;K-2;Desks', 'K-5;Z-4;K-3;Rugs'],
      '{ key: "code", parent: "parent", columns: { name: "name" } }',
    ],
    [
      'by codes, next to names of which half are parents',
      'code;name;parent',
      ['Home;Home;', 'L;Lamps;Home', 'P;Pots;Home', 'D;Desks;L', 'W;Rugs;L'],
      '{ key: "code", parent: "parent", columns: { name: "name" } }',
    ],
  ])('%s', async (_, header, rows, expected) => {
    expect(await treeOf(header, rows)).toEqual([`tree: ${expected}`]);
  });

  it.each([
    ['are unique', names, []],
    ['occur again in one of two columns', again, ['name: { repeated: full }']],
  ])('asks which column has the names, which %s', async (_, german, rule) => {
    const rows = names.map((name, i) => `${i + 1};${parents[i]};${name};${german[i]}x`);
    expect(await treeOf('id;parent_id;name;title', rows)).toEqual([
      ...['tree:', 'key: "id"', `parent: ${root}`, ...rule, 'columns:', 'name: ?'],
    ]);
  });
});

describe('there is no table', () => {
  it.each([
    ['where parents are named', 'id;name;parent', ['1;Home;', '2;Lamps;Home', '3;Pots;Home', '4;Desks;Lamps']],
    [
      'where parents are named, by names that are codes, too',
      'code;name;parent',
      ['Home;Home;', 'Lamps;Lamps;Home', 'P;Pots;Home', 'D;Desks;Lamps', 'W;Rugs;Lamps'],
    ],
    [
      'where one of two columns of names has those of parents',
      'code;name;title;parent',
      [
        ...['Haus;Home;Haus;', 'Lampen;Lamps;Lampen;Haus', 'P;Pots;Töpfe;Haus', 'D;Desks;Tische;Lampen'],
        'W;Rugs;Teppiche;Lampen',
      ],
    ],
    [
      'where half of the parents are codes of the file',
      'code;parent;name',
      ['K-1;;Home', 'K-2;K-1;Lamps', 'K-3;X-2;Pots', 'K-4;K-1;Desks', 'K-5;X-2;Rugs'],
    ],
    ['without parents', 'name;slug', ['Home;home', 'Lamps;lamps', 'Pots;pots']],
  ])('%s', async (_, header, rows) => {
    expect(await treeOf(header, rows)).toEqual([]);
  });
});

describe('categories above those of the file', () => {
  const isMade = async (rows: readonly string[], header = 'name;parent') =>
    (await suggested([header, ...rows].join('\n'), 'categories.csv')).yaml.includes('fields: { name: "parent" }');

  it('are made where the file names none of them', async () => {
    expect(await isMade(['Lamps;Home', 'Pots;Home', 'Desks;Office'])).toBe(true);
  });

  it.each([
    ['some of them', ['Lamps;Home', 'Pots;Lamps', 'Desks;Office']],
    ['identifiers', ['Lamps;cate_1', 'Pots;cate_1', 'Desks;cate_2']],
    ['some identifiers', ['Lamps;Home', 'Pots;cate_1', 'Desks;Office']],
    ['numbers', ['Lamps;17', 'Pots;17', 'Desks;18']],
  ])('are not where it names %s', async (_, rows) => {
    expect(await isMade(rows)).toBe(false);
  });

  it('are not where a second column of names has them', async () => {
    const rows = ['House;Haus;', 'Lamps;Lampen;Haus', 'Pots;Töpfe;Haus', 'Desks;Tische;Haus'];
    expect(await isMade(rows, 'name;title;parent')).toBe(false);
  });
});
