// Ratios between the formats of a file, in seconds of the processor, by turns: XML against NDJSON of the same content, and a
// mapped CSV against a plain one; and the memory of an XML feed four times as long.
//
//   npm run bench:formats -- [--rows 50000] [--runs 3]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeFeed, writeFlatFeed } from './feed.js';

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '50000' }, runs: { type: 'string', default: '3' } },
});
const [rows, runs] = [Number(values.rows), Number(values.runs)];
const bin = fileURLToPath(new URL('../../bin/catalog-import.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'catalog-import-formats-'));

interface Cost {
  /** Of all threads, user and system. */
  readonly seconds: number;
  readonly megabytes: number;
}

/** Printed by the program itself as it ends: what the system counted for it. */
const meter =
  'data:text/javascript,process.on("exit",()=>{const u=process.resourceUsage();' +
  'process._rawDebug("COST "+(u.userCPUTime+u.systemCPUTime)/1e6+" "+u.maxRSS/1024)})';

/** Imports a file into a catalog of its own. */
async function costOf(file: string, options: readonly string[] = []): Promise<Cost> {
  const db = join(folder, 'c.db');
  for (const suffix of ['', '-wal', '-shm']) rmSync(db + suffix, { force: true });
  const args = ['--import', meter, bin, 'products', join(folder, file), '--db', db, '--report', 'none', ...options];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  // The reading thread has the hook, too: the last line is that of the process.
  const [, seconds, megabytes] = [...said.matchAll(/COST (\S+) (\S+)/g)].at(-1) ?? [];
  if (code !== 0 || seconds === undefined) throw new Error(`${file}: exit ${code}: ${said}`);
  return { seconds: Number(seconds), megabytes: Number(megabytes) };
}

const median = (costs: readonly Cost[]): number =>
  costs.map(({ seconds }) => seconds).sort((a, b) => a - b)[Math.floor(costs.length / 2)] ?? 0;

/** Runs two imports by turns; the ratio of the medians of their seconds. */
async function ratioOf(one: () => Promise<Cost>, other: () => Promise<Cost>): Promise<readonly [number, number]> {
  const costs: [Cost[], Cost[]] = [[], []];
  for (let run = 0; run < runs; run++) {
    costs[0].push(await one());
    costs[1].push(await other());
  }
  return [median(costs[0]), median(costs[1])];
}

function tell(name: string, figure: string, wanted: string): void {
  process.stdout.write(`${name.padEnd(46)} ${figure.padEnd(34)} ${wanted}\n`);
}

try {
  writeFlatFeed('xml', rows, join(folder, 'feed.xml'));
  writeFlatFeed('flat', rows, join(folder, 'feed.ndjson'));
  writeFlatFeed('xml', rows * 4, join(folder, 'long.xml'));
  writeFeed('csv', rows, join(folder, 'feed.csv'));
  const fields = 'sku name description ean status brand condition currency price price_compare weight stock';
  const more = 'stock_threshold seo_title badge tag note';
  const named = `${fields} ${more}`.split(' ').map((name) => `  ${name}: ${name}`);
  writeFileSync(join(folder, 'map.yaml'), `read: { decimal: "." }\nto: products\nfields:\n${named.join('\n')}\n`);
  const xml = () => costOf('feed.xml', ['--format', 'xml']);
  const [xmlTime, jsonTime] = await ratioOf(xml, () => costOf('feed.ndjson'));
  const seconds = (a: number, b: number) => `${a.toFixed(2)} s against ${b.toFixed(2)} s`;
  tell(
    'XML, records a second of those of NDJSON',
    `${(jsonTime / xmlTime).toFixed(2)} (${seconds(xmlTime, jsonTime)})`,
    '≥ 0.50',
  );
  const [mapped, plain] = await ratioOf(
    () => costOf('feed.csv', ['--map', join(folder, 'map.yaml')]),
    () => costOf('feed.csv'),
  );
  tell('mapped CSV, time of a plain one', `${(mapped / plain).toFixed(2)} (${seconds(mapped, plain)})`, '≤ 1.25');
  const [small, long] = [await xml(), await costOf('long.xml', ['--format', 'xml'])];
  tell(
    'memory of XML, four times as long',
    `${long.megabytes.toFixed(0)} MB against ${small.megabytes.toFixed(0)} MB`,
    'flat',
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
