// Runs, why and undo as they are typed: what an import changed, since when, and taking it back.
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shareOptions } from '../../src/importing/guards/guard-list.js';
import { lineOf } from '../child.js';
import { outcome, start } from './started.js';
import { demo, folder, typed, typedHere } from './typed.js';

const header = 'sku,name,currency,price,stock,grades[new].price,grades[good].price\n';

interface Shop {
  readonly run: (...args: string[]) => ReturnType<typeof typedHere>;
  /** Writes a file of products, and imports it. */
  readonly night: (name: string, rows: readonly string[], ...options: string[]) => ReturnType<typeof typedHere>;
  readonly path: string;
}

function shop(): Shop {
  const path = folder();
  const db = join(path, 'shop.db');
  const run: Shop['run'] = (...args) => typedHere([...args, '--db', db]);
  return {
    path,
    run,
    night(name, rows, ...options) {
      writeFileSync(join(path, name), header + rows.map((row) => `${row}\n`).join(''));
      return run('products', join(path, name), '--quiet', ...options);
    },
  };
}

const first = ['A,Lamp,EUR,10,1,,', 'B,Chair,EUR,20,2,,', 'C,Table,EUR,,,30,20'];
const second = ['A,Lamp,EUR,999,1,,', 'B,Big chair,EUR,20,2,,', 'C,Table,EUR,,,31,', 'D,Sofa,EUR,4,2,,'];

/** A product as it is read with all that belongs to it, but for its times. */
async function product({ run }: Shop, sku: string): Promise<Record<string, unknown>> {
  const { stdout } = await run('get', 'product', '--sku', sku, '--all');
  const { updated_at: _, ...record } = JSON.parse(stdout) as Record<string, unknown>;
  return record;
}

/** A catalog in which a second run changed lists of a characteristic and a group. */
async function listsChanged(): Promise<Shop> {
  const it = shop();
  const file = (name: string, items: unknown): string => {
    writeFileSync(join(it.path, name), JSON.stringify(items));
    return join(it.path, name);
  };
  await it.run('characteristics', file('c.json', [{ name: 'Size', values: [{ label: 'S' }, { label: 'M' }] }]), '-q');
  await it.run('groups', file('g.json', [{ name: 'G', axes: [{ source: 'grade' }] }]), '-q');
  await it.run('characteristics', file('c.json', [{ name: 'Size', values: [{ label: 'S' }, { label: 'L' }] }]), '-q');
  const axes = [
    { source: 'grade', kind: 'list' },
    { source: 'characteristic', attribute: 'Size' },
  ];
  await it.run('groups', file('g.json', [{ name: 'G', axes }]), '-q');
  return it;
}

it('categories, groups and products that a field refers to are called by their names, and by identifiers in JSON', async () => {
  const it = shop();
  const file = (name: string, items: unknown): string => {
    writeFileSync(join(it.path, name), JSON.stringify(items));
    return join(it.path, name);
  };
  const night = async (place: string) => {
    await it.run('products', file('p.json', [{ sku: 'A', currency: 'EUR', category: place, group: `${place} group` }]));
    await it.run('characteristics', file('c.json', [{ name: 'Size', scope: 'category', scope_ident: place }]));
    await it.run('categories', file('t.json', [{ name: 'Lamps', parent: place }]));
  };
  await it.run('categories', file('t.json', [{ name: 'Home' }, { name: 'Garden' }, { name: 'Lamps' }]));
  await it.run('groups', file('g.json', [{ name: 'Home group' }, { name: 'Garden group' }]));
  await night('Home');
  await night('Garden');
  const product = ['why', 'product', '--sku', 'A'];
  expect((await it.run(...product)).stdout).toMatch(
    /category +Garden +6 .* Home\n.*group +Garden group +6 .* Home group\n/,
  );
  expect((await it.run('why', 'characteristic', '--name', 'Size')).stdout).toMatch(/scope_ident +Garden .* Home\n/);
  expect((await it.run('why', 'category', '--name', 'Lamps')).stdout).toMatch(/parent +Garden .*\n.*parent +Home /);
  const { stdout } = await it.run('runs', 'show', '6', '--changes');
  expect(stdout).toContain('product A  category Home → Garden, group Home group → Garden group  ');
  const [latest] = JSON.parse((await it.run(...product, '--output', 'json')).stdout);
  expect(latest).toMatchObject({ field: 'category', value: expect.stringMatching(/^cate_/) });
});

it('why names the entries of lists by what identifies them, and no column that reads do not have', async () => {
  const it = await listsChanged();
  const fieldsOf = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await it.run('why', ...args, '--output', 'json')).stdout).map((one: { field: string }) => one.field);
  expect(await fieldsOf('characteristic', '--name', 'size')).toEqual(
    expect.arrayContaining(['values[M].status', 'values[L].position', 'values[L].status', '']),
  );
  const axes = await fieldsOf('group', '--name', 'G');
  expect(axes).toEqual(expect.arrayContaining(['axes[grade].kind', 'axes[Size].kind', 'axes[Size].status']));
  for (const field of [axes, await fieldsOf('characteristic', '--name', 'size')].flat())
    expect(field).not.toMatch(/null|\[\]|listed|key/);
});

it('a changed characteristic is one change with the values before and after, also where it left or came back', async () => {
  const it = shop();
  const night = async (...attributes: readonly Record<string, string>[]) => {
    const sent = attributes.map((one) => ({ type: 'Size', ...one }));
    writeFileSync(join(it.path, 'p.json'), JSON.stringify([{ sku: 'A', currency: 'EUR', attributes: sent }]));
    await it.run('products', join(it.path, 'p.json'), '--quiet');
  };
  writeFileSync(join(it.path, 'c.json'), JSON.stringify([{ name: 'Size' }]));
  await it.run('characteristics', join(it.path, 'c.json'), '--quiet');
  const shown = async (run: number) =>
    (await it.run('runs', 'show', String(run), '--changes')).stdout.replaceAll(`${it.path}/`, '').split('\n\n')[1];
  for (const value of ['64', '128']) await night({ value });
  await night({ value: '256', unit: 'GB' });
  expect(await shown(4)).toContain("attributes[Size].value 128 → 256, attributes[Size].unit '' → GB");
  await night({ value: '256', unit: 'GB' }, { value: '512' });
  await night({ value: '512' });
  const [size, unit] = ['attributes[Size].value', 'attributes[Size].unit'];
  const found = JSON.parse((await it.run('why', 'product', '--sku', 'A', '--output', 'json')).stdout);
  expect(found.map((one: Record<string, unknown>) => [one['run'], one['field'], one['before'], one['value']])).toEqual([
    [6, size, '256', ''],
    [5, size, '', '512'],
    [4, size, '128', '256'],
    [4, unit, '', 'GB'],
    [3, size, '64', '128'],
    [2, '', null, null],
  ]);
  expect(await shown(6)).toMatch(/^record .*\nproduct A {2}attributes\[Size\]\.value 256 → '' {2}p\.json:1\n$/);
  // The row of 64 has had other values since.
  expect(await shown(3)).toContain(`${size} 64 → 128  `);
  await night({ value: '512' }, { value: '32' });
  await night({ value: '512' });
  await night({ value: '512' }, { value: '32' });
  await night({ value: '512' });
  await night({ value: '512' }, { value: '16' });
  for (const run of [7, 9]) expect(await shown(run)).toContain(`${size} '' → 32  `);
  for (const run of [8, 10]) expect(await shown(run)).toContain(`${size} 32 → ''  `);
});

it('why says where the value of today is of no run that is kept', async () => {
  const it = shop();
  await it.night('a.csv', first);
  await it.night('b.csv', second);
  const why = async (...args: string[]) =>
    (await it.run('why', 'product', '--sku', 'A', '--field', 'price', ...args)).stdout;
  expect(await why()).not.toContain(' now: ');
  await it.night('c.csv', ['A,Lamp,EUR,15,1,,'], '--no-history');
  expect(await why()).toMatch(
    /^price is 15.00 now: it was 999.00, and no run that is kept changed it since\nday .*\n.* 999.00 +2 /,
  );
  expect(JSON.parse(await why('--output', 'json'))[0]).toMatchObject({ run: null, value: '15.00', before: '999.00' });
});

describe('runs', () => {
  it('names a file once from which a mapping makes several resources', async () => {
    const sections =
      'import: [{ to: categories, fields: { name: c } }, { to: products, fields: { sku: s, currency: { value: EUR }, category: c } }]';
    const cwd = folder({ 'feed.csv': 's,c\nA,Lamps\n', 'map.yaml': sections });
    expect((await typed(cwd, ['run', 'feed.csv', '--map', 'map.yaml'])).code).toBe(0);
    expect((await typed(cwd, ['runs'])).stdout).toMatch(/ {2}run feed\.csv$/m);
  });

  it('shows what one changed as reads name it: key, field, both values, file and line', async () => {
    const it = shop();
    await it.night('a.csv', first);
    const night = await it.night('b.csv', second);
    expect(night.code).toBe(0);
    const shown = (await it.run('runs', 'show', '2', '--changes')).stdout.replaceAll(`${it.path}/`, '');
    const changes = shown
      .slice(shown.indexOf('\n\n') + 2)
      .split('\n')
      .map((line) => line.replace(/ {2,}/g, '  '));
    expect(changes).toEqual(
      expect.arrayContaining([
        'record  changes  line',
        'product A  price 10.00 → 999.00  b.csv:2',
        'product B  name Chair → Big chair  b.csv:3',
        'product C  price 20.00 → 31.00, grades[new].price 30.00 → 31.00, grades[good].status activated → suspended  b.csv:4',
        'product D  created  b.csv:5',
      ]),
    );
    const [line] = (await it.run('runs', 'show', '2', '--changes', '--output', 'json')).stdout.split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({
      ...{ run: 2, resource: 'product', key: 'A', created: false, file: join(it.path, 'b.csv'), line: 2 },
      fields: [{ field: 'price', from: '10.00', to: '999.00' }],
    });
  });

  it('lists each import with its feed, file, counts and exit code, and no dry run', async () => {
    const it = shop();
    await it.night('a.csv', first);
    await it.night('b.csv', [...second, 'E,No currency,,1,1,,'], '--feed', 'erp');
    await it.night('b.csv', second, '--dry-run');
    await it.night('b.csv', second, '--no-history');
    const runs = JSON.parse((await it.run('runs', '--output', 'json')).stdout);
    expect(runs).toMatchObject([
      { run: 1, feed: '', state: 'done', exit: 0, created: 3, total: 3 },
      { run: 2, feed: 'erp', state: 'done', exit: 3, created: 1, updated: 3, refused: 1, total: 5 },
    ]);
    expect(runs[1].file).toBe(join(it.path, 'b.csv'));
    expect(runs[1].files[0].digest).toMatch(/^[\w-]{43}$/);
    expect(runs[1]).toMatchObject({ command: 'products', options: { feed: 'erp' }, started: expect.any(Number) });
    // The file has a row less since.
    expect(runs[1].files[0].size).toBe(statSync(join(it.path, 'b.csv')).size + 'E,No currency,,1,1,,\n'.length);
    expect(runs[1].ended).toBeGreaterThanOrEqual(runs[1].started);
    const ofFeed = JSON.parse((await it.run('runs', '--feed', 'erp', '--output', 'json')).stdout);
    expect(ofFeed.map(({ run }: { run: number }) => run)).toEqual([2]);
  });

  it('says that a file is identical to that of an earlier run of the feed', async () => {
    const it = shop();
    await it.night('a.csv', first, '--feed', 'erp');
    const again = await it.run('products', join(it.path, 'a.csv'), '--feed', 'erp');
    expect(again.stderr).toContain('a.csv: the same file as run 1.');
    // The undo of a run has its files, too, and is none of them.
    await it.run('undo', '1');
    const back = await it.run('products', join(it.path, 'a.csv'), '--feed', 'erp');
    expect(back.stderr).toContain('a.csv: the same file as run 2.');
    appendFileSync(join(it.path, 'a.csv'), 'D,Sofa,EUR,4,2,,\n');
    const other = await it.run('products', join(it.path, 'a.csv'), '--feed', 'erp');
    expect(other.stderr).not.toContain('the same file');
  });

  it('a run that was killed is interrupted, what it changed is known, and it can be undone', async () => {
    const path = folder();
    const rows = (price: number): string =>
      `sku,currency,price\n${Array.from({ length: 3000 }, (_, i) => `S-${i},EUR,${price}\n`).join('')}`;
    writeFileSync(join(path, 'feed.csv'), rows(10));
    await typed(path, ['products', 'feed.csv', '--quiet']);
    writeFileSync(join(path, 'feed.csv'), rows(99));
    const killed = await outcome(
      start(path, ['products', 'feed.csv', '--quiet', '--feed', 'erp'], { CATALOG_FAILPOINT: 'after-commit:4' }),
    );
    expect(killed.signal).toBe('SIGKILL');
    const db = join(path, 'catalog.db');
    const runs = JSON.parse((await typedHere(['runs', '--output', 'json', '--db', db])).stdout);
    expect(runs[1]).toMatchObject({ state: 'interrupted', exit: null });
    const changed = Number(runs[1].updated);
    expect(changed).toBeGreaterThan(0);
    expect(changed).toBeLessThan(3000);
    const undone = await typedHere(['undo', '2', '--db', db]);
    expect(undone.stdout).toBe(
      `${changed.toLocaleString('en')} items: ${changed.toLocaleString('en')} restored, 0 suspended, 0 kept\n`,
    );
    writeFileSync(join(path, 'feed.csv'), rows(10));
    const again = await typed(path, ['products', 'feed.csv', '--output', 'json']);
    expect(JSON.parse(again.stdout).response).toMatchObject({ unchanged: 3000, updated: 0 });
  });

  it('forgets runs by their age, and says what cannot be undone any more', async () => {
    const it = shop();
    await it.night('a.csv', first);
    await it.night('b.csv', second);
    expect((await it.run('runs', 'forget', '--keep', '1d')).stderr).toBe('No run is that old.\n');
    const forgotten = await it.run('runs', 'forget', '--keep', '0d');
    expect(forgotten.code).toBe(2);
    const begun = Math.floor(Date.now() / 1000);
    await expect.poll(() => Math.floor(Date.now() / 1000) > begun).toBe(true);
    expect((await it.run('runs', 'forget', '--keep', '1s')).stderr).toBe(
      '2 runs forgotten, the last of them run 2; they cannot be undone or explained any more.\n',
    );
    const undo = await it.run('undo', '2');
    expect(undo.code).toBe(9);
    expect(undo.stderr).toContain('Run 2 not found');
    // Numbers are not given again.
    await it.night('c.csv', first);
    expect(JSON.parse((await it.run('runs', '--output', 'json')).stdout)).toMatchObject([{ run: 3 }]);
  });

  it.each([
    ['runs'],
    ['runs', 'show', '1'],
    ['runs', 'forget', '--keep', '1d'],
    ['why', 'product', '--sku', 'A'],
    ['undo', '1'],
    ['missing', '--feed', 'erp'],
  ])('%s works where the catalog is', async (...args) => {
    const { code, stderr } = await typedHere([...args, '--remote', 'http://localhost:1']);
    expect(code).toBe(2);
    expect(stderr).toContain('history is kept with its catalog');
  });
});

describe('why', () => {
  it('names the line of the run that gave a field its value, the latest first', async () => {
    const it = shop();
    await it.night('a.csv', first, '--feed', 'erp');
    const off = ['--max-price-change', 'off', '--max-created', 'off'];
    await it.night('b.csv', second, '--feed', 'erp', ...off);
    const { stdout } = await it.run('why', 'product', '--sku', 'A', '--field', 'price');
    const lines = stdout.split('\n').map((line) => line.replace(/\S*\//, ''));
    expect(lines[0]).toMatch(/^day +value +run +feed +line +before$/);
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\d {2}999\.00 {3}2 {4}erp {3}b\.csv:2 {2}10\.00$/);
    expect(lines[2]).toMatch(/^\d{4}-\d\d-\d\d {2}created {2}1 {4}erp {3}a\.csv:2$/);
    // The key needs no option.
    expect((await it.run('why', 'product', 'A', '--field', 'price')).stdout).toBe(stdout);
    expect((await it.run('why', 'product', 'A', '--sku', 'A')).code).toBe(2);
    const graded = JSON.parse((await it.run('why', 'product', '--sku', 'C', '--output', 'json')).stdout);
    expect(graded).toContainEqual(
      expect.objectContaining({ field: 'grades[new].price', value: '31.00', before: '30.00', line: 4 }),
    );
    // A list is all of its entries; what is no field is a slip of the pen.
    const list = await it.run('why', 'product', '--sku', 'C', '--field', 'grades', '--output', 'json');
    const fields = JSON.parse(list.stdout).map(({ field }: { field: string }) => field);
    expect(fields).toContain('grades[new].price');
    expect(fields.every((field: string) => field === '' || field.startsWith('grades['))).toBe(true);
    const table = await it.run('why', 'product', '--sku', 'C', '--field', 'grades');
    expect(table.stdout).toMatch(/^\d{4}-\d\d-\d\d {2}grades\[new\]\.price +31\.00 /m);
    const slip = await it.run('why', 'product', '--sku', 'C', '--field', 'prise');
    expect(slip.code).toBe(2);
    expect(slip.stderr).toContain('Product has no field "prise". Did you mean "price"?');
  });

  it('an unknown record is not found', async () => {
    const it = shop();
    await it.night('a.csv', first);
    expect((await it.run('why', 'product', '--sku', 'X')).code).toBe(9);
    expect((await it.run('why', 'product')).code).toBe(2);
  });
});

describe('undo', () => {
  it('gives every field back, children included, suspends what was created, and can be undone', async () => {
    const it = shop();
    await it.night('a.csv', first);
    const before = await Promise.all(['A', 'B', 'C'].map((sku) => product(it, sku)));
    await it.night('b.csv', second);
    const after = await Promise.all(['A', 'B', 'C'].map((sku) => product(it, sku)));
    expect((await it.run('undo', '2', '--dry-run')).stdout).toBe('Dry run: 4 items: 3 restored, 1 suspended, 0 kept\n');
    expect(await product(it, 'A')).toEqual(after[0]);
    expect((await it.run('undo', '2')).stdout).toBe('4 items: 3 restored, 1 suspended, 0 kept\n');
    expect(await Promise.all(['A', 'B', 'C'].map((sku) => product(it, sku)))).toEqual(before);
    expect(await product(it, 'D')).toMatchObject({ status: 'suspended' });
    expect((await it.run('undo', '2')).stdout).toBe(
      '4 items: 0 restored, 0 suspended, 0 kept, 4 as they were already. Run 2 is undone already, by run 3.\n',
    );
    await it.run('undo', '3');
    expect(await Promise.all(['A', 'B', 'C'].map((sku) => product(it, sku)))).toEqual(after);
    expect(await product(it, 'D')).toMatchObject({ status: 'draft' });
  });

  it('says why it took nothing back', async () => {
    const it = shop();
    await it.night('a.csv', first, '--feed', 'erp');
    await it.night('b.csv', [], '--feed', 'erp');
    await it.night('c.csv', first, '--feed', 'erp');
    const undone = async (...args: string[]) => (await it.run('undo', ...args)).stdout;
    expect(await undone('2', '--dry-run')).toBe(
      'Dry run: 0 items: 0 restored, 0 suspended, 0 kept. A guard stopped run 2 before it wrote anything.\n',
    );
    expect(await undone('3')).toContain('0 kept. Run 3 changed nothing.\n');
    expect(await undone('1')).not.toContain('changed nothing');
    expect(await undone('1')).toContain('as they were already. Run 1 is undone already, by run 5.\n');
    expect(await undone('5')).not.toContain('already, by');
    expect(await undone('1')).not.toContain('already, by');
    expect((await it.run('runs')).stdout).toMatch(/^5 .* done, exit 0 +\d suspended +undo 1$/m);
  });

  it('keeps what was changed since, and says by whom', async () => {
    const it = shop();
    await it.night('a.csv', first);
    await it.night('b.csv', second);
    await it.night('c.csv', ['A,Lamp,EUR,15,1,,']);
    await it.night('d.csv', ['B,Stool,EUR,20,2,,'], '--no-history');
    expect((await it.run('undo', '2')).stdout).toBe(
      '4 items: 1 restored, 1 suspended, 2 kept (changed since: 1 by run 3; 1 changed outside the history)\n',
    );
    expect(await product(it, 'A')).toMatchObject({ price: '15.00' });
    expect(await product(it, 'B')).toMatchObject({ name: 'Stool' });
    // The run that undid it knows so, too.
    const shown = await it.run('runs', 'show', '4');
    expect(shown.stdout).toMatch(/^end +1 suspended, 1 restored, 2 kept$/m);
    expect(shown.stdout).toMatch(/^noticed +note fields_kept: .*A price \(changed since by run 3\)/m);
    const { end, warnings } = JSON.parse((await it.run('runs', 'show', '4', '--output', 'json')).stdout);
    expect(end).toEqual({ suspended: 1, regained: 0, passed_on: 0, restored: 1, kept: 2 });
    expect(warnings).toMatchObject([{ code: 'fields_kept', params: { count: 2 } }]);
  });

  it('takes what the end of a feed suspended for a change of the ledger', async () => {
    const it = shop();
    await it.night('a.csv', ['A,Lamp,EUR,10,1,,'], '--set', 'status=activated', '--feed', 'acme');
    const begun = Math.floor(Date.now() / 1000);
    // Runs that ended before the undone one began are not looked at.
    await expect.poll(() => Math.floor(Date.now() / 1000) > begun + 1).toBe(true);
    await it.night('b.csv', ['A,Lamp,EUR,11,1,,'], '--feed', 'acme');
    await it.run('undo', '2');
    await it.run('feeds', 'retire', 'acme');
    expect((await it.run('undo', '2')).stdout).toBe(
      '1 item: 0 restored, 0 suspended, 0 kept, 1 as it was already. Run 2 is undone already, by run 3.\n',
    );
    expect(await product(it, 'A')).toMatchObject({ price: '10.00', status: 'suspended' });
  });

  it('goes by history and not by value: what was suspended again by hand stays suspended', async () => {
    const it = shop();
    await it.night('a.csv', ['A,Lamp,EUR,10,1,,'], '--set', 'status=activated');
    await it.night('b.csv', ['A,Lamp,EUR,10,1,,'], '--set', 'status=suspended', '--feed', 'erp');
    await it.night('c.csv', ['A,Lamp,EUR,10,1,,'], '--set', 'status=activated', '--no-history');
    await it.night('d.csv', ['A,Lamp,EUR,10,1,,'], '--set', 'status=suspended', '--no-history');
    const undone = JSON.parse((await it.run('undo', '2', '--output', 'json')).stdout);
    expect(undone).toMatchObject({
      ...{ kept: 1, kept_because: { unrecorded_change: 1 }, changed_since: [] },
      kept_fields: [{ resource: 'product', key: 'A', field: 'status', reason: 'unrecorded_change' }],
    });
    expect(await product(it, 'A')).toMatchObject({ status: 'suspended' });
  });

  it('takes back records of every resource, and they come back as they were', async () => {
    const db = join(folder(), 'shop.db');
    const type = (...args: string[]) => typedHere([...args, '--db', db]);
    const shown = async () => (await type('export', 'reviews')).stdout.replace(/"updated_at":\d+/g, '');
    expect((await type('run', demo, '-q')).code).toBe(0);
    const before = await shown();
    const undone = await type('undo', '1');
    expect([undone.code, undone.stdout]).toEqual([0, expect.stringContaining('467 suspended')]);
    expect((await type('doctor')).code).toBe(0);
    expect((await type('run', demo, '-q')).code).toBe(0);
    expect(await shown()).toBe(before);
    expect((await type('doctor')).code).toBe(0);
  });

  it('of two bad nights, the earlier one first, leaves nothing of either', async () => {
    const it = shop();
    for (const price of ['10', '11.5', '12']) await it.night('a.csv', [`A,Lamp,EUR,${price},1,,`]);
    expect((await it.run('undo', '2')).stdout).toContain('1 kept (changed since: 1 by run 3)');
    expect((await it.run('undo', '3')).stdout).toContain('1 restored');
    expect(await product(it, 'A')).toMatchObject({ price: '10.00' });
  });

  it('is told in reports with what changed in each record, and which fields it kept', async () => {
    const it = shop();
    await it.night('one.csv', first);
    await it.night('two.csv', second);
    await it.night('three.csv', ['A,Lamp,EUR,555,1,,']);
    const at = (name: string) => join(it.path, name);
    const reports = ['u.ndjson', 'u.csv', 'u.html'].flatMap((name) => ['--report-file', at(name)]);
    // The page has a script and a style that the build makes.
    const { code, stderr } = await outcome(start(it.path, ['undo', '2', '--db', at('shop.db'), ...reports]));
    expect([code, stderr]).toEqual([0, 'note fields_kept: 1 record kept fields: A price (changed since by run 3)\n']);
    const read = (name: string) => readFileSync(at(name), 'utf8');
    const lines = read('u.ndjson')
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(lines.find((line) => line.external_id === 'B')).toMatchObject({
      ...{ cause: 'undone', action: 'updated', resource: 'product', line: null },
      changes: [{ field: 'name', from: 'Big chair', to: 'Chair' }],
    });
    expect(lines.at(-1)).toMatchObject({ run: 4, total: 0, end: { restored: 2, suspended: 1 }, exit: 0 });
    expect(lines.at(-1).warnings).toMatchObject([{ code: 'fields_kept', params: { count: 1 } }]);
    expect(read('u.csv')).toContain(',B,updated,');
    const page = read('u.html').replace(/<(script|style)[\s\S]*?<\/\1>/g, '');
    expect(page).toContain('3 records changed');
    expect(page).toContain('A price (changed since by run 3)');
    expect(page).not.toMatch(/0 files|every item was accepted|nothing to import/);
  });

  it('--since takes a run and all later ones back at once, also undos among them, as its dry run says', async () => {
    const it = shop();
    for (const price of ['10', '11', '12', '13']) await it.night('a.csv', [`A,Lamp,EUR,${price},1,,`]);
    await it.run('undo', '2');
    await it.night('b.csv', ['A,Lamp,EUR,14,1,,', 'B,Chair,EUR,1,1,,'], '--feed', 'erp');
    const words = '2 items: 1 restored, 1 suspended, 0 kept\n';
    expect((await it.run('undo', '--since', '3', '--dry-run')).stdout).toBe(`Dry run: ${words}`);
    expect((await it.run('undo', '--since', '3')).stdout).toBe(words);
    // The undo of run 2 was taken back, too.
    expect(await product(it, 'A')).toMatchObject({ price: '11.00' });
    const shown = JSON.parse((await it.run('runs', '--output', 'json')).stdout);
    expect(shown.at(-1)).toMatchObject({ run: 7, command: 'undo --since 3', undoes: [3, 4, 5, 6] });
    await it.run('undo', '7');
    expect(await product(it, 'A')).toMatchObject({ price: '14.00' });
    for (const args of [['undo'], ['undo', '1', '--since', '1']]) expect((await it.run(...args)).code).toBe(2);
  });

  it('leaves nothing behind of a record that it suspended: what lists it again creates it anew', async () => {
    const it = shop();
    await it.night('a.csv', ['A,Lamp,EUR,10,7,,'], '--set', 'status=activated', '--set', 'note=x');
    await it.run('undo', '1');
    expect((await it.night('b.csv', ['A,,,,,,'])).code).toBe(3);
    writeFileSync(join(it.path, 'new.csv'), 'sku,currency,name\nA,CHF,New name\n');
    await it.run('products', join(it.path, 'new.csv'), '--quiet');
    const back = await product(it, 'A');
    expect(back).toMatchObject({
      status: 'draft',
      price: '0.00',
      stock: 0,
      note: '',
      currency: 'CHF',
      slug: 'new-name',
    });
  });

  it('leaves a record that another feed lists, and says so', async () => {
    const it = shop();
    await it.night('a.csv', ['A,Lamp,EUR,10,1,,'], '--feed', 'erp', '--set', 'status=activated');
    await it.night('b.csv', ['A,Lamp,EUR,10,1,,'], '--feed', 'other');
    expect((await it.run('undo', '1')).stdout).toBe('1 item: 0 restored, 0 suspended, 1 kept (1 listed by a feed)\n');
    expect(await product(it, 'A')).toMatchObject({ status: 'activated', price: '10.00' });
  });

  it('of a created record that it keeps, says of each field which run changed it, or that a feed lists the record', async () => {
    const it = shop();
    await it.night('a.csv', ['A,Lamp,EUR,10,1,,'], '--feed', 'erp', '--set', 'status=activated');
    await it.night('b.csv', ['A,Lamp,EUR,12,1,,'], '--feed', 'erp');
    await it.run('feeds', 'retire', 'erp');
    const undone = JSON.parse((await it.run('undo', '1', '--output', 'json')).stdout);
    const why = (name: string) => undone.kept_fields.find(({ field }: { field: string }) => field === name);
    expect(why('name')).toEqual({ resource: 'product', key: 'A', field: 'name', reason: 'listed_by_feed' });
    expect(why('price')).toMatchObject({ reason: 'changed_since', run: 2 });
    expect(why('status')).toMatchObject({ reason: 'changed_since', run: 3 });
    expect(await product(it, 'A')).toMatchObject({ status: 'suspended', price: '12.00' });
  });

  it('of a created record without a feed, tells what a run changed from what it may have sent as it is, and nothing of empty fields', async () => {
    const it = shop();
    await it.night('a.csv', ['A,Lamp,EUR,10,1,,']);
    await it.night('b.csv', ['A,Lamp,EUR,12,1,,']);
    const { kept_fields: kept } = JSON.parse((await it.run('undo', '1', '--output', 'json')).stdout);
    const told = kept.map(({ field, reason, run }: Record<string, unknown>) => `${field} ${reason} ${run}`);
    expect(told.sort()).toEqual([
      ...['currency record_changed 2', 'name record_changed 2', 'price changed_since 2', 'slug record_changed 2'],
      'stock record_changed 2',
    ]);
  });

  it('leaves shop data, which have no status, and says so', async () => {
    const it = shop();
    const files = folder();
    writeFileSync(join(files, 'brands.csv'), 'id,name\nbrand-1,One\n');
    writeFileSync(join(files, 'products.csv'), `${header}A,Lamp,EUR,10,1,,\n`);
    await it.run('run', files, '--quiet');
    expect((await it.run('undo', '1')).stdout).toBe(
      "2 items: 0 restored, 1 suspended, 1 kept (1 of the shop's data, which have no status)\n",
    );
  });

  it('a list that was changed since stays as a whole, with what follows from it', async () => {
    const it = shop();
    await it.night('a.csv', ['C,Table,EUR,,,30,']);
    await it.night('b.csv', ['C,Table,EUR,,,31,20']);
    await it.night('c.csv', ['C,Table,EUR,,,31,25']);
    const kept = await product(it, 'C');
    expect((await it.run('undo', '2')).stdout).toContain('1 kept (changed since: 1 by run 3)');
    expect(await product(it, 'C')).toEqual(kept);
    const again = await it.run('products', join(it.path, 'c.csv'), '--output', 'json');
    expect(JSON.parse(again.stdout).response).toMatchObject({ unchanged: 1 });
  });

  it('records that it suspended are new again when they are listed again, unless a user suspended them', async () => {
    const it = shop();
    await it.night('a.csv', first);
    await it.night('b.csv', second, '--set', 'status=activated');
    await it.run('undo', '2');
    expect(await product(it, 'D')).toMatchObject({ status: 'suspended' });
    const listed = await it.night('b.csv', second, '--output', 'json', '--report', 'all');
    expect(listed.stdout).toContain('status_regained');
    expect(await product(it, 'D')).toMatchObject({ status: 'draft' });
    await it.night('d.csv', ['D,Sofa,EUR,4,2,,'], '--set', 'status=suspended');
    await it.night('b.csv', second);
    expect(await product(it, 'D')).toMatchObject({ status: 'suspended' });
  });
});

describe('a feed', () => {
  it('without a row is stopped, also at its first run', async () => {
    const it = shop();
    const empty = await it.night('a.csv', [], '--feed', 'erp');
    expect(empty.code).toBe(8);
    expect(empty.stderr).toContain('--min-rows: 0 rows; at least 1 are expected');
    expect((await it.night('a.csv', [], '--feed', 'erp', '--min-rows', 'off')).code).toBe(0);
  });

  it.each([[['--max-changed', '3%']], [['--max-refused', '2%']], [['--missing', 'suspend']]])(
    'is what %j needs',
    async (options) => {
      const it = shop();
      const { code, stderr } = await it.night('a.csv', first, ...options);
      expect(code).toBe(2);
      expect(stderr).toContain('Name the feed with --feed');
    },
  );
});

describe('default guards', () => {
  it('allow a handful of records in a tiny feed; guards on the command line do not', async () => {
    const it = shop();
    await it.night('a.csv', first, '--feed', 'erp');
    const fewer = ['A,Lamp,EUR,100,1,,', 'D,Sofa,EUR,4,2,,'];
    const asked = await it.night('b.csv', fewer, '--feed', 'erp', '--max-missing', '20%');
    expect(asked.code).toBe(8);
    expect(asked.stderr).toContain('--max-missing: 2 are missing, 66.7 % of 3 (limit 20 %)');
    expect(asked.stderr).not.toContain('--max-price-change');
    expect((await it.night('b.csv', fewer, '--feed', 'erp')).code).toBe(0);
    const many = Array.from({ length: 6 }, (_, i) => `N${i},New,EUR,1,1,,`);
    const grown = await it.night('c.csv', [...fewer, ...many], '--feed', 'erp');
    expect(grown.code).toBe(8);
    expect(grown.stderr).toContain('--max-created: 6 would be created');
  });
});

/** Without guards a feed is read as it comes. */
const guardOptions = [...shareOptions.map(({ option }) => option), '--max-price-change', '--max-refused', '--min-rows'];
const withoutGuards = guardOptions.flatMap((option) => [option, 'off']);

describe('killed runs and concurrent runs', () => {
  it('guards are compared with the result of a concurrent run of the feed', async () => {
    const rows = (count: number): string =>
      `sku,currency\n${Array.from({ length: count }, (_, i) => `S-${i},EUR\n`).join('')}`;
    const path = folder({ 'few.csv': rows(10), 'many.csv': rows(41) });
    const db = join(path, 'catalog.db');
    await typed(path, ['products', 'few.csv', '--feed', 'erp', '--quiet']);
    const growing = start(path, ['products', '-', '--format', 'csv', '--feed', 'erp', '--quiet', ...withoutGuards]);
    const ended = outcome(growing);
    growing.stdin?.write(rows(40));
    const states = async (): Promise<string[]> => {
      const { stdout } = await typedHere(['runs', '--output', 'json', '--db', db]);
      return JSON.parse(stdout).map(({ state }: { state: string }) => state);
    };
    await expect.poll(states).toEqual(['done', 'open']);
    const waiting = start(path, ['products', 'many.csv', '--feed', 'erp']);
    const second = outcome(waiting);
    await lineOf(waiting, /run 2 is under way; waiting/, 'stderr');
    growing.stdin?.end();
    expect((await ended).code).toBe(0);
    const { code, stderr } = await second;
    expect(stderr).toContain('erp: within its guards');
    expect(code).toBe(0);
    expect(await states()).toEqual(['done', 'done', 'done']);
  });

  it('also without history, which leaves no run behind: not when it ended, nor when it was killed', async () => {
    const path = folder({ 'a.csv': 'sku,currency\nA,EUR\n' });
    const db = join(path, 'catalog.db');
    const off = ['--max-created', 'off', '--max-missing', 'off', '--quiet'];
    const runs = async (): Promise<unknown[]> => {
      const { stdout } = await typedHere(['runs', '--output', 'json', '--db', db]);
      return stdout === '' ? [] : (JSON.parse(stdout) as unknown[]);
    };
    const unkept = ['products', '-', '--format', 'csv', '--feed', 'erp', '--no-history', '--quiet', ...withoutGuards];
    const first = start(path, unkept);
    const ended = outcome(first);
    first.stdin?.write('sku,currency\nX,EUR\n');
    await expect.poll(runs).toMatchObject([{ state: 'open', feed: 'erp' }]);
    const second = start(path, ['products', 'a.csv', '--feed', 'erp', '--no-history', ...off.slice(0, 4)]);
    const waited = outcome(second);
    await lineOf(second, /erp: run 1 is under way; waiting for it to end\./, 'stderr');
    first.stdin?.end();
    expect((await ended).code).toBe(0);
    expect((await waited).code).toBe(0);
    expect(await runs()).toEqual([]);
    expect((await typed(path, ['undo', '1'])).code).toBe(9);
    const killed = start(path, unkept);
    const gone = outcome(killed);
    killed.stdin?.write('sku,currency\nX,EUR\n');
    await expect.poll(runs).toMatchObject([{ state: 'open' }]);
    killed.kill('SIGKILL');
    await gone;
    expect(await runs()).toEqual([]);
    expect((await typed(path, ['products', 'a.csv', '--feed', 'erp', '--quiet'])).code).toBe(0);
    expect(await runs()).toMatchObject([{ run: 4, state: 'done' }]);
  });

  it('an undo that was killed is continued by running it again', async () => {
    const path = folder();
    const rows = (price: number): string =>
      `sku,currency,price\n${Array.from({ length: 1500 }, (_, i) => `S-${i},EUR,${price + (i % 7)}\n`).join('')}`;
    writeFileSync(join(path, 'a.csv'), rows(10));
    writeFileSync(join(path, 'b.csv'), rows(99));
    await typed(path, ['products', 'a.csv', '--quiet']);
    await typed(path, ['products', 'b.csv', '--quiet']);
    const killed = await outcome(start(path, ['undo', '2'], { CATALOG_FAILPOINT: 'after-commit:3' }));
    expect(killed.signal).toBe('SIGKILL');
    const db = join(path, 'catalog.db');
    const again = await typedHere(['undo', '2', '--db', db]);
    const [, restored = '', unchanged = ''] =
      /^1,500 items: ([\d,]+) restored, 0 suspended, 0 kept, ([\d,]+) as they were already\n$/.exec(again.stdout) ?? [];
    expect(Number(restored.replace(',', '')) + Number(unchanged.replace(',', ''))).toBe(1500);
    const runs = JSON.parse((await typedHere(['runs', '--output', 'json', '--db', db])).stdout);
    expect(runs.map(({ state }: { state: string }) => state)).toEqual(['done', 'done', 'interrupted', 'done']);
    const back = await typed(path, ['products', 'a.csv', '--output', 'json']);
    expect(JSON.parse(back.stdout).response).toMatchObject({ unchanged: 1500 });
  });

  it('a run waits for a concurrent run of its feed, which it then knows, and not for one of another feed', async () => {
    const path = folder({ 'a.csv': 'sku,currency\nA,EUR\n', 'b.csv': 'sku,currency\nB,EUR\n' });
    const db = join(path, 'catalog.db');
    const first = start(path, ['products', '-', '--format', 'csv', '--feed', 'erp', '--quiet', ...withoutGuards]);
    const ended = outcome(first);
    first.stdin?.write('sku,currency\nX,EUR\n');
    const states = async (): Promise<string[]> => {
      const { stdout } = await typedHere(['runs', '--output', 'json', '--db', db]);
      return stdout === '' ? [] : JSON.parse(stdout).map(({ state }: { state: string }) => state);
    };
    await expect.poll(states).toEqual(['open']);
    // It lists something else than the one before it.
    const off = ['--max-created', 'off', '--max-missing', 'off'];
    const waiting = [1, 2].map(() => outcome(start(path, ['products', 'a.csv', '--feed', 'erp', ...off])));
    expect((await typed(path, ['products', 'b.csv', '--feed', 'other', '--quiet'])).code).toBe(0);
    expect(await states()).toEqual(['open', 'done']);
    first.stdin?.end();
    expect((await ended).code).toBe(0);
    const waited = await Promise.all(waiting);
    expect(waited.map(({ code }) => code)).toEqual([0, 0]);
    expect(waited.filter(({ stderr }) => stderr.includes('a.csv: the same file as run'))).toHaveLength(1);
    expect(await states()).toEqual(['done', 'done', 'done', 'done']);
  });
});
