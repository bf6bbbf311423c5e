// The examples that `inspect --write-map` writes: records of the file, short, and what the mapping makes of them.
import { describe, expect, it } from 'vitest';
import type { Inspection } from '../../../../src/source/inspection/inspect-file.js';
import { draftExamples, exampleRows } from '../../../../src/source/mapping/examples/draft-examples.js';
import { tested } from './given.js';

describe('the rows', () => {
  const rowsOf = (first: Inspection['first'], key: string | undefined, titles?: string) =>
    exampleRows(
      { first, ...(titles !== undefined && { sectionRows: { first: titles } }) } as unknown as Inspection,
      key,
      (column) => column === 'read',
    );

  it('are the first two that have a key, without empty cells of columns that are not read', () => {
    const first = [{ no: '', read: '1' }, { no: 'A', read: '', other: '' }, { read: '2' }, { no: 'B', other: 'x' }];
    expect(rowsOf([...first, { no: 'C' }], 'no')).toEqual([
      { no: 'A', read: '' },
      { no: 'B', other: 'x' },
    ]);
    expect(rowsOf(first, undefined)).toEqual(
      [
        { no: '', read: '1' },
        { no: 'A', read: '' },
      ].map(({ no, ...row }) => ({ ...(no !== '' && { no }), ...row })),
    );
    expect(rowsOf([{ no: '', read: '1' }, { read: '2' }], 'no')).toEqual([{ read: '1' }, { read: '2' }]);
  });

  it('are shortened in their texts and lists, wherever these are', () => {
    const text = 'x'.repeat(121);
    const row = {
      text,
      list: [1, text, null, 4],
      inner: { text, list: [[1, 2, 3, 4]] },
      none: null,
      number: 1,
      is: true,
    };
    const short = 'x'.repeat(120);
    expect(rowsOf([row], undefined)).toEqual([
      { ...row, text: short, list: [1, short, null], inner: { text: short, list: [[1, 2, 3]] } },
    ]);
  });

  it('have the title above them', () => {
    expect(rowsOf([{ no: 'A' }], 'no', 'Drills')).toEqual([{ no: 'A', Section: 'Drills' }]);
  });
});

describe('what the mapping makes of them', () => {
  const rows = [{ sku: 'A', cat: 'B' }, { sku: 'C' }];

  it('are the items of the resource', async () => {
    const mapping = tested('fields: { sku: sku, name: cat }');
    expect(await draftExamples(rows, mapping)).toBe(`examples:
  - rows:
      - sku: A
        cat: B
    items:
      - sku: A
        name: B
  - rows:
      - sku: C
    items:
      - sku: C
`);
  });

  it('are the items of each resource', async () => {
    const mapping = tested(`import:
  - { to: categories, fields: { name: cat } }
  - { to: products, fields: { sku: sku } }
`);
    expect(await draftExamples(rows.slice(0, 1), mapping)).toBe(`examples:
  - rows:
      - sku: A
        cat: B
    items:
      categories:
        - name: B
      products:
        - sku: A
`);
  });

  it('is nothing where the row is left out', async () => {
    const skip = 'skip: { of: sku, is: C }';
    for (const map of [
      `${skip}\nfields: { sku: sku }`,
      `import: [{ to: categories, ${skip}, fields: { name: sku } }, { to: products, ${skip}, fields: { sku: sku } }]`,
    ])
      expect(await draftExamples(rows.slice(1), tested(map))).toBe('examples:\n  - rows:\n      - sku: C\n');
  });

  it('is not known while it has questions', async () => {
    expect(await draftExamples(rows.slice(1), undefined)).toBe('examples:\n  - rows:\n      - sku: C\n');
  });
});
