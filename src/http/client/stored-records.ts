// Compares amounts of products that are sent without their currency with the records stored on the remote. A local catalog
// does this while deciding; the protocol has no member for it, so that here the records are read first.
import type { Batch, BatchSource } from '../../core/catalog.js';
import { messageText } from '../../core/diagnostics/message-text.js';
import { type Entry, type RawEntry, unreadableEntry } from '../../core/entry.js';
import type { ReadShape } from '../../core/import-report.js';
import { amountInOtherCurrency, mismatchParams } from '../../core/planning/amount-currency.js';
import type { Resource } from '../../core/resource.js';

/** Records read at a time. */
const readAtOnce = 8;

/** Reads a record by its key. */
type ReadStored = (key: string) => Promise<ReadShape | undefined>;

/**
 * Refuses items that contradict the stored records; batches without such items pass unchanged. Records that an earlier
 * batch of the same import creates may not be stored yet: items for them are accepted.
 * @param originals receives for each batch with such items the one it was made from
 */
export async function* withStoredRecords(
  resource: Resource,
  batches: BatchSource,
  stored: ReadStored,
  originals: WeakMap<Batch, Batch> = new WeakMap(),
): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    const waiting = batch.flatMap((entry, at) => (dependsOnStored(entry) ? [{ entry, at }] : []));
    if (waiting.length === 0) {
      yield batch;
      continue;
    }
    const entries = [...batch];
    originals.set(entries, batch);
    for (let from = 0; from < waiting.length; from += readAtOnce) {
      const some = waiting.slice(from, from + readAtOnce);
      await Promise.all(
        some.map(async ({ entry, at }) => {
          entries[at] = await checked(resource, entry, stored);
        }),
      );
    }
    yield entries;
  }
}

function dependsOnStored(entry: Entry): entry is RawEntry {
  return entry.kind === 'raw' && entry.amounts !== undefined;
}

async function checked(resource: Resource, entry: RawEntry, stored: ReadStored): Promise<Entry> {
  const item = entry.item as Readonly<Record<string, unknown>>;
  const key = resource.externalId(item);
  const currency = item['currency'] || (key === '' ? undefined : (await stored(key))?.['currency']);
  return typeof currency === 'string' ? withCurrency(entry, key, currency) : entry;
}

function withCurrency(entry: RawEntry, key: string, currency: string): Entry {
  const other = amountInOtherCurrency(entry.amounts ?? [], currency);
  if (other === undefined) return entry;
  const { field, text } = other;
  const message = messageText('currency_mismatch', field, text, mismatchParams(other, currency));
  return unreadableEntry({ code: 'currency_mismatch', field, message }, key);
}
