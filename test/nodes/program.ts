// What the program does on another Node: large imports in bounded memory, a served conversation, catalogs that go from
// one Node to the next.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OtherNode, run } from './other-node.js';

/** The most resident memory of any import, in MiB. On Node 24 the highest so far took 225. */
const mostMemory = 250;

const bin = (copy: string): string => join(copy, 'bin/catalog-import.js');

/** Runs the program of a copy with another Node, which must not warn of anything. */
async function program(node: OtherNode, copy: string, args: readonly string[]): Promise<string> {
  // Warnings that are still to come, too; and no code made of strings, which some hosts forbid.
  const env = { ...node.env, NODE_PENDING_DEPRECATION: '1' };
  const strict = '--disallow-code-generation-from-strings';
  const { output } = await run(node.path, [strict, bin(copy), ...args], { cwd: copy, env });
  if (/\(node:\d+\)|Warning:/.test(output)) throw new Error(`Node ${node.version} warns: ${output.slice(0, 1000)}`);
  return output;
}

/** The project itself, whose build the running Node imports with. */
const root = fileURLToPath(new URL('../..', import.meta.url));

/** An import of a feed into a new catalog: its seconds, and its peak of resident memory in MiB. */
async function importOnce(
  node: Pick<OtherNode, 'path' | 'env'>,
  folder: string,
  feed: string,
  db: string,
): Promise<{ readonly seconds: number; readonly peak: number }> {
  const peakFile = `${db}.peak`;
  const tamper = join(folder, 'test/proof/tamper.mjs');
  const args = ['--import', tamper, bin(folder), 'products', feed, '--db', db, '--quiet', '--report', 'none'];
  const { seconds } = await run(node.path, args, { cwd: folder, env: { ...node.env, TAMPER: `peak:${peakFile}` } });
  const peak = Number.parseInt(readFileSync(peakFile, 'utf8'), 10) / 1024;
  for (const end of ['', '-wal', '-shm', '.peak']) rmSync(`${db}${end}`, { force: true });
  return { seconds, peak };
}

/**
 * Imports a feed into new catalogs; the highest peak of memory is held against the limit. The time is only shown, as a ratio
 * to that of the running Node by turns: other work on the machine changes it.
 * @param pairs how many of the imports are followed by one with the running Node, for the ratio
 */
export async function importOften(
  node: OtherNode,
  copy: string,
  feed: string,
  { times, pairs }: { readonly times: number; readonly pairs: number },
): Promise<string> {
  const db = join(dirname(copy), `large-${node.version}.db`);
  const peaks: number[] = [];
  const seconds: number[] = [];
  const ratios: number[] = [];
  for (let i = 0; i < times; i++) {
    const one = await importOnce(node, copy, feed, db);
    seconds.push(one.seconds);
    peaks.push(one.peak);
    if (i >= pairs || node.version === process.versions.node) continue;
    const beside = await importOnce({ path: process.execPath, env: node.env }, root, feed, db);
    ratios.push(one.seconds / beside.seconds);
  }
  const median = (figures: number[]): number => figures.sort((a, b) => a - b)[figures.length >> 1] ?? Number.NaN;
  const [usual, peak] = [median(peaks), Math.max(...peaks)];
  const memory = `median ${usual.toFixed(0)} MiB, most ${peak.toFixed(0)} MiB`;
  if (peak > mostMemory) throw new Error(`Node ${node.version} takes ${memory}`);
  const beside = ratios.length > 0 ? `, ${median(ratios).toFixed(2)} x Node ${process.versions.node}` : '';
  return `${times} imports, ${median(seconds).toFixed(1)} s${beside}, ${memory}`;
}

/** Starts `serve`, imports and reads a product over HTTP, and ends it with SIGTERM. */
export async function serveConversation(node: OtherNode, copy: string): Promise<string> {
  const db = join(dirname(copy), `served-${node.version}.db`);
  const made = await program(node, copy, ['keys', 'create', '--db', db, '--name', 'nodes', '--all']);
  const key = /cik_\w+/.exec(made)?.[0] ?? '';
  const args = [bin(copy), 'serve', '--db', db, '--port', '0'];
  const child = spawn(node.path, args, { cwd: copy, env: node.env, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    let said = '';
    const address = await new Promise<string>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          said += text;
          const found = /http:\/\/127\.0\.0\.1:[1-9]\d*(?=\s)/.exec(said)?.[0];
          if (found !== undefined) resolve(found);
        });
      }
      child.once('close', () => reject(new Error(`serve ended: ${said}`)));
    });
    await converse(address, { authorization: `Bearer ${key}`, 'content-type': 'application/json' });
    child.kill('SIGTERM');
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`serve ended with ${code}: ${said}`);
    if (/Warning:/.test(said)) throw new Error(`serve warns: ${said}`);
  } finally {
    child.kill('SIGKILL');
  }
  return 'served';
}

async function converse(address: string, headers: Record<string, string>): Promise<void> {
  const body = JSON.stringify({ items: [{ sku: 'NODE-1', currency: 'EUR', price: '12.50' }] });
  const posted = await fetch(`${address}/v1/product/import`, { method: 'POST', headers, body });
  const report = JSON.stringify(await posted.json());
  if (!report.includes('"created":1')) throw new Error(`POST: ${posted.status} ${report}`);
  const read = await fetch(`${address}/v1/product/import?sku=NODE-1`, { headers });
  const record = JSON.stringify(await read.json());
  if (!record.includes('"price":"12.50"')) throw new Error(`GET: ${read.status} ${record}`);
}

/** Every Node makes a catalog, and each of the others reads it, finds all unchanged, and adds a product of its own. */
export async function exchangeCatalogs(
  nodes: readonly OtherNode[],
  copies: ReadonlyMap<string, string>,
): Promise<string> {
  for (const writer of nodes) {
    const db = join(dirname(copies.get(writer.version) ?? ''), `exchanged-${writer.version}.db`);
    const first = await demo(writer, copies, db);
    for (const other of [...nodes.filter((node) => node !== writer), writer]) {
      const again = await demo(other, copies, db);
      if (again.created + again.updated > 0 || again.unchanged !== first.created + first.updated + first.unchanged) {
        throw new Error(`${db} by Node ${other.version}: ${JSON.stringify({ first, again })}`);
      }
    }
  }
  return `catalogs of ${nodes.map(({ version }) => version).join(', ')} read by each other`;
}

type Counts = Readonly<Record<'created' | 'updated' | 'unchanged' | 'refused', number>>;

async function demo(node: OtherNode, copies: ReadonlyMap<string, string>, db: string): Promise<Counts> {
  const copy = copies.get(node.version) ?? '';
  const args = ['run', join(copy, 'fixtures/demo'), '--db', db, '--output', 'ndjson', '--report', 'none', '--quiet'];
  const output = await program(node, copy, args);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '{}') as Counts;
}
