// Guards judge what a run leaves of a record, not each of its rows.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FieldChange, Line, Notice } from '../../../src/core/import-report.js';
import { emptiedLists } from '../../../src/importing/guards/emptied-lists.js';
import { netLines, type PlacedLine } from '../../../src/importing/guards/net-lines.js';

const change = (field: string, from: unknown, to: unknown): FieldChange => ({ field, from, to });
const notice = (code: string): Notice => ({ code, field: 'values', message: '' });

function line(id: string | null, changes: readonly FieldChange[] | undefined, others: Partial<Line> = {}): Line {
  const none = { code: null, title: null, reason: null, notice: [] };
  return { ...{ index: 0, external_id: 'K', id, action: 'updated', ...none }, ...(changes && { changes }), ...others };
}

/** What is counted of the lines of a file, whose first row is on line 2. */
function counted(...lines: readonly Line[]): PlacedLine[] {
  const found: PlacedLine[] = [];
  const net = netLines((one) => found.push(one), false);
  for (const [i, one] of lines.entries()) net.take({ line: one, place: `line ${i + 2}`, batch: i }, undefined);
  net.flush();
  return found;
}

const price = (from: number, to: number) => change('price', from, to);

it('a record that several rows change counts once, from what it was to what it is in the end', () => {
  const [one, ...others] = counted(
    line('A', [price(10, 30), change('stock', 1, 0)]),
    line('B', [price(1, 2)]),
    line('A', [price(30, 20), change('stock', 0, 1), change('name', 'a', 'b')]),
  );
  expect(one).toMatchObject({ place: 'line 4', line: { id: 'A', action: 'updated' } });
  expect(one?.line.changes).toEqual([price(10, 20), change('name', 'a', 'b')]);
  expect(others.map(({ place }) => place)).toEqual(['line 3']);
});

it('a record that ends as it was does not count, and a new one counts as created only', () => {
  expect(counted(line('A', [price(10, 30)]), line('A', [price(30, 10)]))).toEqual([]);
  const created = line(null, [price(10, 10)], { action: 'created' });
  expect(counted(created, line(null, [price(10, 30)])).map((one) => one.line.action)).toEqual(['created']);
});

it('where not all changes are told, a record counts', () => {
  const cut = { notice: [notice('more_omitted')] };
  expect(counted(line('A', [price(10, 30)], cut), line('A', [price(30, 10)]))).toHaveLength(1);
  const untold = [
    counted(line('A', undefined), line('A', [price(30, 10)])),
    counted(line('A', []), line('A', undefined)),
  ];
  expect(untold.map(([one]) => one?.line.changes)).toEqual([undefined, undefined]);
});

it('entries of lists count that are deactivated in the end, and a status that one row brings back is no new one', () => {
  const put = (back: readonly string[], ...lost: readonly string[]) => {
    const changes = [
      ...back.map((label) => change(`values[${label}].status`, 'suspended', 'activated')),
      ...lost.map((label) => change(`values[${label}].status`, 'activated', 'suspended')),
    ];
    const code = 'entries_deactivated';
    const told = { notice: [notice(code)], diagnostics: [{ ...notice(code), params: { count: lost.length } }] };
    return line('A', changes, lost.length > 0 ? told : {});
  };
  const entries = (...lines: readonly Line[]) =>
    counted(...lines).map((one) => {
      const offence = emptiedLists.offence?.({ line: one.line, isNew: false, isBack: false, price: undefined });
      return offence?.count;
    });
  const around = [put(['green'], 'red', 'blue'), put(['red'], 'green')];
  expect(entries(...around)).toEqual([1]);
  expect(entries(...around, line('A', [price(1, 2)]))).toEqual([1]);
  expect(entries(...around, line('A', [price(1, 2)]), put(['blue']))).toEqual([undefined]);
  const cut = line('A', [price(1, 2)], { notice: [notice('more_omitted')] });
  expect(entries(put([], 'red', 'blue'), cut)).toEqual([2]);
  const regained = { notice: [notice('status_regained')] };
  const [one] = counted(line('A', [price(1, 2)], regained), line('A', [price(2, 3)]));
  expect(one?.line.notice.map(({ code }) => code)).toEqual(['status_regained']);
});

it('where each batch is compared with what is stored, a later row takes back what it sends, too', () => {
  const changes = (...rows: readonly (readonly [batch: number, item: object, ...FieldChange[]])[]) => {
    const found: (readonly FieldChange[] | undefined)[] = [];
    const net = netLines((one) => found.push(one.line.changes), true);
    for (const [batch, item, ...own] of rows) {
      const action = own.length === 0 ? 'unchanged' : 'updated';
      net.take({ line: line('A', own, { action }), place: '', batch }, item);
    }
    net.flush();
    return found;
  };
  const whole = { price: 1, stock: 1, grades: [] };
  const first = [1, whole, price(10, 30), change('grades[new].price', 1, 2)] as const;
  expect(changes(first, [2, whole])).toEqual([]);
  expect(changes(first, [2, whole, price(10, 20)])).toEqual([[price(10, 20)]]);
  expect(changes(first, [2, { stock: 1 }], [3, { grades: [] }])).toEqual([[price(10, 30)]]);
  // In one batch a row follows upon the row before it.
  expect(changes(first, [1, whole, price(30, 20)])).toEqual([[price(10, 20), change('grades[new].price', 1, 2)]]);
  expect(changes([1, whole], [2, whole])).toEqual([]);
});

it('what is held has a bound: rows of a record that are too far apart count one by one', () => {
  const others = Array.from({ length: 30_000 }, (_, i) => line(`other ${i}`, [price(1, 2)]));
  const ofA = (found: readonly PlacedLine[]) => found.filter((one) => one.line.id === 'A').length;
  const [first, last] = [line('A', [price(10, 30)]), line('A', [price(30, 10)])];
  expect(ofA(counted(first, ...others.slice(0, 20_000), last))).toBe(0);
  expect(ofA(counted(first, ...others, last))).toBe(2);
  const long = [line('B', [change('name', 'x'.repeat(6_000_000), 'y'.repeat(6_000_000))])];
  expect(ofA(counted(first, ...long, last))).toBe(2);
});

it('whatever the order of rows, their changes lead from the first value to the last', () => {
  const rows = fc.array(fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.constantFrom('price', 'stock'), fc.nat(3)));
  fc.assert(
    fc.property(rows, (sent) => {
      const now = new Map<string, number>();
      const lines = sent.flatMap(([id, field, to]) => {
        const from = now.get(id + field) ?? 0;
        now.set(id + field, to);
        return from === to ? [] : [line(id, [change(field, from, to)])];
      });
      const told = counted(...lines).flatMap((one) =>
        (one.line.changes ?? []).map(({ field, from, to }) => [one.line.id + field, from, to]),
      );
      const expected = [...now].filter(([, to]) => to !== 0).map(([key, to]) => [key, 0, to]);
      expect(told.sort()).toEqual(expected.sort());
    }),
  );
});
