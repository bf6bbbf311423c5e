// Runs everything on other versions of Node, each fetched for it and with an installation of its own.
//
//   npm run nodes -- [--full] [--imports 6] [--rows 200000] [version …]
//
// The short form takes a minute a Node: npm ci without a warning, the demo, with the oldest and the newest of them the fast
// tests of what Node itself provides, large imports in bounded memory, a served conversation, a kill, and catalogs that go
// from Node to Node. The full form has every way to install, the whole test suite, the first imports by turns with the
// running Node for the ratio of their times, and Node 20 too, where better-sqlite3 is compiled.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeFeed } from '../bench/feed.js';
import { copyProject, installCopy, installOtherwise, installPacked, packCopy } from './checkout.js';
import { fetchNode, type OtherNode, run } from './other-node.js';
import { exchangeCatalogs, importOften, serveConversation } from './program.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    imports: { type: 'string', default: '6' },
    rows: { type: 'string', default: '200000' },
  },
});
const wanted = positionals.length > 0 ? positionals : options.full ? ['20', '22', '24', '26'] : ['22', '24', '26'];

const folder = mkdtempSync(join(tmpdir(), 'catalog-import-nodes-'));
// The tests of other users run the program from there.
chmodSync(folder, 0o755);
const feed = join(folder, 'feed.csv');
const copies = new Map<string, string>();

/** Where it matters what Node provides: files, streams, sockets, compression, Unicode, the driver of SQLite. */
const nearNode = ['core/text', 'files', 'http', 'source/bytes', 'source/csv', 'source/json', 'store/sqlite'];

async function runTests(node: OtherNode, copy: string): Promise<string> {
  const script = options.full ? ['test'] : ['test:fast', ...nearNode.map((name) => `test/${name}/`)];
  const { seconds } = await run('npm', ['run', ...script], { cwd: copy, env: node.env });
  return `npm run ${script.join(' ')} ${seconds.toFixed(0)} s`;
}

async function killOnce(node: OtherNode, copy: string): Promise<string> {
  const args = ['--no-install', 'vitest', 'run', '--config', 'test/vitest.config.ts', 'test/proof/crash.test.ts'];
  const env = { ...node.env, CRASH_KILLS: '6' };
  await run('npx', [...args, '-t', 'kills nothing acknowledged'], { cwd: copy, env });
  return 'killed and resumed';
}

const say = async (node: OtherNode, what: Promise<string>): Promise<void> =>
  console.log(`${node.version}  ${await what}`);

async function install(version: string): Promise<OtherNode> {
  const node = await fetchNode(version);
  const copy = join(folder, node.version, 'catalog-import');
  mkdirSync(copy, { recursive: true });
  copyProject(copy);
  copies.set(node.version, copy);
  await say(node, installCopy(node, copy));
  if (options.full) await say(node, installOtherwise(node, copy));
  await say(node, installPacked(node, await packCopy(node, copy), copy));
  return node;
}

async function tryOut(node: OtherNode): Promise<void> {
  const copy = copies.get(node.version) ?? '';
  // The programs of those between are only run: what changes from Node to Node fails with the first or the last.
  if (options.full || node.major === wanted[0] || node.major === wanted.at(-1)) await say(node, runTests(node, copy));
  await say(node, serveConversation(node, copy));
  await say(node, killOnce(node, copy));
  await say(node, importOften(node, copy, feed, { times: Number(options.imports), pairs: options.full ? 3 : 0 }));
}

/** Tries the Nodes one after the other; the next one is installed while the tests of one run, and before it is measured. */
async function tryAll([first = '', ...others]: readonly string[]): Promise<readonly OtherNode[]> {
  const nodes = [await install(first)];
  for (const version of [...others, undefined]) {
    const [next] = await Promise.all([
      version === undefined ? undefined : install(version),
      tryOut(nodes.at(-1) as OtherNode),
    ]);
    if (next !== undefined) nodes.push(next);
  }
  return nodes;
}

try {
  writeFeed('csv', Number(options.rows), feed);
  console.log(await exchangeCatalogs(await tryAll(wanted), copies));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
