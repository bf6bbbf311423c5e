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

/** The products after these imports. */
export function played(imports: readonly Import[]): ReadonlyMap<string, Product> {
  const products = new Map<string, Known>();
  const listed = new Map<string, readonly string[]>();
  const everListed = new Map<string, Set<string>>();
  for (const { feed, lists, suspends } of imports) {
    for (const [sku, sent] of Object.entries(lists)) products.set(sku, received(sku, products.get(sku), sent));
    if (feed === '' || Object.keys(lists).length === 0) continue;
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
