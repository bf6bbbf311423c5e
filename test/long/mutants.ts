// Puts small faults into the sources, one at a time, and looks whether the types or the tests notice:
//
//   npm run proof:mutants -- [--most 200] [--seed 1] [files or folders of src]
//
// It works on a copy of the project, in which the tests have to pass first. Whatever is not noticed is printed, and fails the
// proof, unless survivors.txt says why it changes nothing that a user gets. The tests of the fast tier that import the changed
// file are run first, and only where none of them fails all others that import it, those with PostgreSQL and with processes of
// their own. The test that failed is printed too: one that fails at every fault fails by itself.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { randomFrom } from '../random.js';

const root = join(import.meta.dirname, '../..');

/** Pieces of code, and what they become. They are surrounded by blanks in this code, so that types and tags are no matches. */
const faults: readonly (readonly [RegExp, string])[] = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ 1\b/g, ' + 2'],
  [/ - 1\b/g, ' - 2'],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/\.some\(/g, '.every('],
  [/\.every\(/g, '.some('],
  [/\bif \(!/g, 'if ('],
  [/\breturn;/g, ';'],
  [/\bMath\.min\(/g, 'Math.max('],
  [/\bMath\.max\(/g, 'Math.min('],
  [/\((\w+), (\w+)\)/g, '($2, $1)'],
  [/^ +[\w.]+\([^;\n]*\);$/gm, ';'],
];

interface Mutant {
  readonly file: string;
  readonly at: number;
  readonly length: number;
  readonly change: string;
  /** As it is written in survivors.txt. */
  readonly name: string;
}

/** The text with comments and strings blanked out, so that none of their words is taken for code. */
function codeOf(text: string): string {
  const dead = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
  return text.replace(dead, (one) => one.replace(/[^\n]/g, ' '));
}

function mutantsOf(file: string): Mutant[] {
  const text = readFileSync(join(root, file), 'utf8');
  const code = codeOf(text);
  return faults.flatMap(([pattern, change]) =>
    [...code.matchAll(pattern)].map(({ 0: piece, index }) => {
      const changed = piece.replace(new RegExp(pattern.source, 'm'), change);
      const line = text.slice(text.lastIndexOf('\n', index) + 1, text.indexOf('\n', index)).trim();
      return {
        file,
        at: index,
        length: piece.length,
        change: changed,
        name: `${file}: ${line} [${piece.trim()} → ${changed.trim()}]`,
      };
    }),
  );
}

function filesIn(path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(path, name))
    .sort();
}

/** A copy of the project, so that nobody's tree is changed. Other users of tests run programs of it. */
function copied(): string {
  const copy = mkdtempSync(join(tmpdir(), 'catalog-mutants-'));
  chmodSync(copy, 0o755);
  for (const name of readdirSync(root))
    if (name !== '.git' && name !== 'dist')
      cpSync(join(root, name), join(copy, name), { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** What fails first of programs of the project, run one after the other in the copy. A fault may make a loop endless. */
function failureOf(copy: string, ...commands: readonly (readonly string[])[]): string | undefined {
  const options = { cwd: copy, timeout: 3_600_000, killSignal: 'SIGKILL', encoding: 'utf8', maxBuffer: 1e9 } as const;
  for (const args of commands) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
    if (status !== 0) return / FAIL +(.*)/.exec(stripVTControlCharacters(stdout + stderr))?.[1] ?? args.join(' ');
  }
  return undefined;
}

const vitest = (mode: string, ...args: readonly string[]): readonly string[] => [
  'node_modules/vitest/vitest.mjs',
  ...args,
  ...['--config', 'test/vitest.config.ts', '--run', '--passWithNoTests', '--bail', '1', '--mode', mode],
];

const build = ['src/build.mjs'];

/** Who notices a fault, and how. The tests that are nearest to it are asked first. */
function noticed(
  copy: string,
  { file, at, length, change }: Mutant,
): [by: 'types' | 'fast' | 'slow' | 'nobody', how: string] {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  const near = dirname(file).replace(/^src/, 'test');
  const failing = (mode: string) => failureOf(copy, vitest(mode, 'run', near), vitest(mode, 'related', file));
  let isBuilt = false;
  writeFileSync(path, text.slice(0, at) + change + text.slice(at + length));
  try {
    if (failureOf(copy, ['node_modules/typescript/bin/tsc', '--noEmit']) !== undefined) return ['types', ''];
    const fast = failing('fast');
    if (fast !== undefined) return ['fast', fast];
    isBuilt = true;
    const slow = failureOf(copy, build) ?? failing('moderate');
    return slow === undefined ? ['nobody', ''] : ['slow', slow];
  } finally {
    writeFileSync(path, text);
    if (isBuilt) failureOf(copy, build);
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { most: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});
const places = positionals.length > 0 ? positionals : ['src/core', 'src/source/mapping', 'src/store'];
const known = readFileSync(join(import.meta.dirname, 'survivors.txt'), 'utf8').split('\n');
const random = randomFrom(Number(values.seed));
const files = places.flatMap(filesIn);
const all = files.flatMap(mutantsOf);
const stale = known.filter(
  (line) => files.includes(line.split(': ', 1)[0] ?? '') && !all.some(({ name }) => line.startsWith(name)),
);
if (stale.length > 0) throw new Error(`survivors.txt names what is not there any more:\n${stale.join('\n')}`);
const chosen = all
  .filter(({ name }) => !known.some((line) => line.startsWith(name)))
  .map((mutant) => ({ mutant, order: random() }))
  .sort((a, b) => a.order - b.order)
  .slice(0, Number(values.most))
  .map(({ mutant }) => mutant);

const copy = copied();
const counts = { types: 0, fast: 0, slow: 0, nobody: 0 };
try {
  const failure = failureOf(copy, build, vitest('moderate', 'run'));
  if (failure !== undefined) throw new Error(`without any fault this fails: ${failure}`);
  for (const mutant of chosen) {
    const [by, how] = noticed(copy, mutant);
    counts[by]++;
    console.log(`${by.padEnd(6)}  ${mutant.name}${how && `\n        ${how}`}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
const share = (1 - counts.nobody / Math.max(1, chosen.length)) * 100;
console.log(`${chosen.length} faults: ${JSON.stringify(counts)}, ${share.toFixed(1)} % noticed`);
if (share < 97) process.exitCode = 1;
