// The evidence of a product's former prices: what article 6a of Directive 98/6/EC asks for next to a reduction, the lowest price
// that was applied in the 30 days before it began.
//
// It is kept in one column of the product, since every door by which a price changes saves the row: imports, undo, suspension,
// deletion, with history or without. Found in the ledger instead, the lowest prices of a page of a list would take reading the changes
// of a month. Only what can be the lowest again is kept: of former prices those that are higher than a later one are dropped.
//
// A price is applied while the product is activated. A price whose run was undone was applied as long as it was there. A price counts in
// its own currency: those of another one are kept for the time when the product has it again.
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
  readonly former: FormerPrices;
}

/**
 * Former prices by their currency: when each ended, and the price in cents, one after the other. The prices ascend: those above a
 * later one are dropped.
 */
type FormerPrices = ReadonlyMap<string, readonly number[]>;

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
  const isShort = row.currency === before.currency && text.length <= longestAppended;
  const evidence = isShort ? appended(text, row, before) : packed(evidenceAfter(row, before), row);
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
  const known = before.updated_at;
  const evidence =
    evidenceOf(before) || packed({ known, former: new Map(), reduction: shownReduction(before) }, before);
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

/** The usual change: former prices are not read into a list, which an import of other prices would notice. */
function appended(text: string, next: Priced, before: Priced): string {
  const [known, was] = [knownSince(before), appliedPrice(before)];
  const shown = shownText(reductionAfter(next, before, next.updated_at), known);
  const former = text === '' ? '' : text.slice(endOf(text, text.indexOf(';') + 1));
  const added = was === null || was === appliedPrice(next) ? '' : `;${next.updated_at - known}:${was}`;
  return `${known};${shown}${former}${added}`;
}

/** The reduction that a product shows once it is changed; undefined if it shows none. */
export function reductionAfter(next: Priced, before: Priced, now: number): Reduction | undefined {
  if (!isReduced(next)) return undefined;
  const isSame = next.price === before.price && next.currency === before.currency;
  const goesOn = isSame ? shownReduction(before) : undefined;
  if (goesOn !== undefined) return goesOn;
  // Announced of a price that goes on, a reduction has this price before it, too.
  return { since: now, ...lowestBefore(before, now, next.currency) };
}

/**
 * The lowest price of the 30 days before the reduction began; where none is shown, of the last 30 days.
 * @param now in Unix seconds
 */
export function lowestPrice(product: Row, now: number): LowestPrice & { readonly since: number | null } {
  const row = product as unknown as Priced;
  return shownReduction(row) ?? { ...lowestBefore(row, now, row.currency), since: null };
}

function evidenceAfter(next: Priced, before: Priced): Evidence {
  const at = next.updated_at;
  const isSame = next.currency === before.currency;
  const former = new Map<string, number[]>();
  const add = (until: number, price: number, currency: string): void => {
    const own = former.get(currency) ?? [];
    former.set(currency, own);
    addFormer(own, until, price);
  };
  eachFormer(before, (until, price, currency) => {
    if (until > at - window) add(until, price, currency);
  });
  const was = appliedPrice(before);
  if (was !== null && !(isSame && was === appliedPrice(next))) add(at, was, before.currency);
  return { known: isSame ? knownSince(before) : at, former, reduction: reductionAfter(next, before, at) };
}

function addFormer(former: number[], until: number, price: number): void {
  while ((former.at(-1) ?? -1) >= price) {
    former.pop();
    former.pop();
  }
  former.push(until, price);
  if (former.length <= 2 * mostEntries) return;
  const halfDay = (i: number) => Math.floor((2 * (former[i] as number)) / day);
  // Prices that ended within half a day count as one, with the lowest price and the last end: the result may be too
  // low, but not too high.
  for (let i = former.length - 2; i > 0; i -= 2) {
    if (halfDay(i - 2) !== halfDay(i)) continue;
    former[i - 2] = former[i] as number;
    former.splice(i, 2);
  }
}

/** The lowest price in a currency before a time, with the one that is applied up to then. */
function lowestBefore(row: Priced, at: number, currency: string): LowestPrice {
  const isOwn = currency === row.currency;
  let price = isOwn ? appliedPrice(row) : null;
  eachFormer(row, (until, former, of) => {
    if (of === currency && until > at - window && (price === null || former < price)) price = former;
  });
  const days = Math.floor((at - knownSince(row)) / day);
  return { price, days: isOwn ? Math.max(0, Math.min(mostDays, days)) : 0 };
}

function appliedPrice({ status, price }: Priced): number | null {
  return status === 'activated' ? price : null;
}

/** Suspended meanwhile, a product has the same reduction as before. */
function isReduced({ price, price_compare: compare }: Priced): boolean {
  return price !== null && compare !== null && compare > price;
}

// The evidence is `1795546665;86400:9000:30;86400:9000`: from when on prices are known; the reduction with when it began, in seconds
// since then, the lowest price and the days that are known; former prices with when they ended, those of another currency after its
// code: `USD3600:9000`. A product that never changed in the catalog has none.

function knownSince(row: Priced): number {
  const known = Number.parseInt(row.former_prices, 10);
  // No number, where it has no evidence.
  return Number.isNaN(known) ? row.updated_at : known;
}

/** The reduction that a product shows. */
function shownReduction(row: Priced): Reduction | undefined {
  const text = evidenceOf(row);
  if (text === '') return isReduced(row) ? { since: row.updated_at, price: null, days: 0 } : undefined;
  const from = text.indexOf(';') + 1;
  const shown = text.slice(from, endOf(text, from));
  if (shown === '') return undefined;
  const [since, price, days] = shown.split(':');
  return { since: knownSince(row) + Number(since), price: price === '' ? null : Number(price), days: Number(days) };
}

/** Reads the former prices without a list of them: an import of other prices reads those of each product twice. */
function eachFormer(row: Priced, found: (until: number, price: number, currency: string) => void): void {
  const text = evidenceOf(row);
  const known = knownSince(row);
  for (let at = endOf(text, text.indexOf(';') + 1) + 1; at < text.length; at = endOf(text, at) + 1) {
    const from = text.charCodeAt(at) < letterA ? at : at + codeLength;
    const colon = text.indexOf(':', from);
    const currency = from === at ? row.currency : text.slice(at, from);
    found(known + Number(text.slice(from, colon)), Number(text.slice(colon + 1, endOf(text, from))), currency);
  }
}

/** Digits and a minus are below the letters of a currency's code. */
const letterA = 65;
const codeLength = 3;

/** Where a part of an evidence ends. */
function endOf(text: string, from: number): number {
  const end = text.indexOf(';', from);
  return end === -1 ? text.length : end;
}

/** @param row the product that it is the evidence of */
function packed({ known, former, reduction }: Evidence, row: Priced): string {
  let text = `${known};${shownText(reduction, known)}`;
  for (const [currency, prices] of former) {
    const code = currency === row.currency ? '' : currency;
    for (let i = 0; i < prices.length; i += 2) text += `;${code}${(prices[i] as number) - known}:${prices[i + 1]}`;
  }
  return text;
}

function shownText(reduction: Reduction | undefined, known: number): string {
  return reduction === undefined ? '' : `${reduction.since - known}:${reduction.price ?? ''}:${reduction.days}`;
}
