// A valid mapping and feed of which one thing is broken: the outcome is either the same items or a word about it, and never
// other items in silence. The mappings, formats, layouts and breaches are drawn; BROKEN_FEEDS repeats more of them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repetitions } from '../../tier.js';
import type { Outcome } from '../given.js';
import { zipOf } from '../given-zip.js';
import { type Form, fileOf, formsOf, isTable, mappingFor, packed, type Row, type Value } from './drawn-feeds.js';
import { type DrawnMapping, drawnMappings } from './drawn-mappings.js';
import { readMapped } from './given.js';

/** What breaks one thing of a feed; undefined where it means nothing for the mapping or the format. */
type Breach = (
  rows: readonly Row[],
  at: {
    readonly row: number;
    readonly pick: (names: readonly string[]) => string;
    readonly of: DrawnMapping;
    readonly form: Form;
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
  'a list for a value': (rows, { row, pick, of, form }) => {
    const name = pick(of.read);
    return isTable(form.format) ? undefined : changed(rows, row, { [name]: [rows[row]?.[name] ?? '', '77'] });
  },
  'an object for a value': (rows, { row, pick, of, form }) => {
    const name = pick(isTable(form.format) ? of.numbers : of.read);
    return name === '' ? undefined : changed(rows, row, { [name]: { amount: '77' } });
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
    return name === '' ? undefined : renamed(renamed(renamed(rows, name, 'x'), 'colour', name), 'x', 'colour');
  },
  'an empty operand': (rows, { row, pick, of }) =>
    of.operands === undefined ? undefined : changed(rows, row, { [pick(of.operands)]: '' }),
  'an operand that is no number': (rows, { row, pick, of }) =>
    of.numbers.length === 0 ? undefined : changed(rows, row, { [pick(of.numbers)]: 'n/a' }),
  'a second row of a key that differs': (rows, { row, pick, of }) => {
    if (of.joins === undefined) return undefined;
    const name = pick(of.joins);
    const other = { ...rows[row], [name]: of.numbers.includes(name) ? '77' : 'Other' };
    return rows.flatMap((one, i) => (i === row ? [one, other] : [one]));
  },
  'a header in other letters, or with blanks around it': (rows, { row, pick, of, form }) => {
    const name = pick(of.read);
    return renamed(rows, name, isTable(form.format) && row % 2 === 0 ? ` ${name}\u00a0` : name.toUpperCase());
  },
  'a number with blanks around it, or in other digits': (rows, { row, pick, of }) => {
    const name = pick(of.numbers);
    const value = String(rows[row]?.[name]);
    const arabic = value.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
    return name === '' ? undefined : changed(rows, row, { [name]: row % 2 === 0 ? `\u00a0${value} ` : arabic });
  },
  'a number of another kind': (rows, { row, pick, of }) =>
    of.numbers.length === 0 ? undefined : changed(rows, row, { [pick(of.numbers)]: '1.234,50.1' }),
};

const value = fc.record({
  name: fc.constantFrom('Tea', 'Müsli', 'Big, red box', 'a "b"', 'x;y'),
  price: fc.constantFrom('1.50', '12.00', '9.99', '100'),
  fee: fc.constantFrom('1', '2.25', '3.50'),
  stock: fc.constantFrom('1', '5', '120'),
  colour: fc.constantFrom('red', 'blue'),
  size1: fc.constantFrom('S', 'M'),
  cost1: fc.constantFrom('4.50', '11'),
  size2: fc.constantFrom('L', 'XL'),
  cost2: fc.constantFrom('7', '8.25'),
  trail: fc.constantFrom('Home > Tea', 'Home > Tea > Green', 'Garden > Tea', 'Garden'),
  kind: fc.constant('item'),
  note: fc.constantFrom('', 'n', 'm'),
});
const feed = fc
  .array(value, { minLength: 3, maxLength: 8 })
  .map((rows): Row[] => rows.map((row, i) => ({ sku: `A${i}`, up: i === 0 ? '' : 'A0', ...row })));

/** An outcome that says that something is wrong. */
function hasWord({ items, problems, failure, warnings }: Outcome, sound: Outcome): boolean {
  const isMore = warnings.length > sound.warnings.length || problems.length > 0;
  return isMore || failure !== undefined || items.some((item) => typeof item === 'string');
}

/** What comes out; undefined where nothing is imported. */
async function outcome(form: Form, content: string | Uint8Array, sheet?: string): Promise<Outcome | undefined> {
  try {
    const { format, mapping } = form;
    const name = sheet === undefined ? format : 'feed.zip';
    return await readMapped(mappingFor(form), content, { name, fields: mapping.fields, ...(sheet && { sheet }) });
  } catch {
    return undefined;
  }
}

function expectWord(made: Outcome | undefined, sound: Outcome | undefined): void {
  expect(made === undefined || sound === undefined || hasWord(made, sound)).toBe(true);
}

function expectSameOrWord(made: Outcome | undefined, sound: Outcome | undefined): void {
  if (made === undefined || sound === undefined || hasWord(made, sound)) return;
  expect(sorted(made.items)).toEqual(sorted(sound.items));
}

/** Items as texts; 1.50 of a cell of text and 1.5 of one of a number are one amount. */
const amount = (_: string, value: unknown) =>
  typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
const sorted = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item, amount)).sort();
const forms = formsOf(drawnMappings);

/** What is done to the bytes of a file. */
const damages: Readonly<Record<string, (text: string, form: Form) => string | Uint8Array | undefined>> = {
  'a byte that is no UTF-8': (text) => {
    const bytes = Buffer.from(text);
    const at = Buffer.byteLength(text.slice(0, text.lastIndexOf('item') + 1));
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at + 1)]);
  },
  'a document that is cut off': (text, { format }) => (isTable(format) ? undefined : text.slice(0, text.length - 9)),
};

/** What becomes of the member that holds the columns of a record. */
const entries: Readonly<Record<string, (entry: Value) => Value>> = {
  'two that differ': (entry) => [entry, { ...(entry as Row), price: '77', name: 'Other', offer: 'none' }],
  'a list of one': (entry) => [entry],
  'one of a list': (entry) => (Array.isArray(entry) ? (entry[0] as Value) : entry),
};
const holders = ['offer', 'offers', 'data'];

describe('of a valid mapping and feed one thing is broken', () => {
  it('every mapping reads its feed in every form', async () => {
    const rows = fc.sample(feed, { numRuns: 1, seed: 7 })[0] ?? [];
    for (const form of forms) {
      const sound = await outcome(form, fileOf(form, packed(form, rows)));
      expect({ form: [form.layout, form.format, form.mapping.map], ...sound }).toMatchObject({
        problems: [],
        failure: undefined,
      });
      expect(sound?.items.length).toBeGreaterThan(0);
    }
  });

  it('gives the same items, or a word about it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          form: fc.constantFrom(...forms),
          breach: fc.constantFrom(...Object.keys(breaches)),
          rows: feed,
          row: fc.nat(),
          name: fc.nat(),
          isOfTable: fc.boolean(),
        }),
        async ({ form, breach, rows, row, name, isOfTable }) => {
          const pick = (names: readonly string[]) => names[name % names.length] ?? '';
          const broken = breaches[breach]?.(rows, { row: row % rows.length, pick, of: form.mapping, form });
          fc.pre(broken !== undefined);
          if (broken === undefined) return;
          const [whole, other] = [rows, broken].map((some) => packed(form, some)) as [readonly Row[], readonly Row[]];
          const sound = await outcome(form, fileOf(form, whole));
          expect(sound?.problems).toEqual([]);
          // Of a workbook the sheet of the records is broken, or that of the tables.
          const made = await outcome(form, isOfTable ? fileOf(form, whole, other) : fileOf(form, other));
          expectSameOrWord(made, sound);
        },
      ),
      { numRuns: repetitions('BROKEN_FEEDS', { fast: 12, moderate: 15, full: 5_000 }) },
    );
  });

  it('one entry becomes two, or a list of one becomes an object', async () => {
    const held = fc.constantFrom(...forms.filter(({ layout }) => /member|list/.test(layout)));
    const drawn = [held, fc.constantFrom(...Object.keys(entries)), feed, fc.nat()] as const;
    await fc.assert(
      fc.asyncProperty(...drawn, async (form, change, rows, row) => {
        const whole = packed(form, rows);
        const other = whole.map((record, i) =>
          Object.fromEntries(
            Object.entries(record).map(([name, one]) =>
              i === row % rows.length && holders.includes(name) ? [name, entries[change]?.(one) ?? one] : [name, one],
            ),
          ),
        );
        const sound = await outcome(form, fileOf(form, whole));
        expectSameOrWord(await outcome(form, fileOf(form, other)), sound);
      }),
      { numRuns: repetitions('BROKEN_FEEDS', { fast: 4, moderate: 5, full: 1_000 }) },
    );
  });

  it('a byte that is no UTF-8, a document that is cut off, a sheet in the place of another', async () => {
    const texts = fc.constantFrom(...forms.filter(({ format }) => format !== 'feed.xlsx'));
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom(...Object.values(damages)), feed, async (form, damage, rows) => {
        const text = fileOf(form, packed(form, rows)) as string;
        const damaged = damage(text, form);
        fc.pre(damaged !== undefined);
        if (damaged !== undefined) expectWord(await outcome(form, damaged), await outcome(form, text));
        if (isTable(form.format)) {
          const files = zipOf({ 'a.csv': 'no,title\nA0,Tea\n', 'b.csv': text });
          expectWord(await outcome(form, files, 'a.csv'), await outcome(form, text));
        }
      }),
      { numRuns: repetitions('BROKEN_FEEDS', { fast: 2, moderate: 3, full: 500 }) },
    );
  });
});
