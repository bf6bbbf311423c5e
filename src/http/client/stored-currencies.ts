// Compares amounts of products sent without their currency with the currency stored on the remote. A local catalog does
// this while deciding; the protocol has no member for it, so that here the products are read first.
import type { Batch, BatchSource } from '../../core/catalog.js';
import { messageText } from '../../core/diagnostics/message-text.js';
import { type Entry, type RawEntry, unreadableEntry } from '../../core/entry.js';
import type { ReadShape } from '../../core/import-report.js';
import { amountInOtherCurrency, mismatchParams } from '../../core/planning/amount-currency.js';
import type { Resource } from '../../core/resource.js';

/** Products read at a time. */
const readAtOnce = 8;

/** Reads a record of the remote by its key. */
export type ReadByKey = (key: string) => Promise<ReadShape | undefined>;

/**
 * Refuses items with an amount in another currency than the stored one. Batches without such amounts pass unchanged.
 * Products that an earlier batch of the same import creates may not be stored yet: their amounts are accepted.
 * @param originals receives for each yielded batch the one it was made from
 */
export function withStoredCurrencies(
  resource: Resource,
  batches: BatchSource,
  read: ReadByKey,
  originals: WeakMap<Batch, Batch> = new WeakMap(),
): BatchSource {
  if (resource.fields['currency'] === undefined) return batches;
  return checkedBatches(resource, batches, read, originals);
}

async function* checkedBatches(
  resource: Resource,
  batches: BatchSource,
  read: ReadByKey,
  originals: WeakMap<Batch, Batch>,
): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    const entries = [...batch];
    originals.set(entries, batch);
    const waiting = entries.flatMap((entry, at) => (entry.kind === 'raw' && entry.amounts ? [{ entry, at }] : []));
    for (let from = 0; from < waiting.length; from += readAtOnce) {
      const some = waiting.slice(from, from + readAtOnce);
      await Promise.all(
        some.map(async ({ entry, at }) => {
          entries[at] = await checked(resource, entry, read);
        }),
      );
    }
    yield entries;
  }
}

async function checked(resource: Resource, entry: RawEntry, read: ReadByKey): Promise<Entry> {
  const item = entry.item as Readonly<Record<string, unknown>>;
  const key = resource.externalId(item);
  const currency = item['currency'] || (key === '' ? undefined : (await read(key))?.['currency']);
  if (typeof currency !== 'string') return entry;
  const other = amountInOtherCurrency(entry.amounts ?? [], currency);
  if (other === undefined) return entry;
  const { field, text } = other;
  const message = messageText('currency_mismatch', field, text, mismatchParams(other, currency));
  return unreadableEntry({ code: 'currency_mismatch', field, message }, key);
}
