// The mapping that inspect writes: it loses nothing of a file that is called as the tool calls it, finds amounts by their
// cells, and takes no name for an identifier.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dumpOf } from '../proof/dump.js';
import { workbookOf, zipOf } from '../source/given-zip.js';
import { folder, typedHere } from './typed.js';

interface Suggested {
  readonly resource: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly map: string;
}

async function suggested(content: string, name = 'feed.csv'): Promise<Suggested> {
  const cwd = folder({ [name]: content });
  const { stdout } = await typedHere(['inspect', join(cwd, name), '--output', 'json']);
  return JSON.parse(stdout).suggestion;
}

it('a description that is the name fills the name alone', async () => {
  const { map, fields } = await suggested('Item no.,Description,Price\nA-1,Red kettle,5.00\nA-2,Oak table,7.50\n');
  expect(fields).toMatchObject({ name: 'Description' });
  expect(map.match(/: "Description"/g)).toHaveLength(1);
});

it('values that occur again are a list to choose from, as long as a label may be', async () => {
  const care = (length: number) =>
    `sku,attributes[Care]\n${[1, 2, 3].map((n) => `A-${n},${'x'.repeat(length)}\n`).join('')}`;
  expect((await suggested(care(190))).map).toContain('is: ["Care"]');
  expect((await suggested(care(191))).map).not.toContain('is: ["Care"]');
});

describe('a file with the headers of the tool', () => {
  it.each([
    [
      'products',
      'sku,name,currency,price,stock,grades[good].price,grades[good].stock,grades[new].price,attributes[Colour],attributes[Size].unit,attributes[Size],media[0],media[1].is_main\n' +
        'A,Phone,EUR,,,10.50,3,20.00,Red,cm,5,file_a,\nB,Cable,EUR,3.00,4,,,,,,,,\nC,Bad,EUR,x,4,,,,,,,,\nD,Worse,EUR,3.00,4,abc,,,,,,,\n',
    ],
    ['characteristics', 'name,unit,values[0].label,values[1].label,values[1].position\nSize,cm,S,M,7\nLength,m,1,2,\n'],
    ['characteristics', 'name,values\nSize,S|M|L\nFinish,"[{""label"":""Matt""}]"\n'],
    ['categories', 'name,parent,position\nHome,,1\nPhones,Home,2\n'],
  ])('%s come in by the suggested mapping as they do without it', async (resource, content) => {
    const cwd = folder({ 'feed.csv': content, 'characteristics.csv': 'name,values\nColour,Red|Blue\nSize,5|6\n' });
    const at = (name: string) => join(cwd, name);
    const inspected = await typedHere(['inspect', at('feed.csv'), '--write-map', at('map.yaml')]);
    expect(inspected.code).toBe(0);
    const catalogOf = async (db: string, map: readonly string[]) => {
      if (resource === 'products') await typedHere(['characteristics', at('characteristics.csv'), '--db', at(db)]);
      const { stdout } = await typedHere([resource, at('feed.csv'), ...map, '--db', at(db), '--output', 'json']);
      const { created, updated, refused } = JSON.parse(stdout).response;
      return { counts: { created, updated, refused }, records: [...dumpOf(at(db)).records].sort() };
    };
    const plain = await catalogOf('plain.db', []);
    const mapped = await catalogOf('mapped.db', ['--map', at('map.yaml')]);
    expect(mapped).toEqual(plain);
    expect(plain.records.length).toBeGreaterThan(1);
    expect(readFileSync(at('map.yaml'), 'utf8')).not.toContain('fill nothing yet');
  });
});

it.each([
  ['Artikelnummer;Preis\nA1;1,50\n', true],
  ['Artikelnummer;Preis (EUR)\nA1;1,50\n', false],
  ['Artikelnummer;Preis\nA1;1,50 €\n', false],
  ['sku,price,currency\nA1,1.50,EUR\n', false],
])('inspect says where nothing names the currency that a new product needs: %j', async (content, isSaid) => {
  const cwd = folder({ 'feed.csv': content });
  const { stdout } = await typedHere(['inspect', join(cwd, 'feed.csv')]);
  expect(stdout.includes('Which currency are the prices in?')).toBe(isSaid);
});

describe('a mapping is offered', () => {
  it.each([
    ['Artikelnummer;Preis\nA1;1,50\n', true],
    ['sku,price\nA1,1.50\n', false],
    ['SKU,Price\nA1,1.50\n', false],
  ])('by inspect where the columns of %j need one: %s', async (content, isOffered) => {
    const cwd = folder({ 'feed.csv': content });
    const { stdout } = await typedHere(['inspect', join(cwd, 'feed.csv')]);
    expect(stdout.includes('--write-map feed.yaml writes this as a mapping')).toBe(isOffered);
  });

  it('where an import finds no column for the key', async () => {
    const cwd = folder({ 'feed.csv': 'Art;Betrag\nA1;1,50\n' });
    const { code, stderr } = await typedHere(['products', join(cwd, 'feed.csv'), '--db', join(cwd, 'shop.db')]);
    expect(code).toBe(2);
    expect(stderr).toContain('`catalog-import inspect --write-map` suggests a mapping for --map.');
  });
});

describe('columns are found', () => {
  it.each([
    ['Prezzo', 'Codice,Descrizione,Prezzo\nA1,Sedia,"1.234,50"\nA2,Tavolo,"99,90"\n'],
    ['Цена', 'Артикул;Название;Цена\nA1;Стул;1234,50\nA2;Стол;99,90\n'],
    ['PVP', 'Referencia;Nombre;PVP\nA1;Silla;12,50 €\nA2;Mesa;99,90 €\n'],
    ['VKPreis', 'ArtNr;Bez;VKPreis\nA1;Stuhl;12,50\nA2;Tisch;99,90\n'],
  ])('amounts under %s', async (column, content) => {
    const { resource, fields } = await suggested(content);
    expect(resource).toBe('products');
    expect(fields['price']).toBe(column);
  });

  it('amounts of which no word says price are asked about, also where there are no others', async () => {
    const { fields, map } = await suggested('ArtNr;Bez;Lager;Betrag X\nA1;Stuhl;3;12,50\nA2;Tisch;4;99,90\n');
    expect(fields['price']).toBeUndefined();
    expect(map).toContain('"Betrag X": 100 % filled, 12.5 to 99.9, its header has no known word for a price');
  });

  it('a column of words is not a price, whatever it is called; Long text is a description', async () => {
    const { fields } = await suggested(
      'sku,price,Long text,VK\nA,on request,Soft and long,1.50\nB,on request,Hard,2.50\n',
    );
    expect(fields).toMatchObject({ price: 'VK', description: 'Long text' });
  });

  it('brand is suggested where its values can be identifiers, and not where they are names', async () => {
    expect((await suggested('sku,brand,price\nA,Acme Ltd,1.00\nB,Bodo,2.00\n')).fields).not.toHaveProperty('brand');
    expect((await suggested('sku,brand,price\nA,Acme,1.00\nB,Bodo,2.00\n')).fields).not.toHaveProperty('brand');
    expect((await suggested('sku,brand,price\nA,brand_1,1.00\nB,brand_2,2.00\n')).fields).toHaveProperty('brand');
  });

  it('the currency beside amounts is used; optional is suggested for sparse columns', async () => {
    const { map } = await suggested('sku;Preis;Langtext\nA;12,50 €;x\nB;1,00 €;\nC;2,00 €;\n');
    expect(map).toContain('currency: { from: "Preis" }');
    expect(map).toContain('description: { column: "Langtext", optional: true }');
  });
});

describe('what else the cells and headers say', () => {
  it.each([
    ['Cena s DPH', 'price: "Cena s DPH"', 'Kód;Název;Cena s DPH\nA;Stůl;12 345,-\nB;Nůž;99,-\n'],
    ['a short description is the name', 'name: "Text"', 'Nr;Text;Preis\nA;Stuhl;1,00\nB;Tisch;2,00\n'],
    ['cents', 'price: { column: "price_cents", shift: -2 }', 'sku,name,price_cents\nA,One,1999\nB,Two,250\n'],
    ['grams', 'weight: { column: "Gewicht (g)", shift: -3 }', 'sku;name;price;Gewicht (g)\nA;One;1,00;450\n'],
    [
      'units below the header',
      'skip: { of: "Preis", is: "EUR" }',
      'Artikel;Name;Preis;Menge\n;;EUR;Stk\nA;One;1,00;5\nB;Two;2,00;6\n',
    ],
    [
      'the key beside page numbers',
      'sku: "Nr"',
      'Nr;Name;Preis\nA;One;1,00\nB;Two;2,00\nSeite 1;;\nC;Three;3,00\nSeite 2;;\n',
    ],
  ])('%s', async (_, line, content) => expect((await suggested(content)).map).toContain(line));

  it('the unit of a weight is taken from the column that says so, and from no other unit', async () => {
    const rows = (unit: string) => `sku,name,price,weight,${unit}\nA,One,1.00,450,g\nB,Two,2.00,250,g\n`;
    expect((await suggested(rows('weight unit'))).map).toContain(
      'weight: { column: "weight", number: true, times: { column: "weight unit", map: { "g": 0.001 } } }',
    );
    for (const other of ['unit', 'unit of price', 'weight class'])
      expect((await suggested(rows(other))).map).not.toMatch(/^ *weight: .*times:/m);
  });

  it('a price of a hundred pieces is not the price', async () => {
    const { fields } = await suggested('sku;Bez;Preis pro 100;Qté\nA;One;5,00;10\nB;Two;6,00;20\n');
    expect(fields).toEqual({ sku: 'sku', name: 'Bez', stock: 'Qté' });
  });

  it('amounts three levels deep in JSON', async () => {
    const one = (id: string, amount: number) => ({ id, title: id, pricing: { list: { gross: { amount } } } });
    const { fields } = await suggested(JSON.stringify([one('A', 12.5), one('B', 7.25)]), 'feed.json');
    expect(fields['price']).toBe('pricing.list.gross.amount');
  });

  it('parents by number are looked up, and the mapping imports as it is', async () => {
    const cwd = folder({ 'cat.csv': 'id,name,parent_id\n1,Castle,0\n2,Knights,1\n3,Town,0\n4,Knights,3\n' });
    await typedHere(['inspect', join(cwd, 'cat.csv'), '--write-map', join(cwd, 'm.yaml')]);
    const files = [join(cwd, 'cat.csv'), '--map', join(cwd, 'm.yaml'), '--db', join(cwd, 'c.db')];
    expect((await typedHere(['categories', ...files])).code).toBe(0);
    const { stdout } = await typedHere(['export', 'categories', '--db', join(cwd, 'c.db')]);
    const tree = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    expect(tree.map(({ name, parent = '', reference }) => [name, parent, reference])).toEqual([
      ['Castle (1)', '', '1'],
      ['Knights (2)', 'Castle (1)', '2'],
      ['Town (3)', '', '3'],
      ['Knights (4)', 'Town (3)', '4'],
    ]);
  });

  it('a row that looks like units and is none stays a record', async () => {
    const { stdout } = await typedHere([
      'inspect',
      join(folder({ 'a.csv': 'size,name\nM,Shirt\nL,Shirt\n' }), 'a.csv'),
    ]);
    expect(stdout).toContain('records: 2');
  });
});

describe('the resource of a file', () => {
  it.each([
    ['themes.csv', 'id,name,parent_id\n1,Castle,\n2,Knights,1\n', 'categories'],
    ['attribute_options.csv', 'code;label-en_US;attribute;sort_order\na;A;size;1\nb;B;size;2\n', 'characteristics'],
    ['colors.csv', 'id,name,rgb,is_trans\n1,Blue,0055BF,f\n2,Green,237841,f\n', 'characteristics'],
    ['part_categories.csv', 'id,name\n1,Baseplates\n2,Bricks\n', 'categories'],
    ['sets.csv', 'set_num,name,year,theme_id,num_parts\n001-1,Gears,1965,1,43\n002-1,Town,1978,84,12\n', 'products'],
    ['reviews.csv', 'sku,rating_code,rating_value,review,title,nickname\nA,Rating,5,Good,Yes,Ann\n', 'reviews'],
    ['inventory.csv', 'sku,quantityOnStock\nA,1\nB,2\n', 'products'],
    ['x.csv', 'ID,Type,SKU,Name,Regular price,Stock\n1,simple,A,Tee,9.90,4\n', 'products'],
    ['family_variants.csv', 'code;family;label-en_US;variant-axes_1;variant-attributes_1\na;b;A;color;x\n', 'groups'],
    [
      'export.csv',
      'title,body,rating,review_date,reviewer_name,product_id,product_sku\nGood,Loved it,5,2026-02-01,Ann,1,S1\nBad,Broke,1,2026-02-02,Bo,2,S2\n',
      'reviews',
    ],
    ['taxonomy.csv', 'id,title,level,left\n1,Home,1,1\n2,Garden,1,2\n', 'categories'],
  ])('%s', async (name, content, resource) => {
    expect((await suggested(content, name)).resource).toBe(resource);
  });
});

describe('columns that have the name of a field and other content', () => {
  it('one value in every record is no key, slug or name; the name of a brand is not that of the product', async () => {
    const item = (n: number) =>
      `<product id="${n}" currency="PLN" code_on_card="IAI-${n}"><producer name="Acme"/><category name="Boots"/><description><name xml:lang="pol">Boot ${n}</name></description><system>ECLASS</system><price gross="${n}.99"/></product>`;
    const { fields } = await suggested(`<offer>${[1, 2, 3, 4, 5, 6].map(item).join('')}</offer>`, 'feed.xml');
    expect(fields).toEqual({
      sku: '@code_on_card',
      currency: '@currency',
      name: 'description.name',
      category: 'category@name',
      price: 'price@gross',
    });
    const rows = [1, 2, 3, 4, 5, 6].map((n) => `shirt,S-${n},${n}.50`).join('\n');
    expect((await suggested(`Handle,Variant SKU,Variant Price\n${rows}\n`)).fields).toEqual({
      sku: 'Variant SKU',
      price: 'Variant Price',
    });
  });

  it('a language code before or after a header is not part of its name', async () => {
    const { fields } = await suggested('NL_Title_Short,SKU,NL_Description_Long\nFiets 1,LS-1,Mooie fiets\n');
    expect(fields).toMatchObject({ name: 'NL_Title_Short', description: 'NL_Description_Long' });
  });
});

it.each([
  ['categories.csv', 'name,url_key,path\nMen,men,\nTops,tops-men,Men\nWomen,women,\nTops,tops-women,Women\n'],
  ['attributes.csv', 'name,frontend_type,unit\nSize,select,cm\nSize,text,\n'],
])('names that occur again in %s are asked about: their records would become one', async (name, content) => {
  const { fields, map } = await suggested(content, name);
  expect(fields).not.toHaveProperty('name');
  expect(map).toMatch(/name: \?.*\n.*"name": 100 % filled, records of one name become one; .*1 repeated/);
});

describe('the currency', () => {
  it.each([
    ['beside the amounts', 'sku,price\nA,"12.50 EUR"\n', 'currency: { from: "price" }'],
    ['in the header', 'sku,Price (USD)\nA,12.50\n', 'currency: { value: USD }'],
    ['beside other amounts', 'sku,price,shown\nA,1200,"1,200円"\nB,1300,"1,300円"\n', 'currency: { value: JPY }'],
  ])('is found %s', async (_, content, line) => {
    expect((await suggested(content)).map).toContain(line);
  });

  it.each([
    [
      'nothing names it',
      'sku,price\nA,12.50\n',
      '#   no header or sample names it: the code of all its prices, such as { value: EUR }',
    ],
    ['a sign is that of several', 'sku,price\nA,kr 12.50\n', '#   { value: DKK }: "price" has kr'],
    ['a tax is that of several', 'sku,price,MwSt\nA,12.50,19\n', '#   { value: CHF }: "MwSt" has MwSt, a tax there'],
    ['headers name two', 'sku,price (EUR),price (USD)\nA,12.50,13.50\n', '#   { value: USD }: "price (USD)" has USD'],
    ['records differ', 'sku,price,In\nA,12.50,EUR\nB,9.50,CHF\n', '#   "In": 100 % filled'],
    ['there is no price', 'sku,stock\nA,12\n', 'without the line only products that are in the catalog can be changed'],
  ])('is a question where %s', async (_, content, line) => {
    const { map } = await suggested(content);
    expect(map).toContain('  currency: ?   # which one is it?\n');
    expect(map).toContain(line);
  });

  it('ends an import before anything is written, until it is named in the mapping or by --set', async () => {
    const cwd = folder({ 'feed.csv': 'sku,price\nA,12.50\n' });
    const at = (name: string) => join(cwd, name);
    await typedHere(['inspect', at('feed.csv'), '--write-map', at('map.yaml')]);
    const run = ['products', at('feed.csv'), '--map', at('map.yaml'), '--db', at('c.db')];
    const open = await typedHere(run);
    expect([open.code, open.stderr]).toEqual([2, expect.stringMatching(/line \d+: currency: .*\{ value: EUR \}/)]);
    expect(existsSync(at('c.db'))).toBe(false);
    expect(await typedHere([...run, '--set', 'currency=EUR', '--dry-run'])).toMatchObject({ code: 0 });
    writeFileSync(
      at('map.yaml'),
      readFileSync(at('map.yaml'), 'utf8').replace('currency: ?', 'currency: { value: USD }'),
    );
    expect(await typedHere(run)).toMatchObject({ code: 0 });
    expect((await typedHere(['get', 'product', 'A', '--db', at('c.db')])).stdout).toContain('USD');
  });
});

describe('rows that are no records', () => {
  const priceList = `Прайс-лист;;;
Артикул;Наименование;Цена;Остаток
Инструмент;;;
${[1, 2, 3].map((n) => `0000${n};Товар ${n};1 250,50;${n}`).join('\n')}
Крепёж;;;
${[4, 5, 6].map((n) => `0000${n};Товар ${n};2 250,50;${n}`).join('\n')}
Total Geral;;10 503,00;
`;

  it('section titles and totals are handled by the suggested mapping without changes', async () => {
    const cwd = folder({ 'feed.csv': priceList, 'categories.csv': 'name\nИнструмент\nКрепёж\n' });
    const at = (name: string) => join(cwd, name);
    await typedHere(['inspect', at('feed.csv'), '--write-map', at('map.yaml')]);
    const map = readFileSync(at('map.yaml'), 'utf8');
    expect(map).toContain('sections: Section');
    expect(map).toContain('leave_out: ["Total Geral"]');
    await typedHere(['categories', at('categories.csv'), '--db', at('c.db')]);
    const { stdout, stderr } = await typedHere([
      'products',
      at('feed.csv'),
      '--map',
      at('map.yaml'),
      '--set',
      'currency=RUB',
      '--db',
      at('c.db'),
    ]);
    expect(stdout).toMatch(/6 items: 6 created/);
    expect(stderr).toContain(
      '2 rows with a single filled cell are titles of sections, and no record: "Инструмент" on line 3, "Крепёж" on line 7',
    );
    const exported = await typedHere(['export', 'products', '--db', at('c.db')]);
    const products = exported.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(products.map(({ sku, category, price }) => [sku, category, price])).toEqual([
      ['00001', 'Инструмент', '1250.50'],
      ['00002', 'Инструмент', '1250.50'],
      ['00003', 'Инструмент', '1250.50'],
      ['00004', 'Крепёж', '2250.50'],
      ['00005', 'Крепёж', '2250.50'],
      ['00006', 'Крепёж', '2250.50'],
    ]);
  });

  it('records with nothing but their code are not taken for titles', async () => {
    const { map } = await suggested(
      'sku,name,price\nA-1,,\nA-2,Tea,1.50\nA-3,,\nA-4,Milk,2.50\nA-5,Oil,3.50\nA-6,Salt,4.50\n',
    );
    expect(map).not.toContain('sections');
  });

  it('records without a key are reported', async () => {
    const { map } = await suggested('SKU,Title,Image Src\nA,Tea,a.jpg\n,,b.jpg\nB,Milk,c.jpg\n');
    expect(map).toContain('# skip: { of: "SKU", empty: true }   # 1 record has none and would be refused');
  });
});

it('of several header lines the last is the header: display names are above technical names', async () => {
  const rows = [1, 2, 3, 4].map((n) => `AMZ-${n}\tLamp ${n}\t2${n}.99\t${n}\tLumo`).join('\n');
  const { fields, map } = await suggested(
    `TemplateType=x\tVersion=2024\t\t\t\nSeller SKU\tProduct Name\tStandard Price\tQuantity\tBrand\nitem_sku\titem_name\tstandard_price\tquantity\tbrand_name\n${rows}\n`,
    'feed.txt',
  );
  expect(map).toContain('skip: 2');
  expect(fields).toEqual({ sku: 'item_sku', name: 'item_name', stock: 'quantity' });
  // It is what the shop pays in other systems.
  expect(map).toMatch(/price: \?.*\n {2}# {3}"standard_price": /);
});

describe('an object whose members are the records', () => {
  const products = Object.fromEntries([1, 2, 3, 4].map((n) => [`P-${n}`, { name: `Chair ${n}`, price: `${n}.50` }]));

  it.each([
    ['products.*', { exported: '2026-11-22', products }],
    ['*', products],
  ])('%s is found, and the mapping reads them', async (items, document) => {
    const cwd = folder({ 'feed.json': JSON.stringify(document) });
    const at = (name: string) => join(cwd, name);
    await typedHere(['inspect', at('feed.json'), '--write-map', at('map.yaml')]);
    expect(readFileSync(at('map.yaml'), 'utf8')).toContain(`items: "${items}"`);
    const set = ['--set', 'currency=EUR'];
    const { stdout } = await typedHere([
      'products',
      at('feed.json'),
      '--map',
      at('map.yaml'),
      ...set,
      '--db',
      at('c.db'),
    ]);
    expect(stdout).toMatch(/4 items: 4 created/);
  });

  it('one record with an object in it is one record', async () => {
    const { map } = await suggested(
      '{"sku":"A","dimensions":{"w":1,"h":2,"d":3},"price":{"amount":"1.50"}}',
      'feed.json',
    );
    expect(map).not.toContain('items:');
  });
});

describe('several entries of a record are told apart by the member that distinguishes them', () => {
  const record = (sku: string, price: number, kinds: readonly unknown[], name: string) => ({
    sku,
    offers: kinds.map((kind, i) => ({ [name]: kind, price: price - i, quantity: 10 * (i + 1) + price })),
  });
  it.each([
    ['condition', ['new', 'used']],
    ['minQuantity', [1, 10]],
    ['isDefault', [true, false]],
  ])('%s', async (name, kinds) => {
    const file = [
      record('A', 20.5, kinds, name),
      record('B', 30.5, kinds, name),
      record('C', 40.5, kinds.slice(0, 1), name),
    ];
    const { fields, map } = await suggested(JSON.stringify(file), 'feed.json');
    expect(fields).toEqual({ sku: 'sku' });
    for (const [field, member] of [
      ['price', 'price'],
      ['stock', 'quantity'],
    ])
      expect(map).toMatch(
        new RegExp(
          `${field}: \\?.*\n.*"offers\\[${name}=${kinds[0]}\\].${member}": 100 %.*\n.*"offers\\[${name}=${kinds[1]}\\].${member}": 66 %`,
        ),
      );
    expect(map).not.toContain('take: first');
  });
});

it('status values in the words of a shop are mapped', async () => {
  const { map } = await suggested('sku,price,Status\nA,1.50,active\nB,2.50,archived\nC,3.50,draft\n');
  expect(map).toContain(
    'status: { column: "Status", map: { active: activated, archived: suspended, inactive: suspended }, else: keep }',
  );
});

describe('the suggested mapping imports the file as it is', () => {
  const cell = (ref: string, value: string) => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const row = (n: number, ...values: string[]) =>
    `<row r="${n}">${values.map((value, i) => cell(`${'ABC'[i]}${n}`, value)).join('')}</row>`;

  it.each([
    ['with decimals', '12,50', '12.50'],
    ['whose amounts say nothing of a decimal sign', '12', '12.00'],
  ])('a workbook %s', async (_, price, stored) => {
    const cwd = folder({});
    const at = (name: string) => join(cwd, name);
    writeFileSync(
      at('f.xlsx'),
      workbookOf({ List: row(1, 'Artikel-Nr', 'Bezeichnung', 'Preis €') + row(2, 'A', 'Tea', price) }),
    );
    expect((await typedHere(['inspect', at('f.xlsx'), '--write-map', at('m.yaml')])).code).toBe(0);
    expect(await typedHere(['products', at('f.xlsx'), '--map', at('m.yaml'), '--db', at('c.db')])).toMatchObject({
      code: 0,
    });
    const { stdout } = await typedHere(['get', 'product', '--sku', 'A', '--db', at('c.db')]);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Tea', price: stored, currency: 'EUR' });
  });

  it('a list of objects is one document, though it is called .ndjson; lists of values are refused with a mapping, too', async () => {
    const cwd = folder({
      'f.ndjson': '[\n{"sku":"A","price":1.5,"currency":"EUR"},\n{"sku":"B","price":2.5,"currency":"EUR"}\n]\n',
      'rows.json': '[["sku","price"],["A","1.50"]]',
      'm.yaml': 'to: products\nfields: { sku: "0" }\n',
    });
    const at = (name: string) => join(cwd, name);
    expect((await typedHere(['products', at('f.ndjson'), '--db', at('c.db')])).code).toBe(0);
    const refused = await typedHere(['products', at('rows.json'), '--map', at('m.yaml'), '--db', at('d.db')]);
    expect(refused).toMatchObject({ code: 3, stdout: expect.stringContaining('item_not_object') });
  });

  it.each([
    ['two.json', '{"a":[{"sku":"X","price":1.5}],"b":[{"sku":"Y","price":2.5}]}', ['--items', 'b'], 'items: "b"'],
    [
      'two.xml',
      '<r><a sku="X" price="1.50"/><a sku="Z" price="1.50"/><y><b sku="Y" price="2.50"/></y></r>',
      ['--record', 'b'],
      'record: "b"',
    ],
    [
      'two.xlsx',
      workbookOf({
        One: row(1, 'sku', 'price') + row(2, 'X', '1.50'),
        Two: row(1, 'sku', 'price') + row(2, 'Y', '2.50'),
      }),
      ['--sheet', 'Two'],
      'sheet: "Two"',
    ],
    [
      'two.zip',
      zipOf({ 'one.csv': 'sku,price\nX,1.50\n', 'two.csv': 'sku,price\nY,2.50\n' }),
      ['--sheet', 'two.csv'],
      'sheet: "two.csv"',
    ],
  ])('of %s, with what was named to find its records', async (name, content, options, line) => {
    const cwd = folder({});
    const at = (file: string) => join(cwd, file);
    writeFileSync(at(name), content);
    await typedHere(['inspect', at(name), ...options, '--write-map', at('m.yaml')]);
    expect(readFileSync(at('m.yaml'), 'utf8')).toContain(line);
    const args = ['products', at(name), '--map', at('m.yaml'), '--set', 'currency=EUR', '--db', at('c.db')];
    const said = await typedHere([...args, '--output', 'json']);
    expect(said.stdout === '' ? said.stderr : JSON.parse(said.stdout).response).toMatchObject({
      created: 1,
      data: [{ external_id: 'Y' }],
    });
  });

  it('inspect names the sheets that are not read', async () => {
    const cwd = folder({});
    writeFileSync(join(cwd, 'f.xlsx'), workbookOf({ Cover: row(1, 'Acme'), Items: row(1, 'sku') }));
    const { stdout } = await typedHere(['inspect', join(cwd, 'f.xlsx')]);
    expect(stdout).toContain('the sheet "Cover" is read; --sheet names another: Items');
    expect(stdout).toMatch(/f\.xlsx: xlsx\n/);
    expect(stdout).not.toMatch(/encoding|separated/);
  });

  it('the first sheet with keys and prices is read, and imported by the mapping', async () => {
    const cwd = folder({});
    const at = (name: string) => join(cwd, name);
    const codes = row(1, 'Code', 'Name') + row(2, 'T', 'Tea') + row(3, 'C', 'Coffee') + row(4, 'J', 'Jam');
    const items =
      row(1, 'SKU', 'Name', 'Price') + row(2, 'A-1', 'Green tea', '1.50') + row(3, 'A-2', 'Black tea', '2.50');
    writeFileSync(at('f.xlsx'), workbookOf({ Groups: codes, Items: items, More: items }));
    const { stdout } = await typedHere(['inspect', at('f.xlsx'), '--write-map', at('m.yaml')]);
    expect(stdout).toContain(
      'the sheet "Items" is read, the first with keys and prices; --sheet names another: Groups, More',
    );
    expect(readFileSync(at('m.yaml'), 'utf8')).toContain('sheet: "Items"');
    const args = ['products', at('f.xlsx'), '--map', at('m.yaml'), '--set', 'currency=EUR', '--db', at('c.db')];
    const { response } = JSON.parse((await typedHere([...args, '--output', 'json'])).stdout);
    expect(response).toMatchObject({ created: 2, data: [{ external_id: 'A-1' }, { external_id: 'A-2' }] });
  });

  it('numbers of categories in another shop name none here; categories are imported before the products', async () => {
    const numbers = await suggested('sku;categories;price\nA;3|4;1,50\nB;3;2,50\n');
    expect(numbers.fields).not.toHaveProperty('category');
    const { map } = await suggested('sku;Kategorie;price\nA;Tea > Green;1,50\nB;Tea;2,50\n');
    expect(map).toMatch(
      /- to: categories\n.*path: "Kategorie", separator: ">".*- to: products\n.*category: \{ column: "Kategorie", path: ">" \}/s,
    );
  });

  it('a file without a field names none, and says what to write', async () => {
    const cwd = folder({ 'f.csv': 'a,b\n1,2\n1,2\n' });
    const { stderr } = await typedHere(['inspect', join(cwd, 'f.csv'), '--write-map', join(cwd, 'm.yaml')]);
    expect(stderr).toContain('No field is named in');
    expect(stderr).toContain('such as sku: "Art. No."');
  });

  it('lists of objects within records are named with what makes records of them', async () => {
    const inner = [
      { name: 'Tools', products: [{ sku: 'A' }] },
      { name: 'Garden', products: [] },
    ];
    const cwd = folder({ 'f.json': JSON.stringify({ catalog: { categories: inner } }) });
    expect((await typedHere(['inspect', join(cwd, 'f.json')])).stdout).toContain(
      "jq -c '.catalog.categories[].products[]'",
    );
  });

  it('the list whose entries the suggestion makes products is none of them', async () => {
    const records = ['Lamp', 'Chair', 'Vase'].map((title, i) => ({
      title,
      images: [{ src: `https://a.example/${i}.jpg` }],
      variants: ['S', 'M'].map((size) => ({ sku: `A-${i}-${size}`, price: 10.5 + i, size })),
    }));
    const cwd = folder({ 'f.json': JSON.stringify(records) });
    const { stdout } = await typedHere(['inspect', join(cwd, 'f.json'), '--write-map', join(cwd, 'm.yaml')]);
    expect(readFileSync(join(cwd, 'm.yaml'), 'utf8')).toContain('sku: "variants[].sku"');
    expect(stdout).toContain("jq -c '.[].images[]'");
    expect(stdout).not.toContain('variants: lists of objects');
  });
});

it('parents by their code are looked up, and weights are rounded to what a product has', async () => {
  const cwd = folder({
    'categories.csv': 'code;parent;label-en_US\nmaster;;All\ntv;master;Televisions\nled;tv;LED\nlcd;tv;LCD\n',
    'feed.csv': 'sku;Price (EUR);Weight\nA;1,50;0,068357\nB;2,50;1,5\n',
  });
  const at = (name: string) => join(cwd, name);
  await typedHere(['inspect', at('categories.csv'), '--write-map', at('c.yaml')]);
  expect(
    await typedHere(['categories', at('categories.csv'), '--map', at('c.yaml'), '--db', at('c.db')]),
  ).toMatchObject({
    code: 0,
  });
  expect((await typedHere(['export', 'categories', '--db', at('c.db')])).stdout).toMatch(
    /"name":"LED","parent":"Televisions"/,
  );
  await typedHere(['inspect', at('feed.csv'), '--write-map', at('p.yaml')]);
  expect(await typedHere(['products', at('feed.csv'), '--map', at('p.yaml'), '--db', at('c.db')])).toMatchObject({
    code: 0,
  });
});

describe('what products refer to is imported from the same file, before them', () => {
  it.each([
    [
      'paths of categories',
      'sku;Kategorie;price\nA;Tea > Green;1,50 €\nB;Tea > Black;2,50 €\nC;Tea;2,50 €\nD;;1,00 €\n',
      3,
    ],
    ['names of categories', 'sku,Category,Price (EUR)\nA,Tea,1.50\nB,Milk,2.50\nC,"Bed, Bath",2.50\n', 3],
    ['lists of categories', 'sku,Categories,Price (EUR)\nA,"Tea,New",1.50\nB,"Milk,New",2.50\nC,Tea,2.50\n', 3],
    ['paths of which one goes on', 'sku,Category,Price (EUR)\nA,Shop/Tea,1.5\nB,Shop/Tea/Green,2.5\nC,Shop,2.5\n', 3],
    [
      'names with entities',
      'sku,Category,Price (EUR)\nA,Tea &amp; Milk,1.5\nB,Tea &amp; Milk,2.5\nC,Tea &amp; Cake,2.5\n',
      2,
    ],
    ['paths with entities', 'sku,Category,Price (EUR)\nA,Shop &gt; Tea &amp; Milk,1.5\nB,Shop &gt; Cake,2.5\n', 3],
    ['a name with a sign of paths', 'sku,Category,Price (EUR)\nA,Audio/Video,1.5\nB,Home,2.5\n', 2],
    [
      'one name below two others of one name',
      'sku,Category,Price (EUR)\nA,Men > Tops > Tees,1.5\nB,Women > Tops > Tees,2.5\n',
      6,
    ],
    ['one name below two others', 'sku,Category,Price (EUR)\nA,Home > Other,1.5\nB,Garden > Other,2.5\n', 4],
  ])('%s', async (_, content, categories) => {
    const cwd = folder({ 'feed.csv': content });
    const at = (name: string) => join(cwd, name);
    await typedHere(['inspect', at('feed.csv'), '--write-map', at('map.yaml')]);
    const args = ['run', at('feed.csv'), '--map', at('map.yaml'), '--db', at('c.db')];
    expect(await typedHere(args)).toMatchObject({ code: 0 });
    const { stdout } = await typedHere(['export', 'categories', '--db', at('c.db')]);
    expect(stdout.trim().split('\n')).toHaveLength(categories);
  });

  it('categories that characteristics apply to', async () => {
    const content =
      'name,scope,scope_ident,unit\nVoltage,category,Power tools,V\nBlade,category,Saws,mm\nFinish,catalog,,\n';
    const cwd = folder({ 'characteristics.csv': content });
    const at = (name: string) => join(cwd, name);
    await typedHere(['inspect', at('characteristics.csv'), '--write-map', at('map.yaml')]);
    const args = ['run', at('characteristics.csv'), '--map', at('map.yaml'), '--db', at('c.db')];
    expect(await typedHere(args)).toMatchObject({ code: 0 });
    const { stdout } = await typedHere(['export', 'characteristics', '--db', at('c.db')]);
    expect(stdout).toContain('"scope_ident":"Power tools"');
  });

  it('brands and photos by their identifiers, and groups by their names', async () => {
    const content = 'sku,group,brand,Price (EUR),seo_image\nA,Teas,brand_1,1.50,file_1\nB,Teas,brand_2,2.50,file_2\n';
    const cwd = folder({ 'feed.csv': content, 'brands.csv': 'id,name\nbrand_1,Acme\n', 'files.csv': 'id\nfile_9\n' });
    const at = (name: string) => join(cwd, name);
    await typedHere(['shop', 'load', 'brands', at('brands.csv'), '--db', at('c.db')]);
    await typedHere(['shop', 'load', 'files', at('files.csv'), '--db', at('c.db')]);
    const { stderr } = await typedHere(['inspect', at('feed.csv'), '--write-map', at('map.yaml')]);
    expect(stderr).toContain('catalog-import run ');
    const args = ['run', at('feed.csv'), '--map', at('map.yaml'), '--db', at('c.db')];
    expect(await typedHere(args)).toMatchObject({ code: 0 });
    // The name of a brand that is there stays.
    expect(dumpOf(at('c.db')).records.get('brand brand_1')).toContain('Acme');
  });
});
