// One item through every door: cells, mapped cells, JSON, NDJSON, a body of the server, a file for a remote. What is
// refused has the same code through all of them, and its message quotes what was written.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GivenServer, givenServer } from '../http/server/given-server.js';
import { folder } from '../importing/given.js';
import { typedHere } from './typed.js';

/** The report on one item. */
interface Told {
  readonly code: string | null;
  readonly reason: string | null;
}

let server: GivenServer;

beforeAll(async () => {
  server = await givenServer();
});

afterAll(() => server.stop());

/** Imports a file and gives the lines of its report. */
async function imported(word: string, file: string, options: readonly string[]): Promise<readonly Told[]> {
  const report = join(folder(), 'report.ndjson');
  await typedHere([word, file, ...options, '--report-file', report, '--quiet']);
  const lines = readFileSync(report, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line)).filter((line) => 'action' in line);
}

function written(name: string, content: string): string {
  const file = join(folder(), name);
  writeFileSync(file, content);
  return file;
}

type Door = (word: string, path: string, json: string, cells: string) => Promise<readonly Told[]>;

/** Every door that an item written as JSON or as cells goes through; `path` is that of the server. */
const doors: Readonly<Record<string, Door>> = {
  'a CSV cell': (word, _path, _json, cells) =>
    imported(word, written('a.csv', cells), ['--db', join(folder(), 'c.db')]),
  'a mapped cell': (word, _path, _json, cells) => {
    const columns = cells.slice(0, cells.indexOf('\n')).split(',');
    const fields = Object.fromEntries(columns.map((name) => [name, name]));
    const map = written('map.json', JSON.stringify({ to: word, fields }));
    return imported(word, written('a.csv', cells), ['--map', map, '--db', join(folder(), 'c.db')]);
  },
  JSON: (word, _path, json) => imported(word, written('a.json', `[${json}]`), ['--db', join(folder(), 'c.db')]),
  NDJSON: (word, _path, json) => imported(word, written('a.ndjson', `${json}\n`), ['--db', join(folder(), 'c.db')]),
  'a body': async (_word, path, json) =>
    (await server.post(`${path}/import`, `{"items":[${json}]}`)).body.response.data,
  '--remote': async (word, _path, json) => {
    const { url } = server.server;
    return imported(word, written('a.ndjson', `${json}\n`), [
      '--remote',
      url,
      '--api-key-file',
      written('key', server.key),
    ]);
  },
};

describe.each(Object.entries(doors))('through %s', (_name, enter) => {
  it.each([
    ['products', '/v1/product', 'sku'],
    ['products', '/v1/product', 'external_id'],
    ['categories', '/v1/category', 'name'],
    ['groups', '/v1/product-group', 'name'],
    ['characteristics', '/v1/attribute', 'name'],
    ['reviews', '/v1/product-review', 'external_id', 'pending'],
  ])('%s: a blank key is required (%s, %s)', async (word, path, key, status = 'suspended') => {
    const blank = ' \u3000 ';
    const [line] = await enter(
      word,
      path,
      JSON.stringify({ [key]: blank, status }),
      `${key},status\n"${blank}",${status}\n`,
    );
    expect(line).toMatchObject({ external_id: '', action: 'refused', code: 'field_required', id: null });
    expect(line?.reason).toMatch(/^(?:sku|external_id|name) is required/);
  });

  it.each([
    ['stock', '1e21', 'field_out_of_range'],
    ['stock', '-1e21', 'field_out_of_range'],
    ['stock', '1E400', 'field_out_of_range'],
    ['stock', '12345678901234567890', 'field_out_of_range'],
    ['stock', '9007199254740993', 'field_out_of_range'],
    ['stock', '5.00000000000000000001', 'field_type'],
    ['stock', '1e-400', 'field_type'],
    ['created_at', '1e21', 'field_out_of_range'],
    ['price', '1e21', 'field_out_of_range'],
    ['price', '-1e21', 'field_out_of_range'],
    ['price', '1E400', 'field_out_of_range'],
    ['price', '12345678901234567890', 'field_out_of_range'],
    ['price', '5.00000000000000000001', 'field_decimals'],
    ['weight', '1e-400', 'field_decimals'],
  ])('the %s %s is %s, and is quoted as it was written', async (field, literal, code) => {
    const item = `{"sku":"A","currency":"EUR","${field}":${literal}}`;
    const [line] = await enter('products', '/v1/product', item, `sku,currency,${field}\nA,EUR,${literal}\n`);
    expect(line).toMatchObject({ external_id: 'A', action: 'refused', code });
    expect(line?.reason).toMatch(/^[a-z_]+: /);
    expect(line?.reason?.replaceAll('"', '')).toContain(` ${literal} `);
  });
});

/** Reviews of customers nobody knows: the first of each pair is refused by itself, the second repeats it. */
const reviews = ['r', 's', 'r', 't', 's'].map((id, i) =>
  JSON.stringify({
    external_id: id,
    customer_external_id: 'nobody',
    product_sku: 'A',
    rating: i < 2 ? 9 : 5,
    lang: 'xxx',
  }),
);

describe('a remote', () => {
  it('refuses an item with the problems that a local catalog has, and other items are named by their line', async () => {
    const file = written('reviews.ndjson', `${reviews.join('\n')}\n`);
    const local = await imported('reviews', file, ['--db', join(folder(), 'c.db')]);
    const { url } = server.server;
    const remote = await imported('reviews', file, ['--remote', url, '--api-key-file', written('key', server.key)]);
    expect(local[2]).toMatchObject({ code: 'field_not_allowed_value' });
    const said = (lines: readonly Told[]) => lines.map((line) => JSON.stringify(line).match(/on line \d+/g));
    expect(said(local)).toEqual([null, null, ['on line 1'], null, ['on line 2']]);
    expect(said(remote)).toEqual(said(local));
    expect(remote.map(({ code, reason }) => [code, reason])).toEqual(local.map(({ code, reason }) => [code, reason]));
  });
});
