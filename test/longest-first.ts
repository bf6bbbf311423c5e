// The order in which test files run: what takes longest begins first, so that no worker is left with it while the others
// have nothing to do. Vitest would go by the durations of the last run, which a fresh clone does not have.
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take more than 6 s on two cores, by what they take there, and with them those that mostly wait for a clock.
 * What is on the disk at a time stays below 300 MB: server and large-answers, which write most, run one after the other before
 * the first that needs PostgreSQL, and those with a PostgreSQL server of their own not together.
 */
const longest = [
  'test/http/server/server.test.ts',
  'test/manual/blocks.test.ts',
  'test/http/server/serve-workers.test.ts',
  'test/http/server/serve.test.ts',
  'test/http/server/large-answers.slow.test.ts',
  'test/http/client/hostile.test.ts',
  'test/proof/power-cut.full.test.ts',
  'test/reporting/html/accessibility.full.test.ts',
  'test/proof/hostile-load.full.test.ts',
  'test/cli/plan.test.ts',
  'test/reporting/html/html-report.test.ts',
  'test/store/stores.test.ts',
  'test/http/server/uploads.slow.test.ts',
  'test/platforms/windows-files.test.ts',
  'test/feeds/feeds.test.ts',
  'test/http/server/slow-headers.slow.test.ts',
  'test/cli/ledger.test.ts',
  'test/cli/several-feeds.test.ts',
  'test/cli/config.test.ts',
  'test/proof/bombs.full.test.ts',
  'test/proof/ledger-kills.test.ts',
  'test/store/postgres/store.test.ts',
  'test/cli/import.test.ts',
  'test/cli/postgres.test.ts',
  'test/source/worker/reader-thread.test.ts',
  'test/cli/shared-outputs.test.ts',
  'test/http/client/shared-journals.test.ts',
  'test/proof/postgres.test.ts',
  'test/proof/server-memory.full.test.ts',
  'test/proof/full-disk.test.ts',
  'test/http/server/docs.test.ts',
  'test/cli/remote-runs.test.ts',
  'test/proof/postgres-full-disk.full.test.ts',
  'test/cli/idle-options.slow.test.ts',
  'test/proof/thirty-nights.full.test.ts',
  'test/feeds/unseen-header-sets.slow.test.ts',
  'test/platforms/containers.test.ts',
  'test/proof/crash.test.ts',
  'test/cli/terminal.test.ts',
  'test/http/client/command.test.ts',
  'test/library/library.test.ts',
  'test/proof/postgres-writers.test.ts',
  'test/proof/writers.test.ts',
];

/** What the order of the others follows from: with another word, other files come after each other in a worker. */
const order = process.env['CATALOG_TEST_ORDER'];

/** Named files first, the others as Vitest would order them, or in an order of their own. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.indexOf(relative(this.ctx.config.root, moduleId));
      return place === -1 ? longest.length : place;
    };
    const others = await super.sort(files);
    if (order !== undefined)
      others.sort((a, b) => hashOf(order + a.moduleId).localeCompare(hashOf(order + b.moduleId)));
    return others.sort((a, b) => rank(a) - rank(b));
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
