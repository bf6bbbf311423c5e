// Which records a suggestion leaves out: those of other kinds, those without a key, and titles.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

type Records = readonly Readonly<Record<string, unknown>>[];

/** The line that leaves records out. */
function lineIn(yaml: string): string | undefined {
  return yaml.split('\n').find((line) => /^(?:# )?(?:keep|skip):/.test(line));
}
const lineOf = async (records: Records) =>
  lineIn((await suggested(records.map((one) => JSON.stringify(one)).join('\n'), 'f.ndjson')).yaml);

const names = ['Kettle', 'Lamp', 'Chair', 'Vase', 'Rug', 'Clock', 'Tin', 'Cup'];
const products = (count: number, kindOf: (i: number) => unknown): Records =>
  names.slice(0, count).map((name, i) => ({ type: kindOf(i), sku: `B-${i}`, name, price: i + 3.5 }));
const refused = (count: string) => `# skip: { of: "sku", empty: true }   # ${count} none and would be refused`;

describe('records of other kinds', () => {
  it.each([
    [
      'are those of another word',
      products(4, () => 'item'),
      [{ type: 'state' }],
      '"item"',
      '1 record has no sku and is',
    ],
    [
      'may be several',
      products(4, () => 'item'),
      [{ type: 'state' }, { type: 'end' }],
      '"item"',
      '2 records have no sku and are',
    ],
    [
      'may stand next to two products',
      products(2, () => 'item'),
      [{ type: 'state' }],
      '"item"',
      '1 record has no sku and is',
    ],
    [
      'may stand next to three kinds of products',
      products(6, (i) => ['a', 'b', 'c'][i % 3]),
      [{ type: 'state' }],
      '["a","b","c"]',
      '1 record has no sku and is',
    ],
    [
      'may have half of their members',
      products(4, () => 'item'),
      [{ type: 'state', name: 'x' }],
      '"item"',
      '1 record has no sku and is',
    ],
    [
      'may have others that are empty',
      products(4, () => 'item'),
      [{ type: 'state', sku: '', name: '', price: '' }],
      '"item"',
      '1 record has no sku and is',
    ],
  ] as const)('%s', async (_, of, more, kinds, why) => {
    expect(await lineOf([...of, ...more])).toBe(`keep: { of: "type", is: ${kinds} }   # ${why} of another kind`);
  });

  it('are told by the key where they have nothing in common', async () => {
    expect(await lineOf([...products(4, () => 'item'), { index: 1 }])).toBe(
      'skip: { of: "sku", empty: true }   # 1 record has no sku and is of another kind',
    );
  });

  it.each([
    ['of four kinds', products(8, (i) => ['a', 'b', 'c', 'd'][i % 4]), [{ type: 'state' }]],
    ['of kinds that hardly occur again', products(3, (i) => ['a', 'b', 'a'][i]), [{ type: 'state' }]],
    ['of numbers', products(4, () => 1), [{ type: 'state' }]],
    ['of which one is of the same kind', products(4, () => 'item'), [{ type: 'state' }, { type: 'item' }]],
    ['that have most of the members', products(4, () => 'item'), [{ type: 'state', name: 'x', price: 2.5 }]],
    [
      'of which one has most of the members',
      products(4, () => 'item'),
      [{ type: 'end' }, { type: 'state', name: 'x', price: 2.5 }],
    ],
    ['next to one product', products(1, () => 'item'), [{ type: 'state' }, { type: 'state' }]],
  ] as const)('are none %s', async (_, of, more) => {
    expect(await lineOf([...of, ...more])).toBe(
      refused(more.length === 1 ? '1 record has' : `${more.length} records have`),
    );
  });

  it('are none of a table', async () => {
    const { yaml } = await suggested('type;sku;name;price\nitem;A;Lamp;9.50\nitem;B;Cup;8.50\nstate;;;7.50\n');
    expect(lineIn(yaml)).toBe(refused('1 record has'));
  });

  it('are none where all have a key', async () => {
    expect(await lineOf(products(4, () => 'item'))).toBeUndefined();
  });
});
