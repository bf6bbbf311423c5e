// What inspect says of an encoding, and what an import assumes.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folder, typedHere } from '../typed.js';

const assumed = 'An import assumes UTF-8 unless it has --encoding windows-1252, or a mapping with `encoding`.';

it('inspect names the encoding that an import has to be told, and the import agrees with both', async () => {
  const cwd = folder();
  const [feed, map, db] = [join(cwd, 'feed.csv'), join(cwd, 'map.yaml'), join(cwd, 'c.db')];
  const text = 'sku;Name;Preis (EUR)\nA;Gerät für Käse;1,50\nB;Größe übergroß;2,50\n';
  writeFileSync(feed, Buffer.from(text, 'latin1'));
  expect((await typedHere(['inspect', feed, '--write-map', map])).stdout).toContain(assumed);
  const unread = await typedHere([
    'products',
    feed,
    '--db',
    db,
    '--rename',
    'Preis (EUR)=price',
    '--set',
    'currency=EUR',
  ]);
  expect(unread).toMatchObject({ code: 3, stdout: expect.stringContaining('invalid_text') });
  expect(await typedHere(['products', feed, '--map', map, '--db', db])).toMatchObject({ code: 0 });
  writeFileSync(feed, text);
  expect((await typedHere(['inspect', feed])).stdout).not.toContain('An import assumes');
});

it('an encoding that the letters do not tell is a question, and nothing is imported before it is answered', async () => {
  const cwd = folder();
  const [feed, map, db] = [join(cwd, 'feed.csv'), join(cwd, 'map.yaml'), join(cwd, 'c.db')];
  writeFileSync(feed, Buffer.from('sku;name;price\nA;Lumière;1,50\nB;Lampe;2,50\n', 'latin1'));
  const inspected = await typedHere(['inspect', feed, '--write-map', map]);
  expect(inspected.stdout).toMatch(/Which encoding is it\?\n +"windows-1250": "Lumičre.*\n +"windows-1252": "Lumière/);
  const command = ['products', feed, '--map', map, '--set', 'currency=EUR', '--db', db];
  const open = await typedHere(command);
  expect([open.code, open.stderr]).toEqual([2, expect.stringMatching(/encoding: "windows-1250": .*"windows-1252": /)]);
  expect(existsSync(db)).toBe(false);
  expect(await typedHere([...command, '--encoding', 'windows-1252', '--dry-run'])).toMatchObject({ code: 0 });
  writeFileSync(map, readFileSync(map, 'utf8').replace('encoding: ?', 'encoding: windows-1252'));
  expect(await typedHere(command)).toMatchObject({ code: 0 });
  expect((await typedHere(['get', 'product', 'A', '--db', db])).stdout).toContain('Lumière');
});

it('a decimal sign that no amount tells is a question, and nothing is imported before it is answered', async () => {
  const cwd = folder();
  const [feed, map, db] = [join(cwd, 'feed.csv'), join(cwd, 'map.yaml'), join(cwd, 'c.db')];
  writeFileSync(feed, 'sku;name;price\nA;Lamp;24.972\nB;Table;2.066\nC;Chair;857\n');
  expect((await typedHere(['inspect', feed, '--write-map', map])).stderr).toContain('decimal');
  const { questions } = JSON.parse((await typedHere(['inspect', feed, '--output', 'json'])).stdout);
  expect(questions).toContainEqual({
    field: 'decimal',
    candidates: [
      { value: '.', relation: '24.972 is 24.972' },
      { value: ',', relation: '24.972 is 24972' },
    ],
  });
  const command = ['products', feed, '--map', map, '--set', 'currency=ISK', '--db', db];
  const open = await typedHere(command);
  expect([open.code, open.stderr]).toEqual([
    2,
    expect.stringContaining('decimal: ".": 24.972 is 24.972; ",": 24.972 is 24972'),
  ]);
  expect(existsSync(db)).toBe(false);
  expect(await typedHere([...command, '--decimal', ',', '--dry-run'])).toMatchObject({ code: 0 });
  writeFileSync(map, readFileSync(map, 'utf8').replace('decimal: ?', 'decimal: ","'));
  expect(await typedHere(command)).toMatchObject({ code: 0 });
});
