// Another commit of the program beside this one: built in a working tree of its own, with the packages that are installed here, and
// run by turns. A change that makes an import more than 5 % slower shows in a line that says so.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { processor, tell, times } from './figures-table.js';
import { importsOf, prepareImports } from './imports.js';
import { at, pair } from './timing.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const packages = path.join(root, 'node_modules');

/** The ratio of processor times from which a change counts as slower. */
const slower = 1.05;

/** Compares the imports of this build with those of another commit, in processor time of all threads. */
export async function compareWith(commit: string, bin: string, runs: number): Promise<void> {
  const tree = at('other');
  execFileSync('git', ['worktree', 'add', '--detach', '--quiet', tree, commit], { cwd: root });
  try {
    linkPackages(path.join(tree, 'node_modules'));
    execFileSync('npm', ['run', 'build'], { cwd: tree, stdio: ['ignore', 'ignore', 'inherit'] });
    const other = path.join(tree, 'bin', 'catalog-import.js');
    await prepareImports(bin, 'own');
    await prepareImports(other, 'other');
    await compareImports(commit, importsOf(bin, 'own'), importsOf(other, 'other'), runs);
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', tree], { cwd: root });
  }
}

type Imports = ReturnType<typeof importsOf>;

async function compareImports(commit: string, own: Imports, others: Imports, runs: number): Promise<void> {
  for (const name of Object.keys(own) as (keyof Imports)[]) {
    try {
      const { a, b, ratio = Number.NaN } = await pair(own[name], others[name], runs, 'processor');
      const verdict = ratio > slower ? `slower than ${slower} x` : '';
      tell(name, processor(a), `${commit} ${b === undefined ? '' : processor(b)}`, times(ratio), verdict);
    } catch (error) {
      // An older build may not know an option or a word of a mapping.
      tell(name, '', `${commit}: ${String(error).split('\n')[0]?.slice(-120)}`, '', '');
    }
  }
}

/** Links the packages that are installed here; the driver has had another name, too. */
function linkPackages(folder: string): void {
  mkdirSync(folder);
  for (const name of readdirSync(packages)) symlinkSync(path.join(packages, name), path.join(folder, name));
  const driver = path.join(folder, 'better-sqlite3');
  if (!existsSync(driver)) symlinkSync(path.join(packages, 'better-sqlite3-12'), driver);
}
