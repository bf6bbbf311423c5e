// What inspect says of an encoding, and what an import assumes.
import { writeFileSync } from 'node:fs';
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
