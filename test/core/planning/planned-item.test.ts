// What an item of a plan expects to replace, and that it replaces nothing else.
import { describe, expect, it } from 'vitest';
import type { ExpectedValues } from '../../../src/core/import-report.js';
import { suspensionTable } from '../../../src/core/ledger/run-tables.js';
import { byUndo } from '../../../src/core/ledger/suspension.js';
import type { Row, Table } from '../../../src/core/rows/table.js';
import { storeCatalog } from '../../../src/store/catalog.js';
import { type Given, given, type Item, problemsOf } from '../../given.js';
import { imported } from '../../store/given.js';
import { memoryStore } from '../../store/memory-store.js';

describe('an item of a plan that is made expects', () => {
  it('of a reference the key of its record, and of a text that only looks like an identifier the text', async () => {
    const catalog = storeCatalog(memoryStore());
    const before = { name: 'Lamps', description: 'cate_x', parent: 'Home' };
    await imported(catalog, 'categories', [{ name: 'Home' }, { name: 'Desk' }, before]);
    const item = { name: 'Lamps', description: 'for the desk', parent: 'Desk' };
    const [report] = await imported(catalog, 'categories', [item], { diff: true, plan: 'make', dryRun: true });
    expect(report?.data[0]?.planned).toEqual({ expect: { description: 'cate_x', parent: 'Home' } });
  });

  it('nothing where it changes nothing, and of a new record that there is none', () => {
    const shop = given().has('category', { name: 'Home' });
    const make = { plan: 'make', diff: true, dryRun: true } as const;
    const items = [{ name: 'Home' }, { name: 'Desk' }, { name: 'Desk', parent: 'none' }];
    expect(shop.send('category', items, make).data.map(({ planned }) => planned)).toEqual([
      undefined,
      { expect: null },
      undefined,
    ]);
    expect(shop.line('category', { name: 'Desk' }, { diff: true })).not.toHaveProperty('planned');
  });

  it('of entries also whether they are listed', () => {
    const values = (...labels: string[]) => ({ name: 'Size', values: labels.map((label) => ({ label })) });
    const shop = given().has('attribute', values('S', 'M')).has('attribute', values('M'));
    const { planned } = shop.line('attribute', values('S'), { plan: 'make', diff: true, dryRun: true });
    expect(planned?.expect).toMatchObject({ 'values[S].listed': false, 'values[M].listed': true });
  });
});

/** Applies an item of a plan. @returns what becomes of it, in a refusal with the fields that changed */
function applied(shop: Given, resource: string, item: Item, expected: ExpectedValues): string {
  const line = shop.line(resource, { kind: 'raw', item, planned: { expect: expected } }, { plan: 'apply' });
  const how = /the plan was made ?(.*)\. It|is not in this catalog/.exec(line.reason ?? '');
  return how === null ? (line.code ?? line.action) : `${line.code} ${how[1] ?? how[0]}`.trim();
}

describe('an item of a plan that is applied', () => {
  const item = (description: string) => ({ name: 'Lamps', description });

  it.each([
    ['replaces what it expected', item('new'), { description: 'old' }, 'updated'],
    ['replaces no other value', item('new'), { description: 'older' }, 'changed_since_plan (description)'],
    ['replaces no value that it did not expect to replace', item('new'), {}, 'changed_since_plan (description)'],
    ['has changed nothing where the value is there already', item('old'), { description: 'older' }, 'unchanged'],
    ['creates no record that is there already', item('new'), null, 'changed_since_plan'],
    ['creates nothing where the same record is there', item('old'), null, 'unchanged'],
    ['creates a record', { name: 'Desk' }, null, 'created'],
    ['changes no record that is gone', { name: 'Desk' }, {}, 'changed_since_plan is not in this catalog'],
  ])('%s', (_, sent, expected, outcome) => {
    expect(applied(given().has('category', item('old')), 'category', sent, expected)).toBe(outcome);
  });

  it('is not said to be late where it is refused anyway', () => {
    const shop = given().has('category', item('old'));
    const late = { kind: 'raw', item: { ...item('new'), parent: 'none' }, planned: { expect: {} } };
    expect(problemsOf(shop.line('category', late, { plan: 'apply' }))).toEqual(['reference_not_found parent']);
  });
});

describe('a plan without `listed`, as earlier builds made it,', () => {
  const size = (...values: Item[]) => ({ name: 'Size', values });
  const [s, m] = [{ label: 'S' }, { label: 'M', description: 'm' }];
  const shop = () => given().has('attribute', size(s, m));
  const status = { 'values[M].status': 'activated' };
  const description = { 'values[M].description': 'm' };

  it('changes and leaves out entries whose other members are as it expects', () => {
    const wide = { ...m, description: 'wide' };
    const left = { 'values[S].status': 'activated', ...description };
    expect(applied(shop(), 'attribute', size(wide), left)).toBe('updated');
    expect(applied(shop(), 'attribute', size(s), status)).toBe('updated');
    expect(applied(shop(), 'attribute', size(s), { 'values[M].status': 'draft' })).toBe(
      'changed_since_plan (values[M].status)',
    );
  });

  it('changes no entry of which it expects nothing', () => {
    const off = given().has('attribute', size(s, { ...m, status: 'suspended' }));
    expect(applied(off.copy(), 'attribute', size(s), {})).toBe('changed_since_plan (values[M].listed)');
    expect(applied(off, 'attribute', size(s), { 'values[M].listed': true })).toBe('updated');
  });

  it('lists no entry that was left out since', () => {
    const left = shop().has('attribute', size(s));
    expect(
      applied(left, 'attribute', size(s, { ...m, description: 'wide', status: 'activated' }), {
        ...description,
        'values[M].status': 'suspended',
      }),
    ).toBe('changed_since_plan (values[M].listed)');
  });
});

describe('a record that a plan would create, and that is suspended now,', () => {
  it.each([
    ['as its creation was undone', 'suspended', { status: 'activated', run: byUndo('1') }, 'updated'],
    ['as its feed no longer lists it', 'suspended', { status: 'activated', run: '1' }, 'changed_since_plan'],
    ['by hand, after a suspension that is over', 'suspended', { status: '', run: byUndo('1') }, 'changed_since_plan'],
    ['by hand', 'suspended', undefined, 'changed_since_plan'],
    ['no longer', 'activated', { status: 'activated', run: byUndo('1') }, 'changed_since_plan'],
  ])('%s (%s): %s', (_, status, suspension, outcome) => {
    const tables = new Map<Table, Map<string, Row>>();
    const shop = given({ tables }).has('category', { name: 'Lamps', status });
    const id = shop.id('category', 'Lamps');
    if (suspension !== undefined)
      tables.set(suspensionTable as Table, new Map([[JSON.stringify([id]), { id, ...suspension }]]));
    expect(applied(shop, 'category', { name: 'Lamps', description: 'new' }, null)).toBe(outcome);
  });
});
