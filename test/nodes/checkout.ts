// A copy of the project as a fresh clone would be, and what is done in it with another Node.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OtherNode, run } from './other-node.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Copies what git knows of the project, with what was changed since. */
export function copyProject(to: string): void {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const file of files.split('\n').filter((file) => file !== '' && existsSync(join(root, file)))) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(root, file), join(to, file));
  }
}

/** Runs npm and fails where it warns; the settings of whoever runs this are not the project's. */
async function npm(node: OtherNode, cwd: string, ...args: readonly string[]): Promise<number> {
  const { output, seconds } = await run('npm', [...args, '--no-audit', '--no-fund'], { cwd, env: node.env });
  // Outside of a clone, npm rightly says that better-sqlite3 is compiled by an install script on Node 20.
  const expected = Number.parseInt(node.version, 10) < 22 && args.length > 1 ? /config|install-scripts/ : /config/;
  const warnings = output.split('\n').filter((line) => /^npm (warn|error)/i.test(line) && !expected.test(line));
  if (warnings.length > 0) throw new Error(`npm ${args.join(' ')} warns:\n${warnings.join('\n')}`);
  return seconds;
}

/** The versions of better-sqlite3 that are installed; the one for Node 20 must not even be there on others. */
function expectDriver(node: OtherNode, modules: string): void {
  const wanted = Number.parseInt(node.version, 10) < 22 ? /^12\.11\.1$/ : /^13\./;
  const found = readdirSync(modules)
    .filter((name) => name.startsWith('better-sqlite3'))
    .map(
      (name) => (JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')) as { version: string }).version,
    );
  if (found.length === 1 && wanted.test(found[0] ?? '')) return;
  throw new Error(`Node ${node.version} has better-sqlite3 ${found.join(' and ')} in ${modules}`);
}

/** Imports the demo shop with the installed command; every item is accepted. */
async function importDemo(node: OtherNode, cwd: string, fixtures: string): Promise<void> {
  const args = ['--no-install', 'catalog-import', 'run', join(fixtures, 'demo'), '--db', join(cwd, 'demo.db')];
  await run('npx', args, { cwd, env: node.env });
}

/** `npm ci` in the copy, then the demo. */
export async function installCopy(node: OtherNode, copy: string): Promise<string> {
  const seconds = await npm(node, copy, 'ci');
  expectDriver(node, join(copy, 'node_modules'));
  await importDemo(node, copy, join(copy, 'fixtures'));
  return `npm ci ${seconds.toFixed(0)} s`;
}

/** The other ways to install the copy: without development packages, and by `npm install`. */
export async function installOtherwise(node: OtherNode, copy: string): Promise<string> {
  const lock = readFileSync(join(copy, 'package-lock.json'), 'utf8');
  for (const args of [['ci', '--omit=dev'], ['install'], ['install', '--omit=dev'], ['install']]) {
    await npm(node, copy, ...args);
    expectDriver(node, join(copy, 'node_modules'));
    await importDemo(node, copy, join(copy, 'fixtures'));
    if (readFileSync(join(copy, 'package-lock.json'), 'utf8') !== lock) throw new Error('the lock file has changed');
  }
  return 'npm ci --omit=dev, npm install, npm install --omit=dev';
}

/** Packs the copy as it would be published. */
export async function packCopy(node: OtherNode, copy: string): Promise<string> {
  const { output } = await run('npm', ['pack', '--silent'], { cwd: copy, env: node.env });
  return join(copy, output.trim().split('\n').at(-1) ?? '');
}

/** Installs the packed program into an empty project and imports the demo shop. */
export async function installPacked(node: OtherNode, packed: string, copy: string): Promise<string> {
  const project = join(dirname(copy), `project-${node.version}`);
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n');
  const seconds = await npm(node, project, 'install', packed);
  const installed = join(project, 'node_modules');
  expectDriver(node, installed);
  // It contains the other packages, which would be more than a hundred.
  const packages = readdirSync(installed).filter((name) => !name.startsWith('.'));
  if (packages.length > 60) throw new Error(`${packages.length} packages are installed: ${packages.join(', ')}`);
  await importDemo(node, project, join(copy, 'fixtures'));
  const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  return `packed: npm install ${seconds.toFixed(0)} s, ${(bytes / 1e6).toFixed(0)} MB`;
}
