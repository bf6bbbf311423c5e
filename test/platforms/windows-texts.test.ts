// Texts and paths as Windows has them: byte order marks, UTF-16, line ends, drives and shares.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { passwordIn } from '../../src/store/postgres/address.js';
import { typedAsProcess } from '../cli/started.js';
import { folder, products, typed } from '../cli/typed.js';
import { zipOf } from '../source/given-zip.js';

const mapping = 'to: products\r\nfields:\r\n  sku: Größe\r\n  currency: { value: EUR }\r\n';
const texts: Readonly<Record<string, (text: string) => Buffer>> = {
  'UTF-8 with a byte order mark': (text) => Buffer.from(`\ufeff${text}`),
  'UTF-16': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
};

describe('files written by hand', () => {
  it.each(Object.keys(texts))('a mapping and a configuration in %s', async (form) => {
    const cwd = folder({ 'feed.csv': 'Größe\r\nA\r\n', 'unread.csv': 'Größe\r\nA\r\n' });
    const written = texts[form] ?? Buffer.from;
    writeFileSync(join(cwd, 'map.yaml'), written(mapping));
    writeFileSync(join(cwd, 'catalog-import.yaml'), written('defaults:\r\n  products:\r\n    output: ndjson\r\n'));
    const { code, stdout } = await typed(cwd, ['products', 'feed.csv', '--map', 'map.yaml']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('"action":"created"')]);
  });

  it('a mapping in another encoding is refused, and nothing is imported', async () => {
    const cwd = folder({ 'feed.csv': 'Größe\nA\n' });
    writeFileSync(join(cwd, 'map.yaml'), Buffer.from(mapping, 'latin1'));
    expect(await typed(cwd, ['products', 'feed.csv', '--map', 'map.yaml'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The mapping map.yaml cannot be read (it is not UTF-8; save it as UTF-8).'),
    });
  });

  it('a password file with line ends of Windows', () => {
    const lines = '# passwords\r\ndb.example:5432:shop:importer:secret\r\n';
    const address = { user: 'importer', database: 'shop' } as Parameters<typeof passwordIn>[1];
    expect(passwordIn(lines, address, { host: 'db.example', port: 5432 })).toBe('secret');
  });
});

it('a service file of PostgreSQL where libpq looks for it', async () => {
  const cwd = folder();
  mkdirSync(join(cwd, 'postgresql'));
  writeFileSync(
    join(cwd, 'postgresql', '.pg_service.conf'),
    '[shop]\r\nhost=127.0.0.1\r\nport=1\r\ndbname=of_the_shop\r\n',
  );
  const preload = new URL('./windows-signals.mjs', import.meta.url);
  const env = { APPDATA: cwd, NODE_OPTIONS: `--import ${preload.href}` };
  const { code, stderr } = await typedAsProcess(cwd, ['list', 'products', '--db', 'postgres:///?service=shop'], {
    env,
  });
  expect([code, stderr]).toEqual([7, expect.stringContaining('127.0.0.1:1, database "of_the_shop" cannot be reached')]);
});

describe('what a console pipes', () => {
  const feed = 'sku,name,currency\r\nA,Größe,EUR\r\n';

  it('in its code page is refused, and read where that is named', async () => {
    const input = iconv.encode(feed, 'cp850');
    const { code, stdout } = await typed(folder(), ['products', '-'], { input });
    expect([code, stdout]).toEqual([3, expect.stringContaining('invalid_text')]);
    const cwd = folder();
    expect(await typed(cwd, ['products', '-', '--encoding', 'cp850'], { input })).toMatchObject({ code: 0 });
    expect((await typed(cwd, ['get', 'product', 'A'])).stdout).toContain('Größe');
  });
});

describe('a path of Windows', () => {
  it.each([
    'C:feed.csv',
    'C:\\shop\\feed.csv',
    'c:/shop/feed.csv',
    '\\\\server\\share\\feed.csv',
    '//server/share/feed.csv',
  ])('%s is a file, and no address', async (path) => {
    expect(await typed(folder(), ['products', path])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(`${path}: file not found.`),
    });
    expect((await typed(folder(), ['info', '--db', path])).stderr).toMatch(/there is no (?:catalog|folder)/);
  });
});

describe('names that a Mac composes otherwise', () => {
  const [composed, parted] = ['größe', 'gro\u0308ße'] as const;

  it('a file that a mapping names is found in a folder, an archive and by a pattern', async () => {
    const map = `import:\n  - to: products\n    file: ${composed}.csv\n    fields: { sku: sku, currency: currency, price: price }\n`;
    const cwd = folder({ 'map.yaml': map });
    mkdirSync(join(cwd, 'shop'));
    writeFileSync(join(cwd, 'shop', `${parted}.csv`), products(2));
    writeFileSync(join(cwd, 'shop.zip'), zipOf({ [`${parted}.csv`]: products(2) }));
    const zipped = ['products', 'shop.zip', '--sheet', `${composed}.csv`, '--dry-run'];
    expect((await typed(cwd, zipped)).stdout).toContain('2 created');
    expect((await typed(cwd, ['run', 'shop', '--map', 'map.yaml'])).stdout).toContain('2 created');
    expect((await typed(join(cwd, 'shop'), ['products', `${composed.slice(0, 4)}*.csv`])).stdout).toContain(
      '2 created',
    );
  });
});
