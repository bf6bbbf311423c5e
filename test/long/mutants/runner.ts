// Runs each test once as it is, and then with each of the faults that change a value in it, one at a time, until some test has
// failed with it. What is found is written down at once: a fault may end the process.
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type RunnerTestCase, type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest';
import { currentRound, root } from './round.js';
import { Switches } from './switches.js';

const shared = globalThis as { __switches?: Switches };
shared.__switches ??= new Switches();
const switches = shared.__switches;

const round = currentRound();
const filesDone = new Set(round.filesDone);
const open = new Set(round.open);
/** With how many tests each fault was run. */
const runs = new Map<number, number>();

/** Files of this worker in the folder of the round. */
const fileOf = (what: string): string => join(round.folder, `${what}.${process.pid}`);

/** Closes what other workers found since. */
function readNoticed(): void {
  for (const name of readdirSync(round.folder)) {
    if (!name.startsWith('noticed.')) continue;
    for (const line of readFileSync(join(round.folder, name), 'utf8').split('\n'))
      open.delete(Number.parseInt(line, 10));
  }
}

/** The faults that a test is repeated with, those first that were run with few tests. */
function facing(file: string, changing: ReadonlySet<number>): number[] {
  const isNear = (number: number): boolean =>
    dirname(round.faults[number]?.file ?? '').replace(/^src/, 'test') === dirname(file);
  return [...changing]
    .filter(
      (number) => open.has(number) && (runs.get(number) ?? 0) < round.mostTests && (!round.isNear || isNear(number)),
    )
    .sort((a, b) => (runs.get(a) ?? 0) - (runs.get(b) ?? 0));
}

export default class FaultRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const file = relative(root, test.file.filepath);
    if (filesDone.has(file)) return;
    const began = performance.now();
    switches.note();
    try {
      await TestRunner.getTestFn(test)();
    } finally {
      switches.turnOff();
    }
    const took = performance.now() - began;
    const faults = took > round.longestTest ? [] : facing(file, switches.noted());
    if (faults.length > 0) await new Repetition(test, Math.max(1500, 12 * took)).withFaults(faults);
    writeFileSync(fileOf('now'), '');
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    readNoticed();
    if ('filepath' in suite) appendFileSync(fileOf('done'), `${relative(root, (suite as RunnerTestFile).filepath)}\n`);
    await super.onAfterRunSuite(suite);
  }
}

type TestHook = (context: unknown) => unknown;

/** A test that is run again and again. */
class Repetition {
  readonly #suites: readonly RunnerTestSuite[];
  readonly #name: string;
  #cleanups: (() => unknown)[] = [];

  /** @param within how long a run may take, in milliseconds */
  constructor(
    private readonly test: RunnerTestCase,
    private readonly within: number,
  ) {
    this.#name = `${relative(root, test.file.filepath)} > ${test.name.replace(/\s+/g, ' ')}`;
    const suites: RunnerTestSuite[] = [];
    for (let suite = test.suite ?? test.file; suite !== undefined; suite = suite.suite ?? test.file) {
      suites.push(suite);
      if (suite === test.file) break;
    }
    this.#suites = suites;
  }

  /** Runs the test with one fault after the other; a test that fails without one, then, says nothing. */
  async withFaults(faults: readonly number[]): Promise<void> {
    if (await this.#failsByItself()) return;
    const end = performance.now() + round.longestOfTest;
    for (const number of faults) {
      if (performance.now() > end) return;
      writeFileSync(fileOf('now'), `${number}\t${this.#name}`);
      runs.set(number, (runs.get(number) ?? 0) + 1);
      const failure = await this.#failure(number);
      if (failure === undefined) continue;
      if (await this.#failsByItself()) return;
      open.delete(number);
      appendFileSync(fileOf('noticed'), `${number}\t${this.#name}\t${failure}\n`);
    }
  }

  async #failsByItself(): Promise<boolean> {
    return (await this.#failure()) !== undefined && (await this.#failure()) !== undefined;
  }

  /** How the test fails with a fault, or without one. */
  async #failure(fault?: number): Promise<string | undefined> {
    const { test } = this;
    try {
      await this.#prepare();
      if (fault !== undefined) switches.turnOn(fault, this.within);
      const run = TestRunner.getTestFn(test)();
      const isLate = await Promise.race([run, setTimeout(this.within + 500, true, { ref: false })]);
      switches.turnOff();
      // What waits for something goes on without the fault, and may come to its end.
      if (isLate === true)
        await Promise.race([Promise.resolve(run).catch(() => {}), setTimeout(10_000, undefined, { ref: false })]);
      return isLate === true ? 'does not end' : undefined;
    } catch (error) {
      return String(error instanceof Error ? error.message : error)
        .replace(/\s+/g, ' ')
        .slice(0, 100);
    } finally {
      switches.turnOff();
      await this.#cleanUp();
    }
  }

  /** Runs the hooks that Vitest runs between two tests, if a suite of the test has some for its beginning. */
  async #prepare(): Promise<void> {
    const { test } = this;
    const hooks = this.#suites.map((suite) => [suite, TestRunner.getSuiteHooks(suite)] as const);
    if (hooks.every(([, { beforeEach }]) => beforeEach.length === 0)) return;
    for (const cleanup of this.#cleanups.splice(0).reverse()) await cleanup();
    for (const [suite, { afterEach }] of hooks)
      for (const hook of afterEach.toReversed()) await hook(test.context, suite);
    for (const [suite, { beforeEach }] of hooks.toReversed())
      for (const hook of beforeEach) {
        const cleanup = await hook(test.context, suite);
        if (typeof cleanup === 'function') this.#cleanups.push(cleanup as () => unknown);
      }
  }

  /** Does what a test wants to have done at its end, and forgets that it failed. */
  async #cleanUp(): Promise<void> {
    // Vitest keeps them where its types do not show them.
    const test: RunnerTestCase & { onFinished?: TestHook[]; onFailed?: TestHook[] } = this.test;
    for (const hook of (test.onFinished ?? []).splice(0).reverse()) {
      await Promise.resolve(hook(test.context)).catch(() => {});
    }
    test.onFailed?.splice(0);
    if (test.result !== undefined) {
      test.result.state = 'run';
      delete test.result.errors;
    }
  }
}
