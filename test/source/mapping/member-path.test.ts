// The paths by which members of records are read.
import { describe, expect, it } from 'vitest';
import { memberReader, sideBySide, UnexpectedList } from '../../../src/source/mapping/member-path.js';

describe('a path to one value', () => {
  it.each([
    ['a member', 'a', { a: 1 }, 1],
    ['a member of a member', 'a.b', { a: { b: 1 } }, 1],
    ['a whole name', 'a.b', { 'a.b': 1, a: { b: 2 } }, 1],
    ['of a record that is none', 'a', null, undefined],
    ['of a record that is a text', 'length', 'abc', undefined],
    ['of a text', 'a.length', { a: 'abc' }, undefined],
    ['of nothing', 'a.b', { a: null }, undefined],
    ['of a member without it', 'a.b', { a: {} }, undefined],
    ['of a list without entries', 'a.b', { a: [] }, undefined],
  ])('%s', (_, path, record, value) => {
    expect(memberReader(path)(record)).toBe(value);
  });

  it('through a list names the list and what is in its entries', () => {
    expect(memberReader('a.b.c')({ a: { b: [{ c: 1 }, { c: 2 }] } })).toEqual(new UnexpectedList('a.b', 'c', 2));
  });
});

describe('a path to the entries of a list', () => {
  const v = [{ t: 'net', x: 1 }, { t: null, x: 2 }, { t: 'null', x: 3 }, { x: 4 }, { t: 'undefined', x: 5 }];

  it.each([
    ['each of them', 'v[].x', { v }, [1, 2, 3, 4, 5]],
    ['those with a value', 'v[t=NET].x', { v }, [1]],
    ['those with the text null', 'v[t=null].x', { v }, [3]],
    ['those with the text undefined', 'v[t=undefined].x', { v }, [5]],
    [
      'those of which one of the values is it',
      'v[t=b].x',
      {
        v: [
          { t: ['a', 'b'], x: 1 },
          { t: [], x: 2 },
        ],
      },
      [1],
    ],
    ['an entry without the member', 'v[].x', { v: [{ x: 1 }, {}, null] }, [1, '', '']],
    ['no list', 'v[].x', {}, undefined],
    ['nothing', 'v[].x', { v: null }, undefined],
    ['one entry', 'v[].x', { v: { x: 1 } }, [1]],
    ['a list in a list', 'a.v[].x', { a: [{ v }, { v }] }, new UnexpectedList('a', 'v', 2)],
  ])('%s', (_, path, record, values) => {
    expect(memberReader(path)(record)).toEqual(values);
  });
});

describe('paths that are read side by side', () => {
  const read = (record: object, ...paths: string[]) => {
    const reader = sideBySide();
    return paths.map(reader).map((one) => one(record));
  };

  it('have one value for each entry of the lists that they share', () => {
    const v = [{ w: [{ u: [{ x: 1, y: 2 }, { y: 3 }] }, { u: [{ x: 4 }] }] }];
    expect(read({ v }, 'v[].w[].u[].x', 'v[].w[].u[].y')).toEqual([
      [1, '', 4],
      [2, 3, ''],
    ]);
  });

  it('have the one filled value of a list in an entry', () => {
    const v = [{ x: ['', 1] }, { x: [null, 2] }, { x: [] }, { x: 3 }];
    expect(read({ v }, 'v[].x')).toEqual([[1, 2, '', 3]]);
    expect(read({ v: [{ x: [1, 2] }] }, 'v[].x')).toEqual([new UnexpectedList('v[].x', '', 2, true)]);
  });

  it('have a place for each element that lacks an attribute', () => {
    const elements = [{ '#text': 'a', '@u': 'kg' }, { '#text': 'b' }];
    expect(read({ p: elements }, 'p@u')).toEqual([['kg', '']]);
    expect(read({ p: ['a', 'b'], 'p@u': ['kg', 'l'] }, 'p@u')).toEqual([['kg', 'l']]);
    expect(read({ x: { p: elements } }, 'x.p@u')).toEqual([['kg', '']]);
    expect(read({ '@u': 'kg' }, '@u')).toEqual(['kg']);
    expect(read({ a: [{ '@u': 'kg' }, { '@u': 'l' }] }, 'a.@u')).toEqual([new UnexpectedList('a', '@u', 2)]);
  });
});
