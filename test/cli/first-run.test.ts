// The first run of a suggestion on the file that it was made of refuses no more than the rows that are really wrong, once its
// questions are answered; with one that is open nothing is written. The feeds are drawn; FIRST_RUNS repeats more of them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repetitions } from '../tier.js';
import { folder, typedHere } from './typed.js';

/** A column: its header, and the cell of a record. */
type Column = readonly [header: string, cell: (i: number, decimal: string) => string];

const names = ['Red kettle', 'Oak table', 'Desk lamp', 'Steel cup', 'Grey sofa', 'Wall clock', 'Tea tin', 'Arm chair'];
const amounts = ['19.95', '49.00', '129.50', '7.25', '899.00', '34.90', '15.10', '249.99'];
const at = (values: readonly string[], i: number) => values[i % values.length] ?? '';
const amount = (i: number, decimal: string) => at(amounts, i).replace('.', decimal);

/** What may stand for each field; `undefined` where a file lacks it. */
const keys = ['sku', 'Artikelnummer', 'Item No', 'Référence', 'Kod produktu'].map(
  (header): Column => [header, (i) => `A-${100 + i * 3}`],
);
const titles = ['name', 'Bezeichnung', 'Product title', 'Nazwa'].map((header): Column => [header, (i) => at(names, i)]);
const prices: readonly Column[] = [
  ...['price', 'Preis', 'Sales price', 'Cena brutto'].map((header): Column => [header, amount]),
  ['Preis (EUR)', amount],
  ['Preis', (i, decimal) => `${amount(i, decimal)} €`],
  ['Price', (i, decimal) => `kr ${amount(i, decimal)}`],
  ['Betrag', amount],
];
const more: readonly Column[] = [
  ['Currency', () => 'CHF'],
  ['EK netto', (i, decimal) => (Number(at(amounts, i)) / 2).toFixed(2).replace('.', decimal)],
  ['UVP', (i, decimal) => (Number(at(amounts, i)) * 1.2).toFixed(2).replace('.', decimal)],
  ['Stock', (i) => String((i * 37) % 50)],
  ['Warengruppe', (i) => at(['Home > Kitchen', 'Home > Living', 'Office'], i)],
  ['Category', (i) => at(['Kitchen', 'Living', 'Office'], i)],
  ['Brand', (i) => at(['Acme Ltd', 'Bodo'], i)],
  ['brand', (i) => at(['brand_1', 'brand_2'], i)],
  ['status', (i) => at(['active', 'draft'], i)],
  ['Status', (i) => at(['new', 'on order'], i)],
  ['Gewicht (g)', (i) => String(150 + i * 25)],
  ['EAN', (i) => at(['4006381333931', '4006381333948', '5901234123457', '4012345678901'], i)],
  ['MwSt', (i) => at(['19', '7'], i)],
  ['Bild', (i) => `https://shop.example/${i}.jpg`],
  ['Beschreibung', (i) => `${at(names, i)}, made with care and sold in a box of its own, number ${i}.`],
];

const xmlName = (header: string) => header.replace(/[^\p{L}]+/gu, '_');
const forms: Readonly<Record<string, (columns: readonly string[], rows: readonly (readonly string[])[]) => string>> = {
  'feed.csv': (columns, rows) => `${[columns, ...rows].map((row) => row.join(';')).join('\n')}\n`,
  'feed.json': (columns, rows) =>
    JSON.stringify({ items: rows.map((row) => Object.fromEntries(row.map((cell, i) => [columns[i], cell]))) }),
  'feed.ndjson': (columns, rows) =>
    rows.map((row) => `${JSON.stringify(Object.fromEntries(row.map((cell, i) => [columns[i], cell])))}\n`).join(''),
  'feed.xml': (columns, rows) => {
    const cell = (value: string, i: number) => `<${xmlName(columns[i] ?? '')}>${value}</${xmlName(columns[i] ?? '')}>`;
    return `<shop>${rows.map((row) => `<item>${row.map((value, i) => cell(value.replaceAll('>', '&gt;'), i)).join('')}</item>`).join('')}</shop>`;
  },
};

/** The mapping with its questions answered: by the column of the field, else by the first candidate as it is to be written, else by euros. */
function answered(map: string, columns: ReadonlyMap<string, string>): string {
  const question = /^( *)(\w+): \?.*\n(?: *# {3}(\{ value: \w+ \}|"(?:[^"\\]|\\.)*"|\{.*?\}): )?/gm;
  return map.replace(question, (line, indent, field, first = '{ value: EUR }', at = 0, text = '') => {
    const own = columns.get(field);
    const [, ...below] = line.split('\n');
    const written = field === 'status' ? /write (\{.*?\} \})/.exec(text.slice(at))?.[1] : undefined;
    return `${indent}${field}: ${own === undefined ? (written ?? first) : JSON.stringify(own)}\n${below.join('\n')}`;
  });
}

const drawn = fc.record({
  name: fc.constantFrom(...Object.keys(forms)),
  decimal: fc.constantFrom('.', ','),
  key: fc.constantFrom(...keys),
  title: fc.constantFrom(...titles),
  price: fc.constantFrom(...prices),
  others: fc.uniqueArray(fc.constantFrom(...more), { maxLength: 6, selector: ([header]) => header.toLowerCase() }),
  records: fc.integer({ min: 3, max: 12 }),
  wrong: fc.integer({ min: 0, max: 1 }),
});

describe('the first run of a suggestion', () => {
  it('refuses the rows that are really wrong, and no others', async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async ({ name, decimal, key, title, price, others, records, ...drawn }) => {
        // A header without a word for a price is asked about where nearly all its cells are amounts.
        const wrong = price[0] === 'Betrag' ? 0 : drawn.wrong;
        // Amounts with another currency beside them would be wrong.
        const isPlain = !/EUR|€|kr/.test(price[0] + price[1](0, decimal));
        const columns = [key, title, price, ...others.filter(([header]) => isPlain || header !== 'Currency')];
        const rows = Array.from({ length: records }, (_, i) =>
          columns.map((column) => (column === price && i < wrong ? 'on request' : column[1](i, decimal))),
        );
        const headers = columns.map(([header]) => (name === 'feed.xml' ? xmlName(header) : header));
        const cwd = folder({ [name]: forms[name]?.(headers, rows) ?? '' });
        const [feed, map, db] = [join(cwd, name), join(cwd, 'm.yaml'), join(cwd, 'c.db')];
        await typedHere(['inspect', feed, '--write-map', map, '--quiet']);
        const text = readFileSync(map, 'utf8');
        const run = ['run', feed, '--map', map, '--db', db, '--output', 'json'];
        if (/: \?/.test(text)) {
          expect((await typedHere(run)).code).toBe(2);
          expect(existsSync(db)).toBe(false);
        }
        const [sku = '', called = '', sold = ''] = headers;
        writeFileSync(
          map,
          answered(
            text,
            new Map([
              ['sku', sku],
              ['name', called],
              ['price', sold],
            ]),
          ),
        );
        const { code, stdout, stderr } = await typedHere(run);
        expect([code, stderr, readFileSync(map, 'utf8')]).toEqual([wrong > 0 ? 3 : 0, stderr, expect.anything()]);
        const refused = [...stdout.matchAll(/"refused": ?(\d+)/g)].map(([, count]) => Number(count));
        expect(Math.max(0, ...refused)).toBe(wrong);
      }),
      { numRuns: repetitions('FIRST_RUNS', { fast: 4, moderate: 5, full: 500 }) },
    );
  });
});
