// A section that is compiled for a file: the entries of its records.
import { describe, expect, it } from 'vitest';
import { decimal, type Fields, key } from '../../../src/core/fields/fields.js';
import { recordKey } from '../../../src/core/fields/record-key.js';
import { fileScope } from '../../../src/source/mapping/file-scope.js';
import { readMapping } from '../../../src/source/mapping/read-mapping.js';
import { sectionMapper } from '../../../src/source/mapping/section-mapper.js';
import { characteristic, fileOf, product } from '../given.js';

/** A section of records with the columns of a table, or with members. */
function mapperOf(text: string, columns: readonly string[] | undefined, fields: Fields = product) {
  const mapping = readMapping(fileOf(text, 'map.yaml'));
  const [section] = mapping.import;
  if (section === undefined) throw new Error('the mapping has no section');
  const mapped = { name: 'map.yaml', place: 'the mapping', section, tables: {}, read: mapping.read };
  const scope = fileScope(mapped, columns, { tables: new Map(), repeated: new Set() });
  const writing = { decimal: '.', empty: 'skip' } as const;
  const file = { columns, set: new Map<string, string>(), writing };
  const { entries } = sectionMapper(mapped, scope, recordKey(fields, 'sku' in fields ? 'sku' : 'name'), file);
  return {
    /** The entries of records, the first on line 2. */
    of: (...records: unknown[]) =>
      entries(
        records,
        records.map((_, i) => ({ line: i + 2, number: i + 1 })),
      ),
    fieldsBy: [...scope.fieldsBy].map(([name, paths]) => [name, ...paths]),
  };
}

describe('an amount with a currency next to it', () => {
  const columns = ['sku', 'p', 'c'];
  const map = (more = '') => `${more}fields: { sku: sku, price: p, currency: c }\n`;
  const euro = [expect.objectContaining({ field: 'price', written: '€', codes: ['EUR'] })];
  const item = { sku: 'A', price: '5' };

  it.each<[string, string, string[], object]>([
    ['is compared with that of the item', '', ['A', '5 €', 'EUR'], { kind: 'raw', item: { ...item, currency: 'EUR' } }],
    ['is still to be compared without one', '', ['A', '5 €', ''], { kind: 'raw', item, amounts: euro }],
    [
      'is compared with that of other rows, too',
      'once: merge\n',
      ['A', '5 €', 'EUR'],
      { kind: 'raw', item: { ...item, currency: 'EUR' }, amounts: euro },
    ],
    ['is none', '', ['A', '5', ''], { kind: 'raw', item }],
  ])('%s', (_, more, row, entry) => {
    expect(mapperOf(map(more), columns).of(row)).toEqual([entry]);
  });

  it.each([
    ['5 €', 'USD', 'currency_mismatch', 'price', '"5 €" names €, and the currency of the item is USD'],
    ['5 €', '€', 'currency_mismatch', 'currency', 'say which one, such as map: {"€": EUR}, else: keep'],
    ['5 kr', 'kr', 'currency_mismatch', 'currency', '"5 kr" names kr, which can be '],
  ])('that contradicts it refuses the item: %s and %s', (price, currency, code, field, message) => {
    const [entry] = mapperOf(map(), columns).of(['A', price, currency]);
    expect(entry).toMatchObject({ kind: 'unreadable', externalId: 'A', problem: { code, field } });
    expect(entry).toHaveProperty('problem.message', expect.stringContaining(message));
  });

  it('of an item that is refused for something else comes back with it', () => {
    const { of } = mapperOf(map().replace('sku: sku', 'sku: sku, stock: q, media: m'), [...columns, 'q', 'm']);
    expect(of(['A', '5 €', '', 'x', ''])).toMatchObject([{ problem: { field: 'stock' }, amounts: euro }]);
    const deep = '['.repeat(200) + ']'.repeat(200);
    expect(of(['A', '5 €', '', '', deep])).toMatchObject([{ problem: { field: 'media' }, amounts: euro }]);
  });

  it('is of no meaning where records have no currency', () => {
    const fields: Fields = { sku: key('the key'), price: decimal('price', 2) };
    const [entry] = mapperOf('fields: { sku: sku, price: p }\n', columns, fields).of(['A', '5 €', '']);
    expect(entry).toEqual({ kind: 'raw', item });
  });
});

it('a problem in another row of an item is told with its line', () => {
  const { of } = mapperOf('rows: sku\nfields: { sku: sku, grades: { entry: { grade: g, price: p } } }\n', [
    'sku',
    'g',
    'p',
  ]);
  const messageOf = (...rows: string[][]) => {
    const [entry] = of(...rows);
    return entry?.kind === 'unreadable' ? entry.problem.message : '';
  };
  expect(messageOf(['A', 'new', 'x'], ['A', 'good', '1'])).toMatch(/^column "p": "x"/);
  expect(messageOf(['A', 'new', '1'], ['A', 'good', 'x'])).toMatch(/^line 3: column "p": "x"/);
});

describe('a list', () => {
  const columns = ['name', 'v'];
  const itemOf = (values: string, row: string[]) => {
    const [entry] = mapperOf(`fields: { name: name, values: ${values} }\n`, columns, characteristic).of(row);
    return entry?.kind === 'raw' ? entry.item : entry;
  };

  it.each([
    ['{ add: { entry: { label: v } } }', 'red', { add: [{ label: 'red' }] }],
    ['{ add: { entry: { label: v } } }', '', undefined],
    ['{ add: v }', '', undefined],
    ['{ entry: { label: v } }', '', undefined],
  ])('%s of %j', (values, cell, made) => {
    expect(itemOf(values, ['A', cell])).toEqual({ name: 'A', ...(made && { values: made }) });
  });

  it('has each entry of several rows once', () => {
    const map = 'rows: name\nfields: { name: name, values: { entry: { label: v } } }\n';
    const { of } = mapperOf(map, columns, characteristic);
    const [red, blue] = [{ label: 'red' }, { label: 'blue' }];
    expect(of(['A', 'red'], ['A', 'blue'], ['A', 'red'])).toMatchObject([{ item: { values: [red, blue] } }]);
    expect(of(['A', 'red'], ['A', 'red'])).toEqual([{ kind: 'raw', item: { name: 'A', values: [red] } }]);
  });
});

describe('columns that no field names', () => {
  const record = { sku: 'A', name: 'Tea', price: '5', more: 'x' };
  const map = 'others: true\nfields: { sku: sku, description: name }\n';

  it.each([
    ['of a table', Object.keys(record), Object.values(record)],
    ['of records that are objects', undefined, record],
  ])('%s fill the field of the same name', (_, columns, given) => {
    expect(mapperOf(map, columns).of(given)).toEqual([
      { kind: 'raw', item: { sku: 'A', description: 'Tea', price: '5' } },
    ]);
  });
});

it('each column is told with the fields that it fills', () => {
  const { fieldsBy } = mapperOf(
    'fields: { sku: sku, name: { template: "{sku} {n}" }, grades: { entry: { grade: g, price: p, stock: { column: s, default: 0 } } }, stock: s }\n',
    ['sku', 'n', 'g', 'p', 's'],
  );
  expect(fieldsBy).toEqual([
    ['sku', 'sku', 'name'],
    ['n', 'name'],
    ['g', 'grades[].grade'],
    ['p', 'grades[].price'],
    ['s', 'grades[].stock', 'stock'],
  ]);
});
