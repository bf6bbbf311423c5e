// `once`: what is emitted of records with the same key, at once and at the end of the file.
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../../src/core/diagnostics/refusal-codes.js';
import { type Entry, rawEntry, type UnreadableEntry, unreadableEntry } from '../../../../src/core/entry.js';
import { type Fields, list, text } from '../../../../src/core/fields/fields.js';
import { recordKey } from '../../../../src/core/fields/record-key.js';
import type { Section } from '../../../../src/source/mapping/mapping.js';
import { deduplicator } from '../../../../src/source/mapping/rows/deduplicate.js';
import { category, characteristic, product } from '../../given.js';

interface Given {
  readonly fields?: Fields;
  readonly section?: Partial<Section>;
  readonly most?: number;
}

/** Takes entries, the first on line 2. */
function run(once: 'first' | 'merge', entries: readonly Entry[], { fields = product, section, most }: Given = {}) {
  const key = recordKey(fields, 'sku' in fields ? 'sku' : 'name');
  const made = deduplicator({ to: '', fields: {}, ...section, once }, key, 'feed.csv', most);
  const taken = entries.map((entry, i) => made?.take(entry, { lines: [i + 2], number: i + 1 }));
  const rest = made?.rest() ?? [];
  return { taken, rest: rest.map(({ entry }) => entry), lines: rest.map(({ lines }) => lines), notes: made?.notes() };
}

function refused(externalId: string, item: object, more: Partial<UnreadableEntry> & { message?: string } = {}) {
  const { message = 'wrong', ...others } = more;
  const problem = { field: 'price', code: 'field_format', message } as Problem;
  return { ...unreadableEntry(problem, externalId), item: item as Record<string, unknown>, ...others };
}

const skus = (...names: string[]) => names.map((sku) => rawEntry({ sku }));
const euro = { field: 'price', written: '€', codes: ['EUR'], text: '1 €', source: 'column "p"' };

describe('there are at most so many keys', () => {
  const different = (sku: string, ...names: string[]) => names.map((name) => rawEntry({ sku, name }));
  const doubted = (...possibleKeys: string[]) => refused('', {}, { possibleKeys });

  it.each<[string, 'first' | 'merge', Entry[], Entry]>([
    ['items', 'first', skus('A', 'B', 'A'), rawEntry({ sku: 'C' })],
    ['items that are made one', 'merge', skus('A', 'B', 'A'), rawEntry({ sku: 'C' })],
    ['rows that differ from the first one', 'first', different('A', 'x', 'y'), rawEntry({ sku: 'A', name: 'z' })],
    ['items beside these', 'first', different('A', 'x', 'y'), rawEntry({ sku: 'B' })],
    ['refused ones', 'first', [refused('A', {}), refused('B', {})], refused('C', {})],
    ['those of refused ones', 'first', [doubted('A', 'B'), doubted('A', '')], doubted('C')],
  ])('%s', (_, once, entries, further) => {
    expect(run(once, entries, { most: 2 }).rest.length).toBeLessThan(3);
    const all = () => run(once, [...entries, further], { most: 2 });
    expect(all).toThrow('feed.csv: once: more than 2 different keys, or rows that differ');
  });

  it('and one that a file has already is none of those that a refused row may have', () => {
    const entries = [...skus('A'), doubted('A', 'B', ''), doubted('B', 'C')];
    expect(run('first', entries, { most: 2 }).rest).toEqual(skus('A'));
  });
});

describe('the first record of a key', () => {
  it('counts, and later ones that say the same are left out', () => {
    const [first, less, more] = [{ sku: 'A', name: 'Tea' }, { sku: 'A' }, { sku: 'A', name: 'TEA' }].map(rawEntry);
    expect(run('first', [first, less, more] as Entry[]).rest).toEqual([first]);
  });

  it('is refused with those that differ, each of which comes back as the first one writes it', () => {
    const entries = [
      { sku: 'A', name: 'Tea', price: '5', stock: undefined },
      { sku: 'A', name: 'TEA', price: '6' },
      { sku: 'A', name: 'tea', price: '5.0' },
    ].map(rawEntry);
    const { rest } = run('first', [...entries, { ...rawEntry({ sku: 'A', price: '5' }), amounts: [euro] }]);
    expect(rest).toMatchObject([
      { externalId: 'A', problem: { code: 'mapping_rows_disagree' }, item: { sku: 'A', name: 'Tea', price: '5' } },
      { externalId: 'A', problem: { code: 'mapping_rows_disagree' }, item: { sku: 'A', name: 'Tea', price: '6' } },
    ]);
    expect(rest.map((entry) => 'amounts' in entry)).toEqual([false, false]);
  });

  it('is in the currency of all', () => {
    const first = rawEntry({ sku: 'A', price: '5' });
    expect(run('first', [first, { ...first, amounts: [euro] }]).rest).toEqual([{ ...first, amounts: [euro] }]);
    expect(run('first', [first, first]).rest).toEqual([first]);
  });

  it('has all entries of later lists', () => {
    const media = (...files: string[]) => rawEntry({ sku: 'A', media: files.map((file) => ({ file })) });
    expect(run('first', [media('a', 'b'), media('b')]).rest).toEqual([media('a', 'b')]);
    expect(run('first', [media('a', 'b'), media('b', 'c')]).rest).toMatchObject([
      { problem: { code: 'mapping_rows_disagree' } },
      { problem: { code: 'mapping_rows_disagree' } },
    ]);
  });

  it('may be one that could not be read, the first of them', () => {
    const doubted = refused('', {}, { possibleKeys: ['A'] });
    const { rest } = run('first', [doubted, doubted, ...skus('A', 'B')]);
    expect(rest).toMatchObject([{ problem: { code: 'record_incomplete' } }, { kind: 'raw', item: { sku: 'B' } }]);
    expect((rest[0] as UnreadableEntry).problem.message).toMatch(/^line 2 could not be read/);
  });

  it('may be refused, and later ones come back with it where they are refused otherwise, or say something else', () => {
    const first = refused('A', { sku: 'A', name: 'Tea', stock: 1 });
    const rest = (...later: Entry[]) => run('first', [first, ...later]).rest;
    expect(rest(first, refused('A', { sku: 'A', price: '5' }), rawEntry({ sku: 'A', name: 'tea' }))).toEqual([first]);
    const others = [
      refused('A', { sku: 'A', name: 'Tea', stock: 2 }),
      refused('A', { sku: 'A', name: 'Tea' }, { message: 'missing' }),
    ];
    expect(rest(...others)).toEqual([first, ...others]);
    expect(rest(rawEntry({ sku: 'A', name: 'Cup' }))).toMatchObject([
      first,
      { problem: { code: 'mapping_rows_disagree' } },
    ]);
  });
});

describe('categories under several parents', () => {
  const one = (name: string, parent: string, more = {}) => rawEntry({ name, ...(parent && { parent }), ...more });
  const section: Partial<Section> = { each: { path: 'p', separator: '>' } };
  const places = (entries: Entry[], more: Given = {}) => {
    const { rest, notes = [] } = run('first', entries, { fields: category, ...more });
    const codes = rest.map((entry) => (entry.kind === 'unreadable' ? entry.problem.code : entry.kind));
    return { codes: codes.join(' '), words: notes.map(({ words }) => words) };
  };

  it('are refused but for the first, each once', () => {
    const { codes, words } = places([one('X', 'P'), one('X', ''), one('X', 'p'), one('X', ' ')], { section });
    expect(codes).toBe('raw category_path_mismatch');
    expect(words).toEqual([
      '1 category under more than one parent is refused: "X" (under P, top level). To tell them apart, write name: {repeated: parent} next to path: in each of the mapping',
    ]);
  });

  it.each([
    [2, '2 categories under more than one parent are refused: "X1" (under P, under Q), "X2" (under P, under Q). '],
    [3, '"X2" (under P, under Q), "X3" (under P, under Q). Name them apart in the file'],
    [4, '"X2" (under P, under Q), "X3" (under P, under Q) and 1 more. Name them apart in the file'],
  ])('are told: %s of them', (count, end) => {
    const names = Array.from({ length: count }, (_, i) => `X${i + 1}`);
    const { codes, words } = places(names.flatMap((name) => [one(name, 'P'), one(name, 'Q')]));
    expect(codes).toBe('raw category_path_mismatch '.repeat(count).trim());
    expect(words[0]).toContain(`${count} categories under more than one parent are refused: "X1" (under P, under Q), `);
    expect(words[0]).toContain(end);
  });

  it('are none where the first is refused, or may be', () => {
    const rows = [one('X', 'P'), one('X', 'Q')];
    expect(places([refused('X', { name: 'X' }), ...rows])).toEqual({ codes: 'field_format', words: [] });
    expect(places([refused('', {}, { possibleKeys: ['X'] }), ...rows])).toEqual({
      codes: 'record_incomplete',
      words: [],
    });
    expect(places([one('X', 'P'), one('X', 'p')])).toEqual({ codes: 'raw', words: [] });
  });

  it('keep their own parent where they come back for something else', () => {
    const entries = [one('X', 'P', { reference: '1' }), one('X', 'p', { reference: '2' })];
    const { rest } = run('first', entries, { fields: category });
    expect(rest).toMatchObject([
      { item: { name: 'X', parent: 'P', reference: '1' } },
      { item: { name: 'X', parent: 'p', reference: '2' } },
    ]);
  });
});

describe('a refused row of once: merge', () => {
  const named = { sku: product['sku'], name: text('name') } as Fields;
  const slug = text('slug');

  it.each<[string, Fields, boolean]>([
    ['waits where a later row may give the name that the slug is made of', { ...named, slug }, true],
    ['comes back alone without a slug', named, false],
    ['comes back alone without a name', { sku: named['sku'] as Fields[string], slug }, false],
    ['comes back alone where the name is the key', { name: characteristic['name'] as Fields[string], slug }, false],
  ])('%s', (_, fields, waits) => {
    const key = 'sku' in fields ? 'sku' : 'name';
    const { taken, rest } = run('merge', [refused('A', { [key]: 'A' }), rawEntry({ [key]: 'A', note: 'x' })], {
      fields,
    });
    expect([taken[0] === undefined, rest[0]?.kind]).toEqual(waits ? [true, 'unreadable'] : [false, 'raw']);
  });

  it('comes back with what it adds to those before it', () => {
    const photos = list('photos', { file: text('file') }, 'file');
    const fields: Fields = { ...characteristic, photos, note: text('note') };
    const item = {
      name: 'A',
      kind: 'colour',
      note: 'x',
      values: [{ label: 'red' }],
      photos: [{ file: 'a' }],
    };
    const back = (...before: object[]) =>
      (run('merge', [...before.map(rawEntry), refused('A', item)], { fields }).taken.at(-1) as UnreadableEntry).item;
    expect(back()).toEqual({ ...item, values: { add: item.values } });
    expect(back({ name: 'A', kind: 'Colour', values: [{ label: 'blue' }] })).toEqual({
      ...item,
      kind: 'Colour',
      values: { add: item.values },
    });
    expect(back({ name: 'A', kind: 'custom', photos: [{ file: 'b' }] })).toEqual({
      name: 'A',
      note: 'x',
      values: { add: item.values },
    });
    const added = { ...item, values: { add: item.values } };
    expect(run('merge', [refused('A', added)], { fields }).taken).toEqual([refused('A', added)]);
  });
});
