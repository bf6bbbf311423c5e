// Ends a run of the tests that hangs, and says why as the last thing that is printed. Vitest keeps the limit of a test by a
// timer in the process that runs it: where that process is busy for ever, or waits while a file is loaded, the timer is no help.
import { rmSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { limitOf, patience } from './limits.js';
import { endProcesses } from './processes.js';
import { runFolder } from './run-folder.js';

/** How long after its limit something hangs that was not ended by it, in milliseconds. */
const grace = 20_000 * patience;

interface Current {
  readonly what: string;
  readonly since: number;
  readonly limit: number;
}

const pathOf = ({ moduleId }: TestModule): string => relative(import.meta.dirname, moduleId);

/** What each worker does now. */
export class HangReporter implements Reporter {
  readonly #running = new Map<string, Current>();
  /** Files that have ended: on a busy machine the result of a last test may be told after the end of its file. */
  readonly #ended = new Set<string>();
  readonly #timer = setInterval(() => this.#look(), 1_000).unref();

  onTestModuleQueued(file: TestModule): void {
    this.#begins(file, 'while it is loaded or in its first test');
  }

  onTestCaseReady(test: TestCase): void {
    this.#begins(test.module, `in the test "${test.fullName}"`);
  }

  onTestCaseResult(test: TestCase): void {
    this.#begins(test.module, `after the test "${test.fullName}"`);
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    this.#running.delete(moduleId);
    this.#ended.add(moduleId);
  }

  onTestRunEnd(): void {
    this.#running.clear();
    this.#running.set('', { what: 'The run itself, at its end,', since: Date.now(), limit: grace });
  }

  #begins(file: TestModule, when: string): void {
    if (this.#ended.has(file.moduleId)) return;
    const path = pathOf(file);
    this.#running.set(file.moduleId, { what: `test/${path} ${when}`, since: Date.now(), limit: limitOf(path) });
  }

  #look(): void {
    for (const { what, since, limit } of this.#running.values()) {
      const seconds = Math.round((Date.now() - since) / 1000);
      if (seconds * 1000 < limit + grace) continue;
      clearInterval(this.#timer);
      endProcesses('');
      try {
        rmSync(runFolder(), { recursive: true, force: true });
      } catch {
        // A disk that a test had mounted there stays. The reason is the last thing that is printed.
      }
      process.stderr.write(`\n${what} hangs: nothing came of it for ${seconds} s. The run was ended.\n`, () =>
        process.exit(1),
      );
      return;
    }
  }
}
