// Numbers of JSON are kept as they are written, or refused: in arrays, in lines, in cells and through a mapping.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  mayLoseDigits,
  mayLoseForm,
  parseWithTexts,
  parseWritten,
  WrittenNumber,
  writtenNumber,
} from '../../../src/source/json/written-number.js';
import { fileOf, product, readAll } from '../given.js';

const shown = (literal: string) => {
  const read = writtenNumber(literal);
  return typeof read === 'number' ? read : read.text;
};

describe('a literal', () => {
  it.each([
    ['12.5', 12.5],
    ['12.50', '12.50'],
    ['1.10', '1.10'],
    ['1e3', 1000],
    ['1.5E+3', 1500],
    ['25e-1', 2.5],
    ['1e-7', '0.0000001'],
    ['-0', '-0'],
    ['199.99999999999999999', '199.99999999999999999'],
    ['12345678901234567890', '12345678901234567890'],
    ['9007199254740993', '9007199254740993'],
    ['9007199254740992', 9007199254740992],
    ['1e-400', '1e-400'],
    ['1e400', '1e400'],
    ['1.00e2', 100],
  ])('%s is %s', (literal, expected) => {
    expect(shown(literal)).toBe(expected);
  });

  it('is found wherever a double would change its value', () => {
    const digits = fc.stringMatching(/^(?:0|[1-9]\d{0,24})(?:\.\d{1,24})?(?:[eE][-+]?\d{1,3})?$/);
    fc.assert(
      fc.property(digits, fc.string(), (literal, text) => {
        const json = JSON.stringify({ text, n: 0 }).replace(/0}$/, `${literal}}`);
        const read = (parseWritten(json) as { n: number | WrittenNumber; text: string }) ?? {};
        expect(read.text).toBe(text);
        expect((parseWithTexts(json, mayLoseForm) as { text: string }).text).toBe(text);
        // Nothing in a catalog is as large as 1e21: it is out of range as it was, and as a double.
        const isChanged =
          Math.abs(Number(literal)) < 1e21 && typeof read.n !== 'number' && !sameValue(read.n.text, Number(literal));
        if (isChanged) expect(mayLoseDigits(json)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

/** Whether a plain decimal is what a double is shown as, give or take zeros. */
function sameValue(text: string, value: number): boolean {
  const plain = (one: string) => (one.includes('.') ? one.replace(/0+$/, '').replace(/\.$/, '') : one);
  const again = writtenNumber(String(value));
  return plain(text) === plain(again instanceof WrittenNumber ? again.text : String(again));
}

const records = [
  ['{"sku":1.10,"name":12345678901234567890}', { sku: '1.10', name: '12345678901234567890' }],
  ['{"sku":"A","price":199.99999999999999999}', { sku: 'A', price: '199.99999999999999999' }],
  ['{"sku":"A","price":12.500,"stock":5.0}', { sku: 'A', price: '12.500', stock: 5 }],
  ['{"sku":"A","price":1e1,"stock":1e2}', { sku: 'A', price: 10, stock: 100 }],
  ['{"sku":"A","stock":0.99999999999999999999}', { sku: 'A', stock: '0.99999999999999999999' }],
  ['{"sku":"A","attributes":[12345678901234567890]}', { sku: 'A', attributes: [{ type: '12345678901234567890' }] }],
  [
    '{"sku":"A","attributes":[{"type":"Size","value":38.50}]}',
    { sku: 'A', attributes: [{ type: 'Size', value: '38.50' }] },
  ],
  ['{"sku":"A","price":1e-400}', { sku: 'A', price: '1e-400' }],
] as const;

describe('a record', () => {
  it.each(records)('%s is read alike as an array, as a line and with a decimal comma', async (raw, item) => {
    const same = (read: { items: unknown[] }) => {
      // What a number is in a decimal field, its value says; 12.500 and 12.5 are the same.
      expect(read.items.map((one) => numeric(one))).toEqual([numeric(item)]);
    };
    same(await readAll(fileOf(`[${raw}]`, 'f.json')));
    same(await readAll(fileOf(`${raw}\n`, 'f.ndjson')));
    same(await readAll(fileOf(`${raw}\n`, 'f.ndjson'), { decimal: ',' }));
  });

  it('with a list in a cell of a table keeps its numbers', async () => {
    const text = 'sku,attributes\nA,"[12345678901234567890, {""type"":""Size"",""value"":38.50}]"\n';
    const { items } = await readAll(fileOf(text, 'f.csv'));
    expect(items).toEqual([
      { sku: 'A', attributes: [{ type: '12345678901234567890' }, { type: 'Size', value: '38.50' }] },
    ]);
  });

  it('through a mapping has its numbers as they are written', async () => {
    const raw = '{"id":1.10,"p":199.99999999999999999,"n":[12345678901234567890]}';
    const mapped = {
      name: 'm.yaml',
      place: 'the mapping',
      read: {},
      tables: {},
      section: { to: 'products', fields: { sku: 'id', name: { columns: ['p', 'n'], join: '|' } } },
    };
    const expected = [{ sku: '1.10', name: '199.99999999999999999|12345678901234567890' }];
    expect((await readAll(fileOf(`${raw}\n`, 'f.ndjson'), { mapped })).items).toMatchObject(expected);
    expect((await readAll(fileOf(`[${raw}]`, 'f.json'), { mapped })).items).toMatchObject(expected);
  });

  it('through a mapping with a decimal comma has its point, and texts have their comma', async () => {
    // A key that no double holds does not turn the other numbers into texts.
    const raw = '{"id":12345678901234567890,"p":1.230,"w":12.500,"t":"1.234,5"}';
    const mapped = {
      name: 'm.yaml',
      place: 'the mapping',
      read: { decimal: ',' as const },
      tables: {},
      section: { to: 'products', fields: { sku: 'id', weight: 'p', price: 'w', name: { column: 't', number: true } } },
    };
    const expected = [{ sku: '12345678901234567890', weight: '1.230', price: '12.500', name: '1234.5' }];
    const options = { mapped, decimal: ',' as const };
    expect((await readAll(fileOf(`${raw}\n`, 'f.ndjson'), options)).items).toMatchObject(expected);
    expect((await readAll(fileOf(`[${raw}]`, 'f.json'), options)).items).toMatchObject(expected);
  });

  it('through a mapping is refused alone where it is nested too deep, as an array and as a line', async () => {
    const mapped = {
      ...{ name: 'm.yaml', place: 'the mapping', read: {}, tables: {} },
      section: { to: 'products', fields: { sku: 'id' } },
    };
    const deep = `{"id":"A","x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
    for (const text of [`[${deep},{"id":"B"}]`, `${deep}\n{"id":"B"}\n`])
      expect((await readAll(fileOf(text, text.startsWith('[') ? 'f.json' : 'f.ndjson'), { mapped })).items).toEqual([
        '!item_not_json',
        { sku: 'B' },
      ]);
  });

  it('counts a member that fills nothing once, also where it is read twice', async () => {
    const { unknown } = await readAll(fileOf('{"sku":1.10,"colour":"red"}\n', 'f.ndjson'), {}, product);
    expect(unknown).toEqual({ colour: 1 });
  });
});

function numeric(item: unknown): unknown {
  const { price } = item as { price?: number | string };
  return { ...(item as object), ...(price !== undefined && { price: String(price).replace(/\.?0+$/, '') }) };
}
