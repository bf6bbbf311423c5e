// A mapping turns a supplier's columns into fields; what it cannot take is a refused row that says so.
import { basename } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { product as products } from '../../../src/core/resources/product.js';
import { readMapping } from '../../../src/source/mapping/read-mapping.js';
import { stripHtml } from '../../../src/source/mapping/values/strip-html.js';
import { resourceCalled } from '../../given.js';
import { allowed } from '../../tier.js';
import { characteristic, fileOf } from '../given.js';
import { readMapped } from './given.js';

describe('own fields', () => {
  it('a template closes the gap of an empty column, and keeps each value as it is', async () => {
    const name = async (template: string, row: string) => {
      const map = `read: { trim: false }\nfields: { sku: sku, name: { template: "${template}" } }`;
      const { items } = await readMapped(map, `sku,a,b,c\nA,${row}\n`);
      return (items[0] as { name?: string }).name;
    };
    expect(await name('P-{a}', 'x  y,,')).toBe('P-x  y');
    expect(await name('{a}{b}', 'x , y,')).toBe('x  y');
    expect(await name('{a} {b} {c}', 'x,,z')).toBe('x z');
    expect(await name('{a} {b} {c}', 'x,,')).toBe('x');
    expect(await name('{a} {b} {c}', ',,z')).toBe('z');
    expect(await name('{a} {b} {c}', '"x ",,z')).toBe('x  z');
    expect(await name('no. {a} of {b}', '1,,')).toBe('no. 1 of');
    expect(await name(' {a} ', 'x,,')).toBe('x');
    expect(await name('{a} {b}', ',,')).toBeUndefined();
  });

  it('rename, set and templates', async () => {
    const map = 'rename: {"Art. Nr.": sku}\nset: {currency: EUR}\nfields: {name: {template: "{Marke} {Modell}"}}';
    const { items } = await readMapped(map, 'Art. Nr.;Marke;Modell;stock\nA1;Acme;X 5;7\nA2;;;\n');
    expect(items).toEqual([
      { sku: 'A1', currency: 'EUR', name: 'Acme X 5', stock: 7 },
      { sku: 'A2', currency: 'EUR' },
    ]);
  });

  it('$line is the physical line of the record, for those that have no number of their own', async () => {
    const map = 'fields: {sku: {template: "row-{$line}"}, name: name}';
    const { items } = await readMapped(map, 'name,x\n"two\nlines",\nPhone,\n');
    expect(items).toEqual([
      { sku: 'row-2', name: 'two\nlines' },
      { sku: 'row-4', name: 'Phone' },
    ]);
  });

  it('$record is the number of the record, also of those on one line and beside ones that are left out', async () => {
    const map = 'skip: {of: name, is: B}\nfields: {sku: {template: "row-{$record}"}, name: name}';
    const feed = '[{"name": "A"}, {"name": "B"}, {"name": "C"}]';
    const { items } = await readMapped(map, feed, { name: 'feed.json' });
    expect(items).toEqual([
      { sku: 'row-1', name: 'A' },
      { sku: 'row-3', name: 'C' },
    ]);
  });

  it.each(['rows: no', 'once: merge', 'once: first'])(
    '%s: records on one line are named by their numbers',
    async (how) => {
      const map = `${how}\nfields: {sku: no, price: price}`;
      const feed = [
        { no: 'A', price: '1' },
        { no: 'B', price: '2' },
        { no: 'B', price: '3' },
      ];
      const { problems } = await readMapped(map, JSON.stringify(feed), { name: 'feed.json' });
      expect(problems[0]?.message).toContain('price is "2" in record 2 and "3" in record 3;');
      const apart = await readMapped(map, JSON.stringify(feed, null, 1), { name: 'feed.json' });
      expect(apart.problems[0]?.message).toMatch(/on line \d+ and "3" on line \d+;/);
    },
  );

  it('columns that no field names fill the field they are called after only with rename or others', async () => {
    const feed = 'no,name,stock\nA1,Phone,7\n';
    expect((await readMapped('rename: {no: sku}', feed)).items).toEqual([{ sku: 'A1', name: 'Phone', stock: 7 }]);
    expect((await readMapped('fields: {sku: no}', feed)).items).toEqual([{ sku: 'A1' }]);
  });

  it('a value map refuses what it does not name, with the nearest, or keeps it, or gives a default', async () => {
    const feed = 'sku,state\nA,aktiv\nB,AUS\nC,aktif\n';
    const map = (more: string) =>
      `fields: {sku: sku, status: {column: state, map: {aktiv: activated, aus: suspended}${more}}}`;
    const refusing = await readMapped(map(''), feed);
    expect(refusing.items).toEqual([
      { sku: 'A', status: 'activated' },
      { sku: 'B', status: 'suspended' },
      '!field_not_allowed_value',
    ]);
    expect(refusing.problems[0]).toMatchObject({ field: 'status', externalId: 'C' });
    expect(refusing.problems[0]?.message).toMatch(
      /column "state": "aktif" is not in the value map; .*nearest is "aktiv"/,
    );
    expect((await readMapped(map(', else: draft'), feed)).items[2]).toEqual({ sku: 'C', status: 'draft' });
    expect((await readMapped(map(', else: empty'), feed)).items[2]).toEqual({ sku: 'C' });
  });

  it('a value map looks for the nearest in time that grows with the values that it does not name', async () => {
    const names = Array.from({ length: 1000 }, (_, i) => `"größe ${i}": activated`);
    const map = `fields: {sku: sku, status: {column: state, map: {${names.join(', ')}}}}`;
    const foldsOf = async (misses: number): Promise<number> => {
      const rows = Array.from({ length: misses }, (_, i) => `S${i},gröss ${i}`);
      const folds = vi.spyOn(String.prototype, 'normalize');
      const { problems } = await readMapped(map, `sku,state\n${rows.join('\n')}\n`);
      const { length } = folds.mock.calls;
      folds.mockRestore();
      expect(problems[0]?.message).toContain('the nearest is "größe 0"');
      return length;
    };
    const [one, many] = [await foldsOf(1), await foldsOf(201)];
    expect((many - one) / 200).toBeLessThan(20);
  });

  it('of the parts of a cell, those that begin with a word, and a path as a name', async () => {
    const map =
      'fields: {sku: sku, name: {column: facets, split: "|", starting: "category:", join: "|", path: "|", names: path, drop: 1}}';
    const { items } = await readMapped(map, 'sku,facets\nA,brand:x|category:Home|category:Phones|category:Cases\n');
    expect(items).toEqual([{ sku: 'A', name: 'Phones > Cases' }]);
  });

  it('steps run in the order in which they are written', async () => {
    const map =
      'fields: {sku: sku, name: {column: raw, html: strip, before: "(", case: title, suffix: " *", default: none}}';
    const { items } = await readMapped(map, 'sku,raw\nA,<b>RED &amp; BLUE</b> (old)\nB,\n');
    expect(items).toEqual([
      { sku: 'A', name: 'Red & Blue *' },
      { sku: 'B', name: 'none' },
    ]);
  });

  it('all problems of a row are reported at once', async () => {
    const map = 'fields: {sku: sku, price: p, stock: s}';
    const { problems } = await readMapped(map, 'sku,p,s\nA,1.234,x\n', { delimiter: ',' });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toMatch(
      /column "p": "1.234" is 1234 or 1.234.*; also stock: column "s": "x" is not a number/,
    );
  });

  it('an ambiguous number is refused until the mapping or the command line gives the decimal sign', async () => {
    const feed = 'sku;p\nA;1.234\nB;12,50\n';
    expect((await readMapped('fields: {sku: sku, price: p}', feed)).items).toEqual([
      '!field_format',
      { sku: 'B', price: '12.50' },
    ]);
    const told = await readMapped('read: {decimal: ","}\nfields: {sku: sku, price: p}', feed);
    expect(told.items).toEqual([
      { sku: 'A', price: '1234' },
      { sku: 'B', price: '12.50' },
    ]);
  });

  it('numbers are shifted, rounded and added exactly; an integer may have been written with decimals', async () => {
    const map =
      'fields: {sku: sku, price: {column: base, plus: extra}, weight: {column: grams, shift: -3}, stock: {column: n, round: 0}}';
    const { items } = await readMapped(map, 'sku,base,extra,grams,n\nA,100,0.50,1500,12.0\n');
    expect(items).toEqual([{ sku: 'A', price: '100.50', weight: '1.500', stock: 12 }]);
  });

  it('dates need a format, and take a zone', async () => {
    const map = 'read: {zone: Europe/Berlin}\nfields: {sku: sku, stock: {column: d, date: DD.MM.YYYY}}';
    const { items } = await readMapped(map, 'sku,d\nA,24.12.2023\nB,32.12.2023\n');
    expect(items).toEqual([{ sku: 'A', stock: 1703372400 }, '!field_format']);
  });
});

describe('HTML', () => {
  it.each([
    ['<p>Red&nbsp;&amp; <b>blue</b></p><ul><li>one</li><li>two</li></ul>', 'Red & blue\none\ntwo'],
    ['a <br/> b\nc', 'a\nb c'],
    ['< 5 mm and > 3 mm', '< 5 mm and > 3 mm'],
    ['no tags &auml;\nbut lines', 'no tags ä\nbut lines'],
    ['<script>alert(1)</SCRIPT>x<style>p{}</style>y', 'xy'],
    ['&#8364; &#x20AC; &#xD800; &nope; &#0;', '€ € \ufffd &nope; \ufffd'],
    ['<a<b<c', '<a<b<c'],
  ])('%j is read as %j', (html, text) => {
    expect(stripHtml(html)).toBe(text);
  });

  it('takes time by the length of the text, whatever is in it', () => {
    const begun = performance.now();
    for (const part of ['<', '<a', '<script>', '&', '<!--', '< >', '</p>']) stripHtml(part.repeat(200_000));
    expect(performance.now() - begun).toBeLessThan(allowed(5_000));
  });
});

describe('lists', () => {
  const attributes = (each: string) =>
    `fields: {sku: sku, attributes: {each: ${each}, entry: {type: $name, value: $value}}}`;

  it('from repeated columns', async () => {
    const map = attributes('{repeated: {name: "Attribute {n} name", value: "Attribute {n} value(s)"}}');
    const feed =
      'sku,Attribute 1 name,Attribute 1 value(s),Attribute 2 name,Attribute 2 value(s)\nA,Colour,Red,,\nB,Colour,Blue,Size,L\n';
    expect((await readMapped(map, feed)).items).toEqual([
      { sku: 'A', attributes: [{ type: 'Colour', value: 'Red' }] },
      {
        sku: 'B',
        attributes: [
          { type: 'Colour', value: 'Blue' },
          { type: 'Size', value: 'L' },
        ],
      },
    ]);
  });

  it('from repeated columns with a number left out; half of a pair is refused, unless it is optional', async () => {
    const each = 'repeated: {name: "n{n}", value: "v{n}"}';
    const read = (more: string, feed: string) => readMapped(attributes(`{${each}${more}}`), feed);
    const gap = await read('', 'sku,n1,v1,n3,v3\nA,Colour,Red,Size,L\n');
    expect(gap.items).toMatchObject([{ attributes: [{ type: 'Colour' }, { type: 'Size', value: 'L' }] }]);
    const half = 'sku,n1,v1,n2,v_2\nA,Colour,Red,Size,L\n';
    await expect(read('', half)).rejects.toThrow('each.repeated.value: column "v2" not found');
    expect((await read(', optional: true', half)).items).toMatchObject([{ attributes: [{}, { type: 'Size' }] }]);
  });

  it('from packed cells, and a value that is missing is not an entry', async () => {
    const map = attributes('{pairs: packed, by: ",", equals: "="}');
    expect((await readMapped(map, 'sku,packed\nA,"size=XS,color=Black,="\nB,\n')).items).toEqual([
      {
        sku: 'A',
        attributes: [
          { type: 'size', value: 'XS' },
          { type: 'color', value: 'Black' },
        ],
      },
      { sku: 'B' },
    ]);
  });

  it('a cell of pairs with another sign refuses the record, unless its names alone have values', async () => {
    const { fields } = products;
    const feed = 'sku,packed\nA,"size=L;fit=slim"\nB,"size:L;care"\nC,care;dry\nD,\n';
    const pairs = '{pairs: packed, by: ";", equals: ":"}';
    const { items, problems } = await readMapped(attributes(pairs), feed, { fields });
    expect(items).toEqual([
      '!field_required',
      { sku: 'B', attributes: [{ type: 'size', value: 'L' }] },
      '!field_required',
      { sku: 'D' },
    ]);
    expect(problems.map(({ field, message }) => `${field} ${message}`)).toEqual(
      ['size=L;fit=slim', 'care;dry'].map(
        (cell) =>
          `attributes[].value column "packed": "${cell}" has no ":" between a name and a value. Correct equals: or the cell; ` +
          'names alone need a value, such as {column: $value, default: "yes"}',
      ),
    );
    const marks = attributes(pairs).replace('value: $value', 'value: { column: $value, default: "yes" }');
    expect((await readMapped(marks, 'sku,packed\nC,care;dry\n', { fields })).items).toMatchObject([
      { attributes: [{ type: 'care', value: 'yes' }, { type: 'dry' }] },
    ]);
    const few = attributes(pairs.replace('}', ', skip: { of: $name, is: none } }'));
    expect((await readMapped(few, 'sku,packed\nE,none\n', { fields })).items).toEqual([{ sku: 'E' }]);
    const whole = 'each: {pairs: packed, by: ";", equals: ":"}\nfields: {sku: $name, media: {entry: {file: $value}}}';
    expect((await readMapped(whole, 'packed\na=b\na:b\n', { fields })).items).toEqual([
      '!field_required',
      { sku: 'a', media: [{ file: 'b' }] },
    ]);
  });

  it('from parallel cells, which must have the same number of parts', async () => {
    const map = attributes('{parallel: {name: names, value: values}, by: "|"}');
    const { items, problems } = await readMapped(map, 'sku,names,values\nA,RAM|Disk,8GB|1TB\nB,RAM|Disk,8GB\n');
    expect(items[0]).toEqual({
      sku: 'A',
      attributes: [
        { type: 'RAM', value: '8GB' },
        { type: 'Disk', value: '1TB' },
      ],
    });
    expect(problems[0]).toMatchObject({ code: 'row_shape', externalId: 'B' });
  });

  it('from named columns', async () => {
    const map = attributes('{columns: {Farbe: Colour, Größe: Size}}');
    expect((await readMapped(map, 'sku,Farbe,Größe\nA,rot,\n')).items).toEqual([
      { sku: 'A', attributes: [{ type: 'Colour', value: 'rot' }] },
    ]);
  });

  it('from several rows: the first row’s own fields, the lists of all, in bounded memory', async () => {
    const map =
      'rows: no\nfields: {sku: no, name: title, media: {entry: {file: image}}, grades: {entry: {grade: g, price: p}}}';
    const feed = 'no,title,image,g,p\nA,Phone,file_1,new,100\nA,,file_2,good,60.50\nB,Case,file_1,,\n';
    const { items, lines } = await readMapped(map, feed);
    expect(items).toEqual([
      {
        sku: 'A',
        name: 'Phone',
        media: [{ file: 'file_1' }, { file: 'file_2' }],
        grades: [
          { grade: 'new', price: '100' },
          { grade: 'good', price: '60.50' },
        ],
      },
      { sku: 'B', name: 'Case', media: [{ file: 'file_1' }] },
    ]);
    expect(lines).toEqual([2, 4]);
  });

  it('cells are filled down within a value of another column', async () => {
    const map = 'fill: {columns: [title], within: handle}\nfields: {sku: sku, name: title}';
    const feed = 'handle,sku,title\na,A1,Phone\na,A2,\nb,B1,\n';
    expect((await readMapped(map, feed)).items).toEqual([
      { sku: 'A1', name: 'Phone' },
      { sku: 'A2', name: 'Phone' },
      { sku: 'B1' },
    ]);
  });

  it('a row whose cells were filled comes back with what it repeats, any other as it was written', async () => {
    const map = 'fill: {columns: [title]}\nfields: {sku: sku, name: title}';
    const { raws } = await readMapped(map, 'sku,title\n"A",Pot\n"B",\n"C", Cup\n', { raws: true });
    expect(raws).toEqual(['"A",Pot', 'B,Pot', '"C", Cup']);
  });
});

describe('several records of one row, and one record of several rows', () => {
  const map =
    'import:\n' +
    '  - {to: categories, each: {path: cats, list: ",", separator: ">"}, once: first, fields: {name: $name, description: $parent}}\n' +
    '  - {to: characteristics, each: {columns: {colour: Colour}}, once: merge, fields: {name: $name, values: {entry: {label: $value}}}}\n';
  const feed = 'sku,cats,colour\nA,Home > Phones > Cases,Red\nB,"Home > Phones, Home > Audio",Blue\nC,Home,red\n';

  it('parents come before their children, each category once', async () => {
    const { items } = await readMapped(map, feed, {
      fields: {
        name: characteristic['name'] as never,
        description: { kind: 'text', note: '', required: false, trim: false },
      },
    });
    expect(items).toEqual([
      { name: 'Home' },
      { name: 'Phones', description: 'Home' },
      { name: 'Cases', description: 'Phones' },
      { name: 'Audio', description: 'Home' },
    ]);
  });

  it('what is merged holds the entries of all rows, once each in any case, and bears the line of the first', async () => {
    const { items, lines } = await readMapped(map, feed, { fields: characteristic, section: 1 });
    expect(items).toEqual([{ name: 'Colour', values: [{ label: 'Red' }, { label: 'Blue' }] }]);
    expect(lines).toEqual([2]);
  });

  it('colours are one record, whatever name they carry', async () => {
    const { fields } = resourceCalled('characteristics');
    const merged = 'once: merge\nfields: {name: name, kind: kind, values: {entry: {label: value}}}';
    const { items } = await readMapped(merged, 'kind,name,value\ncolour,Farbe,Red\ncolour,Colour,Blue\n', { fields });
    expect(items).toEqual([{ name: 'Farbe', kind: 'colour', values: [{ label: 'Red' }, { label: 'Blue' }] }]);
  });

  it('a partial merged list is not sent where the file is truncated', async () => {
    const json = '[{"sku":"A","colour":"Red"}, {"sku":"B",';
    const merged =
      'each: {columns: {colour: Colour}}\nonce: merge\nfields: {name: $name, values: {entry: {label: $value}}}';
    const { items, failure } = await readMapped(merged, json, { name: 'feed.json', fields: characteristic });
    expect(items).toEqual([]);
    expect(failure).toMatch(/line 1/);
  });
});

describe('refused records come back', () => {
  const table = 'tables: {titles: {key: sku, columns: {title: title}}}\n';
  const lookup = 'name: {column: sku, lookup: {table: titles, column: title}}';
  it.each([
    ['as they were', 'fields: {sku: sku}', undefined],
    ['as they were, filled from above', 'fill: {columns: [title]}\nfields: {sku: sku}', undefined],
    ['as items with one for each key', 'once: first\nfields: {sku: sku}', { isOnce: true }],
    ['as items with one for each key', 'once: merge\nfields: {sku: sku}', { isOnce: true }],
    ['as items of several rows', 'rows: {first: [sku]}\nfields: {sku: sku}', { isOnce: false }],
    ['as items with their number', 'fields: {sku: sku, name: {template: "{title} {$record}"}}', { isOnce: false }],
    ['as items with what the file says elsewhere', `${table}fields: {sku: sku, ${lookup}}`, { isOnce: false }],
  ])('%s: %s', async (_, map, items) => {
    const { form } = await readMapped(map, 'sku,title\nA,Tea\n', { raws: true });
    expect(form).toMatchObject({ format: items === undefined ? 'csv' : 'ndjson' });
    expect(form?.items).toEqual(items);
  });
});

describe('files without a header, and rows that are not records', () => {
  it('columns are named by the mapping', async () => {
    const map = 'read: {columns: [kind, sku, name]}\nfields: {sku: sku, name: name}';
    const { items, lines } = await readMapped(map, 'Book,978,Snow Crash\nBook,979,"I, Robot"\nBook,980\n');
    expect(items).toEqual([{ sku: '978', name: 'Snow Crash' }, { sku: '979', name: 'I, Robot' }, '!row_shape']);
    expect(lines).toEqual([1, 2, 3]);
  });

  it('lines above named columns are left out, and no row of a file of refused ones', async () => {
    const map = 'read: {columns: [sku, name], skip: 3}\nfields: {sku: sku, name: name}';
    const feed = 'A,Tea,7,field_format,of that\nList,2026\n\nB,Cup\nList,2026\nC,Pot\n';
    const { items, lines, notes } = await readMapped(map, feed);
    expect(items).toEqual([
      { sku: 'A', name: 'Tea' },
      { sku: 'B', name: 'Cup' },
      { sku: 'C', name: 'Pot' },
    ]);
    expect(lines).toEqual([1, 4, 6]);
    expect(notes).toEqual(['1 row above the header skipped', '1 repeated title row skipped']);
  });

  it('repeated headers and rows of empty cells are left out; keep and skip choose', async () => {
    const map =
      'keep: {of: type, not: [bundle]}\nskip: [{of: sku, begins: "x-"}, {of: sku, empty: true}]\nfields: {sku: sku}';
    const feed = 'sku,type\nA,simple\nsku,type\n,\nB,Bundle\nX-1,simple\n,simple\n';
    expect((await readMapped(map, feed)).items).toEqual([{ sku: 'A' }]);
  });

  it('a table to look up in keeps a row that is like its header', async () => {
    const words = fileOf('from,to\nfrom,to\nto,from\nNeu,new\n', 'words.csv');
    const map =
      `tables:\n  words: {file: ${basename(words)}, key: from, columns: {to: to}}\n` +
      'fields: {sku: sku, name: {column: name, lookup: {table: words, column: to}}}';
    const { items, failure } = await readMapped(map, 'sku,name\nA,from\nB,to\nC,Neu\n');
    expect(failure).toBeUndefined();
    expect(items).toMatchObject([{ name: 'to' }, { name: 'from' }, { name: 'new' }]);
  });

  it('values within JSON records are addressed by path, and tables join separate lists', async () => {
    const map =
      'read: {decimal: "."}\ntables:\n  prices: {keep: {of: model, is: price}, key: fields.product, columns: {amount: fields.amount}}\n' +
      'keep: {of: model, is: product}\n' +
      'fields: {sku: fields.sku, price: {column: pk, lookup: {table: prices, column: amount}, else: empty}}';
    const json = JSON.stringify([
      { model: 'product', pk: 1, fields: { sku: 'A' } },
      { model: 'product', pk: 2, fields: { sku: 'B' } },
      { model: 'price', pk: 7, fields: { product: 1, amount: '12.000' } },
    ]);
    expect((await readMapped(map, json, { name: 'feed.json' })).items).toEqual([
      { sku: 'A', price: '12.000' },
      { sku: 'B' },
    ]);
  });
});

describe('a mapping that is wrong is an error before anything is imported, with line and path', () => {
  const fails = async (map: string): Promise<string> => {
    try {
      await readMapped(map, 'sku,name\nA,B\n');
      return 'was read';
    } catch (cause) {
      return (cause as Error).message;
    }
  };

  it.each([
    ['fields: {sku: sku, nam: name}', /^map.yaml: fields\.nam: "nam" is not a field; did you mean "name"/],
    ['fields: {sku: skuu}', /^map.yaml: fields\.sku: column "skuu" not found; did you mean "sku"/],
    ['fields: {sku: {column: sku, tirm: true}}', /line 1: fields\.sku.*tirm/],
    [
      'fields: {sku: {case: lower}}',
      /expected one of column, columns, first, value, template, from, json, when, found 0/,
    ],
    ['fields: {sku: $name}', /\$name is not defined here/],
    ['fields:\n  sku: sku\n  name: {column: name, case: loud}', /line 3: fields\.name\.case/],
    ['fields: {sku: [', /line 1, column/],
    ['fields: {sku: {column: sku, lookup: {table: t, column: x}}}', /table "t" not found/],
    ['rename: {name: sku}\nset: {sku: A}', /sku is filled twice/],
    ['fields: {sku: {column: sku, date: iso, zone: Mars}}', /"Mars" is not a time zone/],
    [
      'fields: {sku: {column: sku, date: [iso, DD-MMM-YY]}}',
      /^map.yaml: fields\.sku.*: date: "DD-MMM-YY" has the month twice; use YYYY, YY, MM/,
    ],
    ['keep: {of: {column: sku, date: DD.MM}, before: now}\nfields: {sku: sku}', /keep.*"DD.MM" has no year/],
  ])('%s', async (map, message) => {
    expect(await fails(map)).toMatch(message);
  });

  it('no part of it is executed or reaches a prototype', () => {
    const mapping = readMapping(fileOf('fields: {__proto__: {column: x}, sku: constructor}', 'map.yaml'));
    expect(({} as Record<string, unknown>)['column']).toBeUndefined();
    expect(mapping.import).toHaveLength(1);
  });
});

describe('the words of a mapping are checked in sentences', () => {
  it.each([
    [
      'fields: {sku: {column: a, trimm: true}}',
      /fields\.sku\.trimm: "trimm" is not a word here\. Did you mean trim\?$/,
    ],
    [
      'fields: {sku: [a, b]}',
      /several columns are written \{columns: \[…\]\}, the first that is filled \{first: \[…\]\}/,
    ],
    ['fields: {a: {each: {splt: a, by: ","}, entry: {x: y}}}', /needs one of split, pairs, .* Did you mean split\?$/],
    [
      'fields: {a: {each: {split: a}, entry: {x: y}}}',
      /fields\.a\.each: needs by: as well; it must be words such as \{split: Sizes, by: ","\}\.$/,
    ],
    ['filds: {a: b}', /filds: "filds" is not a word here\. Did you mean fields\?$/],
    [
      'fields: {a: {column: b, case: uper}}',
      /must be lower, upper, title or sentence; "uper" was found\. Did you mean upper\?$/,
    ],
    ['fields: {a: {column: b, round: 2.5}}', /must be a whole number from 0 to 20; 2\.5 was found\.$/],
    ['import: []', /import: must be a list of sections such as - to: products; an empty list was found\.$/],
    ['', /the mapping: must be a mapping such as to: products, fields: \{sku: Art\}; nothing was found\.$/],
    ['keep: {is: x}\nfields: {a: b}', /line 1: keep: needs of: as well; it must be a condition such as/],
  ])('%s', (map, message) => {
    expect(() => readMapping(fileOf(map, 'map.yaml'))).toThrow(message);
  });
});
