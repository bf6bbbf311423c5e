// The mappings of XML feeds that are shipped, on a feed of each kind.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { resources } from '../../src/core/resources/index.js';
import { readMapping } from '../../src/source/mapping/read-mapping.js';
import { openSource } from '../../src/source/open-source.js';
import { folder } from '../cli/typed.js';

const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url));

/** Items of a feed in `fixtures/feeds`, or of the text of one. */
async function itemsOf(feed: string, map: string, now = 0): Promise<unknown[]> {
  const products = resources.find(({ command }) => command === 'products');
  const mapping = readMapping(join(fixtures, 'maps', map));
  const [section] = mapping.import;
  if (products === undefined || section === undefined) throw new Error('there are no products');
  const { read, tables } = mapping;
  const source = await openSource(products.fields, products.key, {
    file: feed.startsWith('<') ? join(folder({ 'feed.xml': feed }), 'feed.xml') : join(fixtures, 'feeds', feed),
    ...(read.record && { record: read.record }),
    mapped: { name: map, place: 'the mapping', section, tables, read, now },
  });
  const items: unknown[] = [];
  for await (const { entries } of source.chunks)
    items.push(
      ...entries.map((entry) => (entry.kind === 'unreadable' ? entry.problem : JSON.parse(JSON.stringify(entry.item)))),
    );
  return items;
}

describe('the mapping of', () => {
  it('Google Merchant reads RSS, with and without its prefix', async () => {
    expect(await itemsOf('google-merchant.xml', 'google-merchant.yaml')).toEqual([
      {
        sku: 'TEA-1',
        name: 'Green tea, 100\u00a0g',
        description: 'Loose leaves',
        ean: '4006381333931',
        currency: 'EUR',
        price: '9.50',
        condition: 'new',
        status: 'activated',
      },
      { sku: 'CUP-1', name: 'Cup', currency: 'EUR', price: '10.00', price_compare: '12.00', status: 'activated' },
      { sku: 'POT-1', name: 'Pot', currency: 'EUR', price: '9.50', status: 'activated' },
    ]);
  });

  it.each([
    ['google-merchant.yaml', 'item'],
    ['google-merchant-atom.yaml', 'entry'],
  ])('Google Merchant applies a sale only within its dates: %s', async (map, record) => {
    const item = (dates: string) =>
      `<${record}><id>A</id><title>Tea</title><price>12.00 EUR</price><sale_price>10.00 EUR</sale_price>` +
      `<g:sale_price_effective_date>${dates}</g:sale_price_effective_date></${record}>`;
    const priceOn = async (date: string, dates: string) => {
      const feed = `<r xmlns:g="http://base.google.com/ns/1.0">${item(dates)}</r>`;
      const [one] = (await itemsOf(feed, map, Date.parse(date) / 1000)) as Record<string, string>[];
      return [one?.['price'], one?.['price_compare'], one?.['code']];
    };
    const dates = '2026-11-20T13:00+0100/2026-11-30T15:30+0100';
    const [sale, regular] = [
      ['10.00', '12.00', undefined],
      ['12.00', undefined, undefined],
    ];
    expect(await priceOn('2026-11-20T11:59:59Z', dates)).toEqual(regular);
    expect(await priceOn('2026-11-20T12:00:00Z', dates)).toEqual(sale);
    expect(await priceOn('2026-11-30T14:29:59Z', dates)).toEqual(sale);
    expect(await priceOn('2026-11-30T14:30:00Z', dates)).toEqual(regular);
    expect(await priceOn('2026-11-30T23:00:00Z', '2026-11-20/2026-11-30')).toEqual(sale);
    expect(await priceOn('2026-11-30T23:00:00Z', '')).toEqual(sale);
    expect(await priceOn('2026-11-30T23:00:00Z', 'in November')).toEqual([undefined, undefined, 'field_format']);
  });

  it('Google Merchant reads Atom', async () => {
    expect(await itemsOf('google-merchant-atom.xml', 'google-merchant-atom.yaml')).toMatchObject([
      { sku: 'TEA-1', name: 'Green tea', description: 'Loose leaves', price: '9.50', currency: 'EUR' },
    ]);
  });

  it('BMEcat reads the articles of 1.2 and the products of 2005', async () => {
    const drill = { sku: '10-4711', name: 'Bohrer 8 mm', ean: '4006381333931', price: '4.9', currency: 'EUR' };
    expect(await itemsOf('bmecat-1.2.xml', 'bmecat-1.2.yaml')).toEqual([{ ...drill, description: 'HSS, geschliffen' }]);
    expect(await itemsOf('bmecat-2005.xml', 'bmecat-2005.yaml')).toEqual([drill]);
  });

  it('BMEcat takes the first of several languages, barcodes and prices, and invents no currency', async () => {
    const price = (type: string, amount: string, currency = '') =>
      `<PRODUCT_PRICE price_type="${type}"><PRICE_AMOUNT>${amount}</PRICE_AMOUNT>${currency}</PRODUCT_PRICE>`;
    const feed =
      '<BMECAT version="2005" xmlns="http://www.bmecat.org/bmecat/2005"><T_NEW_CATALOG>' +
      '<PRODUCT><SUPPLIER_PID type="supplier_specific">A&amp;1</SUPPLIER_PID><PRODUCT_DETAILS>' +
      '<DESCRIPTION_SHORT lang="deu"><![CDATA[Bohrer <8 mm>]]></DESCRIPTION_SHORT><DESCRIPTION_SHORT lang="eng">Drill</DESCRIPTION_SHORT>' +
      '<DESCRIPTION_LONG lang="deu">HSS</DESCRIPTION_LONG><DESCRIPTION_LONG lang="eng">Steel</DESCRIPTION_LONG>' +
      '<INTERNATIONAL_PID type="gtin">4006381333931</INTERNATIONAL_PID><INTERNATIONAL_PID type="upc">036000291452</INTERNATIONAL_PID>' +
      `</PRODUCT_DETAILS><PRODUCT_PRICE_DETAILS>${price('net_list', '4.90')}${price('net_customer', '4.20')}</PRODUCT_PRICE_DETAILS></PRODUCT>` +
      '</T_NEW_CATALOG></BMECAT>';
    expect(await itemsOf(feed, 'bmecat-2005.yaml')).toEqual([
      { sku: 'A&1', name: 'Bohrer <8 mm>', description: 'HSS', ean: '4006381333931', price: '4.9' },
    ]);
    const old = feed
      .replaceAll('PRODUCT', 'ARTICLE')
      .replaceAll('SUPPLIER_PID', 'SUPPLIER_AID')
      .replaceAll('INTERNATIONAL_PID', 'EAN');
    expect(await itemsOf(old, 'bmecat-1.2.yaml')).toEqual(await itemsOf(feed, 'bmecat-2005.yaml'));
  });

  it('BMEcat takes the price of one unit, and refuses one that is no whole cents and that of an unknown number of units', async () => {
    const product = (amount: string, units: string): string =>
      `<PRODUCT><SUPPLIER_PID>A</SUPPLIER_PID><PRODUCT_ORDER_DETAILS>${units}</PRODUCT_ORDER_DETAILS><PRODUCT_PRICE_DETAILS>` +
      `<PRODUCT_PRICE><PRICE_AMOUNT>${amount}</PRICE_AMOUNT></PRODUCT_PRICE></PRODUCT_PRICE_DETAILS></PRODUCT>`;
    const perUnits = (count: string) => `<PRICE_QUANTITY>${count}</PRICE_QUANTITY>`;
    const feed = [
      product('12.00', perUnits('100')),
      product('12.00', perUnits('1')),
      product('12.00', ''),
      product('12.35', perUnits('100')),
      product('12.00', perUnits('144')),
    ].join('');
    const read = `<BMECAT>${feed}</BMECAT>`;
    const expected = [
      { price: '0.12' },
      { price: '12' },
      { price: '12' },
      { code: 'field_decimals' },
      { code: 'field_not_allowed_value' },
    ];
    expect(await itemsOf(read, 'bmecat-2005.yaml')).toMatchObject(expected);
    const old = read.replaceAll('PRODUCT', 'ARTICLE').replaceAll('SUPPLIER_PID', 'SUPPLIER_AID');
    expect(await itemsOf(old, 'bmecat-1.2.yaml')).toMatchObject(expected);
  });

  it('Google Merchant reads feeds without a prefix, with empty and repeated elements, and refuses a range of prices', async () => {
    const feed =
      '<?xml version="1.0"?>\r\n<rss version="2.0"><channel><title>Shop</title>\r\n' +
      '<item><id>1</id><title><![CDATA[Tea & more]]></title><price>1,250.00 USD</price><sale_price></sale_price><additional_image_link>a</additional_image_link><additional_image_link>b</additional_image_link></item>\r\n' +
      '<item><id>2</id><title>Cup</title><price>9.00 - 12.00 USD</price></item></channel></rss>';
    const [tea, cup] = await itemsOf(feed, 'google-merchant.yaml');
    expect(tea).toMatchObject({ sku: '1', name: 'Tea & more', price: '1250.00', currency: 'USD' });
    expect(cup).toMatchObject({ code: 'field_format' });
  });

  it('any XML reads attributes and elements', async () => {
    expect(await itemsOf('generic.xml', 'xml.yaml')).toEqual([
      { sku: 'A-1', name: 'Tea', price: '9.50', currency: 'EUR', stock: 3 },
      { sku: 'A-2', name: 'Cup', price: '12', currency: 'EUR', stock: 0 },
    ]);
  });
});
