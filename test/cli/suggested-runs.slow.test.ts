// The mapping that inspect suggests for a file imports it into a new catalog, and refuses no record for want of another one
// that the same file names.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, typedHere } from './typed.js';

/** A mapping with its questions answered: the first candidate, EUR and windows-1252; others are left open by removing them. */
function answered(map: string): string {
  return map.replace(/^( *)(\S+): \?.*\n((?: *# {3}.*\n)*)/gm, (_, indent, field, candidates) => {
    const known = { currency: '{ value: EUR }', encoding: 'windows-1252' }[String(field)];
    const answer = known ?? /# {3}(\{[^}]*\}|"(?:[^"\\]|\\.)*"): /.exec(candidates)?.[1];
    return answer === undefined ? '' : `${indent}${field}: ${answer}\n`;
  });
}

/** Imports a file by the mapping that is suggested for it. @returns how many items are accepted, and why others are not */
async function firstRun(path: string, db = join(folder({}), 'c.db')) {
  const map = join(folder({}), 'map.yaml');
  expect(await typedHere(['inspect', path, '--write-map', map])).toMatchObject({ code: 0 });
  writeFileSync(map, answered(readFileSync(map, 'utf8')));
  const run = await typedHere(['run', path, '--map', map, '--db', db, '--output', 'ndjson', '--report', 'all']);
  expect(run).toMatchObject({ code: expect.toBeOneOf([0, 3]) });
  const lines: Line[] = run.stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  const items = lines.filter(({ action }) => action !== undefined);
  const refused = items.filter(({ action }) => action === 'refused');
  const reasons = new Set(refused.map(({ external_id: key, code, reason }) => `${key} ${code}: ${reason}`));
  return { accepted: items.length - refused.length, refused: [...reasons] };
}

interface Line {
  readonly action?: string;
  readonly external_id?: string;
  readonly code?: string;
  readonly reason?: string;
}

/** What `shop load` takes, and what has a ready mapping and no header: inspect suggests nothing for them. */
const others = /customers|orders|brands|files|pages|warranties|shared-characteristics|datanorm/;
const feeds = ['demo', 'delivery', 'delivery-mended', 'feeds', 'odd'].flatMap((name) =>
  readdirSync(join('fixtures', name)).flatMap((file) =>
    /\.(?:yaml|md)$/.test(file) || others.test(file) ? [] : [join('fixtures', name, file)],
  ),
);

/** The rows that are wrong by themselves. */
const wrong: Readonly<Record<string, readonly string[]>> = {
  'delivery/1-characteristics.json': ['hex_not_allowed: values[0].hex'],
  'delivery/3-groups.ndjson': ['axis_price_mode_not_allowed'],
  'delivery/4-products.csv': ['field_decimals: grades[like_new].price', 'row_shape: the row has 21 cells'],
  'delivery/4-products.laptops.json': ['"like_nwe" is not allowed'],
  'delivery/5-reviews.ndjson': ['rating: 6 is out of range'],
  'feeds/baumarkt.csv': ['"sofort" is not a number'],
  'feeds/shifted.csv': ['the row has 5 cells', 'the row has 3 cells'],
  'odd/broken.csv': ['the row has 3 cells', 'a quoted cell continues'],
};

describe('the first run of a suggestion on the file that it was made of', () => {
  it.each(feeds)('refuses only what is wrong in %s', async (path) => {
    const { accepted, refused } = await firstRun(path);
    const reasons = wrong[path.replace(/^fixtures./, '').replaceAll('\\', '/')] ?? [];
    expect(refused.filter((said) => !reasons.some((reason) => said.includes(reason)))).toEqual([]);
    expect(refused).toHaveLength(reasons.length);
    expect(accepted > 0 || reasons.length > 0).toBe(true);
  });

  const product = (n: number, attributes: object[]) => ({ sku: `S-${n}`, price: 1.5, currency: 'EUR', attributes });
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;

  it.each([
    [
      'columns by position',
      'sku,price,currency,attributes[0].type,attributes[0].value,attributes[1].type,attributes[1].value\nA,1.5,EUR,Colour,Red,Size,L\nB,1.5,EUR,Size,M,,\n',
      'a.csv',
      ['Colour', 'Size'],
    ],
    [
      'JSON in cells',
      `sku,price,currency,attributes\nA,1.5,EUR,${cell('[{"type":"Colour","value":"Red"}]')}\nB,1.5,EUR,\n`,
      'a.csv',
      ['Colour'],
    ],
    [
      'short lists of axes',
      'name,axes\nTees,Colour|Size\nCups,colour|Volume\n',
      'groups.csv',
      ['Colour', 'Size', 'Volume'],
    ],
    ['columns of axes', 'name,axes[Colour].kind,axes[Size].kind\nTees,swatch,list\n', 'groups.csv', ['Colour', 'Size']],
    [
      'more values than a list may have',
      JSON.stringify(
        Array.from({ length: 900 }, (_, n) =>
          product(n, [
            { type: 'Batch', value: `no ${n % 450}` },
            { type: 'Line', value: 'A' },
          ]),
        ),
      ),
      'products.json',
      ['Batch', 'Line: A'],
    ],
    [
      'a photo beside another field of files',
      'sku,price,currency,seo_image,media\nA,1.5,EUR,file_a,file_b|file_c\n',
      'a.csv',
      [],
    ],
    [
      'what another shop calls attributes',
      JSON.stringify([1, 2].map((n) => product(n, [{ part: 'Size', text: 'L' }]))),
      'products.json',
      [],
    ],
  ])('refuses none of %s', async (_, content, name, characteristics) => {
    const db = join(folder({}), 'c.db');
    const path = join(folder({ [name]: content }), name);
    expect(await firstRun(path, db)).toMatchObject({ refused: [] });
    const { stdout } = await typedHere(['export', 'characteristics', '--db', db]);
    const made: { name: string; values: { label: string }[] }[] = stdout
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    const words = made.map(({ name: known, values }) => [known, ...values.map(({ label }) => label)].join(': '));
    expect(words.sort()).toEqual(characteristics);
  });

  it('adds to the values that the catalog has, and makes no list where there is none', async () => {
    const files = folder({
      'characteristics.csv': 'name,values\nSize,S|L\nScreen,\n',
      'products.csv':
        'sku,price,currency,attributes[Size],attributes[Screen]\nA,1.5,EUR,M,6.1\nB,1.5,EUR,L,13.3\nC,1.5,EUR,M,6.1\nD,1.5,EUR,M,6.1\n',
    });
    const db = join(files, 'c.db');
    await typedHere(['characteristics', join(files, 'characteristics.csv'), '--db', db]);
    expect(await firstRun(join(files, 'products.csv'), db)).toMatchObject({ refused: [] });
    const { stdout } = await typedHere(['export', 'characteristics', '--db', db]);
    expect([...stdout.matchAll(/"label":"(\w+)"/g)].map(([, label]) => label)).toEqual(['S', 'L', 'M']);
  });

  it('leaves out the lines of orders, and says when they can be named', async () => {
    const files = folder({
      'reviews.csv':
        'external_id,customer_external_id,product_sku,rating,order_external_id,order_item_external_id\nR1,C1,A,5,O1,O1-1\nR2,C1,A,4,,\n',
    });
    const path = join(files, 'reviews.csv');
    expect(await firstRun(path)).toEqual({ accepted: 4, refused: [] });
    await typedHere(['inspect', path, '--write-map', join(files, 'map.yaml')]);
    expect(readFileSync(join(files, 'map.yaml'), 'utf8')).toContain(
      '# order_item_external_id: "order_item_external_id"',
    );
  });

  const uuid = (n: number) => `8a3f000${n}-1111-4222-8333-0123456789ab`;
  const tree = [
    ['men', '', 'Men'],
    ['shirts', 'men', 'Shirts'],
    ['women', '', 'Women'],
    ['blouses', 'women', 'Shirts'],
    ['polos', 'shirts', 'Polos'],
  ] as const;
  const place = (key: string) => tree.findIndex(([own]) => own === key) + 1;
  const lines = (header: string, cells: (key: string, parent: string, title: string) => unknown[]) =>
    [header, ...tree.map(([key, parent, title]) => cells(key, parent, title).join(','))].join('\n');
  const records = (make: (key: string, parent: string, title: string) => object) =>
    JSON.stringify({ results: tree.map(([key, parent, title]) => make(key, parent, title)) });

  it.each([
    [
      'an object with its identifier, names in languages',
      records((key, parent, title) => ({
        id: uuid(place(key)),
        key,
        name: { en: title, de: `${title} (de)` },
        ...(parent !== '' && { parent: { typeId: 'category', id: uuid(place(parent)) } }),
      })),
      'full',
    ],
    [
      'an object or null',
      records((key, parent, name) => ({
        id: uuid(place(key)),
        name,
        parent: parent === '' ? null : { id: uuid(place(parent)) },
      })),
      'full',
    ],
    [
      'parentId',
      records((key, parent, name) => ({ id: uuid(place(key)), name, parentId: parent && uuid(place(parent)) })),
      'full',
    ],
    ['its key', records((key, parent, name) => ({ key, name, parent: { typeId: 'category', key: parent } })), 'key'],
    [
      'an external identifier beside others',
      lines('id,externalId,name,parent.externalId', (key, parent, name) => [
        place(key),
        1000 + place(key),
        name,
        parent && 1000 + place(parent),
      ]),
      'externalId',
    ],
  ])('leads to the parent of a category by %s', async (_, content, naming) => {
    const name = content.startsWith('{') ? 'categories.json' : 'categories.csv';
    const db = join(folder({}), 'c.db');
    expect(await firstRun(join(folder({ [name]: content }), name), db)).toEqual({ accepted: 5, refused: [] });
    const { stdout } = await typedHere(['export', 'categories', '--db', db]);
    const made: { name: string; parent: string }[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const named = (key: string): string => {
      const [, parent = '', title = ''] = tree[place(key) - 1] ?? [];
      if (naming === 'key') return `${title} (${key})`;
      if (naming === 'externalId') return `${title} (${1000 + place(key)})`;
      return title === 'Shirts' ? `${named(parent)} > Shirts` : title;
    };
    expect(made.map((one) => [one.name, one.parent])).toEqual(
      tree.map(([key, parent]) => [named(key), parent && named(parent)]),
    );
  });
});
