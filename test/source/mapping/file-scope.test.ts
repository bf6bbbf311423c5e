// What the names of a mapping are in one file: its columns, or the members of its records.
import { describe, expect, it } from 'vitest';
import { fileScope } from '../../../src/source/mapping/file-scope.js';
import type { MappingSection } from '../../../src/source/mapping/mapping.js';

function scopeOf(columns: readonly string[] | undefined, more: Partial<MappingSection> = {}) {
  const mapped = {
    name: 'map.yaml',
    place: 'the mapping',
    section: { to: '', fields: {} },
    tables: {},
    read: {},
    ...more,
  };
  return fileScope(mapped, columns, { tables: new Map(), repeated: new Set() });
}

describe('a column', () => {
  it('is the one of exactly this name, or else of the name in other letters', () => {
    const { column, indexOf } = scopeOf(['SKU', 'sku', ' Name ']);
    expect(column('sku')?.(['1', '2', '3'])).toBe('2');
    expect(indexOf('Sku')).toBe(0);
    expect(indexOf('name')).toBe(2);
    expect(column('price')).toBeUndefined();
    expect(indexOf('price')).toBeUndefined();
  });

  it('is used, and is told with the fields that it fills', () => {
    const { column, indexOf, filling, used, fieldsBy } = scopeOf([' a.b ', 'c', 'd', 'e']);
    column('c');
    filling('price');
    column('a.b');
    filling('name');
    column('a.b');
    indexOf('d');
    filling('');
    column('a.b');
    expect([...used]).toEqual(['c', ' a.b ', 'd']);
    expect([...fieldsBy].map(([name, fields]) => [name, ...fields])).toEqual([['c'], ['a.b', 'price', 'name']]);
  });

  it('that may be missing is told, unless one of those that suffice is there', () => {
    const { named, absent } = scopeOf(['a']);
    named?.(['a', 'b'], { place: '', optional: true });
    named?.(['c', 'd'], { place: '', optional: true });
    named?.(['e'], { place: '' });
    expect(absent()).toEqual(['c']);
  });
});

it('a member is told by the first part of its path', () => {
  const { column, filling, used, fieldsBy } = scopeOf(undefined);
  filling('price');
  for (const path of ['offer.price', 'prices[t=net].a']) column(path);
  expect([...used]).toEqual(['offer.price', 'prices[t=net].a']);
  expect([...fieldsBy.keys()]).toEqual(['offer', 'prices']);
});

describe('members are watched for', () => {
  const within = () => undefined;

  it.each([
    ['in records that are objects', undefined, {}, undefined, true],
    ['not in those of an example, which need not have them', undefined, { isExample: true }, undefined, false],
    ['not in the rows of a table', ['a'], {}, undefined, false],
    ['in the JSON of its cells', ['a'], {}, within, true],
    ['not in that of an example', ['a'], { isExample: true }, within, false],
  ])('%s', (_, columns, more, inside, isWatched) => {
    const scope = scopeOf(columns, more);
    scope.named?.(['a'], { place: 'here', ...(inside && { within: inside }) });
    expect(scope.members !== undefined).toBe(isWatched);
  });
});
