// Which records a run suspends, and which are there for nobody since their creation was undone.
import { expect, it } from 'vitest';
import { suspensionTable } from '../../../src/core/ledger/run-tables.js';
import { isSuspended, isToBeCreated, suspendRecord } from '../../../src/core/ledger/suspension.js';
import type { Draft } from '../../../src/core/rows/snapshot.js';
import type { Row } from '../../../src/core/rows/table.js';

/** A draft with one suspension, and what is saved in it. */
function draftWith(known: Row | undefined): { readonly draft: Draft; readonly saved: Row[] } {
  const saved: Row[] = [];
  const draft = {
    some: (table: unknown) => table === suspensionTable && known !== undefined,
    find: () => known,
    save: (_: unknown, next: Row) => saved.push(next),
  };
  return { draft: draft as never, saved };
}

it.each<readonly [Row, boolean]>([
  [{ status: 'suspended' }, true],
  [{ status: 'rejected', rating: 5 }, true],
  [{ status: 'rejected' }, false],
  [{ status: 'published', rating: 5 }, false],
  [{ status: 'activated' }, false],
  [{}, false],
])('%o is suspended: %s', (row, expected) => {
  expect(isSuspended(row)).toBe(expected);
});

it.each<readonly [Row, string | undefined]>([
  [{ status: 'activated' }, 'suspended'],
  [{ status: 'draft' }, 'suspended'],
  [{ status: 'published', rating: 5 }, 'rejected'],
  [{ status: 'suspended' }, undefined],
  [{ status: 'rejected', rating: 5 }, undefined],
  [{ status: 'deleted' }, undefined],
  [{ name: 'Lamp' }, undefined],
])('a run that suspends %o makes it %s', (row, status) => {
  const { draft, saved } = draftWith(undefined);
  const next: Row = { id: '1', ...row };
  const found = suspendRecord(next, '7', draft);
  expect(next['status']).toBe(status ?? row['status']);
  const expected = status === undefined ? [] : [{ id: '1', status: row['status'], run: '7' }];
  expect([found === undefined ? [] : [found.next], saved]).toEqual([expected, expected]);
});

it.each<readonly [string, Row | undefined, Row | undefined, boolean]>([
  ['is not there', undefined, undefined, true],
  ['is suspended by hand', { status: 'suspended' }, undefined, false],
  ['is suspended as its creation was undone', { status: 'suspended' }, { status: 'draft', run: 'undo 7' }, true],
  ['is shown again since', { status: 'activated' }, { status: 'draft', run: 'undo 7' }, false],
  ['is suspended by a run', { status: 'suspended' }, { status: 'draft', run: '7' }, false],
  ['is suspended by hand after an undo', { status: 'suspended' }, { status: '', run: 'undo 7' }, false],
])('a record that %s', (_, record, suspension, isNew) => {
  const { draft } = draftWith(suspension);
  expect(isToBeCreated(record && { id: '1', ...record }, draft)).toBe(isNew);
});
