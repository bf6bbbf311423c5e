// Categories come behind their parents, whatever their order in the file. How much waits for that has a bound.
import { expect, it } from 'vitest';
import type { Problem } from '../../../../src/core/diagnostics/refusal-codes.js';
import { rawEntry, unreadableEntry } from '../../../../src/core/entry.js';
import { parentsFirst } from '../../../../src/source/mapping/rows/parents-first.js';

const section = { fields: { parent: { column: 'up', lookup: { table: 't', column: 'name' } } } };
const problem = { field: 'name', code: 'field_format', message: 'wrong' } as Problem;
const most = 8000;
const long = 'x'.repeat(1000);

/** Takes and gives names; a refused one is marked. */
function orderOf(names: readonly string[]) {
  const row = (name: string) => [{ line: 1, number: 1, cells: { name } }];
  const rows = new Map(names.map((name) => [name, row(name)]));
  const tables = new Map([['t', { columns: ['name'], rows }]]);
  const order = parentsFirst({ section } as never, { tables, repeated: new Set() }, most);
  const from = { line: 1, lines: [1], number: 1, raw: '' };
  const named = (placed: readonly { readonly entry: object }[]) =>
    placed.map(({ entry }) =>
      'externalId' in entry
        ? `!${entry.externalId}`
        : (entry as { readonly item: { readonly name: string } }).item.name,
    );
  return {
    take: (item: { readonly name: string; readonly parent?: string; readonly description?: string }) =>
      named(order?.take({ entry: rawEntry(item), from }) ?? []),
    refuse: (name: string) => named(order?.take({ entry: unreadableEntry(problem, name), from }) ?? []),
    rest: () => named(order?.rest() ?? []),
  };
}

it('a child waits for its parent, with its own children', () => {
  const { take, rest } = orderOf(['A', 'B', 'C', 'D', 'Later']);
  expect(take({ name: 'C', parent: 'b' })).toEqual([]);
  expect(take({ name: 'D', parent: 'B' })).toEqual([]);
  expect(take({ name: 'B', parent: 'A' })).toEqual([]);
  expect(take({ name: 'E', parent: 'later' })).toEqual([]);
  expect(take({ name: 'F', parent: 'not in the file' })).toEqual(['F']);
  expect(take({ name: 'A' })).toEqual(['A', 'B', 'C', 'D']);
  expect(take({ name: 'G', parent: 'B' })).toEqual(['G']);
  expect(rest()).toEqual(['E']);
});

it('at the end the others come behind those parents that came, and one of itself waits for none', () => {
  const { take, rest } = orderOf(['A', 'B', 'Later']);
  expect(take({ name: 'B', parent: 'A' })).toEqual([]);
  expect(take({ name: 'A', parent: 'Later' })).toEqual([]);
  expect(rest()).toEqual(['A', 'B']);
  expect(orderOf(['A']).take({ name: 'A', parent: 'a' })).toEqual(['A']);
});

it('a child of one that is refused comes behind it', () => {
  const { take, refuse, rest } = orderOf(['A', 'B', 'C']);
  expect(take({ name: 'B', parent: 'A' })).toEqual([]);
  expect(refuse('a')).toEqual(['!a', 'B']);
  expect(take({ name: '', parent: 'C' })).toEqual([]);
  expect(take({ name: '' })).toEqual(['']);
  expect(rest()).toEqual(['']);
});

it('in a ring nothing is lost', () => {
  const { take, rest } = orderOf(['A', 'B', 'C']);
  for (const [name, parent] of [
    ['A', 'B'],
    ['B', 'A'],
    ['C', 'A'],
  ] as const)
    expect(take({ name, parent })).toEqual([]);
  expect(rest().sort()).toEqual(['A', 'B', 'C']);
});

it('only what waits at one time counts for the bound, and beyond it nothing waits any longer', () => {
  const parents = Array.from({ length: 10 }, (_, i) => `P${i}`);
  const { take } = orderOf(parents);
  for (const name of parents.slice(1)) {
    expect(take({ name: `of ${name}`, parent: name, description: long })).toEqual([]);
    expect(take({ name })).toEqual([name, `of ${name}`]);
  }
  const waiting = Array.from({ length: 8 }, (_, i) => `of P0 ${i}`);
  const taken = waiting.map((name) => take({ name, parent: 'P0', description: long }));
  expect(taken).toEqual([...Array<string[]>(7).fill([]), waiting]);
  expect(take({ name: 'another', parent: 'P0' })).toEqual([]);
});
