// The tables that a section needs, wherever it names them.
import { expect, it } from 'vitest';
import type { TableRule } from '../../../src/source/mapping/mapping.js';
import { parentsFirst } from '../../../src/source/mapping/rows/parents-first.js';
import { tablesOf } from '../../../src/source/mapping/used-tables.js';

const looking = (table: string) => ({ column: 'a', lookup: { table, column: 'v' } });
const table = (key: TableRule['key']): TableRule => ({ key, columns: { v: 'v' } });

it.each([
  ['in a field', { fields: { name: looking('a') } }, 'a'],
  ['through other tables, in the order in which they are written', { fields: { name: looking('c') } }, 'a b c'],
  ['in rows_of', { fields: {}, each: { rows_of: 'b', key: 'x' } }, 'a b'],
  ['in itself', { fields: { name: looking('d') } }, 'd'],
  ['in each other', { fields: { name: looking('e') } }, 'e f'],
  ['nowhere', { fields: { name: 'a', value: { value: null } } }, ''],
  ['that does not exist', { fields: { name: looking('x') } }, ''],
] as const)('a table that is named %s', (_, section, names) => {
  const tables = {
    a: table('k'),
    b: table(looking('a')),
    c: table({ first: [looking('b')] }),
    d: table(looking('d')),
    e: table(looking('f')),
    f: table(looking('e')),
  };
  const found = tablesOf({ section: { to: '', ...section } as never, tables });
  expect(found.map(([name]) => name).join(' ')).toBe(names);
});

it('parents of which there is no table wait for nothing', () => {
  const order = (parent: unknown) =>
    parentsFirst({ section: { fields: { parent } } } as never, { tables: new Map(), repeated: new Set() });
  expect([order(looking('x')), order('up'), order(undefined)]).toEqual([undefined, undefined, undefined]);
});
