import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../src/source/read.js';
import { characteristic, fileOf, product, readAll, readCsv } from './given.js';

const two = [
  { sku: 'A', stock: 1 },
  { sku: 'B', stock: 2 },
];

describe('the format', () => {
  it.each([
    ['a.csv', 'sku,stock\nA,1\nB,2\n', 'csv'],
    ['a.tsv', 'sku\tstock\nA\t1\nB\t2\n', 'tsv'],
    ['a.txt', 'sku;stock\nA;1\nB;2', 'csv'],
    ['a.json', JSON.stringify(two, null, 2), 'json'],
    ['a.json', JSON.stringify({ dry_run: true, items: two, total: 2 }), 'json'],
    ['a.dat', JSON.stringify(two), 'json'],
    ['a.ndjson', '{"sku":"A","stock":1}\n\n{"sku":"B","stock":2}', 'ndjson'],
    ['a.json', '{"sku":"A","stock":1}\n{"sku":"B","stock":2}\n', 'ndjson'],
    ['a', '{"sku":"A","stock":1}\n{"sku":"B","stock":2}\n', 'ndjson'],
  ])('of %s is found (%#)', async (name, content, format) => {
    const packed = [content, gzipSync(content)].map((bytes, i) => fileOf(bytes, i === 0 ? name : `${name}.gz`));
    for (const file of packed) {
      const source = await openSource(product, 'sku', { file });
      expect(source.found.format).toBe(format);
      expect(source.found.compression).toBe(file.endsWith('.gz') ? 'gzip' : undefined);
      await source.close();
      expect((await readAll(file)).items).toEqual(two);
    }
  });

  it('is what --format says', async () => {
    expect((await readAll(fileOf('sku,stock\nA,1', 'a.json'), { format: 'csv' })).items).toEqual([two[0]]);
  });

  it('one object in a JSON file is one item, also where it has items of its own', async () => {
    const order = { external_id: 'o1', items: [{ external_id: 'l1' }] };
    const fields = { external_id: product['sku'], items: product['media'] } as typeof product;
    const { items } = await readAll(fileOf(JSON.stringify(order, null, 1), 'o.json'), {}, {
      ...fields,
      name: fields['external_id'],
    } as typeof product);
    expect(items).toHaveLength(1);
  });
});

describe('a whole file', () => {
  it('that is empty has no items', async () => {
    for (const name of ['e.csv', 'e.json', 'e.ndjson', 'e.dat']) {
      expect(await readAll(fileOf('', name))).toMatchObject({ items: [], failure: undefined });
      expect(await readAll(fileOf('\ufeff\n\n', name))).toMatchObject({ items: [], failure: undefined });
    }
    expect(await readCsv('sku,stock')).toMatchObject({ items: [], failure: undefined });
    expect(await readCsv('sku,stock\r\n')).toMatchObject({ items: [], failure: undefined });
  });

  it('that is not there is named', async () => {
    await expect(readAll('/no/such.csv')).rejects.toThrow(/such\.csv: there is no such file/);
    await expect(readAll(import.meta.dirname)).rejects.toThrow(/is a folder/);
  });

  it('stops after --limit records', async () => {
    const { items, failure } = await readCsv('sku\nA\nB\nC\n"never closed', { limit: 2 });
    expect([items, failure]).toEqual([[{ sku: 'A' }, { sku: 'B' }], undefined]);
  });

  it('without a column for the key is told at once, with its columns', async () => {
    await expect(readCsv('Artikel;Bestand\n1;2')).rejects.toThrow(
      /no column fills sku.*"Artikel", "Bestand".*--rename/s,
    );
    expect((await readCsv('kind,values\ncolour,Red', {}, characteristic)).items).toEqual([
      { kind: 'colour', values: [{ label: 'Red' }] },
    ]);
  });
});
