// The scratch store of a dry run.
import { expect, it } from 'vitest';
import { openDatabase, prepareScratch } from '../../../src/store/sqlite/database.js';

it.each(['product_id', 'characteristic_id'])('finds the lowest number in %s without reading all rows', (table) => {
  const database = openDatabase('', false);
  prepareScratch(database);
  const plan = database.prepare(`EXPLAIN QUERY PLAN SELECT min(0, ifnull(min(seq), 0)) - 1 FROM ${table}`).all();
  expect(plan).toMatchObject([{ detail: expect.stringContaining('COVERING INDEX') }]);
  database.close();
});

it('takes rows that refer to records of the catalog', () => {
  const database = openDatabase('', false);
  prepareScratch(database);
  database.exec("INSERT INTO product_media VALUES (-1, 'file_x', 1, 1, 'activated', 1)");
  expect(database.prepare('SELECT count(*) FROM product_media').pluck().get()).toBe(1);
  database.close();
});
