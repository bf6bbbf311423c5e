// The currency of a suggestion: that of the prices where something says it, else a question. It is never that of other money.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

/** The currency of a file of three products with the given columns: its line, or the candidates of its question. */
async function currency(header: string, ...rows: readonly string[]) {
  const lines = rows.map((row, i) => `A-${i};${['Red cup', 'Blue pot', 'Tea tin'][i]};${row}`);
  const { yaml, questions } = await suggested([`Code;Name;${header}`, ...lines].join('\n'));
  const asked = questions.find(({ field }) => field === 'currency');
  const line = /^ {2}currency: (.*?)(?: {3}#.*)?$/m.exec(yaml)?.[1];
  return asked === undefined ? line : asked.candidates.map((one) => ('value' in one ? one.value : one.column));
}

describe('the currency is certain', () => {
  it.each([
    ['next to each amount', 'Preis', ['10,50 EUR', '9,95 USD', '7,00 €'], '{ from: "Preis" }'],
    ['next to some amounts', 'Preis', ['10,50 EUR', '9,95', '7,00'], '{ value: EUR }'],
    ['as an abbreviation with a sign in it', 'מחיר', ['10.50 ש"ח', '9.95 ש״ח', '7 ש"ח'], '{ from: "מחיר" }'],
    ['in the header of the prices', 'Preis EUR', ['10,50', '9,95', '7,00'], '{ value: EUR }'],
    ['in those of all candidates', 'Preis A EUR;Preis B EUR', ['10,50;9', '9,95;8', '7,00;6,50'], '{ value: EUR }'],
    [
      'next to those without tax',
      'Preis;Preis netto',
      ['10,50;9,90 €', '9,95;8,90 €', '7,00;6,90 €'],
      '{ value: EUR }',
    ],
    ['of the same amounts', 'Preis;Anzeige', ['10,50;10,50 €', '9,95;9,95 €', '7,00;7,00 €'], '{ value: EUR }'],
    ['next to whole amounts of an unknown header', 'Wert', ['10 EUR', '12', '9 EUR'], '{ value: EUR }'],
    ['in a column called so', 'Preis;Währung', ['10,50;EUR', '9,95;USD', '7,00;EUR'], '"Währung"'],
    ['in a column and in the header', 'Preis €;Währung', ['10,50;EUR', '9,95;EUR', '7,00;EUR'], '"Währung"'],
    ['in a column and some cells', 'Preis;Währungscode', ['10,50 €;EUR', '9,95;EUR', '7,00;EUR'], '"Währungscode"'],
    ['in a column next to a country', 'Preis FR;Währung', ['10,50 €;EUR', '9,95 €;EUR', '7,00 €;EUR'], '"Währung"'],
    [
      'in a column of signs and codes',
      'Fiyat;Para Birimi',
      ['10,50;TL', '9,95;USD', '7,00;TL'],
      '{ column: "Para Birimi", map: { "TL": TRY }, else: keep }',
    ],
    [
      'in a column of names',
      'Preis;Währung',
      ['10,50;Euro', '9,95;Schweizer Franken', '7,00;US-Dollar'],
      '{ column: "Währung", map: { "Euro": EUR, "Schweizer Franken": CHF, "US-Dollar": USD }, else: keep }',
    ],
    [
      'as a sign and a name of the same one',
      'Preis;Währung',
      ['10,50;€', '9,95;Euro', '7,00;EUR'],
      '{ column: "Währung", map: { "€": EUR, "Euro": EUR }, else: keep }',
    ],
    ['as a sign that is the same in all', 'Preis;Währung', ['10,50;€', '9,95;€', '7,00;€'], '{ value: EUR }'],
  ] as const)('%s', async (_, header, rows, line) => {
    expect(await currency(header, ...rows)).toBe(line);
  });
});

it('a column of currencies is that of prices whose sign several currencies have', async () => {
  const { fields } = await suggested('SKU;Name;Price;Currency\nA;Lamp one;$12.50;USD\nB;Lamp two;$13.50;USD');
  expect(fields).toMatchObject({ currency: 'Currency' });
});

it('the currency is that of the samples where other cells of the price have no other one', async () => {
  const rows = Array.from({ length: 100 }, (_, i) => `A-${i};Cup no. ${i};${i},90${i % 60 === 0 ? ' €' : ''}\n`);
  expect((await suggested(`Code;Name;Preis\n${rows.join('')}`)).yaml).toContain('  currency: { value: EUR }   # is it');
  const told = `Waluta;EUR;\nCode;Name;Preis\n${rows.slice(1).join('')}`;
  expect((await suggested(told)).yaml).toContain('  currency: { value: EUR }   # is it');
});

it.each([
  [
    'an attribute of the root',
    'feed.xml',
    '<Export Waehrung="PLN"><Artikel><Nr>A</Nr><Name>Cup</Name><Preis>1,50</Preis></Artikel><Artikel><Nr>B</Nr><Name>Pot</Name><Preis>2,50</Preis></Artikel></Export>',
  ],
  [
    'an element before the records',
    'feed.xml',
    '<shop><currency>PLN</currency><item><sku>A</sku><name>Cup</name><price>1.50</price></item><item><sku>B</sku><name>Pot</name><price>2.50</price></item></shop>',
  ],
  [
    'a member of the envelope',
    'feed.json',
    '{"meta":{"currency":"PLN"},"items":[{"sku":"A","name":"Cup","price":1.5},{"sku":"B","name":"Pot","price":2.5}]}',
  ],
  [
    'a line above the header',
    'feed.csv',
    'Waluta;PLN;;\nNr;Name;Cena;Stan\nA;Cup;1,50;3\nB;Pot;2,50;4\nC;Tin;3,50;5\n',
  ],
])('the currency is that of %s', async (_, file, content) => {
  expect((await suggested(content, file)).yaml).toContain('  currency: { value: PLN }   # is it this one?');
});

describe('the currency is asked', () => {
  const dollars = ['USD', 'CAD', 'AUD', 'NZD', 'HKD', 'SGD'];

  it.each([
    ['of a sign that several have', 'Price', ['$10.50', '$9.95', '$7.00'], dollars],
    ['of candidates in several', 'Preis EUR;Preis USD', ['10,50;9', '9,95;8', '7,00;6,50'], ['EUR', 'USD']],
    ['of what the shop pays', 'Preis;EK EUR', ['10,50;9', '9,95;8', '7,00;6,50'], ['EUR']],
    ['of a recommended price', 'Preis;UVP', ['10,50;14,90 €', '9,95;12,90 €', '7,00;9,90 €'], ['EUR']],
    ['of a fee', 'Preis;Versand EUR', ['10,50;4,90', '9,95;4,90', '7,00;5,90'], ['EUR']],
    ['of other prices', 'price;msrp_currency', ['10.50;USD', '9.95;USD', '7.00;USD'], ['USD']],
    ['of prices of others', 'price;competitor currency', ['10.50;USD', '9.95;USD', '7.00;USD'], ['USD']],
    ['of costs', 'price;cost;Currency cost', ['10.50;4;USD', '9.95;5;USD', '7.00;6;USD'], ['USD']],
    ['of a header and its cells', 'Preis USD', ['10,50 €', '9,95 €', '7,00 €'], ['EUR', 'USD']],
    ['of a header and some cells', 'Preis USD', ['10,50 €', '9,95', '7,00'], ['EUR', 'USD']],
    ['of cells and a column', 'Preis;Währung', ['10,50 €;USD', '9,95 €;USD', '7,00 €;USD'], ['USD', 'EUR']],
    ['of a header and a column', 'Preis CHF;Währung', ['10,50;EUR', '9,95;USD', '7,00;CHF'], ['Währung', 'CHF']],
    ['of a tax', 'Preis inkl. MwSt', ['10,50', '9,95', '7,00'], ['EUR', 'CHF']],
    ['of a tax by its English name', 'PRICE_VAT', ['10,50', '9,95', '7,00'], []],
    ['of words that may be codes', 'Preis;Form', ['10,50;GEL', '9,95;GEL', '7,00;GEL'], ['GEL']],
    ['of signs that differ', 'Preis;Währung', ['10,50;€', '9,95;¥', '7,00;€'], ['Währung']],
    ['of names that several have', 'Price;Currency', ['10.50;Euro', '9.95;US Dollar', '7.00;Pound'], ['Currency']],
    ['of signs below an unknown header', 'Fiyat;Döviz Cinsi', ['10,50;$', '9,95;€', '7,00;TL'], ['Döviz Cinsi']],
    [
      'of a column and another price',
      'Fiyat;Döviz;TL Fiyat',
      ['10,50;USD;350,50', '9,95;EURO;400,10', '7,00;USD;245,30'],
      ['Döviz', 'TRY'],
    ],
    ['of a column that may have it', 'Preis;Whg', ['10,50;EUR', '9,95;USD', '7,00;EUR'], ['Whg']],
    ['of one candidate only', 'Preis A;Preis B', ['10,50 EUR;9', '9,95 EUR;8', '7,00 EUR;6,50'], ['EUR']],
    ['of a sign of an unknown header', 'Wert', ['10 kr', '12 kr', '9 kr'], ['SEK', 'NOK', 'DKK', 'ISK']],
    ['of nothing', 'Preis', ['10,50', '9,95', '7,00'], []],
    ['of an empty price', 'price;Bestand', [';4', ';0', ';7'], []],
    ['not of what customers can pay with', 'Preis;Zahlung in €', ['10,50;ja', '9,95;nein', '7,00;ja'], []],
    ['not of texts', 'Preis;Versand', ['10,50;gratis ab 50 €', '9,95;gratis ab 50 €', '7,00;gratis ab 50 €'], []],
    ['not of codes of parts', 'Preis;Teil', ['10,50;R-101', '9,95;R-102', '7,00;R-103'], []],
  ] as const)('%s', async (_, header, rows, candidates) => {
    expect(await currency(header, ...rows)).toEqual(candidates);
  });

  it('with what to write for each value of a column', async () => {
    const { asked } = await suggested(
      'Code;Name;Price;Currency\nA;Red cup;10.50;Pounds\nB;Blue pot;9.95;$\nC;Jug;7.00;EUR\n',
    );
    expect(asked['currency']?.['Currency']).toMatch(
      'write { column: "Currency", map: { "Pounds": GBP, "$": USD }, else: keep }, with the code that each means',
    );
  });

  it.each([
    [
      'in a title',
      'feed.csv',
      'Preisliste, alle Preise in CHF;;;\nNr;Name;Preis;Bestand\nA;Cup;1,50;3\nB;Pot;2,50;4\nC;Tin;3,50;5\n',
    ],
    [
      'of several',
      'feed.json',
      '{"currency":"CHF","other":["EUR"],"items":[{"sku":"A","name":"Cup","price":1.5},{"sku":"B","name":"Pot","price":2.5}]}',
    ],
  ])('that stands above the records %s', async (_, file, content) => {
    const { questions } = await suggested(content, file);
    expect(questions.find(({ field }) => field === 'currency')?.candidates[0]).toMatchObject({ value: 'CHF' });
  });

  it('of an object in which no price is', async () => {
    const record = (name: string, i: number) => ({
      ...{ sku: `A-${i}`, name, price: 10.5 + i, cost: { amount: 5 + i, currency: 'USD' } },
    });
    const { fields, questions } = await suggested(JSON.stringify(['Cup', 'Pot', 'Jug'].map(record)), 'feed.json');
    expect(fields).not.toHaveProperty('currency');
    expect(questions.find(({ field }) => field === 'currency')?.candidates).toMatchObject([{ value: 'USD' }]);
  });

  it('where each candidate of the price has its own', async () => {
    const item = (name: string, i: number) =>
      `<item><id>A-${i}</id><title>${name}</title><list_price currency="USD">${20 + i}.50</list_price><net_price currency="EUR">${10 + i}.50</net_price></item>`;
    const { questions } = await suggested(`<c>${['Cup', 'Pot', 'Jug'].map(item).join('')}</c>`, 'feed.xml');
    expect(questions.find(({ field }) => field === 'currency')?.candidates).toMatchObject([
      { value: 'USD' },
      { value: 'EUR' },
    ]);
  });

  it.each([
    ['which nothing else names', [], { 40: '12,00 EUR', 60: '13,00 CHF' }, ['EUR', 'CHF'], ''],
    ['which is the only one', [], { 60: '13,00 Fr.' }, ['CHF', 'XOF', 'XAF', 'XPF'], ''],
    ['which differs from that of the samples', ['1,50 €'], { 60: '13,00 CHF' }, ['EUR', 'CHF'], ''],
    ['which differs from that of a title', [], { 60: '13,00 CHF' }, ['CHF', 'PLN'], 'Waluta;PLN;\n'],
  ] as const)('of a price cell after the samples %s', async (_, first, others, candidates, title) => {
    const prices = Object.assign(
      Array.from({ length: 100 }, (_, i) => first[i] ?? `${i},90`),
      others,
    );
    const { questions } = await suggested(
      `${title}Code;Name;Preis\n${prices.map((price, i) => `A-${i};Cup no. ${i};${price}\n`).join('')}`,
    );
    const asked = questions.find(({ field }) => field === 'currency');
    expect(asked?.candidates.map((one) => ('value' in one ? one.value : one.column))).toEqual(candidates);
  });

  it('with what names it, and only else with the tax of a country', async () => {
    const { asked, questions } = await suggested(
      'Code;Name;Preis inkl. MwSt;EK EUR\nA;Red cup;10,50;9\nB;Blue pot;9,95;8\n',
    );
    const [question] = questions.filter(({ field }) => field === 'currency');
    expect(question?.candidates).toMatchObject([
      { value: 'EUR', relation: '"EK EUR" has EUR' },
      { value: 'CHF', relation: '"Preis inkl. MwSt" has MwSt, a tax there' },
    ]);
    expect(question?.form).toBe('or the code of all its prices, such as { value: EUR }');
    expect(asked).not.toHaveProperty('price');
  });

  it('offers the code of a currency column before the codes of a sign that one price has', async () => {
    const [first] = (await currency('VK brutto;Währung', '19,90;EUR', '15,90 $;EUR', '9,90;EUR')) ?? [];
    expect(first).toBe('EUR');
  });

  it('with what is to be known where a file has no prices', async () => {
    const { questions } = await suggested('Code;Name;Bestand\nA;Red cup;10\nB;Blue pot;7\n');
    expect(questions.map(({ field, form }) => [field, form])).toEqual([
      ['currency', expect.stringMatching(/^no header or sample names it: .*; without the line only products that are/)],
    ]);
  });
});
