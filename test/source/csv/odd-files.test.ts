// Files that programs and people spoil in the same ways again and again: each is read, or refused with its remedy.
import { describe, expect, it } from 'vitest';
import { inspectFile } from '../../../src/source/inspection/inspect-file.js';
import { fileOf, readAll } from '../given.js';

const skus = async (content: string | Uint8Array) => {
  const { items } = await readAll(fileOf(content));
  return items.map((item) => (item as { readonly sku?: string } | undefined)?.sku);
};

describe('a table is read', () => {
  it.each([
    ['with a quote in its header', 'sku;na"me;price\nA;x;1\nB;"y;z";2\n'],
    ['separated by ^', 'sku^name^price\nA^Tea, red^1.50\nB^Milk^2.50\n'],
    ['separated by ~', 'sku~name~price\nA~Tea; red~1.50\nB~Milk~2.50\n'],
    ['separated by unit separators', 'sku\x1fname\nA\x1fTea\nB\x1fMilk\n'],
    [
      'with a line below its header, as printed',
      'sku | name | price\n----|------|------\nA | Tea | 1.50\nB | Milk | 2.50\n',
    ],
    ['of a database', ' sku | name \n-----+------\n A | Tea\n B | Milk\n(2 rows)\n\n'],
    ['with the end mark of DOS', 'sku;name\r\nA;Tea\r\nB;Milk\r\n\x1a'],
  ])('%s', async (_, content) => {
    const { items } = await readAll(fileOf(content));
    expect(items.map((item) => String((item as { sku: string }).sku).trim())).toEqual(['A', 'B']);
  });

  it('rows of dashes further down are rows', async () => {
    expect(await skus('sku;name\nA;Tea\n---;---\n')).toEqual(['A', '---']);
  });
});

it('lines that are quoted as a whole are refused with the remedy', async () => {
  const file = fileOf('"sku;name;price"\n"A;""Tea; red"";1,50"\n');
  await expect(readAll(file)).rejects.toThrow(/each line is one quoted cell.*";" between them.*sed -E/s);
});

it('cells in single quotes are refused with the remedy', async () => {
  const quoted = fileOf("'sku';'name'\n'A';'Tea; red'\n");
  await expect(readAll(quoted)).rejects.toThrow(/its cells are in single quotes\. Export it with double quotes/);
  expect(await skus("sku,'name'\nA,Tea\n")).toEqual(['A']);
});

it('a delimiter of several characters is refused with the remedy', async () => {
  const file = fileOf('sku~|~name~|~price\nA~|~Tea~|~1.50\n');
  await expect(readAll(file)).rejects.toThrow(/"~\|~" separates its cells.*replace "~\|~" by a tab/);
  expect(await skus('sku|name#\nA|Tea\n')).toEqual(['A']);
});

describe('inspect', () => {
  it('does not take lines within quoted cells for rows above the header', async () => {
    const rows = ['A;"two\nlines, and, more";12,50;4', 'B;"x\r\ny, z";9,00;1', 'C;Saw;3,00;2'];
    const { found, columns } = await inspectFile({ file: fileOf(`sku;text;price;stock\r\n${rows.join('\n')}\n`) });
    expect(found).toMatchObject({ delimiter: ';' });
    expect(found).not.toHaveProperty('skip');
    expect(columns.map(({ name }) => name)).toEqual(['sku', 'text', 'price', 'stock']);
  });

  it('finds the header below titles whose quoted cell has several lines', async () => {
    const { found } = await inspectFile({
      file: fileOf('"Price list\nof 2026";;\nsku;name;price\nA;Tea;1,50\nB;Milk;2,50\nC;Jug;3,50\n'),
    });
    expect(found).toMatchObject({ delimiter: ';', skip: 2 });
  });

  it('takes one NUL for damage and not for UTF-16', async () => {
    const { found, records } = await inspectFile({ file: fileOf('sku;name\nA;Ha\0mmer\nB;Milk\n') });
    expect({ encoding: found.encoding, records }).toEqual({ encoding: 'utf-8', records: 2 });
  });

  it('does not spoil the part in UTF-8 of a file that was joined of two encodings', async () => {
    const joined = Buffer.from('sku;name\nA;M\xc3\xbctze\nB;M\xfctze alt\nC;Hut\n', 'latin1');
    const { found, troubles } = await inspectFile({ file: fileOf(joined) });
    expect(found.encoding).toBe('utf-8');
    expect(found.why).toContain('part of it is UTF-8');
    expect(troubles).toMatchObject([{ count: 1, lines: [3] }]);
  });

  it('lists without names are no records', async () => {
    const { troubles, columns } = await inspectFile({ file: fileOf('[["sku"],["A"]]', 'f.json') });
    expect(columns).toEqual([]);
    expect(troubles).toMatchObject([{ count: 2 }]);
  });
});
