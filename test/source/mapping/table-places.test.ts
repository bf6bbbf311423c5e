// Where the records of a table are, how they are written, and whether a section fills their cells.
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MappingSection, ReadRule, Section, TableRule } from '../../../src/source/mapping/mapping.js';
import { isSamePlace, placeOf, tablesOfFiles } from '../../../src/source/mapping/table-fills.js';
import { ofValues, recordsOptions, tableForm } from '../../../src/source/mapping/table-form.js';
import { fileOf } from '../given.js';

const [feed, other] = [fileOf('id,v\n', 'feed.csv'), fileOf('id,v\n', 'other.csv')];
const table = (more: Partial<TableRule> = {}): TableRule => ({ key: 'id', columns: { v: 'v' }, ...more });
const fill = { columns: ['id'] };

function formOf(one: TableRule, { read = {}, section = {} }: { read?: ReadRule; section?: Partial<Section> } = {}) {
  const mapped: MappingSection = {
    name: 'map.yaml',
    place: '',
    section: { to: '', fields: {}, ...section },
    tables: {},
    read,
  };
  return tableForm(one, { file: feed }, mapped);
}

it('the words of a table count before those of its read', () => {
  expect(placeOf(table())).toStrictEqual({});
  expect(placeOf(table({ read: { sheet: 'A', record: 'r', items: 'i' } }))).toStrictEqual({
    sheet: 'A',
    record: 'r',
    items: 'i',
  });
  expect(placeOf(table({ sheet: 'B', record: 's', read: { sheet: 'A', items: 'i' } }))).toStrictEqual({
    sheet: 'B',
    record: 's',
    items: 'i',
  });
  expect(placeOf(table({ items: 'j', read: { items: 'i' } }))).toStrictEqual({ items: 'j' });
});

it.each([
  [{}, {}, {}, true],
  [{ sheet: 'A' }, {}, {}, false],
  [{ sheet: 'A' }, {}, { sheet: 'A' }, true],
  [{ record: 'r' }, { record: 'r', items: 'i' }, {}, false],
  [{ items: 'i' }, { items: 'i' }, { sheet: 'B' }, true],
])('the places %j and %j, where the mapping reads %j, are the same: %s', (one, two, read, isSame) => {
  expect(isSamePlace(one, two, read)).toBe(isSame);
});

it('a table of the file of a section has what that fills in the same records', () => {
  const section = (more: Partial<Section>): Section => ({ to: '', fields: {}, file: 'a.csv', ...more });
  const made = (one: TableRule, ...sections: Section[]) => tablesOfFiles({ t: one }, { read: {}, sections })['t'];
  const own = table({ file: 'a.csv' });
  const filled = { ...own, isOfSection: true, filled: fill };
  expect(made(own, section({ fill }))).toEqual(filled);
  expect(made(own, section({}), section({ fill }))).toEqual(filled);
  expect(made(own, section({}))).toEqual({ ...own, isOfSection: true });
  expect(made(own, section({ sheet: 'B', fill }), section({}))).toEqual({ ...own, isOfSection: true });
  expect(made(own, section({ file: 'b.csv', fill }))).toEqual(own);
  expect(made(table(), section({ fill }))).toEqual(table());
});

describe('the form of a table', () => {
  const read: ReadRule = { delimiter: '|', skip: 1, zone: 'Europe/Berlin' };

  it('is that of the mapping where its file is that of a section', () => {
    for (const one of [table(), table({ file: basename(feed) }), table({ file: basename(other), isOfSection: true })])
      expect(formOf(one, { read })).toMatchObject({ isApart: false, mapped: { read } });
    const form = formOf(table({ file: basename(other), read: { skip: 2 } }), { read });
    expect(form.isApart).toBe(true);
    expect(form.mapped.read).toEqual({ zone: 'Europe/Berlin', skip: 2 });
  });

  it.each<[string, TableRule, object, boolean]>([
    ['of the same records', table(), {}, true],
    ['of the same file, by its name', table({ file: basename(feed) }), {}, true],
    ['of other records of the file', table({ sheet: 'B' }), {}, false],
    ['of the same sheet', table({ sheet: 'B' }), { sheet: 'B' }, true],
    ['of another file', table({ file: basename(other) }), {}, false],
    ['that says what it fills', table({ fill: 'none' }), {}, false],
  ])('%s has the cells that a section fills', (_, one, section, isFilled) => {
    expect(formOf(one, { section: { ...section, fill } }).filled).toEqual(isFilled ? fill : undefined);
  });
});

it.each<[ReadRule, ReadRule]>([
  [
    { decimal: ',', zone: 'Europe/Berlin', trim: true, skip: 1, format: 'csv' },
    { decimal: ',', zone: 'Europe/Berlin', trim: true },
  ],
  [{ trim: false, skip: 1 }, { trim: false }],
  [{ delimiter: ';' }, {}],
])('of %j the values of another file have %j', (read, values) => {
  expect(ofValues(read)).toStrictEqual(values);
});

describe('the options by which a table is read', () => {
  const options = {
    file: feed,
    format: 'csv',
    delimiter: '|',
    skip: 1,
    encoding: 'latin1',
    sheet: 'A',
    limit: 5,
  } as const;
  const own = { format: 'tsv', delimiter: ';', skip: 2, encoding: 'utf-16le' } as const;

  it.each<[string, TableRule, object]>([
    ['those of the file', table(), options],
    ['its own', table({ read: own }), { ...options, ...own }],
    ['its own where it says some', table({ read: { skip: 0 } }), { ...options, skip: 0 }],
    ['none of the form where it is apart', table({ file: basename(other) }), { file: other, limit: 5 }],
    [
      'its own where it is apart',
      table({ file: basename(other), read: { delimiter: ';', encoding: 'latin1' } }),
      { file: other, limit: 5, delimiter: ';', encoding: 'latin1' },
    ],
  ])('are %s', async (_, one, expected) => {
    const { mapped: __, mustFit: ___, ...made } = await recordsOptions(options, formOf(one));
    expect(made).toStrictEqual(expected);
  });
});
