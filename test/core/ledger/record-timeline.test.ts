// The events of a record, and what each changed.
import { describe, expect, it } from 'vitest';
import {
  givesStatus,
  hasEntries,
  isFilled,
  isSuspension,
  type RecordEvent,
  type RecordState,
  type StateRow,
  timelineOf,
  unitOf,
  withdrawn,
} from '../../../src/core/ledger/record-timeline.js';
import type { RecordedChange } from '../../../src/core/ledger/recorded-change.js';
import { suspensionTable } from '../../../src/core/ledger/run-tables.js';
import type { Row } from '../../../src/core/rows/table.js';
import { resourceCalled } from '../../given.js';

const product = resourceCalled('product');

function change(table: string, columns: readonly string[], after: readonly unknown[], isNew = false): RecordedChange {
  return {
    ...{ resource: 'product', file: 0, line: 2, markBefore: 5, markAfter: 6, record: '1', row: {}, before: [] },
    ...{ table, columns, after: after as never, isNew },
  };
}

/** An event with what it changed: the units of a product, or all. */
function event(changes: readonly RecordedChange[], units: readonly string[] | undefined): RecordEvent {
  return { run: 1, changes, units: units && new Set(units) };
}

const suspended = change(suspensionTable.name, [], [], true);
const again = change(suspensionTable.name, ['status', 'run'], ['activated', '7']);
const over = change(suspensionTable.name, ['status'], ['']);
const regained = change(suspensionTable.name, ['status', 'run'], ['', '']);
const status = change('product', ['status'], ['suspended']);

it('what was before a record of which no change is kept is not known: it was not created by any', () => {
  const today = new Map();
  const { events, creation, stateAfter } = timelineOf(product, { changes: [], since: 0 }, today, 0);
  expect([events, creation]).toEqual([[{ run: undefined, changes: [], units: undefined }], -1]);
  expect(stateAfter(0)).toBe(today);
});

it.each([
  ['the status with a new suspension', [status, suspended], true, true],
  ['the status with one that was there', [status, again], true, false],
  ['the status, and its suspension is over', [status, over], false, true],
  ['the status that the record had before its suspension', [status, regained], false, false],
  ['the status alone', [status], false, true],
])('an event that changes %s', (_, changes, suspends, gives) => {
  const one = event(changes, ['status']);
  expect([isSuspension(one), givesStatus(one)]).toEqual([suspends, gives]);
});

it('an event that changes no status gives none; one that may have changed all may have given it', () => {
  expect(givesStatus(event([change('product', ['name'], ['Lamp'])], ['name']))).toBe(false);
  expect(givesStatus(event([change('product', [], [], true)], undefined))).toBe(true);
});

it('a suspension is a change of the status, and nothing else is', () => {
  const unitsOf = (one: RecordedChange) => {
    const { events } = timelineOf(product, { changes: [{ run: 1, change: one }], since: 9 }, new Map(), 6);
    return [...(events.at(-1)?.units ?? [])];
  };
  expect(unitsOf(suspended)).toEqual(['status']);
  expect(unitsOf(change('product', ['name', 'listed_grades'], ['Lamp', 1]))).toEqual(['name', 'product_grade']);
});

it.each([
  [suspensionTable.name, {}, 'run', 'status'],
  ['product', {}, 'price', 'price'],
  ['product', {}, 'listed_grades', 'product_grade'],
  ['product_grade', { grade: 'good' }, 'price', 'product_grade'],
  ['product_attribute', { characteristic: '7' }, 'value', 'product_attribute 7'],
] as const)('of %s with %o the column %s is restored with %s', (table, row, column, unit) => {
  expect(unitOf(product, table, row, column)).toBe(unit);
});

describe('a list', () => {
  const [root, grades, attributes] = ['product', 'product_grade', 'product_attribute'].map((name) =>
    product.tables.find((table) => table.name === name),
  ) as [StateRow['table'], StateRow['table'], StateRow['table']];
  const stateWith = (...rows: readonly (readonly [StateRow['table'], Row])[]): RecordState =>
    new Map([[root, {}] as const, ...rows].map(([table, row], i) => [String(i), { table, row }]));
  const listed = stateWith([grades, { listed: 1 }], [grades, { listed: 0 }], [attributes, { listed: 0 }]);
  const unlisted = stateWith([grades, { listed: 0 }], [attributes, { listed: 1 }]);

  it('has entries while one of its own is listed', () => {
    expect([listed, unlisted].map((state) => hasEntries('product_grade', state))).toEqual([true, false]);
  });

  it.each([
    ['all it may have, and the list has entries', [], undefined, listed, true],
    ['all it may have, and the list has none', [], undefined, unlisted, false],
    ['the list', [change('product', ['price', 'listed_grades'], [5, 2])], ['price', 'product_grade'], unlisted, true],
    [
      'the list, of which none is left',
      [change('product_grade', ['listed'], [0]), change('product', ['price', 'listed_grades'], [5, 0])],
      ['price', 'product_grade'],
      listed,
      false,
    ],
    ['the list, and a price of nothing', [change('product', ['price'], [0])], ['price', 'product_grade'], listed, true],
    [
      'the list, and empties another one',
      [change('product', ['listed_values'], [0])],
      ['characteristic_value', 'product_grade'],
      ...([listed, true] as const),
    ],
    ['something else', [change('product', ['price'], [5])], ['price'], listed, false],
  ] as const)('is filled by an event that changed %s', (_, changes, units, state, filled) => {
    const timeline = { events: [event(changes, units)], creation: -1, stateAfter: () => state };
    expect(isFilled(timeline, 0, 'product_grade')).toBe(filled);
  });

  it('loses an entry that was added: it is unlisted, and suspended if it has a status; a suspension is over', () => {
    expect(withdrawn({ table: grades, row: { listed: 1, status: 'activated' } })).toEqual({
      ...{ listed: 0, status: 'suspended' },
    });
    expect(withdrawn({ table: attributes, row: { listed: 1, value: 'x' } })).toEqual({ listed: 0, value: 'x' });
    const row = { id: '1', status: 'activated', run: '7' };
    expect(withdrawn({ table: suspensionTable as never, row })).toEqual({ ...row, status: '' });
  });
});
