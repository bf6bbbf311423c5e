// What lines count for guards, and from which figure on a guard stops a run.
import { expect, it } from 'vitest';
import type { FieldChange, Line } from '../../../src/core/import-report.js';
import { isBreach } from '../../../src/core/ledger/guard-figure.js';
import { noCounts } from '../../../src/core/report-counts.js';
import { addListedAgain, foundBy, guardFigures, noFigures } from '../../../src/importing/guards/figures.js';
import { judgeFigures } from '../../../src/importing/guards/judge.js';
import { resourceCalled } from '../../given.js';

function line(id: string, ...changes: readonly FieldChange[]): Line {
  const none = { code: null, title: null, reason: null, notice: [] };
  return { index: 0, external_id: id, id, action: 'updated', ...none, changes };
}

const change = (field: string, from: unknown, to: unknown): FieldChange => ({ field, from, to });

/** The figures of products of some lines. */
function figuresOf(data: readonly Line[], takenBack: readonly string[] = []) {
  const price = { factor: 2, share: 0 };
  const observer = guardFigures({ price, takenBack: new Set(takenBack), suspended: new Set(), comparesStored: false });
  observer.begin?.({ resource: resourceCalled('products'), file: 'feed.csv' } as never);
  const report = {
    object: 'list' as const,
    resource: 'product',
    dry_run: true,
    data,
    ...noCounts(),
    total: data.length,
  };
  observer.batch?.({ report, lines: data.map((_, i) => i + 2), offset: 0 });
  return observer.figures().get('product') ?? noFigures('product');
}

const none: ReadonlySet<string> = new Set();

it('by default five records pass whatever their share, and six do not', () => {
  const passed = (count: number) => {
    const lines = Array.from({ length: count }, (_, i) => line(`A${i}`, change('stock', 1, 0)));
    return !judgeFigures(figuresOf(lines), { maxMissing: 0.2 }, { last: { rows: 10 }, explicit: none }).some(isBreach);
  };
  expect([5, 6].map(passed)).toEqual([true, false]);
});

it('as many rows as are expected at least pass', () => {
  const lines = [line('A'), line('B')];
  const passed = (minRows: number) =>
    judgeFigures(figuresOf(lines), { minRows }, { last: undefined, explicit: none })[0];
  expect([passed(2)?.passed, passed(3)?.passed]).toEqual([true, false]);
});

it('a week in which more came back than went has nothing gone, and its offenders are not told twice', () => {
  const explicit = new Set(['--max-missing']);
  const judged = (data: readonly Line[], since: number) =>
    judgeFigures(
      figuresOf(data),
      { maxMissing: 0.1 },
      { last: { rows: 10 }, week: () => ({ rows: 10, since }), explicit },
    ).filter(({ guard }) => guard === 'sold_out' || guard === 'hidden');
  const back = [line('A', change('stock', 0, 1)), line('B', change('status', 'suspended', 'activated'))];
  expect(judged(back, 0).map(({ count, back }) => [count, back])).toEqual([
    ...[
      [0, 1],
      [0, 1],
    ],
    ...[
      [0, 1],
      [0, 1],
    ],
  ]);
  const gone = Array.from({ length: 25 }, (_, i) => line(`A${i}`, change('stock', 1, 0)));
  const [tonight, week] = judged(gone, 7)
    .filter(({ guard }) => guard === 'sold_out')
    .filter(isBreach);
  expect([tonight?.count, tonight?.offenders.length, tonight?.more]).toEqual([25, 20, 5]);
  expect([week?.count, week?.offenders.length, week?.more]).toEqual([32, 0, 0]);
});

it('a price that becomes 0, or was, counts, and one that halves, doubles or gets another currency', () => {
  const count = (one: FieldChange) => foundBy(figuresOf([line('A', one)]), 'price_changed').count;
  const changes = [
    ...[change('price', '5.00', '0.00'), change('price', '0.00', '5.00'), change('price', '5.00', '2.50')],
    ...[
      change('price', '5.00', '10.00'),
      change('grades[new].price', '1.00', '3.00'),
      change('currency', 'EUR', 'USD'),
    ],
  ];
  expect(changes.map(count)).toEqual([1, 1, 1, 1, 1, 1]);
  const ordinary = [
    ...[change('price', '5.00', '2.51'), change('price', '5.00', '9.99'), change('price', '', '5.00')],
    ...[change('price', '0.00', '0'), change('price_compare', '5.00', '50.00'), change('currency', '', 'USD')],
  ];
  expect(ordinary.map(count)).toEqual([0, 0, 0, 0, 0, 0]);
});

it('a record that an undo took back counts as created once it is shown again, from whichever status', () => {
  const created = (from: string, to: string, takenBack = ['A']) =>
    foundBy(figuresOf([line('A', change('status', from, to))], takenBack), 'created').count;
  expect([
    created('suspended', 'activated'),
    created('rejected', 'under_review'),
    created('draft', 'activated'),
  ]).toEqual([1, 1, 0]);
  expect(created('suspended', 'activated', [])).toBe(0);
});

it('of more than 20 offenders the heaviest are shown, of equal ones the first', () => {
  const lines = Array.from({ length: 30 }, (_, i) =>
    line(`A${i}`, change('price', '1.00', i === 28 ? '9.00' : '3.00')),
  );
  const { first, records } = foundBy(figuresOf(lines), 'price_changed');
  expect(records).toBe(30);
  expect(first.map(({ key }) => key)).toEqual(['A28', ...Array.from({ length: 19 }, (_, i) => `A${i}`)]);
});

it('records that come back count against those that are missing, and new ones do not', () => {
  const figures = noFigures('product');
  addListedAgain(figures, 3);
  foundBy(figures, 'created').count = 5;
  addListedAgain(figures, 3);
  expect(foundBy(figures, 'missing').back).toBe(3);
});
