// The tiers of the tests. Each command takes those of the ones before it along:
//
//   npm run test:fast   under a minute: what starts no process of its own, with few repetitions, without *.slow.test.ts
//   npm test            about five minutes on two cores: with a moderate number of repetitions, without *.full.test.ts
//   npm run test:full   everything, with the numbers that src/manual/promises.md states, and then `npm run test:figures`: the files
//                       that say how long something may take, one after the other, held to what they say
//
// `npm run proof:long` and `npm run proof:fuzz` repeat the same proofs for hours.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const tiers = ['fast', 'moderate', 'full'] as const;
export type Tier = (typeof tiers)[number];

/** The tier of a mode of Vitest. Other modes, as `test` where none is named, run the moderate one. */
export function tierOf(mode: string | undefined): Tier {
  return tiers.find((tier) => tier === mode) ?? 'moderate';
}

/**
 * How often a proof is repeated.
 * @param variable an environment variable that overrides the number of the tier
 */
export function repetitions(variable: string, counts: Readonly<Record<Tier, number>>): number {
  return Number(process.env[variable] ?? counts[tierOf(process.env['TEST_TIER'])]);
}

/** Whether this is the fast tier, which leaves out what works through megabytes. */
export const isFast = tierOf(process.env['TEST_TIER']) === 'fast';

const mode = process.env['TEST_TIER'] ?? '';

/** The mode in which what takes time is held to its figure: nothing else runs beside it. */
const ofFigures = 'figures';

/** Whether this is the full tier, which takes nothing together that a user would type apart. */
export const isFull = mode === ofFigures || tierOf(mode) === 'full';

/** What `standardWork` takes on the machine on which the figures are stated, in milliseconds (AMD EPYC, Node 20). */
const standardMilliseconds = 1.1;

const standardText = JSON.stringify(
  Array.from({ length: 1000 }, (_, i) => ({ sku: `SKU-${(i * 7919) % 1000}`, name: `Name ${i}`, values: [i, i + 1] })),
);

/** A piece of work of the kind that tests do: parsing, sorting, replacing and collecting. */
function standardWork(): number {
  const began = performance.now();
  const records: { sku: string; name: string }[] = JSON.parse(standardText);
  records.sort((a, b) => (a.sku < b.sku ? -1 : 1));
  const names = new Map(records.map(({ sku, name }) => [sku, name.replace(/\d+/g, (digits) => digits + digits)]));
  if (names.size !== records.length) throw new Error('a piece of work that is not done');
  return performance.now() - began;
}

/** How many times slower than that machine this one is now, at least 1: virtual machines differ from hour to hour. */
function slowness(): number {
  return Math.max(1, Math.min(...Array.from({ length: 20 }, standardWork)) / standardMilliseconds);
}

/**
 * How long something may take until a test fails. `npm run test:figures` holds it to the figure, on a machine that does nothing
 * else, and by how slow that machine is at the time; elsewhere the machine may be ten times slower, and more where it was
 * busy when the run began (limits.ts). What is wrong in kind (a wait for a time-out, a loop that is quadratic) fails there
 * too, where the figure that it would need is far enough away.
 * @param milliseconds the figure that is promised
 * @returns whole milliseconds, as timers and limits of children need them
 */
export function allowed(milliseconds: number): number {
  const patience = Number(process.env['CATALOG_TEST_PATIENCE'] ?? 1);
  return Math.ceil(milliseconds * (mode === ofFigures ? slowness() : 10 * patience));
}

/** The test files that say how long something may take, as paths relative to the root; undefined where the mode is another one. */
export function testsWithFigures(root: string, of: string): string[] | undefined {
  if (of !== ofFigures) return undefined;
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && path !== 'waits.test.ts')
    .map((path) => join('test', path))
    .filter((path) => /\ballowed\(/.test(readFileSync(join(root, path), 'utf8')));
}

/** How a file starts a process (a browser too) or a thread, or builds one to be started. */
const startsProcess = /'node:child_process'|\bnew Worker\(|\/thread-start\.js'|\bbuilt\(|'playwright-core'/;

/**
 * The test files that start processes, themselves or by what they import.
 * @param root the folder of the project
 * @returns paths relative to it
 */
export function testsWithProcesses(root: string): string[] {
  const texts = new Map(
    readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && path !== 'tier.ts')
      .map((path) => [join('test', path), readFileSync(join(root, 'test', path), 'utf8')]),
  );
  const importsOf = (path: string): string[] =>
    [...(texts.get(path) ?? '').matchAll(/(?:from |import\()'(\.[^']+)\.js'/g)]
      .map(([, specifier = '']) => join(path, '..', `${specifier}.ts`))
      .filter((imported) => texts.has(imported));
  const marked = new Set([...texts].filter(([, text]) => startsProcess.test(text)).map(([path]) => path));
  for (let size = -1; size !== marked.size; ) {
    size = marked.size;
    for (const path of texts.keys()) {
      if (importsOf(path).some((imported) => marked.has(imported))) marked.add(path);
    }
  }
  return [...marked].filter((path) => path.endsWith('.test.ts'));
}
