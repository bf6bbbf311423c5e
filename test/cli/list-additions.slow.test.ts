// `values: {add: […]}`: what a file adds to a list leaves the other entries of the list as they were, whichever way the file
// is written and wherever the catalog is.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Resource } from '../../src/core/resource.js';
import { characteristic } from '../../src/core/resources/characteristic.js';
import { productGroup } from '../../src/core/resources/product-group.js';
import { openCatalog } from '../../src/store/open.js';
import { type GivenServer, givenServer } from '../http/server/given-server.js';
import { folder, typedHere } from './typed.js';

let given: GivenServer;
beforeAll(async () => {
  given = await givenServer();
});
afterAll(() => given.stop());

interface Listed {
  readonly label?: string;
  readonly name?: string;
  readonly source?: string;
  readonly status: string;
}

/** The ways of sending blue and green, which is there, to a list of red (activated), green (suspended) and grey (unlisted). */
const ways = {
  'a cell of CSV': {
    file: 'add.csv',
    text: (name: string) => `name,values\n${name},"{""add"":[{""label"":""blue""},{""label"":""green""}]}"\n`,
  },
  'a short list in a cell of CSV': {
    file: 'add.csv',
    text: (name: string) => `name,values\n${name},"{""add"": ""blue|green""}"\n`,
  },
  'a JSON file': {
    file: 'add.json',
    text: (name: string) => JSON.stringify([{ name, values: { add: [{ label: 'blue' }, { label: 'green' }] } }]),
  },
  'NDJSON, an entry a line': {
    file: 'add.ndjson',
    text: (name: string) =>
      ['blue', 'green'].map((label) => JSON.stringify({ name, values: { add: [label] } })).join('\n'),
  },
  'a mapping, a record a row': {
    file: 'add.txt.csv',
    text: () => 'Farbe\nblue\ngreen\nblue\n',
    map: (name: string) =>
      `to: characteristics\nfields: { name: { value: ${name} }, values: { add: { entry: { label: Farbe } } } }\n`,
  },
  'a mapping that merges rows': {
    file: 'add.txt.csv',
    text: () => 'Farbe\ngreen\nblue\n',
    map: (name: string) =>
      `to: characteristics\nonce: merge\nfields: { name: { value: ${name} }, values: { add: { entry: { label: Farbe } } } }\n`,
  },
};

let count = 0;

/** A command for a catalog: of a file, or of the served one. */
function typing(cwd: string, remote: boolean) {
  const env = { CATALOG_API_KEY: given.key, XDG_STATE_HOME: join(cwd, 'state') };
  const target = remote ? ['--remote', given.server.url] : ['--db', join(cwd, 'c.db')];
  return async (...args: readonly string[]) => {
    const done = await typedHere([...args, ...target, '--output', 'ndjson', '--report', 'all'], env);
    const lines = done.stdout.split('\n').filter((line) => line.includes('"action"'));
    return { ...done, lines: lines.map((line) => JSON.parse(line)) };
  };
}

/** All listed values of a characteristic, or all axes of a group. */
async function stored(cwd: string, remote: boolean, resource: Resource, name: string) {
  const catalog = remote ? given.catalog : await openCatalog({ file: join(cwd, 'c.db'), create: false });
  const include = resource === characteristic ? ['values'] : [];
  const record = await catalog.read(resource, { key: name }, include);
  if (!remote) await catalog.close();
  return (record?.['values'] ?? record?.['axes']) as Listed[];
}

const asIs = (values: readonly Listed[]) =>
  values.map(({ label, name, source, status }) => `${label || name || source} ${status}`);

describe.each([
  ['a local catalog', false],
  ['a remote', true],
])('%s: a list is added to', (_, remote) => {
  it.each(Object.entries(ways))('by %s', async (_way, way) => {
    const name = `Shade${count++}`;
    const cwd = folder({
      'old.json': JSON.stringify([{ name, values: ['red', 'green', 'grey'] }]),
      'left.json': JSON.stringify([{ name, values: [{ label: 'red' }, { label: 'green', status: 'suspended' }] }]),
      'map.yaml': 'map' in way ? way.map(name) : '',
      [way.file]: way.text(name),
    });
    const type = typing(cwd, remote);
    await type('characteristics', join(cwd, 'old.json'));
    await type('characteristics', join(cwd, 'left.json'));
    const map = 'map' in way ? ['--map', join(cwd, 'map.yaml')] : [];
    const add = ['characteristics', join(cwd, way.file), ...map];
    expect((await type(...add, '--dry-run')).lines[0]).toMatchObject({ action: 'updated', notice: [] });
    const { lines, code } = await type(...add);
    expect(code).toBe(0);
    expect(lines[0]).toMatchObject({ action: 'updated', notice: [] });
    // Green was suspended by hand and stays so, though it is in the file; grey was left out before, and is not brought back.
    expect(asIs(await stored(cwd, remote, characteristic, name))).toEqual([
      'red activated',
      'green suspended',
      'blue activated',
    ]);
    const again = await type(...add);
    expect(again.lines.map(({ action }) => action)).toEqual(lines.map(() => 'unchanged'));
  });

  it('axes: the other axes keep their status, and one that was left out stays so', async () => {
    const name = `Group${count++}`;
    const axis = (text: string, status?: string) => ({ source: 'custom', name: text, ...(status && { status }) });
    const cwd = folder({
      'size.json': JSON.stringify([{ name: 'Size' }]),
      'old.json': JSON.stringify([{ name, axes: [axis('A'), axis('B'), { attribute: 'Size' }] }]),
      'left.json': JSON.stringify([{ name, axes: [axis('A', 'suspended'), { attribute: 'Size' }] }]),
      'add.json': JSON.stringify([{ name, axes: { add: [axis('C'), axis('A'), { attribute: 'size' }] } }]),
    });
    const type = typing(cwd, remote);
    await type('characteristics', join(cwd, 'size.json'));
    await type('groups', join(cwd, 'old.json'));
    await type('groups', join(cwd, 'left.json'));
    const { lines } = await type('groups', join(cwd, 'add.json'));
    expect(lines[0]).toMatchObject({ action: 'updated', notice: [] });
    expect(asIs(await stored(cwd, remote, productGroup, name))).toEqual([
      'A suspended',
      'B suspended',
      'characteristic activated',
      'C activated',
    ]);
    expect((await type('groups', join(cwd, 'add.json'))).lines[0]).toMatchObject({ action: 'unchanged' });
  });

  it('additions extend a whole list further up in the file; refused items add nothing', async () => {
    const name = `Kind${count++}`;
    const rows = [
      { name, values: { add: ['a'] } },
      { name, values: ['b'] },
      { name, unit: 'x'.repeat(31), values: { add: ['refused'] } },
      { name, values: { add: ['c'] } },
    ];
    const cwd = folder({ 'f.ndjson': rows.map((row) => JSON.stringify(row)).join('\n') });
    const { lines } = await typing(cwd, remote)('characteristics', join(cwd, 'f.ndjson'));
    expect(lines.map(({ action }) => action)).toEqual(['created', 'updated', 'refused', 'updated']);
    expect(asIs(await stored(cwd, remote, characteristic, name))).toEqual(['b activated', 'c activated']);
  });

  it('a problem of an added entry is reported at its position in the input', async () => {
    const name = `Bad${count++}`;
    const cwd = folder({
      'old.json': JSON.stringify([{ name, values: ['a', 'b'] }]),
      'add.json': JSON.stringify([{ name, values: { add: [{ label: 'c' }, { label: 'd', hex: 'zz' }] } }]),
      'twice.json': JSON.stringify([{ name, values: { add: ['c', 'C'] } }]),
      'none.json': JSON.stringify([{ name, values: { add: 7 } }]),
    });
    const type = typing(cwd, remote);
    await type('characteristics', join(cwd, 'old.json'));
    expect((await type('characteristics', join(cwd, 'add.json'))).lines[0].reason).toMatch(/^values\[1\]\.hex/);
    expect((await type('characteristics', join(cwd, 'twice.json'))).lines[0]).toMatchObject({
      code: 'duplicate_entry',
      reason: expect.stringMatching(/^values\[1\].*values\[0\]/s),
    });
    expect((await type('characteristics', join(cwd, 'none.json'))).lines[0]).toMatchObject({ code: 'field_type' });
    expect(asIs(await stored(cwd, remote, characteristic, name))).toEqual(['a activated', 'b activated']);
  });
});
