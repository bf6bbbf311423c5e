// A row that could not be read, and what may lack it: named by its line, or by its number where all records are on one line.
import { describe, expect, it } from 'vitest';
import { resourceCalled } from '../../given.js';
import { fileOf } from '../given.js';
import { readMapped } from './given.js';

/** The same records in both forms; the one that is damaged is a row of three cells, or a list. */
const forms = {
  'a table, by its line': {
    name: 'feed.csv',
    content: 'sku,name\nA,Tea\nB,Cup\nC,Z9,z\nC,Pot\nA,Tea\n',
    place: 'line 4',
  },
  'JSON on one line, by its number': {
    name: 'feed.json',
    content:
      '[{"sku":"A","name":"Tea"},{"sku":"B","name":"Cup"},["C","Z9"],{"sku":"C","name":"Pot"},{"sku":"A","name":"Tea"}]',
    place: 'record 3',
  },
  'JSON in lines, by its line': {
    name: 'feed.ndjson',
    content:
      '{"sku":"A","name":"Tea"}\n{"sku":"B","name":"Cup"}\n["C","Z9"]\n{"sku":"C","name":"Pot"}\n{"sku":"A","name":"Tea"}\n',
    place: 'line 3',
  },
} as const;

describe.each(Object.entries(forms))('%s', (_, { content, place, name }) => {
  const read = async (map: string) => {
    const { items, problems } = await readMapped(map, content, { name, raws: true });
    const words = problems.map(({ externalId, message }) => `${externalId}: ${message}`);
    return { items, words: words.filter((word) => word.includes('could not be read')) };
  };

  it('may be one of the rows of the record before it, or after it', async () => {
    const { words } = await read('rows: { first: [sku] }\nfields: { sku: sku, name: name }');
    for (const key of ['B', 'C'])
      expect(words).toContainEqual(
        `${key}: ${place} could not be read, and it may be one of the rows of this record; add what it holds to this record`,
      );
    expect(words.filter((word) => /^A:/.test(word))).toEqual([]);
  });

  it('may be the first row of a key', async () => {
    const { items, words } = await read('once: first\nfields: { sku: sku, name: name }');
    expect(items.filter((item) => typeof item !== 'string')).toEqual([
      { sku: 'A', name: 'Tea' },
      { sku: 'B', name: 'Cup' },
    ]);
    expect(words).toEqual([
      `C: ${place} could not be read, and it may be the first row of this key; import that one in place of this`,
    ]);
  });

  it('may be that of a key which a table lacks', async () => {
    const table = 'tables: { names: { key: sku, columns: { title: name } } }';
    const { words } = await read(
      `${table}\nfields: { sku: sku, name: { value: Z9, lookup: { table: names, column: title } } }`,
    );
    expect(words.length).toBeGreaterThan(0);
    for (const word of words) expect(word).toContain(`in the table names may be ${place}, which could not be read`);
  });
});

describe('a record that may be the first of its key refuses later ones, whether its text is written back or not', () => {
  const latin = (text: string) => Buffer.from(text, 'latin1');

  it.each([
    ['a cell too many', 'feed.csv', 'sku,name\nA,Tea,x\nA,Tea\nB,Cup\n'],
    ['a quoted cell that goes on', 'feed.csv', 'sku,name\nA,"Te"a\nA,Tea\nB,Cup\n'],
    ['a byte that is none of its encoding', 'feed.csv', latin('sku,name\nA,Th\xe9\nA,Tea\nB,Cup\n')],
    ['a line that is no JSON', 'feed.ndjson', '{"sku":"A",\n{"sku":"A","name":"Tea"}\n{"sku":"B","name":"Cup"}\n'],
  ])('%s', async (_, name, content) => {
    for (const raws of [true, false]) {
      const { items } = await readMapped('once: first\nfields: { sku: sku, name: name }', content, { name, raws });
      expect(items.slice(1)).toEqual(['!record_incomplete', { sku: 'B', name: 'Cup' }]);
    }
  });
});

it('cells that a damaged row has for those below it', async () => {
  const map = 'fill: { columns: [name] }\nfields: { sku: sku, name: name }';
  const { items, problems } = await readMapped(map, 'sku,name\nA,Tea\nx,y,z\nB,\nC,Cup\n');
  expect(items).toEqual([{ sku: 'A', name: 'Tea' }, '!row_shape', '!record_incomplete', { sku: 'C', name: 'Cup' }]);
  expect(problems.at(-1)?.message).toMatch(/^line 3 could not be read, and this row repeats its cells/);
});

describe('a row that repeats cells of damaged ones may have any key that these, or those above them, would make', () => {
  const cells = ['A,red,S,Tea', 'B,,S,Cup', ',,M,Pot', 'A,red,M,A1', 'B,red,M,B1', 'B,blue,M,B2', 'C,red,M,C1'];
  const damaged = (row: string) => cells.map((one, i) => (i === 1 ? row : one));
  const within = damaged('x,B,blue,S,Cup').map((row) => row.replace(/^,,/, 'B,,'));
  const other = 'x,D,blue,S,Cup';
  const long = Array<string>(3).fill(`${other}${'x'.repeat(30_000)}`);
  const again = ['E,red,S,E0', ...damaged('B,,S,Cup,x').slice(1, 3)].map((row) =>
    row.replace(/^B/, 'D').replace(',M,', ',L,'),
  );

  it.each([
    ['a cell too many at the end', '[group, colour]', damaged('B,,S,Cup,x'), 'A-red-M B-red-M'],
    ['a cell too many at the beginning', '[group, colour]', damaged('x,B,,S,Cup'), 'A-red-M B-red-M'],
    ['a cell too few', '[group, colour]', damaged('B,S,Cup'), 'A-red-M B-red-M'],
    ['within a group', '[colour], within: group', within, 'B-blue-M'],
    ['within the group of the first of several', '[colour], within: group', within.toSpliced(2, 0, other), 'B-blue-M'],
    ['within the group of the last of several', '[colour], within: group', within.toSpliced(1, 0, other), 'B-blue-M'],
    [
      'within one of more text than is kept',
      '[colour], within: group',
      [...within.slice(0, 2), ...long, ...within.slice(2)],
      'B-blue-M',
    ],
    [
      'no longer behind a row that has cells of its own',
      '[group, colour]',
      [...damaged('B,,S,Cup,x').slice(0, 3), ...again, 'B,red,L,B1', 'D,red,L,D1', 'E,red,L,E1'],
      'D-red-L E-red-L',
    ],
  ])('%s', async (_, columns, rows, keys) => {
    const map = `fill: { columns: ${columns} }
once: first
fields: { sku: { template: "{group}-{colour}-{size}" }, name: name }`;
    const names = 'group,colour,size,name';
    // A table of many columns has as many places where the cell may be.
    const many = Array.from({ length: 200 }, (_, i) => `,c${i}`).join('');
    for (const [read, further, header] of [
      ['{}', '', [names]],
      ['{}', many, [names + many]],
      ['{ sections: title }', '', [names, 'Title,,,']],
      [`{ columns: [${names}] }`, '', []],
      [`{ columns: [${names}], sections: title }`, '', ['Title,,,']],
    ] as const) {
      const lines = [...header, ...rows.map((row) => row + further)];
      const { problems } = await readMapped(`read: ${read}\n${map}`, lines.join('\n'));
      const later = problems.filter(({ message }) => message.includes('may be the first row of this key'));
      expect([read, later.map(({ externalId }) => externalId).join(' ')]).toEqual([read, keys]);
    }
  });
});

it('a damaged row may be the first of an item of a path only where items have values of their rows', async () => {
  const categories = resourceCalled('categories').fields;
  const feed = 'cats,text\nA > B,x\nA > C,z,q\nA > C,x\n';
  const read = async (more: string) => {
    const map = `each: { path: cats, separator: ">" }\nonce: first\nfields: { name: $name, parent: $parent${more} }`;
    return (await readMapped(map, feed, { fields: categories })).items;
  };
  const others = (more: object) => ['!row_shape', { name: 'A', ...more }, { name: 'B', parent: 'A', ...more }];
  expect(await read('')).toEqual([...others({}), { name: 'C', parent: 'A' }]);
  expect(await read(', description: text')).toEqual([...others({ description: 'x' }), '!record_incomplete']);
});

describe('an empty cell below a damaged row is filled only where that row can have none of its own for it', () => {
  const map = 'fill: { columns: [colour], within: group }\nfields: { sku: sku, name: colour }';
  const read = async (...rows: string[]) => {
    const { items, problems } = await readMapped(map, ['group,sku,colour', 'A,a1,red', ...rows].join('\n'));
    return { items: items.slice(1), problems };
  };
  const damaged = '!row_shape';
  const unsure = '!record_incomplete';

  it.each([
    [
      'in the group of the row above it',
      ['D,d1,blue,x', 'A,a2,', 'A,a3,green', 'A,a4,'],
      [damaged, unsure, 'green', 'green'],
    ],
    ['in a group that the damaged row names', ['D,d1,blue,x', 'D,d2,', 'E,e1,'], [damaged, unsure, undefined]],
    ['in a group in quotation marks', ['"5"" D",d1,blue,x', '"5"" D",d2,'], [damaged, unsure]],
    ['in another group', ['D,d1,blue,x', 'E,e1,', 'D,d2,'], [damaged, undefined, undefined]],
    ['without a group', ['D,d1,blue,x', ',e1,'], [damaged, unsure]],
  ])('%s', async (_, rows, names) => {
    const { items } = await read(...rows);
    expect(items.map((item) => (typeof item === 'string' ? item : (item as { name?: string }).name))).toEqual(names);
  });

  it('a row whose parts are in such a cell is refused, and not left out', async () => {
    const parts =
      'fill: { columns: [sizes] }\neach: { split: sizes, by: "/" }\nfields: { sku: { template: "{sku}-{$value}" } }';
    const { items, lines } = await readMapped(parts, 'sku,sizes\nA,S/M\nB,S/L,x\nC,\nD,M\n');
    expect(items).toEqual([{ sku: 'A-S' }, { sku: 'A-M' }, damaged, unsure, { sku: 'D-M' }]);
    expect(lines.slice(2)).toEqual([3, 4, 5]);
  });

  it('the reason names the first of the damaged rows that are above it', async () => {
    const { problems } = await read('A,1,2,3', 'A,a2,', 'A,a3,green', 'A,1,2,3', 'A,1,2,3', 'A,a4,');
    const words = problems.filter(({ code }) => code === 'record_incomplete').map(({ message }) => message.slice(0, 6));
    expect(words).toEqual(['line 3', 'line 6']);
  });
});

describe('the key of a damaged record is found in its text, however that writes it', () => {
  const keys = ['A1', 'A|1', 'Shoes, Men', '5" D', '{A}', 'Home/Phones', 'Home > Phones', 'Müller', 'C:\\', 'A;1'];
  const quotes = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const escaped = (text: string) => JSON.stringify(text).replaceAll('/', '\\/').replace('ü', '\\u00fc');
  const forms = {
    'feed.csv': (key: string) => `no,name\n${quotes(key)},Tea,x\n`,
    'feed.ndjson': (key: string) => `[${escaped(key)},"Tea"]\n`,
    'without quotation marks': (key: string) => `no;name\n${key};Tea;x\n`,
  };

  it.each(Object.entries(forms))('%s', async (form, damaged) => {
    const name = form.startsWith('feed') ? form : 'feed.csv';
    const written = keys.filter((key) => name === form || !/[;"]/.test(key));
    for (const key of written) {
      const path = fileOf(damaged(key), name).split('/').at(-1);
      const map = `tables: { t: { file: ${path}, key: no, columns: { v: name } } }
fields: { sku: no, name: { column: no, lookup: { table: t, column: v }, else: empty } }`;
      const { items } = await readMapped(map, ['no', ...written.map(quotes)].join('\n'));
      expect([key, items.indexOf('!record_incomplete')]).toEqual([key, written.indexOf(key)]);
      expect(items.filter((item) => typeof item === 'string')).toHaveLength(1);
    }
  });

  it('behind a long text, too', async () => {
    const words = Array.from({ length: 5_000 }, (_, i) => `word${i}`).join(' ');
    const path = fileOf(`no,name\n1,2,${words},A1\n`).split('/').at(-1);
    const map = `tables: { t: { file: ${path}, key: no, columns: { v: name } } }
fields: { sku: no, name: { column: no, lookup: { table: t, column: v }, else: empty } }`;
    expect((await readMapped(map, 'no\nA1\nB1\n')).items).toEqual(['!record_incomplete', { sku: 'B1' }]);
  });
});

describe('several rows beside each other that are damaged, or lack what tells their group', () => {
  const map =
    'rows: sku\nkeep: { of: { column: kind, map: { "1": "yes", "2": "no" } }, is: "yes" }\nfields: { sku: sku, name: name }';
  const read = async (...between: string[]) => {
    const rows = ['A,Tea,1', 'A,,1', ...between, 'C,Pot,1', 'C,,1', 'D,Mug,1'];
    const { items } = await readMapped(map, ['sku,name,kind', ...rows].join('\n'));
    return items.flatMap((item) => (typeof item === 'string' ? [] : [(item as { sku: string }).sku])).join(' ');
  };

  it.each([
    ['texts with neither of the groups beside them', ['X,1,1,1', 'Y,1,1,1'], 'A C D'],
    ['the first text has that of the group before it', ['A,1,1,1', 'Y,1,1,1'], 'C D'],
    ['the last text has that of the group behind it', ['X,1,1,1', 'C,1,1,1'], 'A D'],
    ['the first does not show its group', ['X,Cup,?', 'Y,1,1,1'], 'D'],
    ['the last does not show its group', ['X,1,1,1', 'Y,Cup,?'], 'D'],
    ['the group behind it is in quotation marks', ['"5"" D",1,1,1', '"5"" D",Cup,1'], 'A C D'],
    ['neither shows its group', ['X,Cup,?', 'Y,Cup,?'], 'D'],
    ['more text than is kept', Array<string>(3).fill(`X,1,1,${'x'.repeat(30_000)}`), 'D'],
    ['one of more text than is kept', [`X,1,1,${'x'.repeat(70_000)}`, 'Y,1,1,1'], 'D'],
  ])('%s', async (_, between, whole) => {
    expect(await read(...between)).toBe(whole);
  });
});
