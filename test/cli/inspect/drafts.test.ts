// What inspect drafts from a file passes on this file: the examples of a mapping, and a contract.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { folder, typed } from '../typed.js';

const fixture = (path: string) => readFileSync(fileURLToPath(new URL(`../../../fixtures/${path}`, import.meta.url)));
const text = (path: string, encoding: 'latin1' | 'utf8' = 'utf8') => fixture(path).toString(encoding);

const table = `Art;Preis;Lager;EAN;Währung;Notiz;
A-1;1.229,99;7;4006381333931;EUR;x;
A-2;89,90;0;96385074;EUR;;
A-3;12,00;3;036000291452;EUR;;
`;

const files: readonly (readonly [name: string, content: string])[] = [
  ['table.csv', table],
  ['products.csv', text('delivery-mended/4-products.csv')],
  ['generic.xml', text('feeds/generic.xml')],
  [
    'shop.xml',
    `<shop>${['A-1', 'A-2'].map((sku) => `<article><sku>${sku}</sku><name>Tea ${sku}</name><price>1.10 EUR</price></article>`).join('')}</shop>`,
  ],
  [
    'list.json',
    JSON.stringify({
      data: [
        { sku: 'A', price: 1.1, currency: 'EUR', tags: ['x', 'y'] },
        { sku: 'B', price: 2, currency: 'EUR', tags: [] },
      ],
    }),
  ],
  [
    'lines.ndjson',
    '{"sku":"A","name":"One","price":"1.10","currency":"EUR"}\n{"sku":"B","name":"Two","price":"2.00","currency":"EUR"}\n',
  ],
];

describe.each(files)('%s', (name, content) => {
  it('gets a mapping with examples that map test passes at once', async () => {
    const cwd = folder({ [name]: content });
    const written = await typed(cwd, ['inspect', name, '--write-map', 'map.yaml', '--quiet']);
    expect(written.code, written.stderr).toBe(0);
    const map = readFileSync(`${cwd}/map.yaml`, 'utf8');
    expect(map.split('\n')[0]).toBe('# yaml-language-server: $schema=mapping.schema.json');
    const { examples } = parse(map);
    expect(examples).toHaveLength(2);
    for (const { rows, items } of examples) expect([rows.length, items !== undefined]).toEqual([1, true]);
    const tested = await typed(cwd, ['map', 'test', 'map.yaml']);
    expect(tested.code, tested.stdout + tested.stderr).toBe(0);
    // A change of the mapping is seen.
    const { writeFileSync } = await import('node:fs');
    writeFileSync(`${cwd}/map.yaml`, map.replace(/^( +)(sku|name): /m, '$1tag: '));
    expect((await typed(cwd, ['map', 'test', 'map.yaml'])).code).not.toBe(0);
  });

  it('keeps the contract that is drafted from it', async () => {
    const cwd = folder({ [name]: content });
    await typed(cwd, ['inspect', name, '--write-map', 'map.yaml', '--write-contract', 'c.yaml', '--quiet']);
    const { expect: contract } = parse(readFileSync(`${cwd}/c.yaml`, 'utf8'));
    expect(Object.keys(contract)).toEqual(expect.arrayContaining(['rows', 'columns']));
    const args = ['products', name, '--expect', 'c.yaml', '--dry-run', '--set', 'currency=EUR'];
    for (const more of name.startsWith('products') ? [[]] : [['--map', 'map.yaml']]) {
      const { code, stderr } = await typed(cwd, [...args, ...more]);
      expect([0, 3], stderr).toContain(code);
      expect(stderr).toMatch(/\d expectations met/);
    }
  });
});

describe('a draft', () => {
  it('with questions has the rows of its examples, and their items once these are answered', async () => {
    const cwd = folder({ 'f.csv': 'sku,VK,Preis,currency\nA,1.00,1.19,EUR\nB,2.00,2.38,EUR\n' });
    await typed(cwd, ['inspect', 'f.csv', '--write-map', 'm.yaml', '--quiet']);
    const map = readFileSync(`${cwd}/m.yaml`, 'utf8');
    expect(map).toContain('price: ?');
    expect(map).toContain('# Once each ? is answered, catalog-import map test m.yaml --update writes');
    const { writeFileSync } = await import('node:fs');
    writeFileSync(`${cwd}/m.yaml`, map.replace('price: ?', 'price: Preis'));
    expect((await typed(cwd, ['map', 'test', 'm.yaml'])).code).toBe(3);
    expect((await typed(cwd, ['map', 'test', 'm.yaml', '--update'])).code).toBe(0);
    expect((await typed(cwd, ['map', 'test', 'm.yaml'])).code).toBe(0);
    expect(parse(readFileSync(`${cwd}/m.yaml`, 'utf8')).examples[0].items).toEqual([
      { sku: 'A', price: '1.19', currency: 'EUR' },
    ]);
  });

  it('of a contract stops what is not like the file, and is never written over another file', async () => {
    const cwd = folder({ 'good.csv': text('delivery-mended/4-products.csv'), 'bad.csv': 'sku,price\nA,1\n' });
    const draft = () => typed(cwd, ['inspect', 'good.csv', '--write-contract', 'c.yaml', '--quiet']);
    expect((await draft()).code).toBe(0);
    expect((await draft()).code).toBe(2);
    expect([2, 8]).toContain((await typed(cwd, ['products', 'bad.csv', '--expect', 'c.yaml'])).code);
  });
});
