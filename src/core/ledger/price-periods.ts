// The prices of a product over time: each with when it began, and by which line of which run. What is known follows from the
// product as it is stored, and goes back in time by the changes of runs. Where a change is missing among them, it tells that the
// price is not known.
import { gradeTable } from '../resources/product-grades.js';
import { productTable } from '../resources/product-table.js';
import type { Row, Value } from '../rows/table.js';
import type { RecordEvent } from './record-timeline.js';
import type { RecordedChange } from './recorded-change.js';

/** Why a price is not known: the product was not in the catalog yet, or no run that is kept tells what changed it. */
type UnknownPrice = 'before_catalog' | 'not_recorded';

/** A price for a time, with what applied next to it. Amounts are in cents. */
export interface PricePeriod {
  /** `price`, or `grades[new].price`. */
  readonly field: string;
  /** In Unix seconds; null for an unknown beginning. */
  readonly since: number | null;
  /** Null for the present one. */
  readonly until: number | null;
  /** Null if it is unknown, or was never set. */
  readonly price: number | null;
  readonly price_compare: number | null;
  readonly currency: string;
  readonly status: string;
  /** What gave the price; null if it is not known. `file` is an index among the files of the run. */
  readonly origin: { readonly run: number; readonly file: number; readonly line: number } | null;
  readonly unknown: UnknownPrice | null;
}

interface PricedRow {
  readonly field: string;
  readonly table: string;
  readonly grade: Value | undefined;
  readonly row: Row;
}

const followed = ['price', 'price_compare', 'currency', 'status', 'listed'];

/**
 * The prices of a product and of its grades, the latest first.
 * @param product as it is stored, with its grades
 * @param events its timeline
 */
export function pricePeriods(
  product: Row,
  grades: readonly Row[],
  events: readonly RecordEvent[],
): readonly PricePeriod[] {
  const mark = Number(product['updated_at']);
  const rows: PricedRow[] = [
    { field: 'price', table: productTable.name, grade: undefined, row: product },
    ...grades.map((row) => ({
      ...{ field: `grades[${row['grade']}].price`, table: gradeTable.name, grade: row['grade'] ?? null, row },
    })),
  ];
  return rows.flatMap((row) => periodsOf(row, events, mark));
}

function periodsOf(priced: PricedRow, events: readonly RecordEvent[], mark: number): PricePeriod[] {
  const found: PricePeriod[] = [];
  const isOwn = ({ table, row }: RecordedChange) =>
    table === priced.table && (priced.grade === undefined || row['grade'] === priced.grade);
  let state: Readonly<Partial<Row>> = priced.row;
  let until: number | null = null;
  const add = (since: number | null, origin: PricePeriod['origin'], unknown: UnknownPrice | null = null) => {
    const next = period(priced.field, state, { since, until, origin, unknown });
    const last = found.at(-1);
    if (next.unknown === 'not_recorded' && last?.unknown === next.unknown) found.splice(-1, 1, { ...last, since });
    else found.push(next);
    until = since;
  };
  for (const [i, event] of [...events.entries()].reverse()) {
    if (event.at === undefined) {
      add(events[i + 1]?.after ?? mark, null);
      state = {};
      add(events[i - 1]?.at ?? null, null);
      continue;
    }
    const own = event.changes.find(isOwn);
    const isCreation = event.after === 0;
    if (!isCreation && (own === undefined || !own.columns.some((name) => followed.includes(name)))) continue;
    if (own !== undefined) state = { ...valuesOf(own.columns, own.after as Value[]), ...state };
    const { file = 0, line = 0 } = own ?? event.changes[0] ?? {};
    add(event.at, { run: event.run ?? 0, file, line });
    if (own?.isNew === true || isCreation) {
      state = {};
      if (priced.grade === undefined) add(null, null, 'before_catalog');
      return found;
    }
    state = { ...state, ...valuesOf(own?.columns ?? [], own?.before ?? []) };
  }
  return found;
}

function valuesOf(columns: readonly string[], values: readonly Value[]): Row {
  return Object.fromEntries(columns.map((name, i) => [name, values[i] ?? null]));
}

function period(
  field: string,
  { price, price_compare: compare, currency, status, listed }: Readonly<Partial<Row>>,
  at: Pick<PricePeriod, 'since' | 'until' | 'origin' | 'unknown'>,
): PricePeriod {
  return {
    ...{ field, since: at.since, until: at.until, origin: at.origin },
    ...{ price: amountOf(price), price_compare: amountOf(compare), currency: String(currency ?? '') },
    status: listed === 0 ? 'unlisted' : String(status ?? ''),
    unknown: at.unknown ?? (price === undefined ? 'not_recorded' : null),
  };
}

function amountOf(value: Value | undefined): number | null {
  return value == null ? null : Number(value);
}
