// The questions of inspect on a terminal, and what they are elsewhere.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { answerQuestions, onTerminal } from '../../../src/cli/inspect/answer-questions.js';
import { inspectFile } from '../../../src/source/inspection/inspect-file.js';
import type { Question } from '../../../src/source/mapping/suggest/questions.js';
import { suggestMapping } from '../../../src/source/mapping/suggest/suggest-mapping.js';
import { known } from '../../source/suggested.js';
import { folder, typedHere } from '../typed.js';

const rows = [19.95, 49, 129.5, 7.25].map((price, i) => `A-${i};Item ${i};${price};${(price * 0.8).toFixed(2)}`);
const two = `Varenr;Navn;Pris A;Pris B;Valuta\n${rows.map((row) => `${row};DKK`).join('\n')}\n`;

async function inspected(content: string) {
  const cwd = folder({ 'feed.csv': content });
  const at = (name: string) => join(cwd, name);
  const { stdout, stderr } = await typedHere(['inspect', at('feed.csv'), '--write-map', at('m.yaml')]);
  const json = JSON.parse((await typedHere(['inspect', at('feed.csv'), '--output', 'json'])).stdout);
  return { at, stdout, stderr, json, map: readFileSync(at('m.yaml'), 'utf8') };
}

describe('two columns of money of which the headers do not say which is the price', () => {
  it('are a question in the table, the mapping and the JSON, with what their values say', async () => {
    const { stdout, stderr, json, map } = await inspected(two);
    const relation = '= 1.25 × "Pris B"';
    expect(json.questions).toEqual([
      {
        field: 'price',
        candidates: [
          { column: 'Pris A', filled: 1, min: 7.25, max: 129.5, relation },
          { column: 'Pris B', filled: 1, min: 5.8, max: 103.6, relation: '= 0.8 × "Pris A"' },
        ],
      },
    ]);
    expect(json.suggestion.fields).toEqual({ sku: 'Varenr', name: 'Navn', currency: 'Valuta' });
    expect(stdout).toContain(`Which column is price?\n  "Pris A": 100 % filled, 7.25 to 129.5, ${relation}`);
    expect(stderr).toContain('write the right one in place of each ? (price), then');
    expect(map).toContain(
      `  price: ?   # which one is it?\n  #   "Pris A": 100 % filled, 7.25 to 129.5, ${relation}\n`,
    );
  });

  it('import nothing until the mapping names one', async () => {
    const { at, map } = await inspected(two);
    const refused = await typedHere(['products', at('feed.csv'), '--map', at('m.yaml'), '--db', at('c.db')]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('price: "Pris A": 100 % filled') });
    expect(map.match(/\?/g)?.length).toBeGreaterThan(0);
  });
});

it.each([
  ['a net price', 'sku;name;Net price\nA;Tea;1,20\nB;Milk;3,40\n', ['Net price']],
  ['a reference price', 'sku;name;RRP\nA;Tea;1,20\nB;Milk;3,40\n', ['RRP']],
  ['a price for a quantity', 'sku;name;Preis;PE\nA;Tea;1,20;100\nB;Milk;3,40;1\n', ['Preis']],
  [
    'names in two languages',
    'sku;name-de_DE;name-en_US;price\nA;Tee;Tea;1,20\nB;Milch;Milk;2,20\n',
    ['name-de_DE', 'name-en_US'],
  ],
  ['a cost above the price', 'sku;Price;Cost\nA;1,20;2,00\nB;2,20;3,00\n', ['Price', 'Cost']],
])('%s alone is asked about', async (_, content, columns) => {
  const [question, ...others] = (await inspected(content)).json.questions;
  expect(question.candidates.map(({ column }: { column: string }) => column)).toEqual(columns);
  expect(others.map(({ field }: { field: string }) => field)).toEqual(['currency']);
});

it('a cost alone is no price, and no question', async () => {
  const { json, map } = await inspected('sku;name;Einkaufspreis\nA;Tea;1,20\nB;Milk;3,40\n');
  expect(json.questions.map(({ field }: { field: string }) => field)).toEqual(['currency']);
  expect(json.suggestion.fields).toEqual({ sku: 'sku', name: 'name' });
  expect(map).toContain('# Columns that fill nothing yet:\n#   "Einkaufspreis"');
});

describe('on a terminal', () => {
  const candidates = ['Pris A', 'Pris B'].map((column) => ({ column, filled: 1, min: 1, max: 2, relation: null }));
  const ask = async (typed: string, more: readonly Question[] = []) => {
    const stderr = new PassThrough();
    const questions = [
      { field: 'price', candidates },
      { field: 'stock', candidates },
    ];
    const terminal = { stdin: Readable.from([typed]), stderr };
    const answers = await onTerminal(terminal, (asking) => answerQuestions([...questions, ...more], asking));
    stderr.end();
    return { answers: Object.fromEntries(answers), shown: await text(stderr) };
  };

  it('a number chooses, anything else is asked again, an empty line leaves the question open', async () => {
    const { answers, shown } = await ask('7\nx\n2\n\n');
    expect(answers).toEqual({ price: 'Pris B' });
    expect(shown).toContain('Which column is price?\n  1  "Pris A": 100 % filled, 1 to 2\n  2  "Pris B"');
    expect(shown.split('price: a number from 1 to 2').length).toBe(4);
  });

  it.each([
    ['a number', '1', 'GBP'],
    ['another code', 'dollars\nusd', 'USD'],
    ['nothing', '', undefined],
  ])('the currency is answered by %s', async (_, typed, currency) => {
    const candidates = [{ value: 'GBP', relation: '"VAT" has VAT' }];
    const { answers, shown } = await ask(`1\n1\n${typed}\n`, [{ field: 'currency', candidates }]);
    expect(answers['currency']).toBe(currency);
    expect(shown).toContain('Which currency are the prices in?\n  1  { value: GBP }: "VAT" has VAT\n');
    expect(shown).toContain('currency: a number from 1 to 1, a code such as EUR, or nothing to leave it open: ');
  });

  it('the encoding is asked for, with what its letters would be', async () => {
    const file = join(folder({ 'feed.csv': '' }), 'feed.csv');
    writeFileSync(file, Buffer.from('sku;name\nA;Lumière\nB;Lampe\n', 'latin1'));
    const inspection = await inspectFile({ file });
    const [, second] = inspection.found.encodings ?? [];
    const { questions } = suggestMapping(inspection, known);
    const { answers, shown } = await ask(
      `1\n1\n2\n`,
      questions.filter(({ field }) => field === 'encoding'),
    );
    expect(second).toBeDefined();
    expect(answers['encoding']).toBe(second?.name);
    expect(shown).toContain(`  2  "${second?.name}": ${second?.sample}\n`);
    expect((await inspectFile({ file, encoding: second?.name ?? '' })).found.encodings).toBeUndefined();
  });

  it('the decimal sign is asked for like every other question, and its answer is in the mapping', async () => {
    const file = join(folder({ 'feed.csv': 'sku;name;price\nA;Lamp;24.972\nB;Table;2.066\n' }), 'feed.csv');
    const inspection = await inspectFile({ file });
    const { questions } = suggestMapping(inspection, known);
    const { answers, shown } = await ask(
      `1\n1\n2\n`,
      questions.filter(({ field }) => field === 'decimal'),
    );
    expect(shown).toContain('Which is the decimal sign?\n  1  ".": 24.972 is 24.972\n  2  ",": 24.972 is 24972\n');
    const { yaml } = suggestMapping(inspection, known, file, new Map(Object.entries(answers)));
    expect(yaml).toContain('  decimal: ","\n');
  });

  it('the end of the input leaves all open', async () => {
    expect((await ask('')).answers).toEqual({});
  });
});

describe('a member that is an object in some records and a list in others', () => {
  const offers = [12.5, 4.25, 34.25, 149.25].map((price, i) => ({
    id: `A-${i}`,
    title: `Item ${i}`,
    offer:
      i === 1
        ? [
            { price, note: 'x' },
            { price: 1, note: 'y' },
          ]
        : { price, note: 'z' },
    currency: 'EUR',
  }));

  it('is read by the path that holds for all of them, and its price is a question', async () => {
    const cwd = folder({ 'feed.json': JSON.stringify(offers) });
    const at = (name: string) => join(cwd, name);
    await typedHere(['inspect', at('feed.json'), '--write-map', at('m.yaml')]);
    const map = readFileSync(at('m.yaml'), 'utf8');
    const expression = '{ column: "offer[].price", take: first }';
    expect(map).toContain(`price: ?   # which one is it?\n  #   ${expression}: 75 % filled`);
    writeFileSync(at('m.yaml'), map.replace('price: ?', `price: ${expression} `));
    const args = ['products', at('feed.json'), '--map', at('m.yaml'), '--db', at('c.db')];
    expect(await typedHere(args)).toMatchObject({ code: 0 });
  });
});

describe('a list of prices of several types', () => {
  const of = (type: string, amount: string) => ({ type, amount, currency: 'EUR' });
  const feeds = {
    JSON: JSON.stringify([
      { id: 'A', title: 'Drill', prices: [of('net_list', '10.00'), of('net_customer', '7.00')] },
      { id: 'B', title: 'Saw', prices: [of('net_customer', '3.00'), of('net_list', '5.00')] },
      { id: 'C', title: 'Bit', prices: of('net_list', '1.00') },
    ]),
    XML: `<c>${['10.00 7.00', '5.00 3.00', '1.00']
      .map((amounts, i) => {
        const prices = amounts.split(' ').map((amount, n) => {
          const type = ['net_list', 'net_customer'][n];
          return `<price type="${type}"><amount>${amount}</amount><currency>EUR</currency></price>`;
        });
        const ordered = i === 1 ? prices.reverse() : prices;
        return `<article><id>${'ABC'[i]}</id><title>Tool ${i}</title><prices>${ordered.join('')}</prices></article>`;
      })
      .join('')}</c>`,
  };

  it.each([
    ['JSON', 'prices[type=net_list].amount', 'feed.json'],
    ['XML', 'prices.price[@type=net_list].amount', 'feed.xml'],
  ] as const)(
    'of %s asks for the type, with the figures of each, and never takes the first',
    async (form, list, name) => {
      const cwd = folder({ [name]: feeds[form] });
      const at = (file: string) => join(cwd, file);
      await typedHere(['inspect', at(name), '--write-map', at('m.yaml')]);
      const map = readFileSync(at('m.yaml'), 'utf8');
      expect(map).toContain(`price: ?   # which one is it?\n  #   "${list}": 100 % filled, 1 to 10`);
      expect(map).toContain(`"${list.replace('list', 'customer')}": 66 % filled, 3 to 7`);
      expect(map).toContain('currency: { value: EUR }');
      expect(map).not.toContain('take: first');
      writeFileSync(at('m.yaml'), map.replace('price: ?', `price: "${list}" `));
      expect(await typedHere(['products', at(name), '--map', at('m.yaml'), '--db', at('c.db')])).toMatchObject({
        code: 0,
      });
      const { stdout } = await typedHere(['export', 'products', '--db', at('c.db')]);
      const prices = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).price);
      expect(prices).toEqual(['10.00', '5.00', '1.00']);
    },
  );
});

describe('reviews', () => {
  const reviews = 'review_id,sku,customer_id,opinion,text\nR1,A,C1,5,Good\nR2,A,C2,4,Fine\nR3,B,C1,1,Bad\n';

  it('ask for the column of a field that is required, and make the customers that they name', async () => {
    const cwd = folder({ 'reviews.csv': reviews });
    const at = (file: string) => join(cwd, file);
    await typedHere(['inspect', at('reviews.csv'), '--write-map', at('m.yaml')]);
    const map = readFileSync(at('m.yaml'), 'utf8');
    expect(map).toMatch(/rating: \? .*\n *# {3}"opinion": 100 % filled, 1 to 5/);
    writeFileSync(at('m.yaml'), map.replace('rating: ?', 'rating: "opinion" '));
    const run = ['run', at('reviews.csv'), '--map', at('m.yaml'), '--db', at('c.db')];
    expect(await typedHere(run)).toMatchObject({ code: 0 });
  });
});

describe('categories whose parents', () => {
  const imported = async (content: string) => {
    const cwd = folder({ 'categories.csv': content });
    const at = (file: string) => join(cwd, file);
    await typedHere(['inspect', at('categories.csv'), '--write-map', at('m.yaml'), '--quiet']);
    const run = ['run', at('categories.csv'), '--map', at('m.yaml'), '--db', at('c.db')];
    const { code } = await typedHere(run);
    const { stdout } = await typedHere(['export', 'categories', '--db', at('c.db')]);
    return {
      code,
      lines: stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    };
  };

  it('are none of the file come in with them', async () => {
    const { code, lines } = await imported('Name,Parent category\nPods,Home\nLaptops,Home\n');
    expect([code, lines.map(({ name, parent = '' }) => [name, parent])]).toEqual([
      0,
      [
        ['Home', ''],
        ['Pods', 'Home'],
        ['Laptops', 'Home'],
      ],
    ]);
  });

  it('are codes far below the first lines are looked up', async () => {
    const rows = Array.from(
      { length: 200 },
      (_, i) => `code_${i};${i === 0 ? '' : `code_${Math.floor(i / 2)}`};Label ${i}`,
    );
    const { code, lines } = await imported(`code;parent;label-en_US\n${rows.join('\n')}\n`);
    expect([code, lines.length]).toEqual([0, 200]);
    expect(lines.find(({ name }) => name === 'Label 199')).toMatchObject({ parent: 'Label 99' });
  });
});

it('a column whose name several have is asked about', async () => {
  const { map } = await inspected('sku;name;price;price\nA;Tea;1,20;2,20\nB;Milk;3,40;4,40\n');
  expect(map).toContain('\n  price: ?');
});

describe('a category that is answered by hand', () => {
  const paths = [['Home', 'Home > Lamps'], ['Home > Lamps'], ['Garden > Pots'], ['Home > Lamps']];
  const listed = paths.map((all, i) => ({
    sku: `A-${i}`,
    name: `Item ${i}`,
    'Main category': all,
    'Web category': [all.at(-1)],
  }));
  const cells = paths.map((all, i) => `A-${i};Item ${i};${all.at(-1)};${all.at(-1)}${i}`);
  it.each([
    ['lists of paths', 'feed.json', JSON.stringify(listed), 'Main category'],
    ['paths', 'feed.csv', `sku;name;Main category;Web category\n${cells.join('\n')}\n`, 'Main category'],
  ])('has the section that its question names, also of %s', async (_, name, content, column) => {
    const cwd = folder({ [name]: content });
    const [feed, map, db] = [join(cwd, name), join(cwd, 'm.yaml'), join(cwd, 'c.db')];
    const { questions } = JSON.parse((await typedHere(['inspect', feed, '--output', 'json'])).stdout);
    const { candidates } = questions.find(({ field }: Question) => field === 'category');
    const { relation } = candidates.find((one: { column: string }) => one.column === column);
    const [, category, section] =
      /write (\{.*?\}); needs before the products the section (\{.*? \})(?:;|$)/.exec(relation) ?? [];
    const products = `{ to: products, fields: { sku: sku, name: name, category: ${category}, currency: { value: EUR } } }`;
    writeFileSync(map, `import:\n  - ${section}\n  - ${products}\n`);
    expect(await typedHere(['run', feed, '--map', map, '--db', db])).toMatchObject({ code: 0 });
    const { stdout } = await typedHere(['export', 'categories', '--db', db]);
    expect(stdout).toMatch(/"name":"Lamps","parent":"Home"/);
    expect((await typedHere(['export', 'products', '--db', db])).stdout).toMatch(/"category":"(?:Lamps|cate_)/);
  });
});
