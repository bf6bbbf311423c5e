// A valid mapping and feed of which one thing is broken: the outcome is either the same items or a word about it, and never
// other items in silence. The mappings, formats and breaches are drawn; BROKEN_FEEDS repeats more of them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repetitions } from '../../tier.js';
import type { Outcome } from '../given.js';
import { zipOf } from '../given-zip.js';
import { readMapped } from './given.js';

type Value = string | readonly Value[] | { readonly [name: string]: Value };
type Row = Readonly<Record<string, Value>>;

/** A mapping, with the columns it reads by the role that they have. */
interface Case {
  readonly map: string;
  /** Columns whose values the items have. */
  readonly read: readonly string[];
  /** Columns of numbers. */
  readonly numbers: readonly string[];
  /** Columns that are empty on neither side of an operation. */
  readonly operands?: readonly string[];
  /** Whether rows of one key become one item or row of a table, so that a row that differs is a breach. */
  readonly joins?: readonly string[];
}

const cases: readonly Case[] = [
  {
    map: 'fields: { sku: sku, name: name, price: price, stock: stock }',
    read: ['sku', 'name', 'price', 'stock'],
    numbers: ['price', 'stock'],
  },
  {
    map: 'fields: { sku: sku, price: { column: price, plus: fee } }',
    read: ['sku', 'price', 'fee'],
    numbers: ['price', 'fee'],
    operands: ['price', 'fee'],
  },
  {
    map: 'fields: { sku: sku, price: { column: price, times: stock } }',
    read: ['sku', 'price', 'stock'],
    numbers: ['price', 'stock'],
    operands: ['stock'],
  },
  {
    map: 'rows: sku\nfields: { sku: sku, name: name, price: price, stock: { column: stock, aggregate: max } }',
    read: ['sku', 'name', 'price', 'stock'],
    numbers: ['price', 'stock'],
    joins: ['name', 'price'],
  },
  {
    map: 'once: merge\nfields: { sku: sku, name: name, price: price }',
    read: ['sku', 'name', 'price'],
    numbers: ['price'],
    joins: ['name', 'price'],
  },
  {
    map: 'once: first\nfields: { sku: sku, name: name, stock: stock }',
    read: ['sku', 'name', 'stock'],
    numbers: ['stock'],
    joins: ['name', 'stock'],
  },
  {
    map: 'tables: { all: { key: sku, columns: { amount: price, text: name } } }\nfields: { sku: sku, name: { column: sku, lookup: { table: all, column: text } }, price: { column: sku, lookup: { table: all, column: amount } } }',
    read: ['sku', 'name', 'price'],
    numbers: ['price'],
    joins: ['name', 'price'],
  },
  {
    map: 'keep: { of: kind, is: item }\nskip: { of: name, begins: test }\nfields: { sku: sku, name: { template: "{name} {fee}" }, price: { first: [price, fee] } }',
    read: ['sku', 'name', 'price', 'fee', 'kind'],
    numbers: ['price'],
  },
  {
    map: 'fields: { sku: sku, price: price, attributes: { each: { columns: { colour: Colour } }, entry: { type: $name, value: $value } } }',
    read: ['sku', 'price', 'colour'],
    numbers: ['price'],
  },
  {
    map: 'fields: { sku: sku, price: price, status: { column: kind, map: { item: activated } }, attributes: { each: { split: name, by: "," }, entry: { type: { value: Word }, value: $value } } }',
    read: ['sku', 'price', 'kind'],
    numbers: ['price'],
  },
  {
    map: 'fields: { sku: sku, name: name, price: price, stock: { column: stock, default: 0, plus: { value: 1 } } }',
    read: ['sku', 'name', 'price', 'stock'],
    numbers: ['price', 'stock'],
  },
];

/** How rows are written: a table has one text in each cell. */
const formats: Readonly<Record<string, (rows: readonly Row[]) => string>> = {
  'feed.csv': (rows) => table(rows, ','),
  'feed.tsv': (rows) => table(rows, '\t'),
  'feed.ndjson': (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  'feed.json': (rows) => JSON.stringify({ products: rows }),
  'feed.xml': (rows) => `<shop>${rows.map((row) => `<row>${elements(row)}</row>`).join('')}</shop>`,
};

const isTable = (format: string) => /csv|tsv/.test(format);
const namesOf = (rows: readonly Row[]) => [...new Set(rows.flatMap((row) => Object.keys(row)))];

function table(rows: readonly Row[], sign: string): string {
  const names = namesOf(rows);
  const cell = (value: Value = '') => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return /[",\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [names, ...rows.map((row) => names.map((name) => row[name]))]
    .map((row) => `${row.map(cell).join(sign)}\n`)
    .join('');
}

function elements(value: Row): string {
  return Object.entries(value)
    .flatMap(([name, one]) => (Array.isArray(one) ? one : [one]).map((entry) => [name, entry] as const))
    .map(([name, one]) => `<${name}>${typeof one === 'string' ? one : elements(one as Row)}</${name}>`)
    .join('');
}

/** What breaks one thing of a feed; undefined where it means nothing for the case or the format. */
type Breach = (
  rows: readonly Row[],
  at: {
    readonly row: number;
    readonly pick: (names: readonly string[]) => string;
    readonly of: Case;
    readonly format: string;
  },
) => readonly Row[] | undefined;

const changed = (rows: readonly Row[], row: number, change: Row): Row[] =>
  rows.map((one, i) => (i === row ? { ...one, ...change } : one));
const renamed = (rows: readonly Row[], from: string, to: string | undefined): Row[] =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, value]) =>
        name === from ? (to === undefined ? [] : [[to, value]]) : [[name, value]],
      ),
    ),
  );

const breaches: Readonly<Record<string, Breach>> = {
  'a list for a value': (rows, { row, pick, of, format }) => {
    const name = pick(of.read);
    return isTable(format) ? undefined : changed(rows, row, { [name]: [rows[row]?.[name] ?? '', '77'] });
  },
  'an object for a value': (rows, { row, pick, of, format }) => {
    const name = pick(isTable(format) ? of.numbers : of.read);
    return changed(rows, row, { [name]: { amount: '77' } });
  },
  'JSON in a column that nothing reads': (rows, { row }) =>
    changed(rows, row, { note: '{"a": ["x, y", "sku,name,price"], "b": "\\"q\\""}' }),
  'a lost column': (rows, { pick, of }) => renamed(rows, pick(of.read), undefined),
  'a renamed header': (rows, { pick, of }) => {
    const name = pick(of.read);
    return renamed(rows, name, `${name}_1`);
  },
  'two headers changed over': (rows, { pick, of }) => {
    const name = pick(of.numbers);
    return renamed(renamed(renamed(rows, name, 'x'), 'colour', name), 'x', 'colour');
  },
  'an empty operand': (rows, { row, pick, of }) =>
    of.operands === undefined ? undefined : changed(rows, row, { [pick(of.operands)]: '' }),
  'an operand that is no number': (rows, { row, pick, of }) => changed(rows, row, { [pick(of.numbers)]: 'n/a' }),
  'a second row of a key that differs': (rows, { row, pick, of }) => {
    if (of.joins === undefined) return undefined;
    const name = pick(of.joins);
    const other = { ...rows[row], [name]: of.numbers.includes(name) ? '77' : 'Other' };
    return rows.flatMap((one, i) => (i === row ? [one, other] : [one]));
  },
  'a number of another kind': (rows, { row, pick, of }) => changed(rows, row, { [pick(of.numbers)]: '1.234,50.1' }),
};

const value = fc.record({
  name: fc.constantFrom('Tea', 'Müsli', 'Big, red box', 'a "b"', 'x;y'),
  price: fc.constantFrom('1.50', '12.00', '9.99', '100'),
  fee: fc.constantFrom('1', '2.25', '3.50'),
  stock: fc.constantFrom('1', '5', '120'),
  colour: fc.constantFrom('red', 'blue'),
  kind: fc.constant('item'),
  note: fc.constantFrom('', 'n', 'm'),
});
const feed = fc
  .array(value, { minLength: 3, maxLength: 8 })
  .map((rows): Row[] => rows.map((row, i) => ({ sku: `A${i}`, ...row })));

/** An outcome that says that something is wrong. */
function hasWord({ items, problems, failure, warnings }: Outcome, sound: Outcome): boolean {
  const isMore = warnings.length > sound.warnings.length || problems.length > 0;
  return isMore || failure !== undefined || items.some((item) => typeof item === 'string');
}

async function outcome(map: string, name: string, content: string | Uint8Array): Promise<Outcome | undefined> {
  try {
    return await readMapped(map, content, { name });
  } catch {
    return undefined;
  }
}

const sorted = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item)).sort();

describe('of a valid mapping and feed one thing is broken', () => {
  it('gives the same items, or a word about it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          of: fc.constantFrom(...cases),
          format: fc.constantFrom(...Object.keys(formats)),
          breach: fc.constantFrom(...Object.keys(breaches)),
          rows: feed,
          row: fc.nat(),
          name: fc.nat(),
        }),
        async ({ of, format, breach, rows, row, name }) => {
          const pick = (names: readonly string[]) => names[name % names.length] ?? '';
          const broken = breaches[breach]?.(rows, { row: row % rows.length, pick, of, format });
          fc.pre(broken !== undefined);
          const write = formats[format];
          if (broken === undefined || write === undefined) return;
          const sound = await outcome(of.map, format, write(rows));
          expect(sound?.problems).toEqual([]);
          expect(sound?.items).toHaveLength(rows.length);
          const made = await outcome(of.map, format, write(broken));
          if (made === undefined || sound === undefined || hasWord(made, sound)) return;
          expect(sorted(made.items)).toEqual(sorted(sound.items));
        },
      ),
      { numRuns: repetitions('BROKEN_FEEDS', { fast: 60, moderate: 150, full: 5_000 }) },
    );
  });

  it('a byte that is no UTF-8, a document that is cut off, a sheet in the place of another', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...cases),
        fc.constantFrom(...Object.keys(formats)),
        feed,
        async (of, format, rows) => {
          const text = formats[format]?.(rows) ?? '';
          const at = Buffer.byteLength(text.slice(0, text.lastIndexOf('item') + 1));
          const bytes = Buffer.from(text);
          const damage = Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at + 1)]);
          const sound = await outcome(of.map, format, text);
          const isSaid = (made: Outcome | undefined) =>
            made === undefined || sound === undefined || hasWord(made, sound);
          const damaged = await outcome(of.map, format, damage);
          expect(isSaid(damaged)).toBe(true);
          if (isTable(format)) {
            const swapped = zipOf({ 'a.csv': 'no,title\nA0,Tea\n', 'b.csv': text });
            expect(isSaid(await outcome(`read: { sheet: a.csv }\n${of.map}`, 'feed.zip', swapped))).toBe(true);
          } else expect(isSaid(await outcome(of.map, format, text.slice(0, text.length - 9)))).toBe(true);
        },
      ),
      { numRuns: repetitions('BROKEN_FEEDS', { fast: 10, moderate: 25, full: 500 }) },
    );
  });
});
