// Paths of categories in a file: the last segment names the category, those before it must be its ancestors.
import { describe, expect, it } from 'vitest';
import { folder, typed } from './typed.js';

interface Line {
  readonly external_id: string;
  readonly action: string;
  readonly code: string | null;
  readonly reason: string | null;
}

async function lines(cwd: string, args: readonly string[]): Promise<Line[]> {
  const { stdout } = await typed(cwd, [...args, '--output', 'ndjson', '--report', 'all']);
  return stdout
    .split('\n')
    .filter((line) => line.includes('"action"'))
    .map((line) => JSON.parse(line));
}

async function categoryOf(cwd: string, sku: string): Promise<string> {
  const product = JSON.parse((await typed(cwd, ['get', 'product', '--sku', sku])).stdout);
  return JSON.parse((await typed(cwd, ['get', 'category', '--id', product.category])).stdout).name;
}

const feed =
  'no;group\nA;Home > Accessories\nB;Garden > Accessories\nC;Home > Phones\nD;Garden > Accessories > Hoses\n';

function map(each: string, category = 'category: { column: group, path: ">" }'): string {
  return `
import:
  - { to: categories, each: { path: group, separator: ">"${each} }, fields: { name: $name, parent: $parent } }
  - to: products
    fields: { sku: no, currency: { value: EUR }, ${category} }
`;
}

describe('a path whose ancestors differ', () => {
  it('refuses a product of a plain file, and names what is stored and what was sent', async () => {
    const cwd = folder({
      'categories.csv': 'name,parent\nHome,\nGarden,\nAccessories,Home\nA > B,\n',
      'products.csv':
        'sku,currency,category\nA,EUR,Home > Accessories\nB,EUR,Garden > Accessories\nC,EUR,accessories\nD,EUR,A > B\nE,EUR,home > ACCESSORIES\nF,EUR,Nowhere > Accessories\n',
    });
    await typed(cwd, ['categories', 'categories.csv']);
    const told = await lines(cwd, ['products', 'products.csv']);
    expect(told.map(({ external_id: id, action, code }) => `${id} ${code ?? action}`)).toEqual([
      'A created',
      'B category_path_mismatch',
      'C created',
      'D created',
      'E created',
      'F category_path_mismatch',
    ]);
    expect(told[1]?.reason).toContain(
      '"Garden > Accessories" was sent, and "Accessories" is stored as "Home > Accessories"',
    );
  });

  it('without a rule in the mapping the second place is refused with its products, and the message names the rule', async () => {
    const cwd = folder({ 'feed.csv': feed, 'map.yaml': map('') });
    const { stdout, stderr, code } = await typed(cwd, ['run', 'feed.csv', '--map', 'map.yaml', '--output', 'ndjson']);
    expect(code).toBe(3);
    expect(stdout.match(/category_path_mismatch/g)?.length).toBeGreaterThanOrEqual(3);
    expect(stderr).toContain(
      '1 category under more than one parent is refused: "Accessories" (under Home, under Garden). To tell them apart, write name: {repeated: parent}',
    );
    expect(await categoryOf(cwd, 'A')).toBe('Accessories');
    expect((await typed(cwd, ['get', 'product', '--sku', 'B'])).code).toBe(9);
  });

  it('a name that occurs again below parents of one name is refused with the rule that tells both apart', async () => {
    const paths = 'no;group\nA;Men > Shoes > Sneakers\nB;Women > Shoes > Sneakers\n';
    const shoes = (rule: string) => folder({ 'feed.csv': paths, 'map.yaml': map(rule) });
    const run = ['run', 'feed.csv', '--map', 'map.yaml', '--output', 'ndjson'];
    const { stdout } = await typed(shoes(', name: {repeated: parent}'), run);
    expect(stdout).toContain('tell them apart with name: {repeated: full} next to path:');
    expect((await typed(shoes(', name: {repeated: full}'), run)).code).toBe(0);
  });

  it.each([
    [
      ', name: full',
      { A: 'Home > Accessories', B: 'Garden > Accessories', C: 'Home > Phones', D: 'Garden > Accessories > Hoses' },
    ],
    [
      ', name: parent',
      { A: 'Accessories (Home)', B: 'Accessories (Garden)', C: 'Phones (Home)', D: 'Hoses (Accessories)' },
    ],
    [', name: {repeated: full}', { A: 'Home > Accessories', B: 'Garden > Accessories', C: 'Phones', D: 'Hoses' }],
    [', name: {repeated: parent}', { A: 'Accessories (Home)', B: 'Accessories (Garden)', C: 'Phones', D: 'Hoses' }],
  ])('each%s: each product lands in its own category, and a second run changes nothing', async (rule, named) => {
    const cwd = folder({ 'feed.csv': feed, 'map.yaml': map(rule) });
    const run = ['run', 'feed.csv', '--map', 'map.yaml'];
    const told = await lines(cwd, run);
    expect(told.filter(({ action }) => action !== 'created')).toEqual([]);
    for (const [sku, name] of Object.entries(named)) expect(await categoryOf(cwd, sku)).toBe(name);
    expect((await lines(cwd, run)).filter(({ action }) => action !== 'unchanged')).toEqual([]);
  });

  it('a step with its own rule uses that rule', async () => {
    const own = 'name: { column: group, path: ">", name: parent }, category: { column: group, path: ">" }';
    const cwd = folder({ 'feed.csv': feed, 'map.yaml': map(', name: {repeated: parent}', own) });
    expect(
      (await lines(cwd, ['run', 'feed.csv', '--map', 'map.yaml'])).filter(({ action }) => action === 'refused'),
    ).toEqual([]);
    const product = JSON.parse((await typed(cwd, ['get', 'product', '--sku', 'C'])).stdout);
    expect(product.name).toBe('Phones (Home)');
    expect(await categoryOf(cwd, 'C')).toBe('Phones');
  });

  it('a row whose path is refused does not make a name one that occurs twice', async () => {
    const mapping = `
import:
  - to: categories
    each:
      path: { columns: [{ column: area, map: { H: Home } }, group], join: " > " }
      separator: ">"
      name: { repeated: parent }
    fields: { name: $name, parent: $parent }
`;
    const cwd = folder({ 'feed.csv': 'area;group\nH;Accessories\nX;Accessories\n', 'map.yaml': mapping });
    const told = await lines(cwd, ['run', 'feed.csv', '--map', 'map.yaml']);
    expect(told.map(({ external_id: name, code }) => [name, code])).toEqual([
      ['', 'field_not_allowed_value'],
      ['Home', null],
      ['Accessories', null],
    ]);
  });
});
