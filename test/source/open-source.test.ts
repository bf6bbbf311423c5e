import { appendFileSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Fields, key, list } from '../../src/core/fields/fields.js';
import { openSource } from '../../src/source/open-source.js';
import { corpus } from '../corpora.js';
import { randomFrom } from '../random.js';
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

  it('is that of --format', async () => {
    expect((await readAll(fileOf('sku,stock\nA,1', 'a.json'), { format: 'csv' })).items).toEqual([two[0]]);
  });

  it('of one object in a JSON file is one item, also where it has items of its own', async () => {
    const order: Fields = {
      external_id: key('the key'),
      items: list('lines', { external_id: key('the key') }, 'external_id'),
    };
    const record = { external_id: 'o1', items: [{ external_id: 'l1' }, { external_id: 'l2' }] };
    const read = async (content: unknown) => {
      const source = await openSource(order, 'external_id', {
        file: fileOf(JSON.stringify(content, null, 1), 'o.json'),
      });
      const items: unknown[] = [];
      for await (const { entries } of source.chunks)
        items.push(...entries.map((entry) => (entry.kind === 'raw' ? entry.item : entry)));
      await source.close();
      return items;
    };
    expect(await read(record)).toEqual([record]);
    expect(await read({ items: [record, record] })).toEqual([record, record]);
  });
});

describe('progress', () => {
  it('counts the bytes of the file, packed where it is packed, up to its size', async () => {
    const text = `sku,name\n${Array.from({ length: 50_000 }, (_, i) => `S${i},name ${i}\n`).join('')}`;
    for (const bytes of [Buffer.from(text), gzipSync(text)]) {
      const source = await openSource(product, 'sku', { file: fileOf(bytes) });
      const seen: number[] = [];
      for await (const _ of source.chunks) seen.push(source.progress().read);
      expect(seen).toEqual([...seen].sort((a, b) => a - b));
      expect(source.progress()).toEqual({ read: bytes.length, size: bytes.length });
      await source.close();
    }
  });
});

describe('every text', () => {
  const blns = corpus('naughty-strings/blns.json');
  const own = [
    '',
    ' ',
    '\u0000',
    '"',
    '""',
    "'",
    ',;|\t',
    '\r\n',
    '\n',
    '😀 e\u0301',
    '\u202e',
    '=1+1',
    '\\',
    'NaN',
    '__proto__',
  ];

  it('comes back as it was written, from CSV, JSON and NDJSON in any encoding that has it', async () => {
    const texts: string[] = blns !== undefined ? [...own, ...JSON.parse(readFileSync(blns, 'utf8'))] : own;
    const quoted = texts.map((name) => `A,"${name.replaceAll('"', '""')}"\n`).join('');
    const records = texts.map((name) => ({ sku: 'A', name }));
    const contents = [
      [`sku,name\n${quoted}`, 'a.csv'],
      [JSON.stringify(records), 'a.json'],
      [records.map((record) => `${JSON.stringify(record)}\n`).join(''), 'a.ndjson'],
    ] as const;
    for (const [content, name] of contents) {
      for (const bytes of [Buffer.from(content), Buffer.from(`\ufeff${content}`, 'utf16le')]) {
        const { items, failure } = await readAll(fileOf(bytes, name));
        const found = items.map((item) => (item as { name?: string }).name ?? '');
        expect([failure, found]).toEqual([undefined, texts]);
      }
    }
  });
});

const shorter = (file: string): void => truncateSync(file, statSync(file).size - 1000);
const longer = (file: string): void => appendFileSync(file, 'B,2\n');

const random = randomFrom(1);

/** Rows that packing makes little shorter. */
const randomRows = (length: number): string =>
  `sku,stock\n${Array.from({ length: length / 20 }, () => `A${random()},1\n`).join('')}`;

describe('a whole file', () => {
  it('that is empty has no items', async () => {
    for (const name of ['e.csv', 'e.json', 'e.ndjson', 'e.dat']) {
      expect(await readAll(fileOf('', name))).toMatchObject({ items: [], failure: undefined });
      expect(await readAll(fileOf('\ufeff\n\n', name))).toMatchObject({ items: [], failure: undefined });
    }
    expect(await readCsv('sku,stock')).toMatchObject({ items: [], failure: undefined });
    expect(await readCsv('sku,stock\r\n')).toMatchObject({ items: [], failure: undefined });
  });

  it('that does not exist is named', async () => {
    await expect(readAll('/no/such.csv')).rejects.toThrow(/such\.csv: file not found/);
    await expect(readAll(import.meta.dirname)).rejects.toThrow(/is a folder/);
  });

  it('that changes its size while it is read is not accepted as complete', async () => {
    const content = `sku,stock\n${'A,1\n'.repeat(75_000)}`;
    const files = [
      ['a.csv', content],
      ['a.csv.gz', gzipSync(randomRows(content.length))],
    ] as const;
    for (const [name, bytes] of files) {
      for (const change of [shorter, longer]) {
        const file = fileOf(bytes, name);
        const source = await openSource(product, 'sku', { file, limit: 1e9 });
        let items = 0;
        const reading = async () => {
          for await (const chunk of source.chunks) {
            if (items === 0) change(file);
            items += chunk.entries.length;
          }
        };
        await expect(reading()).rejects.toThrow(
          /changed while it was read: it had \d+ bytes when it was opened, and \d+/,
        );
        expect(items).toBeGreaterThan(0);
        await source.close();
      }
    }
  });

  it('that is written anew with as many bytes while it is read is not accepted', async () => {
    const rows = (name: string): string => `sku,stock\n${`${name},1\n`.repeat(100_000)}`;
    const file = fileOf(rows('A'), 'again.csv');
    // Long ago: the clock of files may stand still for some milliseconds.
    utimesSync(file, 1, 1);
    const source = await openSource(product, 'sku', { file });
    let items = 0;
    const reading = async () => {
      for await (const chunk of source.chunks) {
        if (items === 0) writeFileSync(file, rows('B'));
        items += chunk.entries.length;
      }
    };
    await expect(reading()).rejects.toThrow(/again\.csv: was written to while it was read\. Import it again/);
    expect(items).toBe(100_000);
  });

  it('stops after --limit records', async () => {
    const { items, failure } = await readCsv('sku\nA\nB\nC\n"never closed', { limit: 2 });
    expect([items, failure]).toEqual([[{ sku: 'A' }, { sku: 'B' }], undefined]);
  });

  it('without a column for the key is reported at once, with its columns', async () => {
    await expect(readCsv('Artikel;Bestand\n1;2')).rejects.toThrow(
      /no column fills sku.*"Artikel", "Bestand".*--rename.*lines above the header/s,
    );
    expect((await readCsv('kind,values\ncolour,Red', {}, characteristic)).items).toEqual([
      { kind: 'colour', values: [{ label: 'Red' }] },
    ]);
  });
});
