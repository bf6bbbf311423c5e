// Files for which the project has a ready mapping: inspect names it, and it imports them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import known from '../../src/source/inspection/ready-maps.json' with { type: 'json' };
import { folder, typedHere } from '../cli/typed.js';

const at = (path: string) => fileURLToPath(new URL(`../../fixtures/${path}`, import.meta.url));

async function inspected(feed: string) {
  return JSON.parse((await typedHere(['inspect', at(`feeds/${feed}`), '--output', 'json'])).stdout);
}

async function products(feed: string, map: string) {
  const db = join(folder(), 'c.db');
  const said = await typedHere(['products', at(`feeds/${feed}`), '--map', map, '--db', db]);
  const { stdout } = await typedHere(['export', 'products', '--db', db]);
  const items = stdout.split('\n').filter((line) => line !== '');
  return { said, items: items.map((line) => JSON.parse(line)) };
}

it.each([
  ['bmecat-1.2.xml', 'bmecat-1.2.yaml'],
  ['bmecat-2005.xml', 'bmecat-2005.yaml'],
  ['google-merchant.xml', 'google-merchant.yaml'],
  ['google-merchant-atom.xml', 'google-merchant-atom.yaml'],
  ['datanorm-4.001', 'datanorm-4.yaml'],
  ['datanorm-5.001', 'datanorm-5.yaml'],
  ['yml.xml', 'yml.yaml'],
  ['generic.xml', null],
  ['baumarkt.csv', null],
])('%s: inspect names %s', async (feed, map) => {
  expect((await inspected(feed)).ready_map).toBe(map);
  const { stdout } = await typedHere(['inspect', at(`feeds/${feed}`)]);
  expect(stdout.includes('the project has a ready mapping')).toBe(map !== null);
  if (map !== null) expect(readFileSync(at(`maps/${map}`), 'utf8')).toContain('to: products');
});

describe('DATANORM', () => {
  it.each(['datanorm-4.001', 'datanorm-5.001'])(
    '%s is recognized with its encoding, and no column is guessed',
    async (feed) => {
      const { encoding, why, suggestion, questions } = await inspected(feed);
      expect({ encoding, fields: suggestion.fields, questions }).toEqual({
        encoding: 'cp850',
        fields: {},
        questions: [],
      });
      expect(why).toMatch(/DATANORM \d is written in it/);
    },
  );

  it('4: the price of one piece, the barcode of the second record, no net price, nothing that is removed', async () => {
    const { said, items } = await products('datanorm-4.001', at('maps/datanorm-4.yaml'));
    expect(said.code).toBe(3);
    // 89.50 for a hundred metres is 0.895: more decimals than a price has.
    expect(said.stdout.replace(/\s+/g, ' ')).toContain('"0.895" has more than 2 decimals; round it with round: 2');
    const text = readFileSync(at('maps/datanorm-4.yaml'), 'utf8').replace(/^( *)times: .*$/m, '$&\n$1round: 2');
    const rounded = await products('datanorm-4.001', join(folder({ 'm.yaml': text }), 'm.yaml'));
    expect(rounded.items[1]).toMatchObject({ sku: '100.4712', price: '0.90' });
    expect(items).toMatchObject([
      { sku: '100.4711', name: 'Gerätedose für Hohlwand 61 mm', price: '12.95', ean: '4006381333931', currency: 'EUR' },
      { sku: '100.4713', name: 'Klemme', ean: '' },
    ]);
    expect(items[1]).not.toMatchObject({ price: expect.stringMatching(/[1-9]/) });
  });

  it('5: asks which field is the number of pieces, and reads either', async () => {
    const map = readFileSync(at('maps/datanorm-5.yaml'), 'utf8');
    const file = (text: string) => join(folder({ 'm.yaml': text }), 'm.yaml');
    expect((await products('datanorm-5.001', at('maps/datanorm-5.yaml'))).said).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('price: { column: price, when: { of: c7, is: "1" }'),
    });
    const answer = /# (\{ column: price, when: \{ of: c7.*\})/.exec(map)?.[1] ?? '';
    const { items } = await products('datanorm-5.001', file(map.replace(/price: \?.*/, `price: ${answer}`)));
    expect(items).toMatchObject([{ sku: '100.4711', price: '12.95', ean: '4006381333931' }]);
  });
});

it('Yandex Market: each offer is in the category of its number, whatever others of that name there are', async () => {
  const db = join(folder(), 'c.db');
  const run = () => typedHere(['run', at('feeds/yml.xml'), '--map', at('maps/yml.yaml'), '--db', db]);
  expect(await run()).toMatchObject({ code: 0, stdout: expect.stringMatching(/ all +6 +0 +0 +0 +6\n/) });
  const product = async (sku: string) =>
    JSON.parse((await typedHere(['get', 'product', '--sku', sku, '--db', db])).stdout);
  const [lamp, drill] = [await product('BRT-0310'), await product('BRT-0317')];
  expect(lamp).toMatchObject({ name: 'Лампа настольная', description: 'Для кухни', price: '1367.13', currency: 'RUB' });
  expect(lamp).toMatchObject({ price_compare: '1708.91', stock: 12, weight: '0.08', ean: '4006381333931' });
  expect(drill).toMatchObject({ name: 'Дрель Bodo S2', price: '1284.90', stock: 0 });
  const category = async ({ category: id }: { category: string }) =>
    JSON.parse((await typedHere(['get', 'category', '--id', id, '--db', db])).stdout).name;
  expect([await category(lamp), await category(drill)]).toEqual(['Кухня > Аксессуары', 'Мебель > Аксессуары']);
  expect(await run()).toMatchObject({ code: 0, stdout: expect.stringMatching(/ all +0 +0 +6 +0 +6\n/) });
});

it('Yandex Market: offers that all have a name need no columns of the type vendor.model', async () => {
  const offers = '<offer id="1"><name>Чай</name></offer><offer id="2"><name>Кофе</name></offer>';
  const feed = `<yml_catalog><shop><categories><category id="1">Еда</category></categories><offers>${offers}</offers></shop></yml_catalog>`;
  const cwd = folder({ 'feed.xml': feed });
  const { stdout } = await typedHere(['map', 'show', join(cwd, 'feed.xml'), '--map', at('maps/yml.yaml')]);
  expect(stdout).toMatch(/> name = Чай/);
});

describe('the examples of a ready mapping', () => {
  const maps = readdirSync(at('maps'));

  it.each(maps)('%s', async (map) => {
    const text = readFileSync(at(`maps/${map}`), 'utf8');
    // Of a question each answer that its comments offer passes; while it is open, nothing can be made of rows.
    const isOpen = /: \?(?:\s|$)/m.test(text);
    const answers = isOpen ? [...text.matchAll(/^ {2}# (\{.*\})$/gm)].map(([, answer = '']) => answer) : [];
    const files = answers.map((answer) => join(folder({ [map]: text.replace(/: \?.*/, `: ${answer}`) }), map));
    expect(files.length > 1).toBe(isOpen);
    for (const file of isOpen ? files : [at(`maps/${map}`)]) {
      const { code, stdout, stderr } = await typedHere(['map', 'test', file]);
      expect(code, stdout + stderr).toBe(0);
    }
    const { examples } = parse(readFileSync(files.at(-1) ?? at(`maps/${map}`), 'utf8'));
    expect(examples.length).toBeGreaterThan(0);
    for (const { items, problems } of examples) expect([items !== undefined, problems]).toEqual([true, undefined]);
  });

  it('has those for which inspect names one', () => {
    const named = known.map(({ map }) => map);
    expect(named.filter((map) => !maps.includes(map))).toEqual([]);
  });
});
