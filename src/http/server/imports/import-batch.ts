// A POST: body → batch → report, at most once for each Idempotency-Key.
import { createHash } from 'node:crypto';
import { rawEntry } from '../../../core/entry.js';
import type { Counts, Report } from '../../../core/import-report.js';
import type { EndLine } from '../../../core/ledger/feed-end.js';
import {
  IdempotencyKeyUsed,
  type IdempotentCatalog,
  type IdempotentRequest,
} from '../../../core/planning/idempotency-records.js';
import type { Resource } from '../../../core/resource.js';
import { decodeLines } from '../../line-ranges.js';
import { type Failure, failures, isFailure, pathOf } from '../../protocol.js';
import { compressReport, decompressReport } from './compress-report.js';
import { reportText, withRunEnd } from './report-text.js';
import { type ImportEnvelope, parseEnvelope } from './request-envelope.js';
import { tellSharedBarcodes } from './shared-barcodes.js';

export interface ImportResponse {
  /** The report as JSON. */
  readonly report: string;
  /** Whether it repeats an earlier response under the same Idempotency-Key. */
  readonly replayed: boolean;
  /** What was stored by this request; undefined for a dry run, and for a repeated response. */
  readonly stored?: Readonly<Counts>;
}

/** One POST, as its import needs it. */
export interface ImportPost {
  readonly resource: Resource;
  readonly body: Buffer;
  /** The id of its API key. */
  readonly owner: string;
  readonly idempotencyKey: string | undefined;
  readonly run: RunHeaders;
}

export interface RunHeaders {
  /** The name of the API key. */
  readonly user: string;
  /** `Catalog-Run`: the client's name for its run. */
  readonly token: string | undefined;
  /** `Catalog-Feed` */
  readonly feed: string | undefined;
  /** `Catalog-Run-End`: `complete` or `partial` */
  readonly end?: string | undefined;
  /** `Catalog-File`, percent-encoded */
  readonly file?: string | undefined;
  /** `Catalog-Lines` */
  readonly lines?: string | undefined;
}

/** The end of a run, as a post tells it. */
interface PostEnd {
  readonly isComplete: boolean;
  /** The keys of all records of the resource that its feed lists, if the client sent them. */
  readonly listed?: readonly string[];
  /** The post is sent again: only a run that was not ended by then is. */
  readonly isRepeated: boolean;
}

/** Records posts under runs. */
export interface PostedRuns {
  /** The feed of the run of a post: the one that it began with, if any. A run that begins with the post has that of the post. */
  feedOf(post: ImportPost): Promise<string | undefined>;
  /** The catalog that records the changes of a post. */
  importing(post: ImportPost, dryRun: boolean): IdempotentCatalog;
  /**
   * Ends the run of a post.
   * @returns the records that this changed; undefined where nothing was done
   */
  end(post: ImportPost, end: PostEnd): Promise<readonly EndLine[] | undefined>;
}

/**
 * Imports the batch of one POST. Resolves with a failure if the request is at fault, and throws if the catalog is.
 * @param isAbandoned whether the client has gone: a batch that has not begun by then is skipped
 */
export type Importer = (post: ImportPost, isAbandoned?: () => boolean) => Promise<ImportResponse | Failure>;

/** Makes the importer of a catalog in this thread. */
export function newImporter(runs: PostedRuns): Importer {
  const running = new Set<string>();

  async function apply(
    post: ImportPost,
    { items, dryRun, diff, only, listed }: ImportEnvelope,
    receipt?: Omit<IdempotentRequest, 'textOf'>,
  ): Promise<ImportResponse> {
    let text = '';
    const { resource } = post;
    const target = runs.importing(post, dryRun);
    const lines = post.run.lines === undefined ? undefined : decodeLines(post.run.lines, items.length);
    // The response is complete before the commit, so that nothing can fail after it.
    const textOf = (report: Report): string => {
      text = reportText(tellSharedBarcodes(resource, items, { report, lines }));
      return text;
    };
    const batch = items.map(rawEntry);
    const mode = { dryRun, diff, ...(only && { only }), ...(lines && { linesOf: () => lines }) };
    const accept = (report: Report): boolean => textOf(report) !== '';
    const { created, updated, unchanged, refused, total } =
      receipt === undefined
        ? await onlyReport(target.importBatches(resource, [batch], { ...mode, accept }))
        : await target.importOnce(resource, batch, mode, {
            ...receipt,
            textOf: (report) => compressReport(textOf(report)),
          });
    if (dryRun) return { report: text, replayed: false };
    const stored = { created, updated, unchanged, refused, total };
    return { report: await endRun(post, text, { listed, isRepeated: false }), replayed: false, stored };
  }

  /** @returns the report, with what the end of the run changed */
  async function endRun(
    post: ImportPost,
    report: string,
    { listed, isRepeated }: { readonly listed: readonly string[] | undefined; readonly isRepeated: boolean },
  ): Promise<string> {
    const { end, feed = '' } = post.run;
    if (end === undefined) return report;
    const lines = await runs.end(post, { isComplete: end === 'complete', isRepeated, ...(listed && { listed }) });
    return lines === undefined || feed === '' ? report : withRunEnd(report, feed, lines);
  }

  async function importWithReceipt(
    post: ImportPost,
    sent: ImportEnvelope,
    receipt: Omit<IdempotentRequest, 'textOf'>,
  ): Promise<ImportResponse | Failure> {
    const name = `${receipt.owner} ${receipt.key}`;
    if (running.has(name)) return failures.idempotency_key_in_use();
    running.add(name);
    try {
      return await apply(post, sent, receipt);
    } catch (thrown) {
      if (!(thrown instanceof IdempotencyKeyUsed)) throw thrown;
      if (thrown.fingerprint !== receipt.fingerprint) return failures.idempotency_key_reused();
      // The process may have died after the commit of the batch, and before its run was ended.
      const report = await endRun(post, decompressReport(thrown.report), { listed: sent.listed, isRepeated: true });
      return { report, replayed: true };
    } finally {
      running.delete(name);
    }
  }

  return async (received) => {
    const { resource, body, owner, idempotencyKey } = received;
    const sent = headersFailure(received.run) ?? parseEnvelope(resource, body);
    if (isFailure(sent)) return sent;
    const feed = sent.dryRun ? received.run.feed : await runs.feedOf(received);
    if (received.run.feed !== undefined && received.run.feed !== feed) return otherFeed(feed);
    const post = { ...received, run: { ...received.run, feed } };
    if (sent.listed !== undefined && (post.run.end !== 'complete' || post.run.feed === undefined))
      return failures.invalid_parameter(
        'listed',
        'listed comes with Catalog-Feed and Catalog-Run-End: complete, as only a complete run of a feed tells what it lists.',
      );
    if (idempotencyKey === undefined) return apply(post, sent);
    if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
      return failures.invalid_parameter('Idempotency-Key', 'Idempotency-Key is not 1 to 255 visible ASCII characters.');
    }
    const fingerprint = fingerprintOf(received);
    const place = `${owner} ${pathOf(resource)}`;
    return importWithReceipt(post, sent, { owner: place, key: idempotencyKey, fingerprint });
  };
}

/** What an Idempotency-Key stands for: the body, and what the headers say of its run. */
function fingerprintOf({ body, run: { feed, end } }: ImportPost): string {
  const hash = createHash('sha256').update(body);
  if (feed !== undefined || end !== undefined) hash.update(JSON.stringify([feed, end]));
  return hash.digest('hex');
}

/** A request names another feed than the one that its run began with: its values and its end would count for the wrong one. */
function otherFeed(feed: string | undefined): Failure {
  const began = feed === undefined ? 'without Catalog-Feed' : `with Catalog-Feed: ${feed}`;
  return failures.invalid_parameter('Catalog-Feed', `Catalog-Feed is not that of the run, which began ${began}.`);
}

/** Whether a header is a percent-encoded file name. */
function isFileName(text: string): boolean {
  if (!/^[!-~]{1,500}$/.test(text)) return false;
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(text));
  } catch {
    return false;
  }
}

/** The fault in the headers that name a run, if any. */
function headersFailure({ token, feed, end, file }: RunHeaders): Failure | undefined {
  if (end !== undefined && ((end !== 'complete' && end !== 'partial') || token === undefined))
    return failures.invalid_parameter(
      'Catalog-Run-End',
      'Catalog-Run-End is not complete or partial, or came without Catalog-Run.',
    );
  if (file !== undefined && !isFileName(file))
    return failures.invalid_parameter('Catalog-File', 'Catalog-File is not 1 to 500 characters, percent-encoded.');
  if (token !== undefined && !/^[\x21-\x7e]{1,100}$/.test(token))
    return failures.invalid_parameter('Catalog-Run', 'Catalog-Run is not 1 to 100 visible ASCII characters.');
  if (feed !== undefined && !/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(feed))
    return failures.invalid_parameter(
      'Catalog-Feed',
      'Catalog-Feed is not up to 64 letters, digits, dots, hyphens and underscores.',
    );
  return undefined;
}

async function onlyReport(reports: AsyncIterable<Report>): Promise<Report> {
  for await (const report of reports) return report;
  throw new Error('the catalog gave no report on a batch');
}
