// The way of one file: source → names resolved → batches → catalog → report. Everything read is accounted for.
import type { Catalog } from '../core/catalog.js';
import type { CatalogError } from '../core/errors.js';
import type { Counts } from '../core/line.js';
import { addCounts, noCounts } from '../core/report.js';
import type { Resource } from '../core/resource.js';
import { resources } from '../core/resources/index.js';
import type { Source } from '../source/read.js';
import { type Feed, openFeed } from './feed.js';
import type { Guard } from './guard.js';
import type { Reporter } from './reporter.js';
import { resolveNames } from './resolve-names.js';

/** What importing a file takes besides the file. */
export interface ImportContext {
  readonly catalog: Catalog;
  readonly reporter: Reporter;
  readonly guard: Guard | undefined;
  readonly dryRun: boolean;
  readonly diff: boolean;
  /** Given the counts as they grow, before the first batch; returns what is called after the last. */
  readonly watch: (counts: Readonly<Counts>) => () => void;
  /** Given a function that ends the reading after the batch under way. */
  readonly onStop: (stop: () => void) => void;
}

/** How a file ended: `failure` is what ended it early. */
export interface Ended {
  readonly counts: Counts;
  readonly failure?: unknown;
  /** Whether reading was ended by `onStop`'s function. */
  readonly cutShort: boolean;
}

/**
 * Imports what a source holds and tells the reporter of each batch.
 * @returns the counts, with what ended it early; only failures of the reporter are thrown
 */
export async function importFile(source: Source, resource: Resource, context: ImportContext): Promise<Ended> {
  const { catalog } = context;
  const feed = openFeed(source, resource.limit, (chunks) => resolveNames(chunks, resource, { catalog, resources }));
  context.onStop(feed.stop);
  const counts = noCounts();
  const unwatch = context.watch(counts);
  try {
    const failure = await applyAll(feed, resource, counts, context);
    const cause = failure ?? feed.failure();
    if (cause === undefined) checkBalance(feed, counts);
    return { counts, cutShort: feed.cutShort(), ...(cause && { failure: cause.cause }) };
  } finally {
    unwatch();
  }
}

/** Applies and tells batch after batch. A failure of the catalog ends it; what was told before stands. */
async function applyAll(
  feed: Feed,
  resource: Resource,
  counts: Counts,
  { catalog, reporter, guard, dryRun, diff }: ImportContext,
): Promise<{ readonly cause: unknown } | undefined> {
  let asked = 0;
  let told = 0;
  let guarded: CatalogError | undefined;
  const accept = (report: Parameters<Guard['accept']>[0]): boolean => {
    if (guard === undefined || guard.accept(report)) {
      asked++;
      return true;
    }
    guarded ??= guard.failure(feed.waiting[asked - told]?.lines);
    feed.stop();
    return false;
  };
  const options = { dryRun, diff, ...(guard && { accept }) };
  const reports = catalog.importBatches(resource, feed.batches, options);
  const iterator = reports[Symbol.asyncIterator]();
  for (;;) {
    const next = await iterator.next().then(
      (result) => ({ result }),
      (cause: unknown) => ({ cause }),
    );
    if ('cause' in next) return next;
    if (next.result.done === true) return guarded && { cause: guarded };
    const report = next.result.value;
    const { lines = [], entries = [], raws } = feed.waiting.shift() ?? {};
    told++;
    if (report.total !== lines.length || report.data.length !== lines.length)
      return { cause: new Error(`a report of ${report.total} lines came for a batch of ${lines.length} items`) };
    // What is committed counts, also where telling it fails.
    const offset = counts.total;
    addCounts(counts, report);
    await reporter.tell({ report, lines, offset, entries, ...(raws && { raws }) });
  }
}

/** Every count balances, or the run fails loudly. */
function checkBalance(feed: Feed, { created, updated, unchanged, refused, total }: Readonly<Counts>): void {
  const ended = created + updated + unchanged + refused;
  if (feed.handedOver() !== total || total !== ended || feed.waiting.length > 0)
    throw new Error(`${feed.handedOver()} items were read, ${total} reported, ${ended} counted; these must be equal`);
}
