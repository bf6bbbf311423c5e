// XML feeds: records are elements, read as a stream, with attributes, prefixes and repeated elements as columns.
import { describe, expect, it } from 'vitest';
import type { MappingSection, Section } from '../../../src/source/mapping/mapping.js';
import { recordElement } from '../../../src/source/xml/record-element.js';
import { fileOf, readAll } from '../given.js';

const mapped = (
  fields: Section['fields'],
  more: Partial<Section> = {},
  read: MappingSection['read'] = {},
): MappingSection => ({
  name: 'm.yaml',
  place: 'the mapping',
  read,
  tables: {},
  section: { to: 'products', fields, ...more },
});

const rss = `<?xml version="1.0"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Shop</title>
<item><g:id>A-1</g:id><title>Tea &amp; more</title><g:price>9.50 EUR</g:price>
  <g:additional_image_link>a.jpg</g:additional_image_link><g:additional_image_link>b.jpg</g:additional_image_link>
  <g:shipping><g:country>DE</g:country><g:price>4.90 EUR</g:price></g:shipping></item>
<item><g:id>A-2</g:id><title><![CDATA[<b>Cup</b>]]></title><g:price>3 EUR</g:price></item>
</channel></rss>
`;

describe('an XML feed', () => {
  it('of Google Merchant is read by its items, prefixes and lists included', async () => {
    const fields = {
      sku: 'g:id',
      name: 'title',
      description: { columns: ['g:additional_image_link'], join: '|' },
      category: 'g:shipping.g:country',
    };
    const { items, lines, notes } = await readAll(fileOf(rss, 'feed.xml'), { mapped: mapped(fields) });
    expect(items).toEqual([
      { sku: 'A-1', name: 'Tea & more', description: 'a.jpg|b.jpg', category: 'DE' },
      { sku: 'A-2', name: '<b>Cup</b>' },
    ]);
    expect(lines).toEqual([3, 6]);
    expect(notes).toEqual([]);
  });

  it.each([
    ['before a semicolon further down', '<a>\n<p><sku>A & B</sku></p>\n<p><sku>C &amp; D</sku></p></a>', 'line 2'],
    ['before a semicolon on its line', '<a>\n<p><sku>A & B; C</sku></p>\n</a>', 'line 2, column 11'],
    ['without a semicolon', '<a>\n<p><sku>A &</sku></p>\n<p><sku>C</sku></p></a>', 'line 2'],
    ['in an attribute', '<a>\n<p id="A & B; C"><sku>A</sku></p></a>', 'line 2, column 10'],
    ['in a long file', `<a>\n<p><sku>A & B</sku></p>\n${'<p><sku>C</sku></p>\n'.repeat(20_000)}</a>`, 'line 2'],
  ])('with an ampersand %s names the line of the ampersand', async (_, feed, place) => {
    const message = new RegExp(`^.*: ${place}: an & that begins no entity is written &amp;\\.$`);
    const read = readAll(fileOf(feed, 'feed.xml'), { record: 'p' });
    expect(await read.then(({ failure }) => failure, String)).toMatch(message);
  });

  it('has empty elements for what is not sent, as a table has empty cells', async () => {
    const feed =
      '<a><p><sku>A</sku><name/><price/><stock></stock><grades><grade>new</grade><price/><stock/></grades>' +
      '<grades><grade>good</grade><price>5</price></grades></p>' +
      '<p><sku> B </sku><status> draft </status><stock> 5 </stock></p></a>';
    const read = async (empty: 'skip' | 'clear') =>
      (await readAll(fileOf(feed, 'feed.xml'), { record: 'p', empty })).items;
    expect(await read('skip')).toEqual([
      { sku: 'A', grades: [{ grade: 'new' }, { grade: 'good', price: '5' }] },
      { sku: 'B', status: 'draft', stock: 5 },
    ]);
    const cleared = {
      sku: 'A',
      name: '',
      price: '',
      grades: [
        { grade: 'new', price: '' },
        { grade: 'good', price: '5' },
      ],
    };
    expect((await read('clear'))[0]).toEqual(cleared);
  });

  it('has the line on which the tag of a record begins, and lists of one entry', async () => {
    const feed =
      '<a>\n<p\n  id="1"\n  name="x"\n>\n<sku>A</sku><grades><grade>new</grade><price>5</price></grades></p><p>\n<sku>B</sku></p>\r\n' +
      '<p\r\n\r\n id="3"><sku>C</sku></p></a>';
    const { items, lines } = await readAll(fileOf(feed, 'feed.xml'), { record: 'p' });
    expect(items).toMatchObject([{ sku: 'A', grades: [{ grade: 'new', price: '5' }] }, { sku: 'B' }, { sku: 'C' }]);
    expect(lines).toEqual([2, 6, 8]);
  });

  it('is distinguished from a table by its first bytes, whatever its name, in chunks of any size', async () => {
    const products =
      '<products><product><sku>A</sku><price>1.50</price></product>\n<product><sku>B</sku><price>x</price></product></products>';
    const { items, notes } = await readAll(fileOf(products, 'feed.dat'));
    expect(items).toEqual([
      { sku: 'A', price: '1.50' },
      { sku: 'B', price: 'x' },
    ]);
    expect(notes).toEqual(['records are the elements "product"; --record names others']);
    const long = `<products>${Array.from({ length: 20_000 }, (_, i) => `<product><sku>S-${i}</sku><name>${'ä'.repeat(i % 40)}</name></product>`).join('\n')}</products>`;
    const read = await readAll(fileOf(long, 'long.xml'));
    expect(read.items).toHaveLength(20_000);
    expect(read.items[19_999]).toEqual({ sku: 'S-19999', name: 'ä'.repeat(39) });
    expect(read.lines[19_999]).toBe(20_000);
  });

  it('has attributes as columns: of the record by @, of its elements by name and @, lists side by side', async () => {
    const offers =
      '<yml_catalog><shop><categories><category id="1">Tea</category><category id="2">Cups</category></categories><offers>' +
      '<offer id="7" available="true"><price currency="UAH">5</price><param name="Colour">red</param><param name="Size">L</param></offer>' +
      '<offer id="8"><price>6</price><param>blue</param><param name="Size">M</param></offer></offers></shop></yml_catalog>';
    const fields = {
      sku: '@id',
      price: 'price',
      currency: { column: 'price@currency', default: 'EUR' },
      name: { columns: ['param@name', 'param'], join: '|' },
    };
    const read = await readAll(fileOf(offers, 'x.xml'), { mapped: mapped(fields) });
    expect(read.items).toEqual([
      { sku: '7', price: '5', currency: 'UAH', name: 'Colour|Size|red|L' },
      { sku: '8', price: '6', currency: 'EUR', name: 'Size|blue|M' },
    ]);
    const categories = await readAll(fileOf(offers, 'x.xml'), {
      mapped: mapped({ sku: '@id', name: '#text' }, { record: 'category' }),
    });
    expect(categories.items).toEqual([
      { sku: '1', name: 'Tea' },
      { sku: '2', name: 'Cups' },
    ]);
  });

  it('is read in the encoding that it declares', async () => {
    const text = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<a><p><sku>A</sku><name>Gr\xfcn</name></p></a>';
    const read = await readAll(fileOf(Buffer.from(text, 'latin1'), 'x.xml'), { record: 'p' });
    expect(read.items).toEqual([{ sku: 'A', name: 'Grün' }]);
    const wide = Buffer.from(text.replace('ISO-8859-1', 'UTF-16'), 'utf16le');
    expect((await readAll(fileOf(wide, 'x.xml'), { record: 'p' })).items).toEqual([{ sku: 'A', name: 'Grün' }]);
    const wrong = Buffer.from(text.replace('ISO-8859-1', 'UTF-8'), 'latin1');
    expect((await readAll(fileOf(wrong, 'x.xml'), { record: 'p' })).failure).toMatch(
      /line 2, column \d+: .*not utf-8: name the encoding/,
    );
  });

  it('decodes HTML entities, and expands no entity that a document type declares', async () => {
    const head =
      '<!DOCTYPE a [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;"><!ENTITY file SYSTEM "file:///etc/passwd">]>';
    const p = (name: string) => `${head}<a><p><sku>A</sku><name>${name}</name></p></a>`;
    expect((await readAll(fileOf(p('10&nbsp;&euro; f&uuml;r&#8211;'), 'x.xml'), { record: 'p' })).items).toEqual([
      { sku: 'A', name: '10\u00a0€ für–' },
    ]);
    for (const entity of ['lol2', 'file'])
      expect((await readAll(fileOf(p(`&${entity};`), 'x.xml'), { record: 'p' })).failure).toMatch(
        /line 1, column \d+: undefined entity/,
      );
  });

  it.each<readonly [what: string, text: string, words: RegExp]>([
    ['that breaks off', '<a><p><sku>A</sku></p><p><sku>B', /line 1, column \d+: unclosed tag/],
    [
      'with a tag that another closes',
      '<a><p><sku>A</sku></p>\n<p></q></a>',
      /line 2, column \d+: unexpected close tag/,
    ],
    [
      'with a record that does not end',
      `<a><p><sku>A</sku></p><p>${'<x>y</x>'.repeat(200_000)}`,
      /the record that begins on line 1 \(<p>\) does not end within 4194304 characters/,
    ],
    ['nested deep in a record', `<a><p><sku>A</sku></p><p>${'<x>'.repeat(100_000)}`, /nested deeper than 16 levels/],
    [
      'nested deep around its records',
      `<a><p><sku>A</sku></p>${'<x>'.repeat(100_000)}`,
      /nested deeper than 64 levels/,
    ],
    [
      'with a text that does not end',
      `<a><p><sku>A</sku></p>${'x'.repeat(5_000_000)}`,
      /does not end within 4194304 characters/,
    ],
    [
      'with a comment that does not end',
      `<a><p><sku>A</sku></p><!-- ${'x'.repeat(5_000_000)}`,
      /does not end within 4194304 characters/,
    ],
  ])('%s ends there, and earlier records remain', async (_, text, words) => {
    const { items, failure } = await readAll(fileOf(text, 'x.xml'), { record: 'p' });
    expect(items).toEqual([{ sku: 'A' }]);
    expect(failure).toMatch(words);
  });

  it('reaches no prototype, whatever its elements are called', async () => {
    const text = '<a><p><sku>A</sku><__proto__><polluted>1</polluted></__proto__><constructor>x</constructor></p></a>';
    const { items, unknown } = await readAll(fileOf(text, 'x.xml'), { record: 'p' });
    expect(items).toEqual([{ sku: 'A' }]);
    expect(unknown).toEqual({ ['__proto__']: 1, constructor: 1 });
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  it('without the named element is an error', async () => {
    const { items, notes } = await readAll(fileOf(rss, 'x.xml'), { record: 'product' });
    expect(items).toEqual([]);
    expect(notes[0]).toMatch(/element "product" not found; name the element of the records with --record/);
    const alone = await readAll(fileOf('<shop><p><sku>A</sku></p></shop>', 'x.xml'), {});
    expect(alone.notes[0]).toMatch(/no element is repeated; name the element of the records with --record/);
  });
});

describe('the element of the records', () => {
  it.each([
    ['<rss><channel><title/><item>', 'item', true],
    ['<feed><title/><entry>', 'entry', true],
    ['<yml_catalog><shop><categories><category/><category/></categories><offers><offer>', 'offer', true],
    ['<BMECAT><HEADER/><T_NEW_CATALOG><ARTICLE>', 'ARTICLE', true],
    ['<BMECAT><HEADER/><T_NEW_CATALOG><PRODUCT>', 'PRODUCT', true],
    ['<shop><info><a/><a/></info><product><x/></product><product>', 'product', false],
    ['<ns:list><ns:p/><ns:p/>', 'ns:p', false],
    ['<shop><p><img/><img/><_line>2</_line><_code>c</_code><_reason>r</_reason></p>', 'p', true],
  ] as const)('of %s… is %s', (head, name, known) => {
    expect(recordElement(head)).toEqual({ name, known });
  });

  it('is not guessed if no element repeats', () => {
    expect(recordElement('<a><b/><c/></a>')).toBeUndefined();
  });
});
