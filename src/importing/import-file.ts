// Imports one file: source → duplicates → names → batches → catalog → observers. Every record that was read is
// reported.
import type { Batch, BatchSource, Catalog } from '../core/catalog.js';
import { withLineNumbers } from '../core/diagnostics/item-positions.js';
import type { CatalogError } from '../core/errors.js';
import type { Counts, Report } from '../core/import-report.js';
import type { OnlyAction } from '../core/only-action.js';
import { addCounts, noCounts } from '../core/report-counts.js';
import type { Resource } from '../core/resource.js';
import { resources } from '../core/resources/index.js';
import type { Source } from '../source/source.js';
import {
  type BatchReading,
  batchReading,
  batchSource,
  type ChunkStep,
  preparedBatches,
  stopReading,
} from './batch-source.js';
import { listAdditions } from './list-additions.js';
import { nameResolver } from './name-resolver.js';
import type { ImportObserver } from './observer.js';
import { isWithin, limitExceeded, type RefusalLimit } from './refusal-limit.js';
import { isRemembering, type Withholding, withholding } from './withhold-known-items.js';

export interface ImportContext {
  readonly catalog: Catalog;
  readonly observer: Required<ImportObserver>;
  readonly limit: RefusalLimit | undefined;
  readonly dryRun: boolean;
  readonly diff: boolean;
  readonly file: string;
  /** See `ImportOptions.plan`. */
  readonly plan?: 'make' | 'apply' | undefined;
  /** See `ImportOptions.only`. */
  readonly only?: OnlyAction | undefined;
  /** Ends the reading after the current batch. */
  readonly signal: AbortSignal;
  readonly duplicates: ChunkStep;
}

/** How a file ended: `failure` is why it ended early. */
export interface Ended {
  readonly counts: Counts;
  readonly failure?: unknown;
  /** Whether the signal ended the reading before the source did. */
  readonly cutShort: boolean;
}

/**
 * Imports the entries of a source, and reports each batch to the observer.
 * @returns the counts, with the failure that ended it early, such as one of an observer
 */
export async function importFile(source: Source, resource: Resource, context: ImportContext): Promise<Ended> {
  const { catalog, duplicates, signal } = context;
  const names = nameResolver(resource, { catalog, resources });
  const reading = batchReading();
  const stop = (): void => stopReading(reading);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    const additions = listAdditions(resource, { catalog });
    const steps = [names, additions].filter((step) => step !== undefined);
    const withheld = isRemembering(catalog) ? withholding(resource, catalog, context.diff) : undefined;
    const withholds = withheld === undefined ? [] : [withheld.step];
    // Where a batch may contain a record only once, its bounds decide what is refused: they are those of the whole file.
    const cutsFirst = resource.oncePerBatch === true;
    const first = cutsFirst ? [duplicates] : [duplicates, ...withholds];
    const cut = (early: readonly ChunkStep[]) => batchSource(source, resource.limit, reading, early);
    // Names are not resolved for items that are not sent, nor for a plan, which holds items as they were sent.
    const batches =
      withheld === undefined && context.plan !== 'make'
        ? cut([...first, ...steps])
        : preparedBatches(cut(first), reading, cutsFirst ? [...withholds, ...steps] : steps);
    const { counts, failure = reading.failure } = await applyAll(batches, resource, { reading, withheld }, context);
    if (failure === undefined) checkBalance(reading, counts);
    return { counts, cutShort: reading.cutShort, ...(failure && { failure: failure.cause }) };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

interface Applied {
  readonly counts: Counts;
  readonly failure?: { readonly cause: unknown };
}

/** Applies batch after batch, and reports each. A failure of the catalog ends it; the reports so far remain valid. */
async function applyAll(
  batches: BatchSource,
  resource: Resource,
  { reading, withheld }: { readonly reading: BatchReading; readonly withheld: Withholding | undefined },
  { catalog, observer, limit, dryRun, diff, plan, only, file }: ImportContext,
): Promise<Applied> {
  const counts = noCounts();
  const veto = limit && vetoOf(limit, reading);
  const linesOf = (batch: Batch): readonly number[] => reading.linesOf.get(batch) ?? [];
  const options = {
    dryRun,
    diff,
    comparesLists: true,
    linesOf,
    file,
    ...(plan && { plan }),
    ...(only && { only }),
    ...(veto && { accept: veto.accept }),
  };
  const iterator = catalog.importBatches(resource, batches, options)[Symbol.asyncIterator]();
  for (;;) {
    const next = await iterator.next().then(
      (result) => ({ result }),
      (cause: unknown) => ({ cause }),
    );
    if ('cause' in next) return { counts, failure: next };
    if (next.result.done === true) return { counts, ...veto?.failure() };
    const report = next.result.value;
    const applied = reading.waiting.shift() ?? { entries: [], lines: [] };
    veto?.reported();
    if (report.total !== applied.lines.length || report.data.length !== applied.lines.length)
      return { counts, failure: { cause: new Error(mismatch(report, applied.lines.length)) } };
    const { lines, entries, raws, numbers } = applied;
    withheld?.reported(entries, report.data);
    // A committed batch counts even if an observer fails to report it.
    const offset = counts.total;
    addCounts(counts, report);
    try {
      const origin = { lines, offset, entries, ...(raws && { raws }), ...(numbers && { numbers }) };
      await observer.batch({ report: withLineNumbers(report, lines), ...origin });
    } catch (cause) {
      // A report that cannot be written ends the import like a failure of the catalog: the other reports show it.
      return { counts, failure: { cause } };
    }
  }
}

/** Checks the refusal limit before each batch is applied; the first batch beyond it ends the reading. */
function vetoOf(limit: RefusalLimit, reading: BatchReading) {
  let ahead = 0;
  let exceeded: CatalogError | undefined;
  return {
    accept(report: Report): boolean {
      if (isWithin(limit, report)) {
        ahead++;
        return true;
      }
      exceeded ??= limitExceeded(limit, reading.waiting[ahead]?.lines);
      stopReading(reading);
      return false;
    },
    reported: () => void ahead--,
    failure: (): Pick<Applied, 'failure'> => (exceeded === undefined ? {} : { failure: { cause: exceeded } }),
  };
}

function mismatch({ total }: Report, items: number): string {
  return `a report of ${total} lines came for a batch of ${items} items`;
}

/** The counts must balance; otherwise the run fails. */
function checkBalance(reading: BatchReading, { created, updated, unchanged, refused, total }: Readonly<Counts>): void {
  const ended = created + updated + unchanged + refused;
  if (reading.handedOver !== total || total !== ended || reading.waiting.length > 0)
    throw new Error(`${reading.handedOver} items were read, ${total} reported, ${ended} counted; these must be equal`);
}
