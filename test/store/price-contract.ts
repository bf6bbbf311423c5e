// The evidence of prices, on every kind of store, against a model: the list of all that a product ever was.
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Line } from '../../src/core/import-report.js';
import { planProductDeletion } from '../../src/core/planning/delete-product.js';
import { product } from '../../src/core/resources/product.js';
import { type ImportOrigin, storeCatalog } from '../../src/store/catalog.js';
import { ledgerOf } from '../../src/store/ledger/ledger.js';
import type { Store } from '../../src/store/store.js';
import { batchOf } from '../entries.js';

const day = 86_400;

/** What a product was from a time on. */
export interface State {
  readonly at: number;
  readonly price: number;
  readonly compare: number | null;
  readonly currency: string;
  readonly status: string;
}

interface Lowest {
  readonly price: number | null;
  readonly days: number;
  readonly since: number | null;
}

export function isReduced({ price, compare }: State): boolean {
  return compare !== null && compare > price;
}

/** Article 6a, by the whole list. */
export function lowestOf(states: readonly State[], now: number): Lowest {
  const last = states.at(-1) as State;
  const back = states.toReversed();
  const others = back.findIndex((one) => one.price !== last.price || one.currency !== last.currency || !isReduced(one));
  const since = isReduced(last) ? ((others === -1 ? states[0] : back[others - 1]) as State).at : null;
  const end = since ?? now;
  const counted = states.filter(({ at, status, currency }, i) => {
    const until = states[i + 1]?.at ?? Number.POSITIVE_INFINITY;
    const isOffered = status === 'activated' && currency === last.currency;
    return isOffered && until > end - 30 * day && (since === null || at < since);
  });
  const prices = counted.map(({ price }) => price);
  // The known days begin with the currency. Two changes in one second move the mark of the later one a second on, into the future.
  const known = states[1 + states.findLastIndex(({ currency }) => currency !== last.currency)] as State;
  const days = Math.max(0, Math.min(30, Math.floor((end - known.at) / day)));
  return { price: prices.length === 0 ? null : Math.min(...prices), days, since };
}

export type Sent = Readonly<Record<string, unknown>>;

type Step =
  /** `earlier`: an item of the same product before it in one batch. */
  | { readonly kind: 'send'; readonly earlier?: Sent | undefined; readonly item: Sent; readonly isRecorded: boolean }
  | { readonly kind: 'undo' | 'delete' };

export const item = fc.record(
  {
    price: fc.constantFrom('60.00', '70.00', '80.00', '90.00'),
    price_compare: fc.constantFrom('', '75.00', '100.00'),
    currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD', 'USD', 'GBP'),
    status: fc.constantFrom('activated', 'activated', 'suspended', 'draft'),
    stock: fc.nat(3),
  },
  { requiredKeys: [] },
);

const steps = fc.array(
  fc.record({
    hours: fc.constantFrom(0, 1, 30, 24 * 6, 24 * 29, 24 * 31),
    step: fc.oneof(
      {
        weight: 9,
        arbitrary: fc.record({
          kind: fc.constant('send' as const),
          earlier: fc.option(item, { nil: undefined, freq: 3 }),
          item,
          isRecorded: fc.constantFrom(true, true, false),
        }),
      },
      { weight: 2, arbitrary: fc.constant<Step>({ kind: 'undo' }) },
      { weight: 1, arbitrary: fc.constant<Step>({ kind: 'delete' }) },
    ),
  }),
  { minLength: 1, maxLength: 12 },
);

function shopOn(store: Store) {
  const importing = (origin: ImportOrigin) => storeCatalog(store, origin);
  const ledger = ledgerOf({ store, importing }, 5000);
  const states: State[] = [];
  const runs: number[] = [];

  async function send(sent: readonly Sent[], isRecorded: boolean): Promise<readonly Line[]> {
    const open = isRecorded ? await ledger.begin({ feed: '', detail: { command: 'products', files: [] } }) : undefined;
    const recorder = open?.addFile({ file: 'a.csv', resource: 'product' });
    const catalog = importing(recorder === undefined ? {} : { recorder });
    const lines: Line[] = [];
    for await (const { data } of catalog.importBatches(product, [batchOf(sent.map((one) => ({ sku: 'A', ...one })))]))
      lines.push(...data);
    await open?.end({ state: 'done', exit: 0 });
    if (open !== undefined) runs.push(open.number);
    await look();
    return lines;
  }

  /** Notes what the product is now. */
  async function look(): Promise<void> {
    const { updated_at: at, price, price_compare: compare, currency, status } = await read();
    if (states.at(-1)?.at === at) return;
    const cents = (amount: unknown) => Math.round(Number(amount) * 100);
    states.push({
      ...{ at: Number(at), price: cents(price), compare: compare === '' ? null : cents(compare) },
      ...{ currency: String(currency), status: String(status) },
    });
  }

  async function read(): Promise<Readonly<Record<string, unknown>>> {
    return (await storeCatalog(store).read(product, { key: 'A' }, ['lowest_price_30d'])) ?? {};
  }

  async function undo(): Promise<void> {
    const last = runs.pop();
    if (last === undefined) return;
    const open = await ledger.begin({ feed: '', detail: { command: `undo ${last}`, files: [], undoes: [last] } });
    await ledger.undo([last], open, new AbortController().signal);
    await open.end({ state: 'done', exit: 0 });
    await look();
  }

  async function remove(): Promise<void> {
    await store.write((draft) => planProductDeletion('A', seconds(), draft));
    await look();
  }

  return { ledger, states, send, undo, remove, read, close: () => store.close() };
}

const seconds = (): number => Math.floor(Date.now() / 1000);

/** Runs the suite. @param runs histories that are tried */
export function priceContract(name: string, open: () => Promise<Store>, runs: number): void {
  describe(`evidence of prices: ${name}`, () => {
    it('is what the list of all that the product was says, whatever changed it', async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
      try {
        await fc.assert(
          fc.asyncProperty(steps, async (history) => {
            const shop = shopOn(await open());
            try {
              await tryHistory(shop, history);
            } finally {
              await shop.close();
            }
          }),
          { numRuns: runs },
        );
      } finally {
        vi.useRealTimers();
      }
    });
  });
}

async function tryHistory(
  shop: ReturnType<typeof shopOn>,
  history: readonly { readonly hours: number; readonly step: Step }[],
): Promise<void> {
  await shop.send([{ currency: 'EUR', price: '80.00', status: 'activated' }], true);
  // The creation is not undone: a product without currency and price would remain.
  let isWhole = true;
  let sent = 0;
  for (const { hours, step } of history) {
    vi.setSystemTime(Date.now() + hours * 3_600_000);
    if (step.kind === 'send') {
      const { item, earlier, isRecorded } = step;
      const lines = await shop.send(earlier === undefined ? [item] : [earlier, item], isRecorded);
      if (isRecorded) sent++;
      else if (lines.some(({ action }) => action === 'updated')) isWhole = false;
      const { notice } = lines.at(-1) as Line;
      const lowest = lowestOf(shop.states, seconds());
      const last = shop.states.at(-1) as State;
      const isHigh =
        Boolean(item['price_compare']) && isReduced(last) && (lowest.price ?? Infinity) < Number(last.compare);
      expect(notice.map(({ code }) => code).filter((code) => code === 'compare_above_lowest')).toEqual(
        isHigh ? ['compare_above_lowest'] : [],
      );
    } else if (step.kind === 'delete') {
      isWhole = false;
      await shop.remove();
    } else if (sent-- > 0) await shop.undo();
    else sent = 0;
    const lowest = lowestOf(shop.states, seconds());
    expect(await shop.read()).toMatchObject({
      lowest_price_30d: lowest.price === null ? '' : (lowest.price / 100).toFixed(2),
      lowest_price_30d_known_days: lowest.days,
      reduced_since: lowest.since,
    });
  }
  await checkPeriods(shop, isWhole);
}

/** Each period that is known is as the product was; without a change that no run has, all of them are known. */
async function checkPeriods({ ledger, states }: ReturnType<typeof shopOn>, isWhole: boolean): Promise<void> {
  const { periods = [] } = (await ledger.prices({ key: 'A' }, seconds())) ?? {};
  const known = periods.filter(({ unknown }) => unknown === null);
  for (const { since, until, price, price_compare: compare, status } of known) {
    const within = states.filter(({ at }) => at >= Number(since) && at < (until ?? Infinity));
    for (const one of within) expect({ at: one.at, price }).toEqual({ at: one.at, price: one.price });
    if (isWhole) for (const one of within) expect([compare, status]).toEqual([one.compare, one.status]);
  }
  const boundaries = periods.map(({ until }) => until);
  expect(boundaries).toEqual([null, ...periods.map(({ since }) => since)].slice(0, periods.length));
  expect(periods.at(-1)).toMatchObject({ since: null, unknown: 'before_catalog' });
  if (isWhole) expect(known.length).toBe(periods.length - 1);
}
