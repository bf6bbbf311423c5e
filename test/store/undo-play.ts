// Plays runs and undos in a shop of three products, and compares it with one in which the undone runs had never been.
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { noFeedSettings } from '../../src/core/ledger/feed-ranking.js';
import type { UndoResult } from '../../src/store/ledger/undo-runs.js';
import type { Store } from '../../src/store/store.js';
import { type Shop, shopOn } from './ledger-shop.js';
import { counting, type Import, nothing, type Product, played, type Ranking, type Sent } from './undo-model.js';
import { type Action, skus } from './undone-sequences.js';

/** A shop that is played, with what is known of it. */
interface Played {
  readonly shop: Shop;
  readonly imports: Import[];
  readonly undos: Map<number, readonly number[]>;
  /** The fields that some undo kept: product and field. */
  readonly kept: Set<string>;
  /** What feeds sent last of a product, by both. */
  readonly last: Map<string, Sent>;
  readonly ranking: Ranking;
  /** What each undo said. */
  readonly said: string[];
}

async function product({ shop }: Played, sku: string): Promise<Product | undefined> {
  const found = (await shop.product(sku)) as Record<string, unknown>;
  if (found['sku'] === undefined) return undefined;
  const { name, status, price, stock, note } = found as never as Product;
  const attributes = found['attributes'] as { type_name: string; value: string }[];
  const grades = (found['grades'] as { grade: string; price: string; stock: number; status: string }[]).filter(
    (one) => one.status === 'activated',
  );
  return {
    ...{ name, status, price, stock, note },
    attributes: Object.fromEntries(attributes.map((one) => [one.type_name, one.value])),
    grades: Object.fromEntries(grades.map((one) => [one.grade, `${one.price} ${one.stock}`])),
  };
}

/** What a run sends: values that no run sent before, or others than those of today, so that each changes something. */
async function sentBy(it: Played, sku: string, words: readonly string[], next: () => number): Promise<Sent> {
  const today = await product(it, sku);
  const values: Record<string, string | number> = {};
  for (const word of words) {
    if (word === 'name') values['name'] = `N${next()}`;
    if (word === 'price') values['price'] = `${next()}.00`;
    if (word === 'stock') values['stock'] = next();
    if (word === 'note') values['note'] = today?.note === 'on' ? 'off' : 'on';
    if (word === 'status') values['status'] = today?.status === 'activated' ? 'draft' : 'activated';
  }
  const of = <V>(names: readonly string[], value: () => V) =>
    Object.fromEntries(words.filter((word) => names.includes(word)).map((word) => [word, value()]));
  const grades = of(['new', 'good'], next);
  if (sku === 'C' && Object.keys({ ...grades, ...today?.grades }).length > 0) return { fields: values, grades };
  if (sku === 'C') return { fields: values };
  return { fields: values, attributes: of(['Capacity', 'Colour'], () => `V${next()}`) };
}

function itemOf({ fields: values, attributes, grades }: Sent): Record<string, unknown> {
  return {
    ...{ currency: 'EUR', ...values },
    ...(attributes && { attributes: Object.entries(attributes).map(([type, value]) => ({ type, value })) }),
    ...(grades && { grades: Object.entries(grades).map(([grade, price]) => ({ grade, price, stock: price })) }),
  };
}

/** What of an item changes a product: of what was sent as it is nothing is recorded. */
function changedBy({ fields: values, attributes, grades }: Sent, today: Product | undefined): Sent {
  const isOther = ([name, value]: [string, unknown]) => value !== (today as never as Record<string, unknown>)?.[name];
  const isOtherValue = ([name, value]: [string, string]) => value !== today?.attributes[name];
  const shown = Object.fromEntries(
    Object.entries(grades ?? {}).map(([grade, price]) => [grade, `${price}.00 ${price}`]),
  );
  return {
    fields: Object.fromEntries(Object.entries(values).filter(isOther)),
    ...(attributes && { attributes: Object.fromEntries(Object.entries(attributes).filter(isOtherValue)) }),
    ...(grades && !isDeepStrictEqual(shown, today?.grades) && { grades }),
  };
}

/** Fields that are kept as a whole; a status is, too, below a suspension. */
const single: ReadonlySet<string> = new Set(['name', 'price', 'stock', 'note']);

/** The imports that an undo is about. */
function targetsOf(targets: readonly number[], undos: ReadonlyMap<number, readonly number[]>): number[] {
  return targets.flatMap((one) => (undos.has(one) ? targetsOf(undos.get(one) ?? [], undos) : [one]));
}

/** As runs of other nights do, each begins after the one before has ended, by the seconds that are stored. */
let nights = 0;

/** Has each test know these nights. */
export function separateNights(): void {
  beforeEach(() => {
    const now = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + nights * 2000);
  });
  afterEach(() => void vi.restoreAllMocks());
}

/** What an undo said: how many records it restored and suspended, and which fields it kept, and why. */
function summaryOf({ restored, suspended, keptFields }: UndoResult): string {
  const kept = new Map<string, string[]>();
  for (const { key, field, reason, run } of keptFields) {
    const why = `${key} ${reason}${run === undefined ? '' : ` ${run}`}`;
    kept.set(why, [...(kept.get(why) ?? []), field].sort());
  }
  return [
    ...(restored > 0 ? [`${restored} restored`] : []),
    ...(suspended > 0 ? [`${suspended} suspended`] : []),
    ...[...kept].map(([why, fields]) => `${why}: ${fields.length > 9 ? 'most fields' : fields.join(' ')}`).sort(),
  ].join(', ');
}

async function play(it: Played, action: Action, next: () => number): Promise<void> {
  nights++;
  const { shop, imports, undos, kept } = it;
  if ('undoes' in action) {
    const numbers = (await shop.ledger.runs()).map(({ number }) => number);
    if (numbers.length === 0) return;
    const chosen = [...new Set(action.undoes.map((nth) => numbers[nth % numbers.length] as number))];
    const targets = action.since ? numbers.filter((number) => number >= Math.min(...chosen)) : chosen;
    const dry = await shop.ledger.undo(targets, undefined, new AbortController().signal);
    const before = new Map<string, Product | undefined>();
    for (const sku of skus) before.set(sku, await product(it, sku));
    const { run: number, ...done } = await shop.undo(...targets);
    expect(done, 'a dry run says the same').toEqual(dry);
    undos.set(number, targets);
    it.said.push(summaryOf(done));
    for (const { key, field, reason, run: by } of done.keptFields) {
      kept.add(`${key} ${field}`);
      if (reason === 'changed_since') {
        const earliest = Math.min(...targetsOf(targets, undos));
        if (by !== undefined && by < earliest)
          expect.fail(`${key} ${field} was not changed by ${by} since ${earliest}`);
        const [was, is] = [before.get(key), await product(it, key)] as never as Record<string, unknown>[];
        const isKnown = imports.every((one) => one.run !== undefined) && single.has(field);
        if (isKnown) expect(is?.[field], `${key} ${field} is kept`).toEqual(was?.[field]);
      }
      // They follow from grades.
      if (field === 'grades') for (const one of ['price', 'stock']) kept.add(`${key} ${one}`);
    }
    return;
  }
  // An empty file never means that all is gone.
  if (action.isRecorded && action.feed !== '' && Object.keys(action.lists).length === 0) return;
  const { suspends, isRecorded, repeats } = action;
  const isOwner = 'w' in it.ranking.own;
  // Without an owner, no ranking decides between it and the others.
  const feed = action.feed === 'w' && it.ranking.order.length > 0 && !isOwner ? '' : action.feed;
  const lists: Record<string, Sent> = {};
  const items: Record<string, Record<string, unknown>> = {};
  const before = new Map<string, Record<string, unknown>>();
  for (const [sku, all] of Object.entries(action.lists)) {
    if (feed === 'w' && isOwner && sku === 'C') continue;
    const words = feed === 'w' && isOwner ? ['stock'] : all;
    const again = repeats ? it.last.get(`${feed} ${sku}`) : undefined;
    const sent = again ?? (await sentBy(it, sku, words, next));
    it.last.set(`${feed} ${sku}`, sent);
    items[sku] = itemOf(sent);
    const isRemembered = isRecorded && feed !== '' && it.ranking.order.length > 0;
    before.set(sku, await shop.product(sku));
    lists[sku] = isRemembered ? sent : changedBy(sent, await product(it, sku));
  }
  if (isRecorded && feed !== '' && Object.keys(lists).length === 0) return;
  const done = isRecorded ? await shop.run(feed, items, { suspends }) : undefined;
  const number = done?.run;
  if (!isRecorded) await shop.unrecorded(items);
  const leftOut = Object.keys(lists).filter((sku) => done?.notices[sku]?.some((one) => one.startsWith('not_created')));
  // Of what is no feed's, and changes nothing, nothing is known.
  if (!isRecorded || feed === '')
    for (const sku of Object.keys(lists))
      if (isDeepStrictEqual(before.get(sku), await shop.product(sku))) delete lists[sku];
  const onlyUpdates = feed === 'w';
  imports.push(
    isRecorded
      ? { feed, lists, suspends, run: number, onlyUpdates, leftOut }
      : { feed: '', lists, suspends: false, run: number },
  );
}

/** Compares the products with those of a shop that only had the runs that count. */
async function compare(it: Played): Promise<void> {
  const expected = played(counting(it.imports, it.undos), it.ranking);
  for (const sku of skus) {
    const found = await product(it, sku);
    if (found === undefined) continue;
    const wanted = expected.get(sku) ?? nothing(sku);
    for (const field of Object.keys(nothing(sku)) as (keyof Product)[])
      if (!it.kept.has(`${sku} ${field}`)) expect(found[field], `${sku} ${field}`).toEqual(wanted[field]);
  }
}

/** A shop in which nothing was played yet. */
async function begun(store: Store, ranking: Ranking): Promise<Played> {
  const shop = shopOn(store);
  await shop.characteristics('Capacity', 'Colour');
  await shop.ledger.setFeeds(() => ({ ...noFeedSettings, ...ranking, only: { w: 'update' } }));
  return { shop, ranking, imports: [], undos: new Map(), kept: new Set(), last: new Map(), said: [] };
}

/** Plays a sequence, and compares after each undo. @returns what each undo said */
export async function check(store: Store, ranking: Ranking, all: readonly Action[]): Promise<readonly string[]> {
  const it = await begun(store, ranking);
  let last = 0;
  for (const action of all) {
    await play(it, action, () => ++last);
    if ('undoes' in action) await compare(it);
  }
  await compare(it);
  await store.close();
  return it.said;
}

/** Plays a sequence, and then undoes its last actions at once: nothing came after them, so they leave nothing. */
export async function checkLast(
  store: Store,
  ranking: Ranking,
  [before, last]: readonly (readonly Action[])[],
): Promise<void> {
  const it = await begun(store, ranking);
  let number = 0;
  for (const action of before ?? []) await play(it, action, () => ++number);
  const known = (await it.shop.ledger.runs()).length;
  const wanted = await Promise.all(skus.map((sku) => product(it, sku)));
  for (const action of last ?? []) await play(it, action, () => ++number);
  const later = (await it.shop.ledger.runs()).slice(known).map((one) => one.number);
  if (later.length > 0) {
    const { keptFields } = await it.shop.undo(...later);
    expect(keptFields).toEqual([]);
  }
  for (const [i, sku] of skus.entries()) {
    const found = await product(it, sku);
    expect(found, sku).toEqual(wanted[i] ?? found);
  }
  await store.close();
}
