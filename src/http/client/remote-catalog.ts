// A remote instance as a `Catalog`, with the same lines and reports as a local one. Items are checked before they are
// sent; batches are sent concurrently, with retries, and reported in the order of the file.
import { randomUUID } from 'node:crypto';
import type { Batch, BatchSource, Catalog, ImportOptions } from '../../core/catalog.js';
import { CatalogError } from '../../core/errors.js';
import type { Fields } from '../../core/fields/fields.js';
import type { Report } from '../../core/import-report.js';
import type { Environment } from '../../core/planning/item-task.js';
import type { Resource } from '../../core/resource.js';
import { digestOf } from '../../files/digests.js';
import { pathOf } from '../protocol.js';
import { isLoopback } from './agent.js';
import { sendOnce } from './classify-response.js';
import { type LimiterState, newConcurrencyLimiter } from './concurrency-limiter.js';
import { runOrdered } from './ordered-concurrency.js';
import { newBatchSender, type Wire } from './remote-import.js';
import { listRecords, readRecord } from './remote-read.js';
import { parseRunEnd, type ReportedEnd } from './report-schema.js';
import { isTree } from './request-bodies.js';
import { defaultRetryPolicy, type RetryPolicy, retryWithBackoff } from './retry.js';
import type { Journal } from './run-journal.js';
import { withStoredRecords } from './stored-records.js';
import { openTransport, type SendLimits } from './transport.js';

export interface RemoteOptions {
  /** The address of the instance: `https://shop.example`, or with a path before /v1. */
  readonly url: string;
  /** The API key. It is sent only to this address. */
  readonly key: string;
  /** Whether http is allowed to hosts other than this machine. */
  readonly allowHttp?: boolean;
  /** Concurrent requests; 4 by default. */
  readonly concurrency?: number;
  readonly retryPolicy?: Partial<RetryPolicy>;
  /** Milliseconds a request may take; two minutes by default. */
  readonly timeout?: number;
  /** Certificates (PEM) trusted in addition to those that Node trusts. */
  readonly ca?: string;
  /** The environment with the proxy variables. */
  readonly env: NodeJS.ProcessEnv;
  readonly loadEnvironment: (fields: Fields) => Promise<() => Environment>;
  readonly feed?: string;
  /** Called before each wait for a retry. */
  readonly onWait?: (milliseconds: number, why: string) => void;
}

/** How a run ended, as reported to a remote. */
interface RemoteRunEnd {
  /** Whether it sent every record of the resource that its feed lists. */
  readonly isComplete: boolean;
  /** The keys of all these records as a JSON array, if known. */
  readonly listed?: string;
}

export interface RemoteCatalog extends Catalog {
  /** The same catalog, with imports that resume from a journal and write to it. */
  withJournal(journal: Journal): Catalog;
  /** Items that earlier runs had acknowledged, and that are not sent again. */
  skipped(): number;
  /** The state of the requests, for progress. */
  traffic(): LimiterState;
  /** Cancels all waits and retries. */
  cancel(): void;
  /**
   * Reports the end of the run to the remote, with the retries of every request. If all of them fail, the remote ends the run itself
   * once it has received nothing for some time.
   * @returns what that changed there; undefined if the remote did not confirm it
   */
  endRun(resource: Resource, end: RemoteRunEnd): Promise<ReportedEnd | undefined>;
}

/**
 * Opens a remote catalog, without sending a request.
 * @throws CatalogError `usage` for an invalid address, or one that would send the key unencrypted
 */
export async function httpCatalog(options: RemoteOptions): Promise<RemoteCatalog> {
  const base = addressOf(options.url, options.allowHttp ?? false);
  const { key, ca, env, timeout = 120_000, concurrency = 4 } = options;
  const wire: Wire = {
    transport: await openTransport({ base, key, ca, env, timeout, connections: concurrency }),
    traffic: newConcurrencyLimiter(concurrency, options.onWait ?? (() => undefined)),
    policy: { ...defaultRetryPolicy, ...options.retryPolicy },
    known: false,
    runHeaders: { 'catalog-run': randomUUID(), ...(options.feed !== undefined && { 'catalog-feed': options.feed }) },
  };
  let skipped = 0;

  async function* importBatches(
    resource: Resource,
    batches: BatchSource,
    importOptions: ImportOptions,
    journal: Journal | undefined,
  ): AsyncGenerator<Report> {
    const environment = (await options.loadEnvironment(resource.fields))();
    const read = (key: string) => readRecord(wire, resource, { key });
    const abort = new AbortController();
    const originals = new WeakMap<Batch, Batch>();
    const linesOf = (batch: Batch) => importOptions.linesOf?.(originals.get(batch) ?? batch) ?? [];
    let acknowledged = 0;
    const open = newBatchSender({
      wire,
      resource,
      environment,
      options: { ...importOptions, linesOf },
      run: journal?.run ?? randomUUID(),
      journal,
      signal: abort.signal,
      onAcknowledged(items, earlier) {
        acknowledged += items;
        if (earlier) skipped += items;
      },
    });
    try {
      yield* runOrdered(withStoredRecords(resource, batches, read, originals), open, {
        most: isTree(resource) ? 1 : concurrency,
        onFailure: () => abort.abort(),
      });
    } catch (cause) {
      throw importOptions.dryRun
        ? cause
        : withHowToGoOn(cause, { acknowledged, url: options.url }, journal !== undefined);
    }
  }

  const reads: Omit<Catalog, 'importBatches'> = {
    read: (resource, selector, include) => readRecord(wire, resource, selector, include),
    // At once: the limiter of the requests sends a few of them at a time.
    readAll: (resource, selectors) => Promise.all(selectors.map((selector) => readRecord(wire, resource, selector))),
    list: (resource, request) => listRecords(wire, resource, request),
    close: () => wire.transport.close(),
  };

  return {
    importBatches: (resource, batches, importOptions = {}) =>
      importBatches(resource, batches, importOptions, undefined),
    ...reads,
    withJournal: (journal) => ({
      importBatches: (resource, batches, importOptions = {}) =>
        importBatches(resource, batches, importOptions, journal),
      ...reads,
    }),
    skipped: () => skipped,
    traffic: wire.traffic.state,
    cancel: wire.traffic.cancel,
    endRun: (resource, end) => endRun(wire, resource, end),
  };
}

/** Reports the end to a remote that supports runs. Where nothing was sent, it is not known whether it does, and the end is tried. */
async function endRun(
  wire: Wire,
  resource: Resource,
  { isComplete, listed }: RemoteRunEnd,
): Promise<ReportedEnd | undefined> {
  if (!wire.known && listed === undefined) return { passedOn: 0, lines: [] };
  const body = Buffer.from(listed === undefined ? '{"items":[]}' : `{"items":[],"listed":${listed}}`);
  const headers = {
    ...{ 'content-type': 'application/json', ...wire.runHeaders },
    'catalog-run-end': isComplete ? 'complete' : 'partial',
    'idempotency-key': `ci-${digestOf(wire.runHeaders['catalog-run'] ?? '', 'end', resource.name)}`,
  };
  const request = { method: 'POST' as const, path: pathOf(resource), body, headers };
  const { transport, policy, traffic, known } = wire;
  try {
    const attempt = (limits: SendLimits) => sendOnce(transport, request, { ...limits, known });
    const answer = await retryWithBackoff(attempt, policy, traffic, new AbortController().signal);
    return 'response' in answer ? parseRunEnd(answer.response) : undefined;
  } catch (cause) {
    if (cause instanceof CatalogError) return undefined;
    throw cause;
  }
}

/** Validates the address: it must not send the key unencrypted, nor contain credentials. */
function addressOf(url: string, allowHttp: boolean): URL {
  const base = URL.canParse(url) ? new URL(url) : undefined;
  if (base === undefined || !/^https?:$/.test(base.protocol)) {
    throw new CatalogError('usage', `--remote ${url} is not a web address; give one such as https://shop.example.`);
  }
  if (base.username !== '' || base.password !== '') {
    throw new CatalogError(
      'usage',
      '--remote takes no user or password in the address; the key goes into a file or a variable.',
    );
  }
  if (base.search !== '' || base.hash !== '') {
    throw new CatalogError('usage', `--remote ${url} has a part after ? or #; give the address without it.`);
  }
  if (base.protocol === 'http:' && !allowHttp && !isLoopback(base)) {
    throw new CatalogError(
      'usage',
      `--remote ${url} would send the API key in clear text; use https://, or --allow-http where the network is trusted.`,
    );
  }
  return base;
}

function withHowToGoOn(
  cause: unknown,
  { acknowledged, url }: { readonly acknowledged: number; readonly url: string },
  hasJournal: boolean,
): unknown {
  if (!(cause instanceof CatalogError)) return cause;
  const after = acknowledged === 0 ? '' : ' after them';
  const how = hasJournal
    ? `Run the same command again with --resume to go on${after}.`
    : 'Run the same command again to continue: items already saved are reported as unchanged.';
  const items = acknowledged === 1 ? '1 item was' : `${acknowledged} items were`;
  // Before the first acknowledgement the address may be wrong.
  const stands = acknowledged === 0 ? `${url} acknowledged no item.` : `${items} acknowledged by the remote and kept.`;
  return new CatalogError(cause.code, `${cause.message}\n${stands} ${how}`, { cause: cause.cause ?? cause });
}
