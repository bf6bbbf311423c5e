// The notice about a price beside a reduction, where a run has a product several times: it goes by the prices before the run,
// whatever transactions its rows are in, and whatever others write meanwhile.
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Line } from '../../src/core/import-report.js';
import { product } from '../../src/core/resources/product.js';
import { storeCatalog } from '../../src/store/catalog.js';
import { dryRunStore } from '../../src/store/dry-run-store.js';
import { ledgerOf } from '../../src/store/ledger/ledger.js';
import { recordPostedRun } from '../../src/store/ledger/posted-runs.js';
import type { Store } from '../../src/store/store.js';
import { batchOf } from '../entries.js';
import { memoryStore } from './memory-store.js';
import { isReduced, item, lowestOf, type Sent, type State } from './price-contract.js';

/** What a run is: files of a command, requests that name it, files without history, or a dry run. */
const ways = ['files', 'requests', 'without history', 'dry run'] as const;

const runs = fc.array(
  fc.record({
    way: fc.constantFrom(...ways),
    hours: fc.constantFrom(0, 1, 24 * 29, 24 * 31),
    transactions: fc.array(
      fc.record({
        /** Whether it is a request of its own between those of the run. */
        isOther: fc.nat(4).map((one) => one === 0),
        rows: fc.array(fc.tuple(fc.constantFrom('A', 'A', 'B'), item), { minLength: 1, maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  }),
  { minLength: 2, maxLength: 5 },
);

type Rows = readonly Sent[];
const file = { file: 'a.csv', resource: 'product' };
const seconds = (): number => Math.floor(Date.now() / 1000);
let named = 0;

/** A run: it applies one transaction after the other. */
async function begun(store: Store, way: (typeof ways)[number]) {
  const importing = storeCatalog.bind(undefined, store);
  const ledger = ledgerOf({ store, importing }, 5000);
  const detail = { command: 'products', files: [], ...(way === 'without history' && { unrecorded: true as const }) };
  const isOpen = way === 'files' || way === 'without history';
  const open = isOpen ? await ledger.begin({ feed: '', detail }) : undefined;
  const token = `night-${++named}`;
  const dry = storeCatalog(dryRunStore(store, memoryStore()));
  const posting = (own: string | undefined) =>
    importing({ recorder: recordPostedRun({ owner: 'key', user: '', feed: '', token: own }, file) });

  function catalogOf(isOther: boolean) {
    if (way === 'dry run') return dry;
    return isOther || open === undefined
      ? posting(isOther ? undefined : token)
      : importing({ recorder: open.addFile(file) });
  }

  return {
    async send(rows: Rows, isOther: boolean): Promise<readonly Line[]> {
      const lines: Line[] = [];
      const catalog = catalogOf(isOther);
      const options = { dryRun: way === 'dry run' };
      for await (const { data } of catalog.importBatches(product, [batchOf(rows)], options)) lines.push(...data);
      return lines;
    },
    end: async () => open?.end({ state: 'done', exit: 0 }),
  };
}

const cents = (amount: unknown): number => Math.round(Number(amount) * 100);

/** What a product becomes by an item. */
function after(before: State | undefined, sent: Sent): State {
  const compare = sent['price_compare'];
  return {
    at: Math.max(seconds(), 1 + (before?.at ?? 0)),
    price: sent['price'] === undefined ? (before?.price ?? 0) : cents(sent['price']),
    compare: compare === undefined ? (before?.compare ?? null) : compare === '' ? null : cents(compare),
    currency: String(sent['currency'] ?? before?.currency),
    status: String(sent['status'] ?? before?.status ?? 'draft'),
  };
}

function isSame(one: State | undefined, other: State): boolean {
  return one !== undefined && isDeepStrictEqual({ ...one, at: other.at }, other);
}

/** Whether an item is told of: by what the product was up to then. */
function isHigh(states: readonly State[], next: State, sent: Sent): boolean {
  const { price } = lowestOf([...states, next], seconds());
  return Boolean(sent['price_compare']) && isReduced(next) && (price ?? Infinity) < Number(next.compare);
}

type Histories = ReadonlyMap<string, readonly State[]>;

async function tryRun(store: Store, known: Histories, { way, transactions }: RunOf): Promise<Histories> {
  const run = await begun(store, way);
  const all = new Map(known);
  /** What the products were that the run changed. */
  const origins = new Map<string, readonly State[]>();
  for (const { isOther: isAsked, rows } of transactions) {
    const isOther = isAsked && way !== 'dry run';
    const before = new Map(isOther ? all : [...all, ...origins]);
    const latest = new Map([...all].map(([sku, states]) => [sku, states.at(-1)]));
    const expected: boolean[] = [];
    const sent = rows.map(([sku, one]) => {
      const asSent = latest.has(sku) ? { ...one } : { currency: 'EUR', price: '90.00', ...one };
      const next = after(latest.get(sku), asSent);
      latest.set(sku, next);
      expected.push(isHigh(before.get(sku) ?? [], next, asSent));
      return { sku, ...asSent };
    });
    const told = (await run.send(sent, isOther)).map(({ notice }) =>
      notice.some(({ code }) => code === 'compare_above_lowest'),
    );
    expect(told, JSON.stringify({ way, isOther, sent })).toEqual(expected);
    for (const [sku, next] of latest) {
      const states = all.get(sku) ?? [];
      if (next === undefined || isSame(states.at(-1), next)) continue;
      all.set(sku, [...states, next]);
      if (!isOther && !origins.has(sku)) origins.set(sku, states);
    }
  }
  await run.end();
  return way === 'dry run' ? known : all;
}

type RunOf = (typeof runs extends fc.Arbitrary<infer T> ? T : never)[number];

/** The item that a run applied last to a product that it created is unchanged in the next run, and told of only there. */
const sameItemInNextRun: RunOf[] = [true, false].map((isFirst) => {
  const reduced = { price: '70.00', price_compare: '100.00', currency: 'EUR' } as const;
  const transactions: RunOf['transactions'] = [{ isOther: false, rows: [['A', reduced]] }];
  if (isFirst) transactions.unshift({ isOther: false, rows: [['A', { status: 'activated' }]] });
  return { way: 'files', hours: 0, transactions };
});

/** Runs the suite. @param cases sequences of runs that are tried */
export function repeatedPriceContract(name: string, open: () => Promise<Store>, cases: number): void {
  describe(`prices of products that a run has several times: ${name}`, () => {
    it('are told of by the prices before the run', async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
      try {
        await fc.assert(
          fc.asyncProperty(runs, async (all) => {
            const store = await open();
            try {
              let known: Histories = new Map();
              for (const one of all) {
                vi.setSystemTime(Date.now() + one.hours * 3_600_000);
                known = await tryRun(store, known, one);
              }
            } finally {
              await store.close();
            }
          }),
          { numRuns: cases, examples: [[sameItemInNextRun]] },
        );
      } finally {
        vi.useRealTimers();
      }
    });
  });
}
