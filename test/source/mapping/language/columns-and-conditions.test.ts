// What expressions read of columns, and which records conditions keep.
import { describe, expect, it } from 'vitest';
import { readMapped } from '../given.js';

/** The names that a mapping of JSON records makes, with what is refused. */
async function names(expression: string, values: readonly unknown[], read = '') {
  const records = values.map((value, i) => ({ sku: `A-${i}`, a: value, b: 'x' }));
  const { items, problems } = await readMapped(
    `${read}fields: { sku: sku, name: ${expression} }`,
    JSON.stringify(records),
    { name: 'feed.json' },
  );
  return {
    made: items.map((item) => (typeof item === 'string' ? item : (item as { name?: unknown }).name)),
    reasons: problems.map(({ message }) => message),
  };
}

describe('an expression makes', () => {
  it.each<[string, unknown, unknown, string?]>([
    ['a', ' Tea ', 'Tea'],
    ['a', ' Tea ', ' Tea ', 'read: { trim: false }\n'],
    ['{ column: a, optional: true }', null, undefined],
    ['{ template: "Fixed" }', '', 'Fixed'],
    ['{ template: "{a} - {a}" }', '', undefined],
    ['{ template: "{a} - {b}" }', 'Tea', 'Tea - x'],
    ['{ json: "a.de" }', '{"de":"Tee"}', 'Tee'],
    ['{ json: "a.de" }', '', undefined],
    ['{ first: [a, b] }', '', 'x'],
    ['{ first: [a, b] }', 'Tea', 'Tea'],
  ])('%s of %j: %j', async (expression, value, name, read) => {
    const { made, reasons } = await names(expression, [value], read);
    expect([made, reasons]).toEqual([[name], []]);
  });
});

describe('an expression refuses', () => {
  it.each([
    ['a', { de: 'Tee' }, /a\.de/],
    ['a', ['Tea', 'Pot'], /"a" has a list of 2|has 2 values|a list/],
    ['a', [{ n: 1 }, { n: 2 }], /a\[\]\.n/],
    ['{ template: "{a} {b}" }', ['Tea', 'Pot'], /list|values/],
    ['{ json: "a.de" }', '{"de', /JSON/],
  ])('%s of %j', async (expression, value, reason) => {
    expect((await names(expression, [value])).reasons).toEqual([expect.stringMatching(reason)]);
  });
});

describe('a column that is not there', () => {
  const read = (field: string, header = 'sku,A') => readMapped(`fields: { sku: sku, ${field} }`, `${header}\nX,1\n`);

  it.each([
    ['currency: EUR', 'column "EUR" not found; for the value itself write { value: EUR }'],
    ['status: activated', 'column "activated" not found; for the value itself write { value: activated }'],
  ])('may be a value: %s', async (field, message) => {
    await expect(read(field)).rejects.toThrow(message);
  });

  it.each(['name: ABC', 'currency: Whg', 'status: Art'])('is none: %s', async (field) => {
    await expect(read(field)).rejects.toThrow(/^(?!.*for the value itself).*not found/s);
  });

  it('may be missing, or be called like a value', async () => {
    expect((await read('currency: { column: EUR, optional: true }')).items).toEqual([{ sku: 'X' }]);
    expect((await read('currency: EUR', 'sku,EUR')).items).toEqual([{ sku: 'X', currency: '1' }]);
  });
});

describe('a condition keeps', () => {
  const rows = ['TEA pot', 'Milk jug', '', '2026-01-15', '2026-03-01', '12.50', '5'];
  const kept = async (condition: string) => {
    const { items } = await readMapped(
      `keep: ${condition}\nfields: { sku: sku }`,
      `sku,a,b\n${rows.map((row, i) => `${i},${row},${i % 2}\n`).join('')}`,
    );
    return items.map((item) => (item as { sku: string }).sku).join('');
  };

  it.each([
    ['{ of: a, contains: tea }', '0'],
    ['{ of: a, begins: milk }', '1'],
    ['{ of: a, is: [MILK JUG, "5"] }', '16'],
    ['{ of: a, not: [MILK JUG, "5"] }', '02345'],
    ['{ of: a, empty: true }', '2'],
    ['{ of: a, empty: false, contains: tea }', '0'],
    ['{ of: a, contains: "2026", begins: "2026-03" }', '4'],
    ['{ any: [{ of: a, is: "5" }, { of: a, empty: true }] }', '26'],
    ['{ not: { of: b, is: "0" } }', '135'],
    ['{ all: [{ of: b, is: "0" }, { of: a, not: "5" }] }', '024'],
  ])('of %s: %s', async (condition, skus) => expect(await kept(condition)).toBe(skus));

  const dates = async (condition: string) => {
    const { items } = await readMapped(
      `keep: ${condition}\nfields: { sku: sku }`,
      'sku,d,until\n0,2026-01-15,2026-02-01\n1,2026-02-01,2026-02-01\n2,2026-02-02,2026-02-01\n3,,2026-02-01\n4,2026-02-02,\n',
    );
    return items.map((item) => (item as { sku: string }).sku).join('');
  };

  it.each([
    ['{ of: d, before: 2026-02-01 }', '0'],
    ['{ of: d, after: 2026-02-01 }', '24'],
    ['{ of: d, before: { column: until } }', '0'],
    ['{ of: d, after: { column: until } }', '2'],
    ['{ of: d, before: 2026-02-02, after: 2026-01-15 }', '1'],
  ])('of dates, %s: %s', async (condition, skus) => expect(await dates(condition)).toBe(skus));
});

it('a condition on a list holds for its words together', async () => {
  const records = [['Tea', 'Pot'], ['Jug'], []].map((tags, i) => ({ sku: `${i}`, tags }));
  const read = async (condition: string) => {
    const { items } = await readMapped(`keep: ${condition}\nfields: { sku: sku }`, JSON.stringify(records), {
      name: 'feed.json',
    });
    return items;
  };
  expect(await read('{ of: tags, contains: tea }')).toEqual([{ sku: '0' }]);
  expect(await read('{ of: tags, empty: false, contains: u }')).toEqual([{ sku: '1' }]);
  expect(await read('{ of: tags, is: jug }')).toEqual([expect.stringMatching('^!'), { sku: '1' }]);
  expect(await read('{ of: tags, contains: t, is: jug }')).toEqual([expect.stringMatching('^!')]);
});

it('a template makes at most a million characters', async () => {
  const most = 1024 * 1024;
  const { made, reasons } = await names('{ template: "{a}{b}" }', ['a'.repeat(most - 1), 'a'.repeat(most)]);
  expect(made.map((one) => String(one).length)).toEqual([most, '!field_too_long'.length]);
  expect(reasons).toEqual([expect.stringContaining('of more than 1048576 characters')]);
});

describe('a number', () => {
  const refused = async (field: string, cell: string, read: string) =>
    (await readMapped(`read: { ${read} }\nfields: { sku: sku, ${field} }`, `sku;a\nX;${cell}\n`)).problems.map(
      (one) => one.field,
    );

  it.each([
    ['price: a', '1.234', 'decimal: "."', ['price']],
    ['price: a', '1.23', 'decimal: "."', []],
    ['stock: a', '1.5', 'decimal: "."', ['stock']],
    ['stock: a', '15', 'decimal: "."', []],
    ['price: { column: a, times: { value: 1000 } }', '1.234', 'decimal: "."', []],
    ['price: { template: "{a}" }', '12.50', 'decimal: ","', ['price']],
    ['price: { template: "{a}" }', '12,50', 'decimal: ","', []],
    ['price: { template: "{a}" }', '12,50 €', 'decimal: ","', []],
  ])('of %s from %s is read with %s, and refused for %j', async (field, cell, read, fields) => {
    expect(await refused(field, cell, read)).toEqual(fields);
  });

  it('that lost its digits is reported in keys and barcodes', async () => {
    const cells = 'sku;a\nX;4,00638E+12\nY;4006381333931\n';
    const lost = async (fields: string) => (await readMapped(`fields: { ${fields} }`, cells)).notes.length;
    expect(await Promise.all(['sku: a', 'sku: sku, ean: a', 'sku: sku, name: a'].map(lost))).toEqual([1, 1, 0]);
  });
});
