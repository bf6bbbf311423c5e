// A mapping is checked whole before anything is written, and what it does not use is named once.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, typedHere } from './typed.js';

const feed = 'no,vk,group,Net price,Long text,nothing\nA,1.50,Home,1.20,long,\nB,2.50,Home,,long,\n';

async function imported(map: string, content = feed, name = 'feed.csv') {
  const cwd = folder({ 'map.yaml': map, [name]: content });
  const db = join(cwd, 'catalog.db');
  const said = await typedHere(['run', join(cwd, name), '--map', join(cwd, 'map.yaml'), '--db', db]);
  return { ...said, written: existsSync(db), stderr: said.stderr.replaceAll(`${cwd}/`, '') };
}

const categories = '  - { to: categories, once: first, fields: { name: group } }\n';

describe('wrong names in a later section', () => {
  it.each([
    [
      'a column',
      '  - { to: products, fields: { sku: no, price: vkk, currency: { value: EUR } } }\n',
      /import\[1\]\.fields\.price: column "vkk" not found; did you mean "vk"\?/,
    ],
    [
      'each',
      '  - { to: products, each: { repeated: { name: "Attribute {n}" } }, fields: { sku: no } }\n',
      /import\[1\]\.each\.repeated: column "Attribute 1" not found/,
    ],
    [
      'a field',
      '  - { to: products, fields: { sku: no, prise: vk } }\n',
      /import\[1\]\.fields\.prise: "prise" is not a field; did you mean "price"\?/,
    ],
    [
      'fill',
      '  - { to: products, fill: { columns: [nn] }, fields: { sku: no } }\n',
      /import\[1\]\.fill: column "nn" not found/,
    ],
    [
      'a table',
      '  - { to: products, fields: { sku: no, name: { column: no, lookup: { table: t, column: x } } } }\n',
      /import\[1\]\.fields\.name\.lookup: table "t" not found/,
    ],
  ])('%s: nothing is written', async (_, section, message) => {
    const { code, stderr, written } = await imported(`import:\n${categories}${section}`);
    expect(stderr).toMatch(message);
    expect({ code, written }).toEqual({ code: 2, written: false });
  });

  it.each([
    ['a table', 'feed.csv', feed],
    ['records', 'feed.ndjson', '{"no":"A","group":"Home"}\n'],
  ])('columns of each in %s may be missing where they are optional, which is told', async (_, name, content) => {
    const each = 'each: { repeated: { name: "Attribute {n}" }, optional: true }';
    const map = `import:\n${categories}  - { to: products, ${each}, fields: { sku: no } }\n`;
    const { code, stderr } = await imported(map, content, name);
    expect(stderr).toContain(`warning column_absent: ${name}: columns of the mapping in no record: "Attribute 1".`);
    expect(code).toBe(0);
  });

  it('the columns of a table are checked, too', async () => {
    const map = `tables: { t: { key: no, columns: { x: nowhere } } }\nimport:\n${categories}  - { to: products, fields: { sku: no, name: { column: no, lookup: { table: t, column: x } } } }\n`;
    const { code, stderr, written } = await imported(map);
    expect(stderr).toMatch(/tables\.t\.columns\.x: column "nowhere" not found/);
    expect({ code, written }).toEqual({ code: 2, written: false });
  });

  it('the members of records are checked, too', async () => {
    const feed = '{"no":"A","vk":1.5,"group":"Home"}\n';
    const map = `import:\n${categories}  - { to: products, fields: { sku: no, price: vkk, currency: { value: EUR } } }\n`;
    const { code, stderr, written } = await imported(map, feed, 'feed.ndjson');
    expect(stderr).toMatch(/import\[1\]\.fields\.price: column "vkk" not found; did you mean "vk"\?/);
    expect({ code, written }).toEqual({ code: 2, written: false });
  });

  it('an optional column may be missing', async () => {
    const { code } = await imported(
      'to: products\nfields: { sku: no, currency: { value: EUR }, name: { column: Title, optional: true } }\n',
    );
    expect(code).toBe(0);
  });
});

describe('columns that nothing uses', () => {
  it('are named once a run, over all sections, with how many values they hold', async () => {
    const { code, stderr } = await imported(
      `import:\n${categories}  - { to: products, fields: { sku: no, price: vk, currency: { value: EUR } } }\n`,
    );
    expect(code).toBe(0);
    expect(stderr.match(/ignored columns/g)).toHaveLength(1);
    expect(stderr).toContain('feed.csv: ignored columns: Net price (1 value), Long text (2 values).');
  });

  it('of tables made of the file count as used', async () => {
    const { stderr } = await imported(
      'tables: { t: { key: no, columns: { x: Long text } } }\nto: products\nfields: { sku: no, price: vk, currency: { value: EUR }, name: { column: no, lookup: { table: t, column: x } } }\n',
    );
    expect(stderr).toContain('ignored columns: group (2 values), Net price (1 value).');
  });

  it('members of JSON records, too', async () => {
    const json = JSON.stringify([{ no: 'A', price: { net: 1, gross: 2 }, brand: 'x', note: '' }]);
    const { stderr } = await imported(
      'to: products\nfields: { sku: no, price: price.gross, currency: { value: EUR } }\n',
      json,
      'feed.json',
    );
    expect(stderr).toContain('feed.json: ignored columns: brand (1 value).');
  });
});

it('a file counts as empty only if it has no record', async () => {
  const map = 'to: products\nkeep: { of: group, is: Garden }\nfields: { sku: no, currency: { value: EUR } }\n';
  const { stderr } = await imported(map);
  expect(stderr).toContain('2 of 2 records skipped by keep and skip');
  expect(stderr).not.toContain('no record');
  expect((await imported(map, 'no,group\n')).stderr).toContain('it contains no records');
});
