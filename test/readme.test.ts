// The commands of the README are run as they stand there, in order, in one shell: what a reader types must work.
// A block of `sh` is run; a line that says `# not run here` is not, and one that says `# exit 3` must end so.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { notices, refusals } from '../src/core/messages.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'catalog-import-readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Blocks that install or test the project itself: they are what has brought us here. */
const notOurs = /npm (install|test|run|link)/;

/** The pages whose commands are run, in the order in which they build on each other. */
const pages = ['files', 'tutorial', 'reports', 'remote', 'server', 'shop-data'];

/** The README and the pages of the manual, one after the other. */
function documentation(): string {
  const files = ['README.md', ...pages.map((page) => `src/manual/${page}.md`), 'src/manual/codes.md'];
  return files.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
}

/** The commands of the README and the manual: each block of `sh`, without the lines marked "not run here". */
function blocks(): string[] {
  const text = documentation();
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .map(([, block = '']) => block.split('\n').filter((line) => !line.includes('# not run here')))
    .map((lines) => lines.join('\n').trim())
    .filter((block) => block !== '' && !notOurs.test(block));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** One script of all blocks that stops at the first that does not end as its block says. */
function script(all: readonly string[]): string {
  const steps = all.map((block, i) => {
    const expected = /# exit (\d+)/.exec(block)?.[1] ?? '0';
    const check = `code=$?; [ $code -eq ${expected} ] || { echo "block ${i + 1} ended with $code, not ${expected}"; exit 97; }`;
    const wait = block.includes(' serve ')
      ? 'for i in $(seq 100); do curl -sf "$HEALTH" >/dev/null && break; sleep 0.1; done'
      : '';
    return [`echo "== ${i + 1}"`, block, check, wait].join('\n');
  });
  return ['trap "kill 0" EXIT', ...steps, 'trap - EXIT', 'kill $(jobs -p) 2>/dev/null', 'exit 0'].join('\n');
}

/** What the commands stand in: the fixtures of the project, and `catalog-import` on the path. */
function stage(): NodeJS.ProcessEnv {
  cpSync(path.join(root, 'fixtures'), path.join(folder, 'fixtures'), { recursive: true });
  symlinkSync(path.join(root, 'bin/catalog-import.js'), path.join(folder, 'catalog-import'));
  const { CATALOG_DB, CATALOG_REMOTE, CATALOG_API_KEY, ...env } = process.env;
  return {
    ...env,
    PATH: `${folder}:${process.env['PATH']}`,
    NO_COLOR: '1',
    XDG_STATE_HOME: path.join(folder, 'state'),
  };
}

test('the commands of the README do what it says', async () => {
  const all = blocks();
  expect(all.length).toBeGreaterThan(5);
  if (spawnSync('curl', ['--version']).error !== undefined) {
    console.log('curl is missing on this machine: the conversation with the server was left out');
  }
  const port = await freePort();
  const env = { ...stage(), HEALTH: `http://127.0.0.1:${port}/livez` };
  // The first of the two commands without its installation: everything after it builds on the demo shop.
  const text = script(['catalog-import run fixtures/demo # exit 3', ...all])
    .replaceAll('8080', String(port))
    .replaceAll('8081', String(await freePort()));
  const child = spawn('bash', ['-c', text], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stderr.on('data', (data) => {
    output += data;
  });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  expect(code, output.slice(-3000)).toBe(0);
});

test('the two commands of the README are the ones that install and test', () => {
  const text = readFileSync(path.join(root, 'README.md'), 'utf8');
  const scripts = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).scripts;
  expect(text).toContain('npm install && npx catalog-import run fixtures/demo # exit 3');
  expect(text).toContain('```sh\nnpm test\n```');
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['prepare', 'test', 'check', 'bench', 'proof:long']));
});

test('every code and every option of an import is in the manual', async () => {
  const text = documentation();
  const codes = [...Object.keys(refusals), ...Object.keys(notices)];
  expect(codes.filter((code) => !text.includes(`| \`${code}\` |`))).toEqual([]);
  const help = spawnSync(process.execPath, [path.join(root, 'bin/catalog-import.js'), 'products', '--help'], {
    encoding: 'utf8',
  });
  const options = [...help.stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option = '']) => option);
  expect(options.length).toBeGreaterThan(20);
  expect(options.filter((option) => option !== '--help' && !text.includes(`${option}`))).toEqual([]);
});
