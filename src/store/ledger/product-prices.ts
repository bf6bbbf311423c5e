// The prices that a product had, as the ledger tells them.
import type { Selector } from '../../core/catalog.js';
import type { ReadShape } from '../../core/import-report.js';
import { type PricePeriod, pricePeriods } from '../../core/ledger/price-periods.js';
import { timelineOf } from '../../core/ledger/record-timeline.js';
import { offerTable } from '../../core/ledger/run-tables.js';
import { viewRecord } from '../../core/reading/record-view.js';
import { product } from '../../core/resources/product.js';
import { gradeTable } from '../../core/resources/product-grades.js';
import type { Store } from '../store.js';
import { untilLoaded } from '../until-loaded.js';
import { changesOf } from './change-reader.js';

/** A product with the prices that it had. */
export interface ProductPrices {
  /** Its read shape, with its lowest price. */
  readonly record: ReadShape;
  /** The latest first: those of the product, then those of each grade. */
  readonly periods: readonly PricePeriod[];
}

/** @returns undefined for an unknown product */
export async function productPrices(store: Store, selector: Selector, now: number): Promise<ProductPrices | undefined> {
  const id = await store.read((draft) => untilLoaded(draft, () => product.find(selector, draft)?.['id']));
  if (id === undefined) return undefined;
  const changes = (await changesOf(store, String(id))).filter(({ change }) => change.table !== offerTable.name);
  return store.read((draft) =>
    untilLoaded(draft, () => {
      const row = product.find({ id: String(id) }, draft);
      if (row === undefined) return undefined;
      const { events } = timelineOf(
        product,
        { changes, since: Number.POSITIVE_INFINITY },
        new Map(),
        Number(row['updated_at']),
      );
      return {
        record: viewRecord(product, row, draft, { include: ['lowest_price_30d'], now }),
        periods: pricePeriods(row, draft.children(gradeTable, String(id)), events),
      };
    }),
  );
}
