// The order in which test files run: what takes longest begins first, so that no worker is left with it while the others
// have nothing to do. Vitest would go by the durations of the last run, which a fresh clone does not have.
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest on two cores, and those that mostly wait for a clock, the longest first. */
const longest = [
  'test/manual/blocks.test.ts',
  'test/proof/power-cut.test.ts',
  'test/reporting/html/html-report.test.ts',
  'test/reporting/html/accessibility.test.ts',
  'test/http/server/serve.test.ts',
  'test/http/client/hostile.test.ts',
  'test/proof/ledger-kills.test.ts',
  'test/proof/full-disk.test.ts',
  'test/proof/postgres.test.ts',
  'test/proof/writers.test.ts',
  'test/http/client/shared-journals.test.ts',
  'test/proof/postgres-full-disk.test.ts',
  'test/proof/crash.test.ts',
  'test/http/client/command.test.ts',
  'test/http/server/uploads.slow.test.ts',
  'test/http/server/slow-headers.slow.test.ts',
  'test/http/server/slow-bodies.test.ts',
  'test/store/catalog.test.ts',
  'test/cli/refused-and-mended.slow.test.ts',
  'test/cli/import.test.ts',
  'test/source/worker/reader-thread.test.ts',
  'test/proof/bombs.test.ts',
  'test/proof/io-errors.test.ts',
  'test/store/stores.test.ts',
  'test/cli/export.slow.test.ts',
];

/** Named files first, the others as Vitest would order them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.indexOf(relative(this.ctx.config.root, moduleId));
      return place === -1 ? longest.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
