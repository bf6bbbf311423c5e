// Ratios between the formats of a file, in seconds of the processor, by turns: XML against NDJSON of the same content, and a
// mapped CSV against a plain one; and the memory of an XML feed four times as long.
//
//   npm run bench:formats -- [--rows 50000] [--runs 3]
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeFeed, writeFlatFeed } from './feed.js';
import { at, pair, remove, removeAll, time, type Work } from './timing.js';

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '50000' }, runs: { type: 'string', default: '3' } },
});
const [rows, runs] = [Number(values.rows), Number(values.runs)];
const bin = fileURLToPath(new URL('../../bin/catalog-import.js', import.meta.url));

/** Imports a file into a catalog of its own. */
function importOf(file: string, options: readonly string[] = []): Work {
  const argv = [process.execPath, bin, 'products', at(file), '--db', at('c.db'), '--report', 'none', ...options];
  return { tells: true, argv, before: remove('c.db') };
}

function tell(name: string, figure: string, wanted: string): void {
  process.stdout.write(`${name.padEnd(46)} ${figure.padEnd(34)} ${wanted}\n`);
}

async function tellRatio(name: string, one: Work, other: Work, wanted: string): Promise<void> {
  const { a, b, ratio = Number.NaN } = await pair(one, other, runs, 'processor');
  const seconds = `${a.processor.toFixed(2)} s against ${b?.processor.toFixed(2)} s`;
  tell(name, `${ratio.toFixed(2)} (${seconds})`, wanted);
}

try {
  writeFlatFeed('xml', rows, at('feed.xml'));
  writeFlatFeed('flat', rows, at('feed.ndjson'));
  writeFlatFeed('xml', rows * 4, at('long.xml'));
  writeFeed('csv', rows, at('feed.csv'));
  const fields = 'sku name description ean status brand condition currency price price_compare weight stock';
  const more = 'stock_threshold seo_title badge tag note';
  const named = `${fields} ${more}`.split(' ').map((name) => `  ${name}: ${name}`);
  writeFileSync(at('map.yaml'), `read: { decimal: "." }\nto: products\nfields:\n${named.join('\n')}\n`);
  const xml = importOf('feed.xml', ['--format', 'xml']);
  const plain = importOf('feed.csv');
  await tellRatio('XML, processor time of NDJSON', xml, importOf('feed.ndjson'), '≤ 2');
  await tellRatio('mapped CSV, that of a plain one', importOf('feed.csv', ['--map', at('map.yaml')]), plain, '≤ 1.25');
  const [small, long] = [await time(xml), await time(importOf('long.xml', ['--format', 'xml']))];
  tell(
    'memory of XML, four times as long',
    `${long.megabytes.toFixed(0)} MiB against ${small.megabytes.toFixed(0)} MiB`,
    'flat',
  );
} finally {
  removeAll();
}
