// Items that a remote acknowledged before, and that are sent all the same.
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { rawEntry } from '../../src/core/entry.js';
import { withholding } from '../../src/importing/withhold-known-items.js';
import { openAcknowledgedItems } from '../../src/store/sqlite/acknowledged/acknowledged-items.js';
import { given, resourceCalled } from '../given.js';
import { folder } from './given.js';

it('are those of a key that comes twice among items of which the second is refused as a duplicate: it has to see the first', async () => {
  const path = join(folder(), 'acknowledged.db');
  const shop = given().has('customer', { external_id: 'ada' });
  /** The items of a run that are sent, by their index. */
  async function sentBy(run: string, resource: string, items: readonly Record<string, unknown>[]) {
    const options = { file: path, binding: resource, run, withholds: true, dryRun: false, now: () => 1_800_000_000 };
    const acknowledged = openAcknowledgedItems(options);
    onTestFinished(() => acknowledged.close());
    const { step, reported } = withholding(resourceCalled(resource), { acknowledged }, false);
    const { entries } = await step({ entries: items.map(rawEntry), lines: items.map((_, i) => i + 2) });
    const { data } = shop.send(resource, items);
    reported(entries, data);
    return entries.flatMap(({ kind }, i) => (kind === 'settled' ? [] : [i]));
  }
  const review = (id: string) => ({ external_id: id, product_sku: 'A', customer_external_id: 'ada', rating: 5 });
  expect(await sentBy('1', 'reviews', [review('R-1'), review('R-2')])).toEqual([0, 1]);
  expect(await sentBy('2', 'reviews', [review('R-1'), review('R-2'), review('R-1')])).toEqual([0, 2]);
  const product = (sku: string) => ({ sku, currency: 'EUR' });
  expect(await sentBy('3', 'products', [product('A'), product('B')])).toEqual([0, 1]);
  expect(await sentBy('4', 'products', [product('A'), product('B'), product('A')])).toEqual([]);
});
