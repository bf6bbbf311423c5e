// A Catalog on any store: check → load → decide → save, several batches per transaction.
import type { BatchSource, ImportOptions, Selector } from '../core/catalog.js';
import type { ReadShape, Report } from '../core/import-report.js';
import type { ChangeLog } from '../core/ledger/change-log.js';
import { type IdempotentCatalog, planOnce } from '../core/planning/idempotency-records.js';
import type { Environment, ImportMode } from '../core/planning/item-task.js';
import type { Fingerprint } from '../core/planning/recognition/fingerprint.js';
import { type Included, viewRecord } from '../core/reading/record-view.js';
import type { Resource } from '../core/resource.js';
import type { Draft } from '../core/rows/snapshot.js';
import { type ApplyBatches, appliedGroups, pacingOf } from './applied-groups.js';
import { loadEnvironment } from './environment.js';
import { failpoint } from './failpoint.js';
import type { FeedRun } from './ledger/run-of-feed.js';
import type { RunRecorder } from './ledger/run-recorder.js';
import { listRecords } from './list-records.js';
import type { Pace, Store } from './store.js';
import { untilLoaded } from './until-loaded.js';

/**
 * Items per transaction. Committing 40 at a time costs twice the time, with every commit synced. What a transaction has decided
 * lives until it is committed: of 1,000 items so much outlives the young generation that imports took a tenth longer than with
 * 500 on a disk that syncs in 0.8 ms; at 3 ms the further commits should cost as much. If another thread reads, a transaction takes
 * the available items, from half to twice as many: that thread reads ahead only so far, and would have to wait for the transaction.
 */
const mostItems = 500;

/**
 * The target duration of a transaction in milliseconds, so that a server on the same file is never starved. A
 * transaction waits for items that take half of that, as it may take as many again.
 */
const longest = 50;

const usualPace: Pace = { mostItems, longest };

/** What a read does not load. Each is kept: `import()` of a loaded module takes 20 µs, and a POST needs two. */
const loadPlanner = loadedOnce(() => import('../core/planning/plan-batches.js'));
const loadRecorder = loadedOnce(() => import('./ledger/run-recorder.js'));

function loadedOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

interface ImportSettings extends ImportMode {
  readonly accept?: NonNullable<ImportOptions['accept']>;
  readonly linesOf?: NonNullable<ImportOptions['linesOf']>;
}

/** Batches whose source may hash the items that it validates. */
type HashingBatches = BatchSource & {
  /**
   * Hashes items from now on with this key; undefined if the source has no thread for it. It keeps the first key: what is
   * hashed with another one than the plan's is recognized by nothing, and decided.
   */
  readonly hashWith?: (key: Readonly<Fingerprint>) => void;
};

/** The run and the feed of an import into a catalog. */
export interface ImportOrigin {
  /** Records changes under a run. */
  readonly recorder?: RunRecorder | undefined;
  /** The feed that sends the items. */
  readonly feed?: FeedRun | undefined;
}

/** The state of a catalog on a store. */
interface CatalogOnStore extends ImportOrigin {
  readonly store: Store;
  readonly pace: Pace;
  /** The name of a dry run, which may be of several files. */
  readonly dryRun: string;
  readonly environments: Map<Resource, Promise<() => Environment>>;
}

/** A catalog whose rows are in a store. */
export function storeCatalog(store: Store, origin: ImportOrigin = {}): IdempotentCatalog {
  const pace = store.pace ?? usualPace;
  const state: CatalogOnStore = { ...origin, store, pace, dryRun: newRun(), environments: new Map() };
  return {
    importBatches: (resource, batches, options = {}) => importBatches(state, resource, batches, options),
    async importOnce(resource, batch, { linesOf, ...asked }, receipt) {
      const apply = await applierOf(state, resource, { ...modeOf(asked), ...(linesOf && { linesOf }) });
      const [report] = (await apply([batch], receipt)).reports;
      failpoint('before-report');
      if (report === undefined) throw new Error(`the plan of a batch of ${resource.name} gave no report`);
      return report;
    },
    read: (resource, selector, include) =>
      store.read((draft) => readRecord(resource, selector, { include, now: nowInSeconds() }, draft)),
    readAll: (resource, selectors) => store.read((draft) => readRecords(resource, selectors, draft)),
    list: (resource, request) => listRecords(store, resource, request),
    ...(store.changeCount && { changeCount: store.changeCount }),
    close: () => store.close(),
  };
}

/** The name of a run that is not in the ledger: a letter first, unlike the numbers of those. */
function newRun(): string {
  return `u${Math.random().toString(36).slice(2, 8)}`;
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function environmentOf({ environments }: CatalogOnStore, resource: Resource): Promise<() => Environment> {
  const known = environments.get(resource) ?? loadEnvironment(resource.fields);
  environments.set(resource, known);
  return known;
}

/**
 * The function that applies batches of a resource.
 * @param ownRun the name of the run where none is recorded; undefined for what is one transaction
 */
async function applierOf(
  state: CatalogOnStore,
  resource: Resource,
  { accept, linesOf, ...mode }: ImportSettings,
  ownRun?: string,
): Promise<ApplyBatches> {
  const { store, recorder, feed } = state;
  // A read does not load the rules of importing and their messages.
  const [environmentNow, { planBatches }, record] = await Promise.all([
    environmentOf(state, resource),
    loadPlanner(),
    recorder === undefined || mode.dryRun ? undefined : loadRecorder(),
  ]);
  const run = mode.dryRun ? store.dryRun : store.write;
  const isKept = record !== undefined && recorder?.keepsChanges === true;
  const belongsTo = recorder === undefined ? ownRun : recorder.sharedRun;
  const sender = feed?.contextOf(resource.name, isKept ? recorder : undefined);
  const apply: ApplyBatches = (batches, receipt) => {
    const context = {
      ...{ mode, ...(accept && { accept }), ...(linesOf && { linesOf }) },
      ...(sender && { feed: sender }),
    };
    const planOf = (draft: Draft, changes?: ChangeLog) => {
      if (belongsTo !== undefined) draft.belongTo(belongsTo);
      // The time is taken once the lock is held: a change must not be older than what others committed while it waited.
      const environment = environmentNow();
      const ledger = changes === undefined || !isKept ? {} : { changes };
      const plan = planBatches(resource, batches, draft, { ...context, ...ledger, environment });
      return receipt === undefined ? plan : planOnce(receipt, environment.now, draft, plan);
    };
    if (recorder === undefined || record === undefined) return run((draft) => planOf(draft));
    return record.changeRecorded(run, { recorder, resource: resource.name, now: environmentNow().now }, planOf);
  };
  if (sender === undefined) return apply;
  return async (batches, receipt) => {
    const plan = await apply(batches, receipt);
    sender.keepSent(plan.sent ?? []);
    return plan;
  };
}

function modeOf({ dryRun = false, diff = false, comparesLists = false, only }: ImportOptions): ImportMode {
  return { dryRun, diff, comparesLists: !dryRun || diff || comparesLists, ...(only && { only }) };
}

async function* importBatches(
  state: CatalogOnStore,
  resource: Resource,
  batches: BatchSource,
  { plan, accept, linesOf, ...options }: ImportOptions,
): AsyncGenerator<Report> {
  const asked = { ...modeOf(options), ...(plan && { plan }), ...(accept && { accept }), ...(linesOf && { linesOf }) };
  const { hashWith }: HashingBatches = batches;
  const apply = await applierOf(state, resource, asked, options.dryRun === true ? state.dryRun : newRun());
  for await (const planned of appliedGroups(
    batches,
    pacingOf(state.pace, resource.limit, accept !== undefined, apply),
  )) {
    if (planned.itemKey !== undefined) hashWith?.(planned.itemKey);
    failpoint('before-report');
    yield* planned.reports;
    if (planned.stopped) return;
  }
}

/** The view of a record; undefined if it does not exist, or while its rows are pending. */
function viewIn(resource: Resource, selector: Selector, included: Included, draft: Draft): ReadShape | undefined {
  const row = resource.find(selector, draft);
  return row === undefined ? undefined : viewRecord(resource, row, draft, included);
}

/** A record in its read shape: first its row, then the rows the shape needs. */
function readRecord(
  resource: Resource,
  selector: Selector,
  included: Included,
  draft: Draft,
): Generator<void, ReadShape | undefined> {
  return untilLoaded(draft, () => viewIn(resource, selector, included, draft));
}

/** Several records, of which each round of loading has the rows of all. */
function readRecords(
  resource: Resource,
  selectors: readonly Selector[],
  draft: Draft,
): Generator<void, readonly (ReadShape | undefined)[]> {
  return untilLoaded(draft, () => selectors.map((selector) => viewIn(resource, selector, { now: 0 }, draft)));
}
