// What a feed lists after undos, on every kind of store: as if the runs that are undone had never been accepted.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.js';
import { type Shop, shopOn } from './ledger-shop.js';

const skus = ['A', 'B', 'C', 'D'] as const;
const eur = { currency: 'EUR' };

/** A run that reads some products, or the undo of the nth run, whichever kind it is. */
type Night = { readonly reads: readonly string[] } | { readonly undoes: number };

const night: fc.Arbitrary<Night> = fc.oneof(
  fc.record({ reads: fc.subarray([...skus], { minLength: 1 }) }),
  fc.record({ undoes: fc.nat(11) }),
);

/** What a feed is known to list. */
interface Known {
  readonly lists: { readonly run: number; readonly records: number } | undefined;
  readonly rows: number | undefined;
  /** Key, last run, since run, and number of runs. */
  readonly missing: readonly string[];
}

/** What the runs that count read, from the first to the last. */
function expected(nights: readonly Night[]): Known {
  const counts = new Map<number, boolean>();
  const set = (number: number, does: boolean): void => {
    const one = nights[number - 1];
    if (one === undefined) return;
    if ('undoes' in one) set(targetOf(one.undoes, number), !does);
    else counts.set(number, does);
  };
  nights.forEach((_, i) => {
    set(i + 1, true);
  });
  const read = nights.flatMap((one, i) =>
    'reads' in one && counts.get(i + 1) === true ? [{ run: i + 1, reads: one.reads }] : [],
  );
  const last = read.at(-1);
  const missing = skus.flatMap((sku) => {
    const at = read.findLastIndex(({ reads }) => reads.includes(sku));
    const since = read[at + 1];
    if (at === -1 || since === undefined) return [];
    return [`${sku} ${read[at]?.run}-${since.run} ${read.length - at - 1}`];
  });
  return {
    lists: last && { run: last.run, records: last.reads.length },
    rows: last?.reads.length,
    missing,
  };
}

/** The run that a night undoes: one before it. */
function targetOf(nth: number, number: number): number {
  return (nth % (number - 1)) + 1;
}

async function known({ ledger }: Shop): Promise<Known> {
  const runs = await ledger.runs();
  const [listing] = await ledger.listings(runs);
  const missing = await ledger.missing('erp', runs);
  return {
    lists: listing && { run: listing.run, records: listing.records },
    rows: (await ledger.acceptedRows('erp', runs)).get('product')?.rows,
    missing: missing.map(({ key, lastRun, sinceRun, runs }) => `${key} ${lastRun}-${sinceRun} ${runs}`).sort(),
  };
}

/** @param cases how many random courses are tried */
export function undoneRunsContract(name: string, open: () => Promise<Store>, cases: number): void {
  describe(`runs that are undone ${name}`, () => {
    it('do not count for what a feed lists and since when a record is missing, until their undo is undone', async () => {
      const courses = fc.tuple(
        fc.record({ reads: fc.subarray([...skus], { minLength: 1 }) }),
        fc.array(night, { minLength: 2, maxLength: 9 }),
      );
      await fc.assert(
        fc.asyncProperty(courses, async ([first, others]) => {
          const shop = shopOn(await open());
          const nights: Night[] = [];
          for (const one of [first, ...others]) {
            nights.push(one);
            if ('undoes' in one) await shop.undo(targetOf(one.undoes, nights.length));
            else await shop.run('erp', Object.fromEntries(one.reads.map((sku) => [sku, eur])));
            expect(await known(shop)).toEqual(expected(nights));
          }
        }),
        { numRuns: cases },
      );
    });

    it('leave what other feeds list as it is', async () => {
      const shop = shopOn(await open());
      await shop.run('other', { A: eur, B: eur });
      await shop.run('erp', { A: eur, B: eur });
      const { run } = await shop.run('erp', { A: eur });
      await shop.undo(run);
      expect(
        (await shop.ledger.listings(await shop.ledger.runs())).map(({ feed, records }) => [feed, records]),
      ).toEqual([
        ['other', 2],
        ['erp', 2],
      ]);
    });
  });
}
