// The evidence of a product's former prices: what article 6a of Directive 98/6/EC asks for next to a reduction, the lowest price
// that was applied in the 30 days before it began.
//
// It is kept in one column of the product, since every door by which a price changes saves the row: imports, undo, suspension,
// deletion, with history or without. Found in the ledger instead, the lowest prices of a page of a list would take reading the changes
// of a month. Only what can be the lowest again is kept: of former prices those that are higher than a later one are dropped.
//
// A price is applied while the product is activated. A price whose run was undone was applied as long as it was there.
//
// After the evidence the column holds the product as it was before the run that last changed it. A file may have the same product
// in several rows, and a run writes them in one transaction or in several: its reductions are always compared with the product
// before the run. A change that another writer makes during the run counts for later runs only.
import type { Row } from '../rows/table.js';

const day = 86_400;
/** The days that count before a reduction, and their seconds. */
const mostDays = 30;
const window = mostDays * day;

/** More entries than this are merged within half a day: a row must not grow without end. */
const mostEntries = 2 * mostDays;

/** When a former price ended, and the price in cents. The prices of a list ascend, as all that were above a later one are dropped. */
type FormerPrice = readonly [until: number, price: number];

/** The lowest price that was applied, in cents; null if none is known. `days`: how many whole days before are known. */
export interface LowestPrice {
  readonly price: number | null;
  readonly days: number;
}

/** A reduction that is shown: `price_compare` above `price`. */
export interface Reduction extends LowestPrice {
  /** When it began. */
  readonly since: number;
}

interface Evidence {
  /** From when on all prices in today's currency are known. */
  readonly known: number;
  readonly reduction: Reduction | undefined;
  readonly former: readonly FormerPrice[];
}

/** The columns of a product that it follows from. */
interface Priced {
  readonly status: string;
  readonly currency: string;
  readonly price: number | null;
  readonly price_compare: number | null;
  readonly updated_at: number;
  readonly former_prices: string;
}

/** Texts up to this length are only appended to; longer ones are read, and lose what is too old. */
const longestAppended = 64;

/**
 * What the column holds when the row changes.
 * @param stored the row as the last transaction left it
 * @param run what changes it; undefined for what is done in one transaction
 */
export function formerPricesAfter(next: Row, stored: Row, run: string | undefined): string {
  const [row, before] = [next as unknown as Priced, stored as unknown as Priced];
  const text = evidenceOf(before);
  const isSame =
    row.price === before.price &&
    row.price_compare === before.price_compare &&
    row.status === before.status &&
    row.currency === before.currency;
  if (isSame && text !== '') return before.former_prices;
  const isPlain = row.currency === before.currency && !isReduced(row) && !isReduced(before);
  const evidence =
    isPlain && text.length <= longestAppended
      ? appended(text, row, before)
      : packed(evidenceAfter(row, before, row.updated_at));
  const isFirstOfRun = run !== undefined && !isSame && !isChangedBy(before, run);
  return evidence + (isFirstOfRun ? originText(before, run) : before.former_prices.slice(text.length));
}

/** What the column holds of a product that a run creates. */
export function noFormerPrices(run: string): string {
  return separator + run;
}

/**
 * A product as it was before a run: as it is stored, unless the run changed it.
 * @returns undefined if the run created it
 */
export function beforeRun(stored: Row, run: string): Row | undefined {
  const { former_prices: text } = stored as unknown as Priced;
  if (!isChangedBy(stored as unknown as Priced, run)) return stored;
  const [, , price, currency = '', status = '', evidence] = text.split(separator);
  if (price === undefined || evidence === undefined) return undefined;
  return { ...stored, price: price === '' ? null : Number(price), currency, status, former_prices: evidence };
}

/** Between the evidence and what the product was before a run, and between its parts: `|` is in none of them. */
const separator = '|';

function originText(before: Priced, run: string): string {
  const evidence = evidenceOf(before) || packed(unpacked(before));
  return ['', run, before.price ?? '', before.currency, before.status, evidence].join(separator);
}

function isChangedBy({ former_prices: text }: Priced, run: string): boolean {
  const at = text.indexOf(separator) + 1;
  return at > 0 && text.startsWith(run, at) && (text[at + run.length] ?? separator) === separator;
}

function evidenceOf({ former_prices: text }: Priced): string {
  const end = text.indexOf(separator);
  return end === -1 ? text : text.slice(0, end);
}

/** The usual change, of a product without a reduction: nothing is read, which an import of other prices would notice. */
function appended(text: string, next: Priced, before: Priced): string {
  const was = appliedPrice(before);
  const former = text === '' ? `${before.updated_at};` : text;
  if (was === null || was === appliedPrice(next)) return former;
  return `${former};${next.updated_at - Number.parseInt(former, 10)}:${was}`;
}

/** The reduction that a product shows once it is changed; undefined if it shows none. */
export function reductionAfter(next: Row, stored: Row, now: number): Reduction | undefined {
  return evidenceAfter(next as unknown as Priced, stored as unknown as Priced, now).reduction;
}

/**
 * The lowest price of the 30 days before the reduction began; where none is shown, of the last 30 days.
 * @param now in Unix seconds
 */
export function lowestPrice(product: Row, now: number): LowestPrice & { readonly since: number | null } {
  const row = product as unknown as Priced;
  const evidence = unpacked(row);
  return evidence.reduction ?? { ...lowestBefore(evidence, now, appliedPrice(row)), since: null };
}

function evidenceAfter(next: Priced, before: Priced, at: number): Evidence {
  const stored = unpacked(before);
  const isOtherCurrency = next.currency !== before.currency;
  const [was, is] = [appliedPrice(before), appliedPrice(next)];
  const known = isOtherCurrency ? at : stored.known;
  const former = isOtherCurrency ? [] : stored.former.filter(([until]) => until > at - window);
  if (!isOtherCurrency && was !== null && was !== is) addFormer(former, [at, was]);
  if (!isReduced(next)) return { known, former, reduction: undefined };
  const goesOn = next.price === before.price && !isOtherCurrency;
  if (goesOn && stored.reduction !== undefined) return { known, former, reduction: stored.reduction };
  // Announced of a price that goes on, a reduction has this price before it, too.
  const { price, days } = lowestBefore({ known, former }, at, goesOn ? was : null);
  return { known, former, reduction: { since: at, price, days } };
}

function addFormer(former: FormerPrice[], [until, price]: FormerPrice): void {
  while ((former.at(-1)?.[1] ?? -1) >= price) former.pop();
  former.push([until, price]);
  if (former.length <= mostEntries) return;
  const halfDay = (at: number) => Math.floor((2 * at) / day);
  // Prices that ended within half a day count as one, with the lowest price and the last end: the result may be too
  // low, but not too high.
  for (let i = former.length - 1; i > 0; i--) {
    const [earlier, later] = [former[i - 1] as FormerPrice, former[i] as FormerPrice];
    if (halfDay(earlier[0]) === halfDay(later[0])) former.splice(i - 1, 2, [later[0], earlier[1]]);
  }
}

/** The lowest price before a time. @param current the price that is applied up to then */
function lowestBefore(
  { known, former }: Pick<Evidence, 'known' | 'former'>,
  at: number,
  current: number | null,
): LowestPrice {
  // The prices ascend: the first that counts is the lowest.
  const past = former.find(([until]) => until > at - window)?.[1] ?? null;
  const price = past === null ? current : current === null ? past : Math.min(past, current);
  return { price, days: Math.max(0, Math.min(mostDays, Math.floor((at - known) / day))) };
}

function appliedPrice({ status, price }: Priced): number | null {
  return status === 'activated' ? price : null;
}

/** Suspended meanwhile, a product has the same reduction as before. */
function isReduced({ price, price_compare: compare }: Priced): boolean {
  return price !== null && compare !== null && compare > price;
}

/**
 * Reads `1795546665;86400:9000:30;86400:9000`: from when on prices are known; the reduction with when it began, in seconds since
 * then, the lowest price and the days that are known; former prices with when they ended. A product that never changed in the catalog
 * has none.
 */
function unpacked(row: Priced): Evidence {
  const text = evidenceOf(row);
  if (text === '') {
    const known = row.updated_at;
    return { known, former: [], reduction: isReduced(row) ? { since: known, price: null, days: 0 } : undefined };
  }
  const parts = text.split(';');
  const known = Number(parts[0]);
  const former: FormerPrice[] = [];
  for (let i = 2; i < parts.length; i++) {
    const entry = parts[i] as string;
    addFormer(former, [known + Number.parseInt(entry, 10), Number(entry.slice(entry.indexOf(':') + 1))]);
  }
  return { known, former, reduction: parts[1] ? reductionOf(parts[1], known) : undefined };
}

function reductionOf(text: string, known: number): Reduction {
  const [since, price, days] = text.split(':');
  return { since: known + Number(since), price: price === '' ? null : Number(price), days: Number(days) };
}

function packed({ known, former, reduction }: Evidence): string {
  const shown = reduction === undefined ? '' : `${reduction.since - known}:${reduction.price ?? ''}:${reduction.days}`;
  return [known, shown, ...former.map(([until, price]) => `${until - known}:${price}`)].join(';');
}
