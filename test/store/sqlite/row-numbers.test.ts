// By which number rows refer to a record: the one in its identifier, or one that is listed for it.
import { describe, expect, it } from 'vitest';
import { idsFrom } from '../../../src/store/identifiers.js';
import { openCatalog } from '../../../src/store/open.js';
import { openDatabase, prepareScratch } from '../../../src/store/sqlite/database.js';
import type { Database } from '../../../src/store/sqlite/driver.js';
import { type Adoption, type RowNumbers, rowNumbers } from '../../../src/store/sqlite/rows/row-numbers.js';
import { imported, newDatabase } from '../given.js';

const numbersOf = (database: Database, adoption: Adoption): RowNumbers =>
  rowNumbers((_, sql) => database.prepare(sql()), adoption);

/** Product identifiers that contain a number, of two catalogs. */
const own = (number: number) => idsFrom(() => '0'.repeat(26))(Date.now())('prod_', number);
const foreign = (number: number) => idsFrom(() => '1'.repeat(26))(Date.now())('prod_', number);
const provisional = `prod_-${'3'.padStart(26, '0')}`;

/** A catalog with one product, whose number is 1, and one characteristic. */
async function filled(name: string): Promise<{ database: Database; product: string; characteristic: string }> {
  const { file, database } = await newDatabase(name);
  const catalog = await openCatalog({ file, create: false });
  await imported(catalog, 'characteristics', [{ name: 'Colour', values: [{ label: 'red' }] }]);
  await imported(catalog, 'products', [{ sku: 'A', currency: 'EUR' }]);
  await catalog.close();
  const idIn = (table: string) => String(database.prepare(`SELECT id FROM ${table} WHERE seq = 1`).pluck().get());
  return { database, product: idIn('product'), characteristic: idIn('characteristic') };
}

describe('a catalog', () => {
  it('knows its records by their numbers, and others not at all', async () => {
    const { database, product, characteristic } = await filled('numbers.db');
    const numbers = numbersOf(database, 'none');
    for (const [table, id] of [
      ['product', product],
      ['characteristic', characteristic],
    ] as const) {
      expect([numbers.find(table, id), numbers.numberOf(table, id), numbers.idOf(table, 1)]).toEqual([1, 1, id]);
      numbers.forget();
      expect(numbers.find(table, id)).toBe(1);
    }
    expect(numbers.find('product', own(300_000))).toBe(300_000);
    expect(numbers.find('product', provisional)).toBeUndefined();
    expect(numbers.find('characteristic', 'attr_none')).toBeUndefined();
    expect(() => numbers.numberOf('characteristic', 'attr_none')).toThrow(
      'a row refers to characteristic attr_none, which the catalog does not have',
    );
    database.close();
  });

  it('has the identifiers of other catalogs in a list, which another process may have begun', async () => {
    const { database, product } = await filled('listed.db');
    const numbers = numbersOf(database, 'none');
    expect(numbers.find('product', foreign(9))).toBe(9);
    database.prepare('INSERT INTO product_id VALUES (?, -4)').run(foreign(9));
    numbers.forget();
    for (let i = 0; i < 2; i++) {
      expect(numbers.find('product', foreign(9))).toBe(-4);
      expect(numbers.find('product', product)).toBe(1);
    }
    expect(numbers.idOf('product', -4)).toBe(foreign(9));
    database.close();
  });
});

describe('a catalog that takes products of another one', () => {
  it('gives each the number in its identifier where that is free, and one below 0 otherwise', async () => {
    const { database, product } = await filled('restored.db');
    const numbers = numbersOf(database, 'products');
    const number = (id: string) => numbers.numberOf('product', id);
    expect(number(product)).toBe(1);
    expect(number(foreign(1))).toBe(-1);
    expect(number(own(7))).toBe(7);
    expect(number(foreign(7))).toBe(-2);
    expect(number(own(7))).toBe(7);
    expect(number(own(0))).toBe(-3);
    expect(number('short')).toBe(-4);
    // Also once the transaction is over.
    const found = () => [product, foreign(1), foreign(7), own(0), 'short'].map((id) => numbers.find('product', id));
    expect(found()).toEqual([1, -1, -2, -3, -4]);
    numbers.forget();
    expect(found()).toEqual([1, -1, -2, -3, -4]);
    expect([foreign(1), foreign(7), 'short'].map(number)).toEqual([-1, -2, -4]);
    expect(numbers.idOf('product', -2)).toBe(foreign(7));
    expect(database.prepare('SELECT count(*) FROM product_id').pluck().get()).toBe(4);
    database.close();
  });
});

describe('the scratch copy of a dry run', () => {
  it('counts what it made itself, and lists all that is of the catalog', () => {
    const database = openDatabase('', false);
    prepareScratch(database);
    const numbers = numbersOf(database, 'all');
    expect(numbers.find('product', provisional)).toBe(3);
    expect(numbers.numberOf('product', provisional)).toBe(3);
    expect(numbers.find('product', own(7))).toBeUndefined();
    expect(numbers.find('characteristic', 'attr_a')).toBeUndefined();
    expect([own(7), foreign(7), own(7)].map((id) => numbers.numberOf('product', id))).toEqual([-1, -2, -1]);
    expect(['attr_a', 'attr_b', 'attr_a'].map((id) => numbers.numberOf('characteristic', id))).toEqual([-1, -2, -1]);
    database.exec(
      `INSERT INTO characteristic VALUES (5, 'attr_own', 'k', 'n', 'custom', '', 'catalog', NULL, 0, 'activated', 0, 0, 0, 0)`,
    );
    for (let i = 0; i < 2; i++) {
      expect(numbers.find('product', foreign(7))).toBe(-2);
      expect(numbers.find('characteristic', 'attr_b')).toBe(-2);
      expect(numbers.find('characteristic', 'attr_own')).toBe(5);
      numbers.forget();
    }
    expect(numbers.idOf('product', -1)).toBe(own(7));
    numbers.forget();
    expect(numbers.idOf('characteristic', -1)).toBe('attr_a');
    database.close();
  });
});
