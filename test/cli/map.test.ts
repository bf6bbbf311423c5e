// `map`: what a mapping makes of rows, and its examples as tests.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { xmlParser } from '../../src/source/xml/xml-parser.js';
import { repetitions } from '../tier.js';
import { folder, typed } from './typed.js';

/** The elements of an XML text with their attributes, in order. */
function elementsOf(text: string): unknown[] {
  const elements: unknown[] = [];
  const parser = xmlParser({ open: (name, attributes) => void elements.push([name, { ...attributes }]) });
  parser.write(text);
  parser.end();
  return elements;
}

const feed = 'Art;VK;Lager\nA-1;1.229,99;7\nA-2;abc;0\nA-3\nA-4;9,50;\n';
const map = `# a mapping
to: products
read: { decimal: ",", delimiter: ";" }
fields:
  sku: Art
  # with a margin
  price: { column: VK, times: { value: 1.5 }, round: 2 }
  status: { when: [{ if: { of: Lager, over: 0 }, then: activated }, { else: suspended }] }
examples:
  - name: stock   # of today
    rows: [{ Art: A-1, VK: "1.229,99", Lager: 7 }, { Art: A-2, VK: abc }]
    items: [{ sku: A-1, price: "1844.99", status: activated }]
    problems: [{ field: price, code: field_format }]
`;

describe('map show', () => {
  it('shows rows with their items, and the steps that made each field', async () => {
    const cwd = folder({ 'feed.csv': feed, 'map.yaml': map });
    const { code, stdout } = await typed(cwd, ['map', 'show', 'feed.csv', '--map', 'map.yaml', '--limit', '3']);
    expect(code).toBe(0);
    expect(stdout).toContain(`products, line 2
  Art: A-1
  VK: 1.229,99
  Lager: 7
  > sku = A-1   (column "Art": A-1)
  > price = 1844.99   (column "VK": 1.229,99 > number: 1229.99 > value 1.5: 1.5 > times: 1844.985 > round: 1844.99)
  > status = activated   (value "activated": activated > when: activated)
`);
    expect(stdout).toContain('refused: field_format: column "VK": "abc" is not a number');
    expect(stdout).toContain('products, line 4\n  refused: row_shape: the row has 1 cell, the header has 3');
    expect(stdout).not.toContain('A-4');
  });

  it('gives the same as NDJSON and JSON', async () => {
    const cwd = folder({ 'feed.csv': feed, 'map.yaml': map });
    const show = (output: string) => typed(cwd, ['map', 'show', 'feed.csv', '--map', 'map.yaml', '--output', output]);
    const lines = (await show('ndjson')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ lines: [line], item, problem }) => [line, problem?.code ?? item.sku])).toEqual([
      [2, 'A-1'],
      [3, 'field_format'],
      [4, 'row_shape'],
      [5, 'A-4'],
    ]);
    expect(lines[0].rows).toEqual([{ Art: 'A-1', VK: '1.229,99', Lager: '7' }]);
    expect(lines[0].steps).toContainEqual({
      field: 'price',
      place: 'fields.price.number',
      step: 'number',
      value: '1229.99',
    });
    expect(JSON.parse((await show('json')).stdout)).toEqual(lines);
  });

  it('shows the rows of an item together, and each section of a mapping', async () => {
    const cwd = folder({
      'feed.csv': 'Handle,Farbe\nA,red\nA,blue\n',
      'map.yaml': `import:
  - { to: characteristics, once: merge, fields: { name: { value: Colour }, values: { entry: { label: Farbe } } } }
  - { to: products, rows: Handle, fields: { sku: Handle } }
`,
    });
    const { stdout } = await typed(cwd, ['map', 'show', 'feed.csv', '--map', 'map.yaml', '--output', 'json']);
    expect(JSON.parse(stdout).map(({ to, lines }: { to: string; lines: number[] }) => [to, lines])).toEqual([
      ['characteristics', [2]],
      ['characteristics', [3]],
      ['products', [2, 3]],
    ]);
  });

  it('names a column that is not there, and shows no control characters', async () => {
    const cwd = folder({
      'feed.csv': 'Artt,VK\n"A\u001b[2J",1\n',
      'map.yaml': 'to: products\nfields: { sku: Art, price: VK }\n',
    });
    const wrong = await typed(cwd, ['map', 'show', 'feed.csv', '--map', 'map.yaml']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean "Artt"?')]);
    writeFileSync(join(cwd, 'map.yaml'), 'to: products\nfields: { sku: Artt }\n');
    for (const output of ['table', 'json', 'ndjson']) {
      const { stdout } = await typed(cwd, ['map', 'show', 'feed.csv', '--map', 'map.yaml', '--output', output]);
      expect(stdout).toContain('A');
      expect(stdout).not.toContain('\u001b');
    }
  });
});

describe('map test', () => {
  it('passes where the examples are as expected', async () => {
    const cwd = folder({ 'map.yaml': map });
    expect(await typed(cwd, ['map', 'test', 'map.yaml'])).toEqual({
      code: 0,
      stdout: '1 example: 1 as expected, 0 differ\n',
      stderr: '',
    });
    expect((await typed(cwd, ['map', 'test', 'map.yaml', '--quiet'])).stdout).toBe('');
  });

  it('shows what differs, for people and for CI, with exit code 3', async () => {
    const cwd = folder({ 'map.yaml': map.replace('1844.99', '1844.98'), 'good.yaml': map });
    const run = (output: string) => typed(cwd, ['map', 'test', 'good.yaml', 'map.yaml', '--output', output]);
    const table = await run('table');
    expect(table.code).toBe(3);
    expect(table.stdout).toMatch(/map\.yaml: stock differs.*-\s+"price": "1844\.98",\n\s+\+\s+"price": "1844\.99",/s);
    const tap = await run('tap');
    expect([tap.code, tap.stdout.split('\n').slice(0, 4)]).toEqual([
      3,
      ['TAP version 14', '1..2', 'ok 1 - good.yaml: stock', 'not ok 2 - map.yaml: stock'],
    ]);
    const [, block = ''] = /^ {2}---\n([\s\S]*?)^ {2}\.\.\.$/m.exec(tap.stdout) ?? [];
    expect(parse(block).diff).toMatch(/^ .*\n[\s\S]*^-\s+"price": "1844\.98",\n\+\s+"price": "1844\.99",\n/m);
    const junit = await run('junit');
    expect(elementsOf(junit.stdout)).toEqual([
      ['testsuites', {}],
      ['testsuite', { name: 'good.yaml', tests: '1', failures: '0', errors: '0' }],
      ['testcase', { classname: 'good.yaml', name: 'stock' }],
      ['testsuite', { name: 'map.yaml', tests: '1', failures: '1', errors: '0' }],
      ['testcase', { classname: 'map.yaml', name: 'stock' }],
      ['failure', { message: 'differs' }],
    ]);
    expect(junit.stdout).toContain('&quot;price&quot;: &quot;1844.99&quot;');
    const { tests } = JSON.parse((await run('json')).stdout);
    expect(tests.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, false]);
  });

  it('--update writes what comes out, and keeps comments and order', async () => {
    const cwd = folder({ 'map.yaml': map.replace('1844.99', '1').replace(/ {4}problems.*\n/, '') });
    expect((await typed(cwd, ['map', 'test', 'map.yaml', '--update'])).stdout).toContain('1 updated');
    const text = readFileSync(join(cwd, 'map.yaml'), 'utf8');
    expect(text).toMatch(
      /^# a mapping\nto: products\nread: .*\n {2}# with a margin\n {2}price: .*# of today.*rows: .*items:.*problems:/s,
    );
    expect((await typed(cwd, ['map', 'test', 'map.yaml'])).code).toBe(0);
  });

  it('--update leaves what is around the examples as it is written', async () => {
    const head = 'to:   products   # odd\nskip: { any: [{of: Art, is: [x,y]}] }\nfields: {sku:  Art}\n';
    const tail = '# the end\nread:   {trim: true}\n';
    const cwd = folder({ 'map.yaml': `${head}examples: [{ rows: [{ Art: A }], items: [{ sku: B }] }]\n${tail}` });
    expect((await typed(cwd, ['map', 'test', 'map.yaml', '--update'])).code).toBe(0);
    const text = readFileSync(join(cwd, 'map.yaml'), 'utf8');
    expect([text.startsWith(head), text.endsWith(tail)]).toEqual([true, true]);
    expect((await typed(cwd, ['map', 'test', 'map.yaml'])).code).toBe(0);
  });

  it('takes rows of files, objects and a time, and items by resource', async () => {
    const cwd = folder({
      'map.yaml': `tables: { sizes: { file: sizes.json, key: id, columns: { name: label } } }
import:
  - { to: groups, file: products.json, fields: { name: group } }
  - to: products
    file: products.json
    fields: { sku: id, name: { column: id, lookup: { table: sizes, column: name } }, price: { column: price.amount, when: { of: sale, current: true } } }
examples:
  - now: 2026-11-24T12:00:00Z
    files:
      products.json: [{ id: "1", group: G, price: { amount: "9.50" }, sale: 2026-11-24/2026-11-24 }]
      sizes.json: [{ id: "1", label: Small }]
    items: { groups: [{ name: G }], products: [{ sku: "1", name: Small, price: "9.50" }] }
`,
    });
    expect(await typed(cwd, ['map', 'test', 'map.yaml'])).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['to: products\nfields: { sku: Art }\n', 'has no examples'],
    ['to: products\nfields:\n  sku: ?\nexamples: [{ rows: [{ Art: A }] }]\n', 'has open questions'],
    ['to: products\nfields: { sku: Art }\nexamples: [{ rows: [{ At: A }] }]\n', 'column "Art" not found'],
    ['to: products\nfields: { sku: Art }\nexamples: [{ rowz: [{ Art: A }] }]\n', 'Did you mean rows?'],
    ['to: products\nfields: { sku: Art }\nexamples: [{ items: [] }]\n', 'An example needs rows: or files:'],
    [
      'to: products\nfields: { sku: Art }\nexamples: [{ rows: [{ Art: A }], problems: [{ code: wrong }] }]\n',
      'must be ',
    ],
    [
      'to: products\nfields: { sku: { column: Art, when: { of: Art, before: now } } }\nexamples: [{ rows: [{ Art: A }] }]\n',
      'an example gives it with now: ',
    ],
    ['fields: { sku: Art }\nexamples: [{ rows: [{ Art: A }] }]\n', 'is not a resource'],
  ])('%j is wrong: %s, exit code 2', async (text, words) => {
    const { code, stderr } = await typed(folder({ 'map.yaml': text }), ['map', 'test', 'map.yaml']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  it('passes after --update, whatever the rows are', async () => {
    const cell = fc.oneof(
      fc.constantFrom('7', '1,5', '1.5', '', '#', "it's", 'a: b', '- x', 'null', '😀'),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ Art: cell, VK: cell, Lager: cell }), { minLength: 1, maxLength: 3 }),
        async (rows) => {
          const cwd = folder({ 'map.yaml': map.replace(/rows: .*/, () => `rows: ${JSON.stringify(rows)}`) });
          const update = await typed(cwd, ['map', 'test', 'map.yaml', '--update']);
          expect([update.code, update.stderr]).toEqual([0, '']);
          expect(await typed(cwd, ['map', 'test', 'map.yaml'])).toMatchObject({ code: 0, stderr: '' });
        },
      ),
      { numRuns: repetitions('MAP_TESTS', { fast: 15, moderate: 20, full: 200 }) },
    );
  });
});
