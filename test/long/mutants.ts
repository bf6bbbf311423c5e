// Puts small faults into the sources, one at a time, and looks whether the tests or the types notice:
//
//   npm run proof:mutants -- [--most 200] [--seed 1] [--fast] [files or folders of src]
//
// First all faults are put in at once, each behind a switch, and each test of the fast tier that a fault changes a value in is
// run with that fault (mutants/runner.ts). The types are asked next. Each fault that is left is put into a copy of the project by
// itself, where all tests are run that import its source: those of sources that run while they are loaded are noticed there, and
// what only processes or PostgreSQL show. That takes a minute or two a fault; --fast leaves it out, and names what is left.
//
// What nothing notices is printed, and more than 3 % of it fail the proof. survivors.txt names the faults that change nothing
// that a user gets. The test that failed is printed too: one that fails at every fault fails by itself.
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { randomFrom } from '../random.js';
import { type Fault, faultsAt, withFault } from './mutants/faults.js';
import { type Round, root, roundVariable } from './mutants/round.js';

const folder = mkdtempSync(join(tmpdir(), 'catalog-mutants-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
// Other users of tests run programs of the copy.
chmodSync(folder, 0o755);

/** How a fault was noticed, by its number. */
const noticed = new Map<number, string>();

/** The lines of all files of this kind that workers of a round have written. */
function linesOf(of: string, kind: string): string[] {
  return readdirSync(of)
    .filter((name) => name.startsWith(`${kind}.`))
    .flatMap((name) => readFileSync(join(of, name), 'utf8').split('\n'))
    .filter((line) => line !== '');
}

const vitest = 'node_modules/vitest/vitest.mjs';

/** How long a test may be silent with a fault: it is in a loop then in which no switch is asked. */
const longestSilence = 40_000;

/** Ends the workers that do nothing any more, each with the fault that it is at, which is noticed. */
function endHanging(of: string): void {
  for (const name of readdirSync(of).filter((one) => one.startsWith('now.'))) {
    const path = join(of, name);
    const text = readFileSync(path, 'utf8');
    if (text === '' || Date.now() - statSync(path).mtimeMs < longestSilence) continue;
    appendFileSync(join(of, 'noticed.here'), `${text}\tnever ends\n`);
    writeFileSync(path, '');
    try {
      process.kill(Number(name.slice('now.'.length)), 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

/** The tests of a round: those in the folders of the sources, or all that import one of them. */
function testsOf({ isNear, open }: Pick<Round, 'isNear' | 'open'>): readonly string[] {
  const files = [...new Set(open.map((number) => faultOf(number).file))];
  if (!isNear) return ['related', ...files];
  const folders = new Set(files.map((file) => `${dirname(file).replace(/^src/, 'test')}/`));
  return ['run', ...folders];
}

/** Runs the tests of the fast tier with faults behind switches, again where a worker was ended. */
async function runRound(name: string, round: Omit<Round, 'folder' | 'filesDone'>): Promise<void> {
  const of = join(folder, name);
  mkdirSync(of);
  const file = join(of, 'round.json');
  const endless = (): number => linesOf(of, 'noticed').filter((line) => line.endsWith('never ends')).length;
  for (let before = -1; before < endless(); ) {
    before = endless();
    writeFileSync(file, JSON.stringify({ ...round, folder: of, filesDone: linesOf(of, 'done') } satisfies Round));
    const args = [vitest, ...testsOf(round), '--run', '--config', 'test/long/mutants/vitest.config.ts'];
    const env = { ...process.env, [roundVariable]: file, NODE_NO_WARNINGS: '1' };
    const child = spawn(process.execPath, [...args, '--passWithNoTests'], { cwd: root, stdio: 'ignore', env });
    while (child.exitCode === null && child.signalCode === null) {
      await setTimeout(1000);
      endHanging(of);
    }
  }
  for (const line of linesOf(of, 'noticed'))
    noticed.set(Number.parseInt(line, 10), line.split('\t').slice(1).join('  '));
}

/** What fails first of programs of the project, run one after the other in the copy. A fault may make a loop endless. */
function failureOf(copy: string, ...commands: readonly (readonly string[])[]): string | undefined {
  const options = { cwd: copy, timeout: 3_600_000, killSignal: 'SIGKILL', encoding: 'utf8', maxBuffer: 1e9 } as const;
  for (const args of commands) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
    if (status !== 0) return / FAIL +(.*)/.exec(stripVTControlCharacters(stdout + stderr))?.[1] ?? stdout + stderr;
  }
  return undefined;
}

/** A copy of the project, so that nobody's tree is changed. */
function copied(): string {
  const copy = join(folder, 'copy');
  for (const name of readdirSync(root))
    if (name !== '.git' && name !== 'dist')
      cpSync(join(root, name), join(copy, name), { recursive: true, verbatimSymlinks: true });
  return copy;
}

const typescript = ['node_modules/typescript/bin/tsc', '--noEmit', '--pretty', 'false'];

/** Asks the types about faults, one of each source at a time. They are noticed where the type of the source itself is wrong. */
function askTypes(copy: string, open: readonly number[]): void {
  const byFile = new Map<string, number[]>();
  for (const number of open) {
    const { file } = faultOf(number);
    byFile.set(file, [...(byFile.get(file) ?? []), number]);
  }
  while (byFile.size > 0) {
    const asked = [...byFile].flatMap(([file, numbers]) => {
      const number = numbers.pop();
      if (number === undefined) byFile.delete(file);
      return number === undefined ? [] : [number];
    });
    for (const number of asked) putIn(copy, faultOf(number));
    const errors = failureOf(copy, typescript) ?? '';
    for (const number of asked) {
      const { file } = faultOf(number);
      if (errors.includes(`${file}(`)) noticed.set(number, 'types');
      takeOut(copy, file);
    }
  }
}

function putIn(copy: string, fault: Fault): void {
  writeFileSync(join(copy, fault.file), withFault(readFileSync(join(root, fault.file), 'utf8'), fault));
}

function takeOut(copy: string, file: string): void {
  cpSync(join(root, file), join(copy, file));
}

const build = ['src/build.mjs'];

/** Who notices a fault that is put in by itself: the tests of the fast tier that import its source, or all others that do. */
function noticedAlone(copy: string, fault: Fault): string | undefined {
  const tests = (mode: string) => [
    ...[vitest, 'related', fault.file, '--config', 'test/vitest.config.ts', '--run', '--passWithNoTests'],
    ...['--bail', '1', '--mode', mode],
  ];
  putIn(copy, fault);
  try {
    return failureOf(copy, typescript, tests('fast'), build, tests('moderate'));
  } finally {
    takeOut(copy, fault.file);
    failureOf(copy, build);
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    most: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    fast: { type: 'boolean', default: false },
  },
});
const places = positionals.length > 0 ? positionals : ['src/core', 'src/source/mapping', 'src/store'];
const faults = faultsAt(root, places);
const survivors = readFileSync(join(import.meta.dirname, 'survivors.txt'), 'utf8')
  .split('\n')
  .slice(1);
const stale = survivors.filter(
  (line) =>
    faults.some(({ file }) => line.startsWith(`${file}: `)) && !faults.some(({ name }) => line.startsWith(name)),
);
if (stale.length > 0) throw new Error(`survivors.txt names what is not there any more:\n${stale.join('\n')}`);
function faultOf(number: number): Fault {
  const fault = faults[number];
  if (fault === undefined) throw new Error(`no fault has the number ${number}`);
  return fault;
}
const random = randomFrom(Number(values.seed));
const chosen = [...faults.keys()]
  .filter((number) => !survivors.some((line) => line.startsWith(faultOf(number).name)))
  .map((number) => ({ number, order: random() }))
  .sort((a, b) => a.order - b.order)
  .slice(0, Number(values.most))
  .map(({ number }) => number);
const left = (): number[] => chosen.filter((number) => !noticed.has(number));

// The nearest and shortest tests first: most faults need no other one.
const rounds = [
  { isNear: true, longestTest: 60, mostTests: 50, longestOfTest: 60_000 },
  { isNear: false, longestTest: 60, mostTests: 15, longestOfTest: 60_000 },
  { isNear: false, longestTest: 1000, mostTests: 200, longestOfTest: 10_000 },
];
for (const [i, round] of rounds.entries()) {
  await runRound(`round-${i + 1}`, { ...round, faults, open: left() });
  console.log(`${chosen.length} faults, ${noticed.size} noticed after round ${i + 1}`);
}
const copy = copied();
askTypes(copy, left());
console.log(`${noticed.size} with the types`);
if (!values.fast) {
  const failure = failureOf(copy, build, [vitest, '--config', 'test/vitest.config.ts', '--run', '--bail', '1']);
  if (failure !== undefined) throw new Error(`without any fault this fails: ${failure}`);
  for (const number of left()) {
    const how = noticedAlone(copy, faultOf(number));
    if (how !== undefined) noticed.set(number, how);
  }
}
for (const number of chosen) {
  const how = noticed.get(number);
  console.log(
    `${how === undefined ? 'nobody ' : 'noticed'}  ${faultOf(number).name}${how ? `\n         ${how.split('\n', 1)[0]}` : ''}`,
  );
}
const share = (noticed.size / Math.max(1, chosen.length)) * 100;
console.log(`${chosen.length} faults, ${noticed.size} noticed: ${share.toFixed(1)} %`);
if (share < 97) process.exitCode = 1;
