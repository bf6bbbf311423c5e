// What a row refers to is there when it is committed: with a rule that went wrong nothing of the transaction is kept.
import { describe, expect, it } from 'vitest';
import type { Catalog } from '../../../src/core/catalog.js';
import type { Resource } from '../../../src/core/resource.js';
import type { Row, Table } from '../../../src/core/rows/table.js';
import { idsFrom, numberIn } from '../../../src/store/identifiers.js';
import { openCatalog } from '../../../src/store/open.js';
import { type Item, resourceCalled } from '../../given.js';
import { dumpOf } from '../../proof/dump.js';
import { imported, inBatches, newDatabase } from '../given.js';

/** A reference of the schema. */
interface Reference {
  readonly table: string;
  readonly column: string;
  readonly parent: string;
  readonly key: string;
}

/** Records of every kind, in the order in which they can be imported; `tag` makes them others. */
const shop = (tag: string): Readonly<Record<string, readonly Item[]>> => ({
  customers: [{ external_id: `C-${tag}` }],
  orders: [{ external_id: `O-${tag}`, items: [{ external_id: '1' }] }],
  characteristics: [{ name: `Colour ${tag}`, values: [{ label: 'red' }] }],
  categories: [{ name: `Phones ${tag}` }],
  groups: [{ name: `Group ${tag}`, axes: [{ source: 'characteristic', attribute: 'Colour a' }] }],
  products: ['1', '2', '3'].map((number) => ({
    sku: `${tag}-${number}`,
    currency: 'EUR',
    grades: [{ grade: 'new', price: 1 }],
    attributes: [{ type: 'Colour a', value: 'red' }],
    media: [{ file: `file_${tag}` }],
  })),
  reviews: [{ external_id: `R-${tag}`, customer_external_id: 'C-a', product_sku: 'a-1', rating: 5 }],
});

/** A resource whose rows are changed on their way to the store, as by a mistake of its rules. */
function spoilt(resource: Resource, spoil: (table: Table, row: Row) => Row): Resource {
  const { recognition: _, ...decided } = resource;
  return {
    ...decided,
    decide(task) {
      resource.decide({
        ...task,
        saveRecord: (table, before, next, uncompared) => task.saveRecord(table, before, spoil(table, next), uncompared),
        saveChild: (table, before, next, change, compared) =>
          task.saveChild(table, before, spoil(table, next), change, compared),
      });
    },
  };
}

async function filled(name: string): Promise<{ file: string; catalog: Catalog; references: readonly Reference[] }> {
  const { file, database } = await newDatabase(name);
  const references = database
    .prepare(
      `SELECT t.name AS "table", r."from" AS "column", r."table" AS parent, r."to" AS "key"
       FROM sqlite_schema t, pragma_foreign_key_list(t.name) r WHERE t.type = 'table'`,
    )
    .all() as Reference[];
  database.close();
  const catalog = await openCatalog({ file, create: false });
  for (const [word, items] of Object.entries(shop('a')))
    for (const { refused } of await imported(catalog, word, items)) expect(refused).toBe(0);
  return { file, catalog, references };
}

/** An identifier that contains a number. */
function numbered(prefix: string, number: number): string {
  return idsFrom(() => '0'.repeat(26))(Date.now())(prefix, number);
}

/** Imports items by a resource, and gives what it failed with. */
async function failureOf(catalog: Catalog, resource: Resource, items: readonly Item[]): Promise<string> {
  try {
    for await (const _ of catalog.importBatches(resource, inBatches(resource.name, items)));
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('rows that others refer to', () => {
  it('exist for every reference of the schema, whether new or known', async () => {
    const { file, catalog, references } = await filled('references.db');
    const before = dumpOf(file);
    const words = Object.keys(shop('a'));
    const tried: string[] = [];
    for (const { table, column, parent, key } of references) {
      const isProduct = key === 'seq' && parent === 'product';
      // Rows refer to products by the number in which their identifiers end.
      const nothing = isProduct ? numbered('prod_', 999_999) : 'none';
      const word = words.find((one) => resourceCalled(one).tables.some(({ name }) => name === table)) ?? '';
      const resource = spoilt(resourceCalled(word), ({ name }, row) =>
        name === table ? { ...row, [column]: nothing } : row,
      );
      const isKey = resource.tables.some(({ name, id }) => name === table && id.includes(column));
      // What identifies a row cannot change: such a row is always another.
      for (const tag of isKey ? ['b'] : ['a', 'b']) {
        const failure = await failureOf(catalog, resource, shop(tag)[word]?.slice(0, 1) ?? []);
        expect(failure).toBe(
          key === 'seq' && !isProduct
            ? `a row refers to ${parent} ${nothing}, which the catalog does not have`
            : `${table}.${column} refers to ${isProduct ? 999_999 : nothing}, which ${parent} does not have`,
        );
        tried.push(`${table}.${column} ${tag}`);
      }
    }
    expect(tried).toContain('product.category a');
    expect(tried).toContain('product_media.product b');
    expect(tried).toHaveLength(21);
    expect(dumpOf(file)).toEqual(before);
    await catalog.close();
  });

  it('keep their identity', async () => {
    const { file, catalog } = await filled('identity.db');
    const before = dumpOf(file);
    const resource = spoilt(resourceCalled('characteristics'), ({ name }, row) =>
      // The time of the change differs as well, where the second has changed since.
      name === 'characteristic' ? { ...row, id: 'attr_other', unit: 'other' } : row,
    );
    const failure = await failureOf(catalog, resource, shop('a')['characteristics'] ?? []);
    expect(failure).toBe('a row of characteristic was to get another identity (id)');
    expect(dumpOf(file)).toEqual(before);
    await catalog.close();
  });

  it('have no row number that new rows have skipped', async () => {
    const { catalog } = await filled('gap.db');
    const resource = spoilt(resourceCalled('products'), ({ name }, row) =>
      name === 'product' && numberIn(String(row['id'])) === 6 ? { ...row, id: numbered('prod_', 16) } : row,
    );
    const failure = await failureOf(catalog, resource, shop('b')['products'] ?? []);
    expect(failure).toBe('product_grade.product refers to 6, which product does not have');
    await catalog.close();
  });

  it('have no row number after the last new one, or before the first', async () => {
    const { file, database } = await newDatabase('behind.db');
    database.close();
    const catalog = await openCatalog({ file, create: false });
    const items = ['1', '2', '3'].map((sku) => ({ sku, currency: 'EUR', media: [{ file: 'file_1' }] }));
    for (const [away, number] of [
      [1, 4],
      [-1, 0],
    ] as const) {
      const resource = spoilt(resourceCalled('products'), ({ name }, row) =>
        name === 'product_media'
          ? { ...row, product: numbered('prod_', numberIn(String(row['product'])) + away) }
          : row,
      );
      const failure = await failureOf(catalog, resource, items);
      expect(failure).toBe(`product_media.product refers to ${number}, which product does not have`);
    }
    expect(dumpOf(file).records.size).toBe(0);
    await catalog.close();
  });
});
