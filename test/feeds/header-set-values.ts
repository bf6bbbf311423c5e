// Makes a table of a header set: eight records whose values relate as those of shops do.
const sale = [19.95, 49, 129.5, 7.25, 899, 34.9, 15, 249.99];
const cost = [0.52, 0.41, 0.6, 0.45, 0.38, 0.55, 0.48, 0.57];
const names = ['Red kettle', 'Oak table', 'Desk lamp', 'Steel cup', 'Sofa, grey', 'Wall clock', 'Tea tin', 'Arm chair'];
const barcodes = [
  ...['4006381333931', '4006381333948', '5901234123457', '4012345678901'],
  ...['4260000000011', '4260000000028', '4260000000035', '4260000000042'],
];

type Make = (i: number, amount: (value: number) => string) => string;

const of =
  (...values: readonly string[]): Make =>
  (i) =>
    values[i % values.length] ?? '';
const price =
  (factorOf: (i: number) => number): Make =>
  (i, amount) =>
    amount((sale[i] ?? 0) * factorOf(i));
const costOf = (i: number) => cost[i] ?? 0.5;

const kinds: Readonly<Record<string, Make>> = {
  code: (i) => `A-${1001 + i * 7}`,
  num: (i) => String(50_210 + i),
  num2: (i) => String(500 + i * 3),
  letter: (i) => `R-${101 + i}`,
  tint: (i) => ['Red', 'Blue', 'White', 'Navy', 'Oak', 'Grey', 'Black', 'Green'][i] ?? '',
  graded: of('1000', '3000', '1000', '1500'),
  supplier: (i) => `ACM.${88 + i * 11}/${i}`,
  parent: (i) => `P-${100 + Math.floor(i / 3)}`,
  gaps: (i) => (i % 3 === 2 ? '' : `S${900 + i}`),
  slug: (i) => (names[i] ?? '').toLowerCase().replace(/\W+/g, '-'),
  url: (i) => `https://shop.example/p/${i}`,
  image: (i) => `https://shop.example/i/${i}.jpg`,
  ean: (i) => barcodes[i] ?? '',
  text: (i) => names[i] ?? '',
  gross: price(() => 1),
  net: price(() => 0.8),
  cost: price(costOf),
  rrp: price((i) => 1.15 + (i % 4) * 0.05),
  old: (i, amount) => (i % 3 === 0 ? amount((sale[i] ?? 0) * 1.2) : ''),
  promo: (i, amount) => (i % 3 === 1 ? amount((sale[i] ?? 0) * 0.8) : ''),
  minor: (i) => String(Math.round((sale[i] ?? 0) * 100)),
  hundred: price(() => 100 * 0.7),
  unit: price((i) => [0.8, 4, 2.5, 1.1, 0.3, 12, 3, 0.6][i] ?? 1),
  avg: price((i) => 0.93 + (i % 3) * 0.05),
  minp: price(() => 0.75),
  maxp: price(() => 1.5),
  inst: price(() => 1 / 12),
  margin: price((i) => 1 - costOf(i)),
  tax: price(() => 0.19),
  order: (_, amount) => amount(25),
  pct: (i, amount) => amount([12.5, 0, 20, 5, 33.33, 10, 0, 15][i] ?? 0),
  per: of('1', '1', '100', '1', '1', '10', '1', '1'),
  shipping: (_, amount) => amount(4.9),
  deposit: (i, amount) => amount(i % 2 === 0 ? 0.25 : 1.5),
  qty: (i) => String([12, 0, 3, 140, 1, 27, 64, 8][i]),
  qty2: (i) => String([1, 7, 0, 22, 5, 0, 16, 3][i]),
  min: (i) => String([2, 2, 5, 20, 1, 5, 10, 2][i]),
  few: (i) => String([1, 6, 1, 12, 1, 1, 6, 1][i]),
  kg: (i, amount) => amount([0.8, 22.5, 1.25, 0.2, 48, 0.65, 0.15, 9.4][i] ?? 1),
  kg2: (i, amount) => amount([0.9, 24, 1.4, 0.25, 52, 0.75, 0.2, 10.1][i] ?? 1),
  grams: (i) => String([800, 22500, 1250, 200, 48000, 650, 150, 9400][i]),
  measure: of('1 l', '750 ml', '1 kg', '500 g'),
  vat: of('25', '25', '12', '25'),
  flag: of('1', '0', '1', '1'),
  currency: of('EUR'),
  kind: of('simple', 'variable', 'simple', 'simple'),
  ptype: of('Kettle', 'Table', 'Lamp', 'Cup'),
  path: of('Home > Kitchen', 'Home > Living', 'Office', 'Home > Kitchen'),
  brand: of('Acme', 'Bodo', 'Acme Ltd', 'Cento'),
  colour: of('red', 'oak', 'white', 'steel'),
  attribute: of('Colour', 'Material', 'Width', 'Origin'),
  odd: of('new', 'used', 'lost', 'on order'),
  salutation: of('Mr', 'Ms'),
  wunit: of('kg', 'g', 'kg'),
  policy: of('deny', 'continue', 'deny'),
  alt: (i) => `Photo of ${names[i]}`,
  taxclass: of('standard', 'reduced', 'standard'),
  visibility: of('Catalog, Search', 'Not Visible Individually'),
  avail: of('in stock', 'out of stock', 'preorder'),
  wear: of('new', 'used', 'refurbished'),
  priced: (i, amount) => `${amount(sale[i] ?? 0)} EUR`,
  published: of('published', 'unlisted'),
  state: of('active', 'draft', 'archived', 'active'),
};

/** A set: its name, a CSV text, and the answers by field. */
export interface HeaderSet {
  readonly title: string;
  readonly csv: string;
  /** Field → the column that is the answer. */
  readonly answers: ReadonlyMap<string, string>;
  /** Field → the columns between which only the owner can choose. */
  readonly open: ReadonlyMap<string, readonly string[]>;
  /** How many columns hold amounts that are sold, paid or compared with. */
  readonly moneyColumns: number;
}

const money = new Set(['gross', 'net', 'cost', 'rrp', 'old', 'promo', 'minor', 'hundred', 'unit', 'priced']);

/** @throws Error for a kind of values that is not known */
export function readHeaderSet(line: string, decimal: '.' | ','): HeaderSet {
  const [title = '', ...parts] = line.split(' | ');
  const columns = parts.map((part) => {
    const [, header = '', kind = '', answer = ''] = /^(.*)=(\w+)((?:[>?]\w+)*)$/.exec(part) ?? [];
    const make = kinds[kind];
    if (make === undefined) throw new Error(`${title}: ${part}`);
    const fields = [...answer.matchAll(/([>?])(\w+)/g)].map(([, sign, field = '']) => ({ sign, field }));
    return { header, kind, make, fields };
  });
  const amount = (value: number) => value.toFixed(2).replace('.', decimal);
  const cell = (text: string) => (/[;"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = sale.map((_, i) => columns.map(({ make }) => cell(make(i, amount))).join(';'));
  const answers = new Map<string, string>();
  const open = new Map<string, string[]>();
  for (const { header, fields } of columns)
    for (const { sign, field } of fields)
      if (sign === '>') answers.set(field, header);
      else open.set(field, [...(open.get(field) ?? []), header]);
  return {
    title,
    csv: `${[columns.map(({ header }) => cell(header)).join(';'), ...rows].join('\n')}\n`,
    answers,
    open,
    moneyColumns: columns.filter(({ kind }) => money.has(kind)).length,
  };
}
