// The prices of a product over time, as the changes of runs tell them.
import { expect, it } from 'vitest';
import { type PricePeriod, pricePeriods } from '../../../src/core/ledger/price-periods.js';
import type { RecordEvent } from '../../../src/core/ledger/record-timeline.js';
import type { RecordedChange } from '../../../src/core/ledger/recorded-change.js';

type Values = Readonly<Record<string, readonly [unknown, unknown]>>;

/** What a run changed of the product, or of a grade: columns with the values before and after. */
function change(values: Values, grade?: string, isNew = false): RecordedChange {
  const columns = Object.keys(values);
  const [before, after] = [0, 1].map((at) => Object.values(values).map((one) => one[at]));
  const table = grade === undefined ? 'product' : 'product_grade';
  return {
    ...{ resource: 'product', file: 1, line: 8, markBefore: 0, markAfter: 0, record: '1', table },
    ...{ row: grade === undefined ? {} : { grade }, isNew, columns, before: isNew ? [] : before, after },
  } as RecordedChange;
}

/** The event of a run at a time; the run has its number. */
const at = (time: number, after: number, ...changes: readonly RecordedChange[]): RecordEvent => ({
  ...{ run: time / 10, changes, units: undefined, at: time, after },
});
const outside: RecordEvent = { run: undefined, changes: [], units: undefined };

const product = { price: 300, price_compare: 400, currency: 'EUR', status: 'activated', updated_at: 90 };
const first = change({}, undefined, true);
const price = (before: number, after: number) => change({ price: [before, after] });

/** A period in short: `price: 10–20 100, run 1`. */
function inShort({ field, since, until, price: amount, origin, unknown }: PricePeriod): string {
  return `${field}: ${since}–${until} ${unknown ?? amount}${origin === null ? '' : `, run ${origin.run}`}`;
}

it.each<readonly [string, readonly RecordEvent[], readonly string[]]>([
  [
    'since it was created',
    [at(10, 0, first), at(20, 10, price(100, 200)), at(30, 20, price(200, 300))],
    [
      ...['price: 30–null 300, run 3', 'price: 20–30 200, run 2'],
      ...['price: 10–20 100, run 1', 'price: null–10 before_catalog'],
    ],
  ],
  [
    'if other columns changed, too, or alone',
    [at(10, 0, first), at(20, 10, change({ stock: [1, 2], price: [100, 300] })), at(30, 20, change({ stock: [2, 3] }))],
    ['price: 20–null 300, run 2', 'price: 10–20 100, run 1', 'price: null–10 before_catalog'],
  ],
  [
    'if something changed it outside the history between two runs',
    [at(10, 0, first), at(20, 10, price(100, 200)), outside, at(50, 40, price(250, 300))],
    [
      ...['price: 50–null 300, run 5', 'price: 40–50 250', 'price: 20–40 not_recorded'],
      ...['price: 20–20 200, run 2', 'price: 10–20 100, run 1', 'price: null–10 before_catalog'],
    ],
  ],
  [
    'if something changed it outside the history last',
    [at(10, 0, first), at(20, 10, price(100, 200)), outside],
    [
      ...['price: 90–null 300', 'price: 20–90 not_recorded'],
      ...['price: 20–20 200, run 2', 'price: 10–20 100, run 1', 'price: null–10 before_catalog'],
    ],
  ],
  [
    'if nothing is known of before its first run, and of a later time',
    [outside, at(30, 20, change({ stock: [2, 3] })), outside, at(50, 40, price(250, 300))],
    ['price: 50–null 300, run 5', 'price: 40–50 250', 'price: null–40 not_recorded'],
  ],
])('the price of a product: %s', (_, events, expected) => {
  expect(pricePeriods(product, [], events).map(inShort)).toEqual(expected);
});

it('with a price are told what applied next to it, and the line that gave it', () => {
  const events = [at(10, 0, first), at(20, 10, change({ price: [100, 300], currency: ['USD', 'EUR'] }))];
  const [present, former, before] = pricePeriods(product, [], events);
  const common = { field: 'price', price_compare: 400, status: 'activated', unknown: null };
  expect(present).toEqual({
    ...{ ...common, since: 20, until: null, price: 300, currency: 'EUR' },
    origin: { run: 2, file: 1, line: 8 },
  });
  expect(former).toEqual({
    ...{ ...common, since: 10, until: 20, price: 100, currency: 'USD' },
    origin: { run: 1, file: 1, line: 8 },
  });
  expect(before).toEqual({
    ...{ field: 'price', since: null, until: 10, price: null, price_compare: null, currency: '', status: '' },
    ...{ origin: null, unknown: 'before_catalog' },
  });
});

it('each grade has prices of its own since it was added, and an unlisted one says so', () => {
  const [good, used] = [
    { grade: 'good', price: 20, price_compare: null, status: 'activated', listed: 1 },
    { grade: 'used', price: 9, price_compare: null, status: 'suspended', listed: 0 },
  ];
  const events = [
    at(10, 0, first),
    at(20, 10, change({ price: [null, 10], listed: [null, 1] }, 'good', true)),
    at(30, 20, change({ price: [10, 20] }, 'good'), price(100, 300)),
    at(40, 30, change({ listed: [1, 0] }, 'used')),
  ];
  const periods = pricePeriods(product, [good, used], events).filter(({ field }) => field !== 'price');
  expect(periods.map((one) => `${inShort(one)} ${one.status}`)).toEqual([
    'grades[good].price: 30–null 20, run 3 activated',
    'grades[good].price: 20–30 10, run 2 activated',
    'grades[used].price: 40–null 9, run 4 unlisted',
    'grades[used].price: 10–40 9, run 1 suspended',
  ]);
});
