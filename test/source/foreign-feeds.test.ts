// Feeds that were tried with nothing but `inspect`: what it suggests is what a person would have written.
import { describe, expect, it } from 'vitest';
import { resources } from '../../src/core/resources/index.js';
import { inspectFile } from '../../src/source/inspection/inspect-file.js';
import { suggestMapping } from '../../src/source/mapping/suggest/suggest-mapping.js';
import { parseNumber } from '../../src/source/mapping/values/parse-number.js';
import { fileOf, readAll } from './given.js';

const known = Object.fromEntries(resources.map(({ command, key, fields }) => [command, { key, fields }]));

async function suggested(text: string, name: string) {
  const suggestion = suggestMapping(await inspectFile({ file: fileOf(text, name) }), known);
  return { fields: Object.fromEntries(suggestion.fields), yaml: suggestion.yaml };
}

describe('inspect', () => {
  it('finds the list inside an answer, and writes it into the mapping', async () => {
    const articles = [
      { article_number: 'A1', title: 'Table', stock: { available: 4 } },
      { article_number: 'A2', title: 'Chair', stock: { available: 0 } },
    ];
    const { fields, yaml } = await suggested(
      JSON.stringify({ status: 'ok', result: { count: 2, articles } }),
      'f.json',
    );
    expect(fields).toEqual({ sku: 'article_number', name: 'title', stock: 'stock.available' });
    expect(yaml).toContain('items: "result.articles"');
  });

  it('the quantity that a price is for is no stock, and the price is asked', async () => {
    const lines = ['A', 'B'].map(
      (code, i) =>
        `<c:Line><c:Item><b:ID>${code}-1</b:ID><b:Name>Bolt ${code}</b:Name></c:Item><c:Price><b:PriceAmount>${i + 1}.50</b:PriceAmount><b:BaseQuantity>${i === 0 ? 1 : 100}</b:BaseQuantity></c:Price></c:Line>`,
    );
    const { fields, yaml } = await suggested(
      `<List xmlns:c="http://c" xmlns:b="http://b">${lines.join('')}</List>`,
      'f.xml',
    );
    expect(fields).toEqual({ sku: 'c:Item.b:ID', name: 'c:Item.b:Name' });
    expect(yaml).toContain(
      '#   "c:Price.b:PriceAmount": 100 % filled, 1.5 to 2.5, for the quantity in "c:Price.b:BaseQuantity": 1, 100',
    );
  });

  it.each([
    ['what is inside prices is a price', { cost: 3.5, retail: 9.9, currency: 'EUR' }, 'price: "prices.retail"'],
    ['a number of decimals', { amount: 1999, currency: 'EUR', precision: 2 }, 'price: ?'],
    ['a price of others', { list: 20, map: 15, your_price: 10, currency: 'EUR' }, 'price: ?'],
    [
      'prices by currency',
      [
        { currency: 'EUR', amount: 2.5 },
        { currency: 'GBP', amount: 2 },
      ],
      '"prices[currency=GBP].amount"',
    ],
  ])('%s', async (_, prices, line) => {
    const records = ['A', 'B', 'C'].map((sku) => ({ sku, name: `Thing ${sku}`, prices }));
    expect((await suggested(JSON.stringify(records), 'f.json')).yaml).toContain(line);
    const own = records.map(({ prices: price, ...record }) => ({ ...record, price }));
    expect((await suggested(JSON.stringify(own), 'f.json')).yaml).toContain(line.replace('prices', 'price'));
  });

  it('knows names behind prefixes, and asks which of several values counts', async () => {
    const xml = `<c xmlns:p="http://p"><p:product id="X1"><p:name>Tisch</p:name><p:name>Table</p:name><p:price currency="EUR">9,50</p:price></p:product>
<p:product id="X2"><p:name>Stuhl</p:name><p:price currency="EUR">7,50</p:price></p:product></c>`;
    const { fields, yaml } = await suggested(xml, 'f.xml');
    expect(fields).toEqual({ sku: '@id', currency: 'p:price@currency', price: 'p:price' });
    expect(yaml).toContain('record: "p:product"');
    expect(yaml).toContain('name: ?');
    expect(yaml).toContain('{ column: "p:name[]", take: first }');
  });

  it.each([
    ['رمز المنتج;اسم المنتج;السعر;الكمية\nA-1;طاولة;١٢٣٫٥٠;٥\nA-2;كرسي;١٬٢٣٤٫٠٠;١٢\n', 'السعر', 'الكمية'],
    [
      '商品コード,商品名,価格（税込）,在庫数\nJ-1,木製テーブル,"￥12,800",5\nJ-2,椅子,"￥4,980",１２\n',
      '価格（税込）',
      '在庫数',
    ],
    [
      'Indeks;Nazwa towaru;Cena brutto;Stan\nP-1;Wiertło;"1 234,50 zł";15\nP-2;Piła;99,99 zł;3\n',
      'Cena brutto',
      'Stan',
    ],
    ['Артикул;Наименование;Цена;Остаток\n001;Сверло;1 234,50;10\n002;Пила;99,00;4\n', 'Цена', 'Остаток'],
  ])('knows price and stock in %s', async (text, price, stock) => {
    expect((await suggested(text, 'f.csv')).fields).toMatchObject({ price, stock });
  });
});

it('a status beside a list makes no record of a document, and a key does', async () => {
  const list = fileOf(JSON.stringify({ status: 'ok', data: [{ sku: 'A' }, { sku: 'B' }] }), 'list.json');
  expect((await readAll(list)).items).toMatchObject([{ sku: 'A' }, { sku: 'B' }]);
  const one = fileOf(JSON.stringify({ name: 'x', sku: 'A', media: [{ file: 'file_1' }] }), 'one.json');
  expect((await readAll(one)).items).toMatchObject([{ sku: 'A', media: [{ file: 'file_1' }] }]);
});

it.each([
  ['١٢٣٫٥٠', '123.50'],
  ['١٬٢٣٤٫٠٠', '1234.00'],
  ['۱۲۳۴', '1234'],
  ['１２', '12'],
  ['१,२३४.५०', '1234.50'],
  ['๑๒.๕๐', '12.50'],
])('%s is %s', (written, text) => {
  expect(parseNumber(written)).toMatchObject({ text });
});
