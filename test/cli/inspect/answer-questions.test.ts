// The questions of inspect on a terminal, and what they are elsewhere.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { answerQuestions } from '../../../src/cli/inspect/answer-questions.js';
import { folder, typedHere } from '../typed.js';

const rows = [19.95, 49, 129.5, 7.25].map((price, i) => `A-${i};Item ${i};${price};${(price * 0.8).toFixed(2)}`);
const two = `Varenr;Navn;Pris A;Pris B\n${rows.join('\n')}\n`;

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
    expect(json.suggestion.fields).toEqual({ sku: 'Varenr', name: 'Navn' });
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
  expect(others).toEqual([]);
});

it('a cost alone is no price, and no question', async () => {
  const { json, map } = await inspected('sku;name;Einkaufspreis\nA;Tea;1,20\nB;Milk;3,40\n');
  expect([json.questions, json.suggestion.fields]).toEqual([[], { sku: 'sku', name: 'name' }]);
  expect(map).toContain('# Columns that fill nothing yet:\n#   "Einkaufspreis"');
});

describe('on a terminal', () => {
  const candidates = ['Pris A', 'Pris B'].map((column) => ({ column, filled: 1, min: 1, max: 2, relation: null }));
  const ask = async (typed: string) => {
    const stderr = new PassThrough();
    const questions = [
      { field: 'price', candidates },
      { field: 'stock', candidates },
    ];
    const answers = await answerQuestions(questions, { stdin: Readable.from([typed]), stderr });
    stderr.end();
    return { answers: Object.fromEntries(answers), shown: await text(stderr) };
  };

  it('a number chooses, anything else is asked again, an empty line leaves the question open', async () => {
    const { answers, shown } = await ask('7\nx\n2\n\n');
    expect(answers).toEqual({ price: 'Pris B' });
    expect(shown).toContain('Which column is price?\n  1  "Pris A": 100 % filled, 1 to 2\n  2  "Pris B"');
    expect(shown.split('price: a number from 1 to 2').length).toBe(4);
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
