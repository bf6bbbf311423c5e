// What is recorded of an item: the creation of its record alone, or each row that it changed.
import { expect, it } from 'vitest';
import { newChangeLog, recordItem } from '../../../src/core/ledger/change-log.js';
import { gradeTable } from '../../../src/core/resources/product-grades.js';
import { productTable } from '../../../src/core/resources/product-table.js';
import type { Row, Table } from '../../../src/core/rows/table.js';

const root = productTable as Table;
const [was, is]: readonly Row[] = [
  { id: '1', updated_at: 5 },
  { id: '1', updated_at: 7 },
] as readonly Row[];
const child = { table: gradeTable as Table, before: undefined, next: { product_id: '1' } as Row };

function tablesOf(before: Row | undefined, saves = [child], count = saves.length): string[] {
  const log = newChangeLog();
  log.batch = [12];
  recordItem(log, 0, { table: root, before, next: is as Row }, { saves, count });
  expect(new Set(log.lines)).toEqual(new Set(log.lines.length === 0 ? [] : [12]));
  return log.tables.map(({ name }, i) => `${name} ${log.marksBefore[i]}-${log.marksAfter[i]}`);
}

it('of a new record its creation, since its rows came with it', () => {
  expect(tablesOf(undefined)).toEqual([`${root.name} 0-7`]);
});

it('of a record that was there each row that changed, and no others', () => {
  expect(tablesOf(was)).toEqual([`${root.name} 5-7`, `${gradeTable.name} 5-7`]);
  expect(tablesOf(was, [child], 0)).toEqual([`${root.name} 5-7`]);
  expect(tablesOf(is)).toEqual([`${gradeTable.name} 7-7`]);
});
