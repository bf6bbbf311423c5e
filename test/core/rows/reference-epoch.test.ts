// When the counter of changes to records that others refer to is incremented.
import { expect, it } from 'vitest';
import { movesEpoch } from '../../../src/core/rows/reference-epoch.js';
import type { SavedRows } from '../../../src/core/rows/snapshot.js';
import { column, defineTable, type Row, type Table } from '../../../src/core/rows/table.js';

const columns = { id: column.text };
const referred = defineTable('referred', columns, { id: ['id'], isReferredTo: true });
const other = defineTable('other', columns, { id: ['id'] });

const row: Row = { id: 'a' };
const isNew: SavedRows = { created: [row], changed: new Map() };
const isChanged: SavedRows = { created: [], changed: new Map([[row, { id: 'b' }]]) };
const isUnknown: SavedRows = { created: [], changed: new Map([[row, 'unknown']]) };

const moving: readonly (readonly [string, boolean, readonly (readonly [Table, SavedRows])[]])[] = [
  ['a changed record that others refer to moves it', true, [[referred, isChanged]]],
  ['one that may be new or not, too', true, [[referred, isUnknown]]],
  ['a new one does not: nothing that was accepted can refer to it', false, [[referred, isNew]]],
  ['no other record does', false, [[other, isChanged]]],
  ['nothing at all does not', false, []],
  [
    'of many tables one is enough',
    true,
    [
      [other, isChanged],
      [referred, isChanged],
    ],
  ],
];

it.each(moving)('%s', (_, expected, saved) => {
  expect(movesEpoch(new Map(saved))).toBe(expected);
});
