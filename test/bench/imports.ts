// The imports whose time is promised, as commands of a build: of the same products as CSV, once mapped, and as other files.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { workbookOf } from '../source/given-zip.js';
import { cellsOfFeed, writeFeed } from './feed.js';
import { at, remove, time, type Work } from './timing.js';

const withReport = ['--quiet', '--output', 'ndjson', '--report-file', at('report.ndjson')];

/**
 * An import of products.
 * @param isNew into a catalog that is not there yet
 */
function importOf(bin: string, feed: string, database: string, isNew: boolean, more: readonly string[] = []): Work {
  return {
    tells: true,
    argv: [process.execPath, bin, 'products', at(feed), '--db', at(database), ...more],
    // Taking a report of 27 MB away is no work of the import.
    before: isNew ? remove(database, 'report.ndjson') : remove('report.ndjson'),
  };
}

/** Writes the files that `importsOf` imports. */
export function writeFeeds(rows: number): void {
  writeFeed('csv', rows, at('feed.csv'));
  writeFeed('csv', rows, at('other.csv'), 1);
  writeFeed('csv', 1, at('one.csv'));
  writeFeed('ndjson', rows, at('feed.ndjson'));
  writeFileSync(at('feed.csv.gz'), gzipSync(readFileSync(at('feed.csv'))));
  writeFileSync(at('characteristics.json'), '[{"name": "Material"}, {"name": "Season"}]');
  writeWorkbook(rows);
  writeMapped(rows);
}

function writeWorkbook(rows: number): void {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const sheet: string[] = [];
  for (const cells of cellsOfFeed(rows))
    sheet.push(`<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`).join('')}</row>`);
  writeFileSync(at('feed.xlsx'), workbookOf({ Products: sheet.join('') }));
}

/** The same products with other names of columns, decimal commas, numbers of brands, and a hundredth that is left out. */
function writeMapped(rows: number): void {
  const [names = [], ...products] = cellsOfFeed(rows);
  const places = (...wanted: string[]) => wanted.map((name) => names.indexOf(name));
  const decimals = places('price', 'price_compare', 'weight');
  const [brand = 0] = places('brand');
  const text = [`${names.map((name) => `own ${name}`).join(';')};kind`];
  for (const [i, product] of products.entries()) {
    const cells = product.map((cell, at) => (decimals.includes(at) ? cell.replace('.', ',') : cell));
    cells[brand] = cells[brand]?.replace('brand-', '') ?? '';
    text.push(
      `${cells.map((cell) => (/["\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(';')};${i % 100 === 0 ? 'sample' : ''}`,
    );
  }
  writeFileSync(at('mapped.csv'), `${text.join('\n')}\n`);
  const brands = Array.from({ length: 250 }, (_, i) => `${i},brand-${i}`);
  writeFileSync(at('brands.csv'), `number,name\n${brands.join('\n')}\n`);
  const fields = names.map((name) => {
    const source = name === 'brand' ? '{ column: own brand, lookup: { table: brands, column: name } }' : `own ${name}`;
    return `  ${name}: ${source}`;
  });
  const map = [
    'to: products',
    'read: { decimal: "," }',
    'tables:',
    '  brands: { file: brands.csv, key: number, columns: { name: name } }',
    'skip: { of: kind, is: sample }',
    'fields:',
    ...fields,
  ];
  writeFileSync(at('map.yaml'), `${map.join('\n')}\n`);
}

/** Makes the catalogs that the imports of a build begin with. @param name of the build, in the names of its catalogs */
export async function prepareImports(bin: string, name: string): Promise<void> {
  const characteristics = [
    bin,
    'characteristics',
    at('characteristics.json'),
    '--db',
    at(`${name}-characteristics.db`),
  ];
  await time({ argv: [process.execPath, ...characteristics] });
  for (const kept of ['kept', 'prices']) await time(importOf(bin, 'feed.csv', `${name}-${kept}.db`, true));
}

/** Each run has other prices and stocks than the one before it. */
export function withOtherPrices(target: (feed: string) => Work): Work {
  let isOther = false;
  return {
    before() {
      isOther = !isOther;
    },
    tells: true,
    get argv() {
      return target(isOther ? 'other.csv' : 'feed.csv').argv;
    },
  };
}

/** The imports of a build. */
export function importsOf(bin: string, name: string) {
  const into = (feed: string, more: readonly string[] = []) => importOf(bin, feed, `${name}-new.db`, true, more);
  const again = (more: readonly string[] = []) => importOf(bin, 'feed.csv', `${name}-kept.db`, false, more);
  const children = into('feed.ndjson');
  return {
    new: into('feed.csv'),
    again: again(),
    'other prices': withOtherPrices((feed) => importOf(bin, feed, `${name}-prices.db`, false)),
    'new, with a report file': into('feed.csv', withReport),
    'again, with a report file': again(withReport),
    'new, mapped': into('mapped.csv', ['--map', at('map.yaml')]),
    'new from NDJSON, with 2 attributes and a photo': {
      ...children,
      before() {
        remove(`${name}-new.db`)();
        cpSync(at(`${name}-characteristics.db`), at(`${name}-new.db`));
      },
    },
    'new from gzip': into('feed.csv.gz'),
    'new from a workbook': into('feed.xlsx'),
    'one row': into('one.csv'),
  } satisfies Record<string, Work>;
}
