// Makes the seeded product feeds that the benchmarks run on: 17 columns, every seventh description quoted over two
// lines; as CSV, or as NDJSON or a JSON array of the same items with two attributes and a photo each.
//
//   npx tsx test/bench/feed.ts <csv|ndjson|json> <rows> <file>
import { closeSync, openSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { randomFrom } from '../random.js';

const columns = [
  'sku',
  'name',
  'description',
  'ean',
  'status',
  'brand',
  'condition',
  'currency',
  'price',
  'price_compare',
  'weight',
  'stock',
  'stock_threshold',
  'seo_title',
  'badge',
  'tag',
  'note',
] as const;

const words = 'amber basin cedar drift ember frost grove haven ivory jolly kiosk lemon maple noble ocean prism'.split(
  ' ',
);

function item(i: number, random: () => number, dearer = 0): Record<(typeof columns)[number], string> {
  const pick = () => words[Math.floor(random() * words.length)] as string;
  const text = Array.from({ length: 11 }, pick).join(' ');
  const cents = 100 + dearer + Math.floor(random() * 99_900);
  return {
    sku: `SKU-${String(i).padStart(8, '0')}`,
    name: `${pick()} ${pick()} ${pick()} ${i}`,
    description: i % 7 === 0 ? `${text},\n"${pick()}" and ${pick()}` : `${text} ${pick()} and ${pick()}`,
    ean: withCheckDigit(400_000_000_000 + i),
    status: 'activated',
    brand: `brand-${i % 250}`,
    condition: 'as new',
    currency: 'EUR',
    price: (cents / 100).toFixed(2),
    price_compare: ((cents + 500) / 100).toFixed(2),
    weight: (random() * 20).toFixed(3),
    stock: String(dearer + Math.floor(random() * 500)),
    stock_threshold: '5',
    seo_title: `Buy ${pick()} ${pick()} ${i}`,
    badge: 'sale',
    tag: `${pick()} ${pick()}`,
    note: `row ${i}`,
  };
}

/** A barcode of 13 digits. @param number its first twelve */
function withCheckDigit(number: number): string {
  const digits = String(number);
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[i]) * (i % 2 === 0 ? 1 : 3);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

function csvRow(cells: Record<string, string>): string {
  return columns.map((name) => quoted(cells[name] as string)).join(',');
}

function quoted(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function jsonItem(cells: Record<string, string>, i: number): string {
  const numbers = { stock: Number(cells['stock']), stock_threshold: 5 };
  const attributes = [
    { type: 'Material', value: `material ${i % 50}` },
    { type: 'Season', value: i % 2 === 0 ? 'summer' : 'winter' },
  ];
  return JSON.stringify({ ...cells, ...numbers, attributes, media: [{ file: `file_${i}`, is_main: true }] });
}

/** A record of XML, or of NDJSON without lists: the cells of a row and nothing else. */
function flatItem(cells: Record<string, string>, form: 'xml' | 'flat'): string {
  if (form === 'flat') return JSON.stringify(cells);
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<item>${columns.map((name) => `<${name}>${escaped(cells[name] as string)}</${name}>`).join('')}</item>`;
}

/** Writes the same rows as XML, or as NDJSON of the same members (`flat`). */
export function writeFlatFeed(form: 'xml' | 'flat', rows: number, file: string): void {
  const out = openSync(file, 'w');
  const random = randomFrom(20_240_101);
  let text = form === 'xml' ? '<?xml version="1.0"?>\n<items>\n' : '';
  for (let i = 0; i < rows; i++) {
    text += `${flatItem(item(i, random), form)}\n`;
    if (text.length <= 1 << 20) continue;
    writeSync(out, text);
    text = '';
  }
  writeSync(out, form === 'xml' ? `${text}</items>\n` : text);
  closeSync(out);
}

/** The header and the rows of a feed, as cells. */
export function* cellsOfFeed(rows: number): Generator<readonly string[]> {
  const random = randomFrom(20_240_101);
  yield columns;
  for (let i = 0; i < rows; i++) {
    const cells = item(i, random);
    yield columns.map((name) => cells[name]);
  }
}

/**
 * Writes a feed of `rows` products; the same rows for the same number, whatever the form.
 * @param dearer cents that each price is higher by, and pieces that each stock has more
 */
export function writeFeed(form: 'csv' | 'ndjson' | 'json', rows: number, file: string, dearer = 0): void {
  const out = openSync(file, 'w');
  const random = randomFrom(20_240_101);
  let text = form === 'csv' ? `${columns.join(',')}\n` : form === 'json' ? '[\n' : '';
  for (let i = 0; i < rows; i++) {
    const cells = item(i, random, dearer);
    text += form === 'csv' ? csvRow(cells) : jsonItem(cells, i);
    text += form === 'json' && i < rows - 1 ? ',\n' : '\n';
    if (text.length > 1 << 20 || i === rows - 1) {
      writeSync(out, i === rows - 1 && form === 'json' ? `${text}]\n` : text);
      text = '';
    }
  }
  closeSync(out);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [form = 'csv', rows = '200000', file = 'feed.csv'] = process.argv.slice(2);
  writeFeed(form as 'csv', Number(rows), file);
}
