// What happens to feeds on their way, each accident in a shop of its own: which guard stops it, or what tells of it. The table of the
// page of guards is what comes out of this.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isRoutine, type WarningCode } from '../../src/core/diagnostics/warning-codes.js';
import { folder, typedHere } from '../cli/typed.js';
import { readPage } from '../manual/documentation.js';
import { openRaw } from './dump.js';

interface Row {
  readonly sku: string;
  readonly name: string;
  readonly description: string;
  readonly currency: string;
  readonly price: string;
  readonly stock: string;
  readonly status: string;
}

const count = 120;
const rowOf = (i: number): Row => ({
  ...{ sku: String(i + 1).padStart(8, '0'), name: `Article ${i}`, description: `Für ${i}`, currency: 'EUR' },
  ...{ price: `${10 + i}.00`, stock: String(1 + (i % 9)), status: i % 4 === 0 ? 'draft' : 'activated' },
});
const goods: readonly Row[] = Array.from({ length: count }, (_, i) => rowOf(i));
const columns = Object.keys(rowOf(0));

function csv(rows: readonly Partial<Row>[], header: readonly string[] = columns): string {
  return `${header.join()}\n${rows.map((row) => `${Object.values(row).join()}\n`).join('')}`;
}

/** The goods with other values in some rows. */
const changed = (change: (row: Row, i: number) => Partial<Row>): string =>
  csv(goods.map((row, i) => ({ ...row, ...change(row, i) })));

const times = ({ price }: Row, factor: number): string => (Number(price) * factor).toFixed(2);
const renamed = (from: string, to: string): readonly string[] => columns.map((name) => (name === from ? to : name));

/** A shop with a catalog of its own, and a feed that ran well once. */
function shopOf() {
  const path = folder();
  const type = (...args: string[]) => typedHere([...args, '--db', join(path, 'shop.db')]);
  const night = (text: string | Uint8Array, feed = 'erp', ...options: string[]) => {
    const file = join(path, `${feed}.csv`);
    writeFileSync(file, text);
    const report = ['--output', 'ndjson', '--report', 'none', '--missing', 'suspend'];
    return type('products', file, '--feed', feed, ...report, ...options);
  };
  return {
    type,
    night,
    at: (name: string) => join(path, name),
    /** Moves the times of all runs. */
    async moved(days: number): Promise<void> {
      const raw = openRaw(join(path, 'shop.db'));
      raw.exec(`UPDATE run SET created_at = created_at + ${days * 86_400}, ended_at = ended_at + ${days * 86_400}`);
      raw.close();
    },
  };
}
type Shop = ReturnType<typeof shopOf>;
type Played = Awaited<ReturnType<Shop['type']>>;

/** One file in the place of the good one. */
const file = (text: string | Uint8Array) => (shop: Shop) => shop.night(text);

const half = goods.slice(0, count / 2);
const listed = (kept: number): string => csv(goods.slice(0, kept));

/** Every night the same accident a little more. @returns the first night that is stopped, or the last one */
const nights = (texts: readonly string[]) => async (shop: Shop) => {
  let played = await shop.night(csv(goods));
  for (const text of texts) if (played.code === 0) played = await shop.night(text);
  return played;
};

const lists = (labels: readonly string[]): string =>
  JSON.stringify(goods.slice(0, 20).map(({ name }) => ({ name, values: labels.map((label) => ({ label })) })));

/** The accidents, by what a person would call them. */
const accidents: Readonly<Record<string, (shop: Shop) => Promise<Played>>> = {
  'the file is cut off between two rows': file(csv(half)),
  'the file is cut off within a row': file(csv(half).slice(0, -20)),
  'nothing but the header': file(csv([])),
  'an empty file': file(''),
  'a page of an error in the place of the file': file('<!doctype html><html><body>502 Bad Gateway</body></html>'),
  'a compressed file that is cut off': file(gzipSync(csv(goods)).subarray(0, 500)),
  'the file of another feed (swapped feeds)': file(csv(goods.map((row) => ({ ...row, sku: `X-${row.sku}` })))),
  'the file of last week again': async (shop) => {
    await shop.night(changed((row) => ({ stock: `${Number(row.stock) + 1}` })));
    return shop.night(csv(goods));
  },
  'another name of the feed': (shop) => shop.night(csv(goods), 'epr'),
  'cells moved one column to the right (shifted columns)': file(
    csv(goods.map(({ sku, ...row }) => ({ sku, shift: '', ...row })) as never),
  ),
  'two headers changed places': file(
    csv(
      goods,
      renamed('name', '').map((name) => (name === '' ? 'description' : name === 'description' ? 'name' : name)),
    ),
  ),
  'a column was renamed': file(csv(goods, renamed('price', 'net price'))),
  'a column is empty': file(changed(() => ({ description: '' }))),
  'prices are empty in 15 % of the rows': file(changed((_, i) => (i % 7 === 0 ? { price: '' } : {}))),
  'names moved to the next row': file(changed((_, i) => ({ name: `Article ${(i + 1) % count}` }))),
  'another currency': file(changed(() => ({ currency: 'USD' }))),
  'prices in cents': file(changed((row) => ({ price: times(row, 100) }))),
  'prices are 0': file(changed(() => ({ price: '0' }))),
  'prices with tax': file(changed((row) => ({ price: times(row, 1.19) }))),
  'prices with tax in half of the rows': file(changed((row, i) => (i % 2 === 0 ? { price: times(row, 1.19) } : {}))),
  'prices with a comma': file(changed((row) => ({ price: `"${row.price.replace('.', ',')}"` }))),
  'stocks in boxes': file(changed((row) => ({ stock: String(Number(row.stock) * 12) }))),
  'all sold out': file(changed(() => ({ stock: '0' }))),
  'texts in a wrong encoding': file(
    changed((row) => ({ description: Buffer.from(row.description).toString('latin1') })),
  ),
  'texts without their letters': file(changed((row) => ({ description: row.description.replace('ü', '?') }))),
  'NULL and #REF! as values': file(changed(() => ({ name: '#REF!', description: 'NULL' }))),
  'bytes of another encoding': file(Buffer.from(csv(goods).replace(/Für 1\d/g, 'F\u00fcr'), 'latin1')),
  'keys without their leading zeros': file(changed((row) => ({ sku: String(Number(row.sku)) }))),
  'rows twice, with two prices': file(csv([...goods, ...goods.map((row) => ({ ...row, price: times(row, 1.1) }))])),
  'drafts go live': file(changed(() => ({ status: 'activated' }))),
  'half the products are hidden': file(changed((_, i) => (i % 2 === 0 ? { status: 'suspended' } : {}))),
  'lists lose their entries': async (shop) => {
    const send = (labels: readonly string[]) => {
      writeFileSync(shop.at('lists.json'), lists(labels));
      const report = ['--output', 'ndjson', '--report', 'none'];
      return shop.type('characteristics', shop.at('lists.json'), '--feed', 'lists', ...report);
    };
    await send(['S', 'M', 'L']);
    return send([]);
  },
  'a slow leak: 18 % fewer products every night': nights(
    [0.82, 0.67, 0.55, 0.45].map((share) => listed(Math.ceil(count * share))),
  ),
  'a slow drift: 4 % of the prices double every night': nights(
    [1, 2, 3, 4].map((night) => changed((row, i) => (i < night * 5 ? { price: times(row, 2.5) } : {}))),
  ),
  'a slow fade: 18 % more products are hidden every night': nights(
    [1, 2, 3].map((night) => changed((_, i) => (i < night * 22 ? { status: 'suspended' } : {}))),
  ),
  'the clock is two days slow': async (shop) => {
    await shop.moved(2);
    return shop.night(csv(goods.slice(1)));
  },
  'the clock is two months fast': async (shop) => {
    await shop.moved(-60);
    return shop.night(csv(goods.slice(1)));
  },
  'a supplier leaves (feeds retire)': (shop) =>
    shop.type('feeds', 'retire', 'erp', '--report-file', shop.at('r.ndjson'), '--output', 'json'),
  'a supplier leaves and returns': async (shop) => {
    await shop.type('feeds', 'retire', 'erp');
    return shop.night(csv(goods));
  },
};

interface Summary {
  readonly guards?: readonly {
    readonly option: string;
    readonly passed: boolean;
    readonly isCount?: true;
    readonly count: number;
    readonly against: string;
  }[];
  readonly warnings?: readonly { readonly code: WarningCode }[];
  readonly codes?: Readonly<Record<string, number>>;
  readonly end?: Readonly<Record<string, number>>;
}

const quoted = (words: readonly string[]): string => [...new Set(words)].map((word) => `\`${word}\``).join(', ');

/** Where an accident is stopped, or what tells of it. */
function whereOf({ code, stdout }: Played): string {
  const last = stdout.trim().split('\n').at(-1) ?? '';
  if (!last.startsWith('{')) return 'not read';
  const { guards = [], warnings = [], codes = {}, end = {} } = JSON.parse(last) as Summary;
  if (code === 8) {
    const stopping = guards.filter(({ passed }) => !passed);
    const overWeek = stopping.every(({ against }) => against === 'week') ? ' over the week' : '';
    return `stopped by ${quoted(stopping.map(({ option }) => option))}${overWeek}`;
  }
  const noticed = warnings.filter((one) => !isRoutine(one.code)).map((one) => one.code);
  const figures = guards
    .filter((one) => one.count > 0 && one.isCount !== true && one.against === 'last')
    .map(({ option }) => option);
  const ended = Object.entries(end).filter(([, records]) => records > 0);
  return [
    noticed.length > 0 && `warning ${quoted(noticed)}`,
    Object.keys(codes).length > 0 && `refused rows: ${quoted(Object.keys(codes))}`,
    figures.length > 0 && `figure of ${quoted(figures)}`,
    ended.length > 0 && `end of the run: ${ended.map(([effect, records]) => `${records} ${effect}`).join(', ')}`,
  ]
    .filter(Boolean)
    .join('; ');
}

describe('accidents of feeds', () => {
  const table: string[] = [];

  it.each(Object.entries(accidents))('%s: is stopped or told', async (name, play) => {
    const shop = shopOf();
    expect((await shop.night(csv(goods))).code).toBe(0);
    const played = await play(shop);
    const where = whereOf(played);
    table.push(`| ${name} | ${where} | ${played.code} |\n`);
    expect(where, played.stderr).not.toBe('');
    expect(played.code).not.toBe(1);
  });

  it('are a table in the page of guards', () => {
    expect(table.length).toBeGreaterThanOrEqual(25);
    expect(readPage('guards').text).toContain(`\n${table.join('')}\n`);
  });
});
