// For each warning about how a file was read, the command that notices it.
import { workbookOf } from '../../source/given-zip.js';
import type { Noticed } from './in-runs.js';
import type { Shop } from './shop.js';

const products = (it: Shop, name: string, text: string | Buffer, ...more: string[]) => [
  'products',
  it.write(name, text),
  ...more,
];

/** A file of products, and its mapping. */
const mapped = (it: Shop, text: string, mapping: string) => [
  'run',
  it.write('f.csv', text),
  '--map',
  it.write('m.yaml', mapping),
];

const prices = 'to: products\nfields: { sku: sku, price: price, currency: { value: EUR } }\n';
const item = { sku: 'A', currency: 'EUR' };
const inSheet = '<row><c t="inlineStr"><is><t>sku</t></is></c><c t="inlineStr"><is><t>currency</t></is></c></row>';
const errorInSheet = '<row><c t="inlineStr"><is><t>A</t></is></c><c t="e"><v>#N/A</v></c></row>';

export const noticedInFiles = {
  records_guessed: async (it) => products(it, 'f.json', JSON.stringify({ data: { products: [item] } })),
  records_absent: async (it) =>
    products(it, 'f.xml', '<all><one><sku>A</sku></one></all>', '--record', 'product', '--format', 'xml'),
  lists_skipped: async (it) => products(it, 'f.json', JSON.stringify({ items: [item], others: [item, item] })),
  rows_skipped: async (it) => products(it, 'f.csv', 'sku,currency\nA,EUR\nsku,currency\nB,EUR\n'),
  rows_guessed: async (it) =>
    products(it, 'f.csv', `sku,currency\n${Array.from({ length: 20 }, (_, i) => `S-${i},EUR,9\n`).join('')}`),
  values_doubtful: async (it) => products(it, 'f.csv', 'sku,currency,name\nA,EUR,NULL\n'),
  quotes_kept: async (it) => products(it, 'f.csv', 'sku,currency,name\nA,EUR,13" screen\n'),
  cells_odd: async (it) => products(it, 'f.xlsx', workbookOf({ feed: inSheet + errorInSheet })),
  decimals_guessed: async (it) => mapped(it, 'sku;price\nA;1,25\nB;2,50\n', prices),
  decimals_open: async (it) => products(it, 'f.csv', 'sku,currency,price\nA,EUR,12.500\n'),
  decimals_mixed: async (it) => mapped(it, 'sku;price\nA;1,25\nB;2.50\n', prices),
  taxes_mixed: async (it) => mapped(it, 'sku;price\nA;1.50 gross\nB;2.50 net\n', prices),
  digits_rounded: async (it) =>
    mapped(it, 'sku,ean\nA,8.72E+12\n', 'to: products\nfields: { sku: sku, ean: ean, currency: { value: EUR } }\n'),
  texts_cut: async (it) =>
    mapped(
      it,
      'sku,name\nA,A long name\n',
      'to: products\nfields: { sku: sku, name: { column: name, truncate: { characters: 6 } }, currency: { value: EUR } }\n',
    ),
  categories_twice: async (it) =>
    mapped(
      it,
      'no;group\nA;Home > Parts\nB;Garden > Parts\n',
      'to: categories\neach: { path: group, separator: ">" }\nfields: { name: $name, parent: $parent }\n',
    ),
  refused_apart: async (it) => [
    ...mapped(
      it,
      `sku,name\n${'A,B,C\n'.repeat(1_002)}`,
      'to: products\nfields: { sku: sku, name: name, currency: { value: EUR } }\n',
    ),
    ...['--refused-file', it.at('refused.csv')],
  ],
} as const satisfies Noticed;
