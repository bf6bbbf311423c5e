// Runs everything on other versions of Node, each fetched for it and with an installation of its own.
//
//   npm run nodes -- [--full] [--imports 6] [--rows 200000] [version …]
//
// The short form, which CI runs, takes a minute or two a Node: npm ci without a warning, the demo, the fast tests, six
// large imports in bounded memory, a served conversation, a kill, and catalogs that go from Node to Node, the running one
// included. The full form has every way to install, the whole test suite, and Node 20 too, where better-sqlite3 is compiled.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
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
const feed = join(folder, 'feed.csv');
const copies = new Map<string, string>();

async function runTests(node: OtherNode, copy: string): Promise<string> {
  const script = options.full ? 'test' : 'test:fast';
  const { seconds } = await run('npm', ['run', script], { cwd: copy, env: node.env });
  return `npm run ${script} ${seconds.toFixed(0)} s`;
}

async function killOnce(node: OtherNode, copy: string): Promise<string> {
  const args = ['--no-install', 'vitest', 'run', '--config', 'test/vitest.config.ts', 'test/proof/crash.test.ts'];
  const env = { ...node.env, CRASH_KILLS: '6' };
  await run('npx', [...args, '-t', 'kills nothing acknowledged'], { cwd: copy, env });
  return 'killed and resumed';
}

async function tryNode(node: OtherNode): Promise<void> {
  const say = async (what: Promise<string>): Promise<void> => console.log(`${node.version}  ${await what}`);
  const copy = join(folder, node.version, 'catalog-import');
  mkdirSync(copy, { recursive: true });
  copyProject(copy);
  copies.set(node.version, copy);
  await say(installCopy(node, copy));
  if (options.full) await say(installOtherwise(node, copy));
  await say(installPacked(node, await packCopy(node, copy), copy));
  await say(importOften(node, copy, feed, Number(options.imports)));
  await say(serveConversation(node, copy));
  await say(killOnce(node, copy));
  await say(runTests(node, copy));
}

try {
  writeFeed('csv', Number(options.rows), feed);
  const nodes: OtherNode[] = [];
  for (const version of wanted) nodes.push(await fetchNode(version));
  for (const node of nodes) await tryNode(node);
  console.log(await exchangeCatalogs(nodes, copies));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
