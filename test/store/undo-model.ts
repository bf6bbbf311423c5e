// What a shop of three products is if only some of its runs ever were: they are played from the first to the last.

type Fields = Readonly<Record<string, string | number>>;

/** What a run sends of a product. */
export interface Sent {
  readonly fields: Fields;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly grades?: Readonly<Record<string, number>>;
}

/** An import: complete, where it is of a feed. */
export interface Import {
  readonly feed: string;
  readonly lists: Readonly<Record<string, Sent>>;
  /** Whether it suspends what its feed lists no longer. */
  readonly suspends: boolean;
  /** Whether it creates nothing (`only: update`), and what it listed that was not there. */
  readonly onlyUpdates?: boolean;
  readonly leftOut?: readonly string[];
  /** The number of the run; undefined without history. */
  readonly run: number | undefined;
}

/** A product as tests compare it. */
export interface Product {
  readonly name: string;
  readonly status: string;
  readonly price: string;
  readonly stock: number;
  readonly note: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly grades: Readonly<Record<string, string>>;
}

/** A product with the status that it had before its feed left it out. */
type Known = Product & { readonly former?: string | undefined };

/** A product that is there for nobody. */
export function nothing(sku: string): Product {
  return { name: sku, status: 'suspended', price: '0.00', stock: 0, note: '', attributes: {}, grades: {} };
}

/** Which feeds are ranked, the highest first, and which fields a feed owns. */
export interface Ranking {
  readonly order: readonly string[];
  readonly own: Readonly<Record<string, readonly string[]>>;
}

/** What a feed sends of a product: `price`, `attributes[Colour]`, `grades`. */
type Members = ReadonlyMap<string, unknown>;

function membersOf({ fields, attributes = {}, grades }: Sent): Members {
  const values = Object.entries(attributes).map(([name, value]) => [`attributes[${name}]`, value] as const);
  return new Map<string, unknown>([
    ...Object.entries(fields),
    ...values,
    ...(grades ? [['grades', grades]] : []),
  ] as never);
}

function sentOf(members: Members): Sent {
  const named = [...members].filter(([name]) => name.startsWith('attributes['));
  const grades = members.get('grades') as Sent['grades'];
  return {
    fields: Object.fromEntries([...members].filter(([name]) => !/^(attributes|grades)/.test(name))) as Fields,
    attributes: Object.fromEntries(named.map(([name, value]) => [name.slice(11, -1), value as string])),
    ...(grades && { grades }),
  };
}

/** What applies of an item of a ranked feed, and of those of other feeds that it no longer keeps out. */
function applied(
  ranking: Ranking,
  feed: string,
  [before, now]: readonly [Members, Members],
  others: ReadonlyMap<string, Members>,
) {
  const strength = (name: string, member: string): number =>
    ranking.own[name]?.includes(member.split('[', 1)[0] ?? '') ? 0 : 1 + ranking.order.indexOf(name);
  const winner = (own: Members, member: string): string | undefined =>
    [...others, [feed, own] as const]
      .filter(([, sent]) => sent.has(member))
      .map(([name]) => name)
      .sort((a, b) => strength(a, member) - strength(b, member))[0];
  const found = new Map<string, unknown>();
  for (const member of new Set([...before.keys(), ...now.keys()])) {
    const wins = winner(now, member);
    if (wins === feed) found.set(member, now.get(member));
    else if (wins !== undefined && winner(before, member) === feed) found.set(member, others.get(wins)?.get(member));
  }
  return found;
}

/** The products after these imports. */
export function played(imports: readonly Import[], ranking: Ranking): ReadonlyMap<string, Product> {
  const products = new Map<string, Known>();
  const listed = new Map<string, readonly string[]>();
  const everListed = new Map<string, Set<string>>();
  const offers = new Map<string, Map<string, Members>>();
  const offersOf = (sku: string): Map<string, Members> => {
    const found = offers.get(sku) ?? new Map<string, Members>();
    offers.set(sku, found);
    return found;
  };
  /** What applies of what a feed sends of a product from now on; nothing if it lists it no longer. */
  const offer = (feed: string, sku: string, sent: Members): Members => {
    const all = offersOf(sku);
    const before = all.get(feed) ?? new Map();
    all.delete(feed);
    const members = applied(ranking, feed, [before, sent], all);
    if (sent.size > 0) all.set(feed, sent);
    return members;
  };
  for (const { feed, lists, suspends, onlyUpdates, leftOut } of imports) {
    const isRanked = feed !== '' && ranking.order.length > 0;
    for (const [sku, sent] of Object.entries(lists)) {
      if (leftOut?.includes(sku) || (onlyUpdates && !products.has(sku))) continue;
      const members = isRanked ? sentOf(offer(feed, sku, membersOf(sent))) : sent;
      products.set(sku, received(sku, products.get(sku), members));
    }
    if (feed === '') continue;
    for (const sku of isRanked ? offers.keys() : []) {
      const known = products.get(sku);
      if (sku in lists || known === undefined || !offersOf(sku).has(feed)) continue;
      const { former, ...product } = known;
      const members = offer(feed, sku, new Map());
      const next = received(sku, product, sentOf(members));
      products.set(sku, members.has('status') ? next : { ...next, former });
    }
    if (Object.keys(lists).length === 0) continue;
    listed.set(feed, Object.keys(lists));
    const ever = everListed.get(feed) ?? new Set();
    everListed.set(feed, ever);
    for (const sku of ever) {
      const known = products.get(sku);
      const isListed = [...listed.values()].some((skus) => skus.includes(sku));
      if (suspends && !isListed && known?.status === 'activated')
        products.set(sku, { ...known, status: 'suspended', former: known.status });
    }
    for (const sku of Object.keys(lists)) ever.add(sku);
  }
  return products;
}

function received(sku: string, known: Known | undefined, { fields, attributes, grades }: Sent): Known {
  const { former, ...before } = known ?? { ...nothing(sku), status: 'draft' };
  const next = { ...before, ...(former !== undefined && { status: former }), ...fields } as Product;
  const all = { ...next.attributes, ...attributes };
  if (grades === undefined || Object.keys(grades).length === 0)
    return { ...next, attributes: all, ...(grades !== undefined && { grades: {} }) };
  const prices = Object.values(grades);
  return {
    ...next,
    attributes: all,
    grades: Object.fromEntries(Object.entries(grades).map(([grade, price]) => [grade, `${price}.00 ${price}`])),
    price: `${Math.min(...prices)}.00`,
    stock: prices.reduce((sum, one) => sum + one, 0),
  };
}

/** The imports that count. @param undos what each undo takes back, by its number, from the first to the last */
export function counting(imports: readonly Import[], undos: ReadonlyMap<number, readonly number[]>): Import[] {
  const isUndone = new Map<number, boolean>();
  const settle = (run: number, counts: boolean): void => {
    const targets = undos.get(run);
    if (targets === undefined) isUndone.set(run, !counts);
    else for (const one of [...targets].sort((a, b) => (counts ? b - a : a - b))) settle(one, !counts);
  };
  for (const undo of undos.keys()) settle(undo, true);
  return imports.filter(({ run }) => run === undefined || isUndone.get(run) !== true);
}
