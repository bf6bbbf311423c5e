// A POST: body → batch → report, at most once for each Idempotency-Key.
import { createHash } from 'node:crypto';
import { rawEntry } from '../../core/entry.js';
import type { Counts, Report } from '../../core/import-report.js';
import {
  IdempotencyKeyUsed,
  type IdempotentCatalog,
  type IdempotentRequest,
} from '../../core/planning/idempotency-records.js';
import type { Resource } from '../../core/resource.js';
import { type Failure, failures, isFailure, pathOf } from '../protocol.js';
import { packReport, unpackReport } from './kept-report.js';
import { reportText } from './report-text.js';
import { type ImportEnvelope, parseEnvelope } from './request-envelope.js';

/** The response to a batch. */
export interface ImportResponse {
  /** The report as JSON. */
  readonly report: string;
  /** Whether it is a replay of an earlier response under the same Idempotency-Key. */
  readonly replayed: boolean;
  /** What was stored now; undefined where nothing was: of a dry run, and of a report given before. */
  readonly stored?: Readonly<Counts>;
}

/** One POST, as far as its import is concerned. */
export interface ImportPost {
  readonly resource: Resource;
  readonly body: Buffer;
  /** The id of the API key it came with. */
  readonly owner: string;
  readonly idempotencyKey: string | undefined;
}

/**
 * Imports the batch of one POST. Resolves with a failure where the request is at fault, and throws where the catalog is.
 * @param isAbandoned whether nobody waits for the answer any more: a batch that is not begun by then need not be
 */
export type Importer = (post: ImportPost, isAbandoned?: () => boolean) => Promise<ImportResponse | Failure>;

/** Makes the importer of a catalog in this thread. */
export function newImporter(catalog: IdempotentCatalog): Importer {
  const running = new Set<string>();

  async function apply(
    resource: Resource,
    { items, dryRun, diff }: ImportEnvelope,
    receipt?: Omit<IdempotentRequest, 'textOf'>,
  ): Promise<ImportResponse> {
    let text = '';
    // The response is complete before the commit: whatever can fail has failed by then.
    const textOf = (report: Report): string => {
      text = reportText(report);
      return text;
    };
    const batch = items.map(rawEntry);
    const mode = { dryRun, diff };
    const accept = (report: Report): boolean => textOf(report) !== '';
    const { created, updated, unchanged, refused, total } =
      receipt === undefined
        ? await onlyReport(catalog.importBatches(resource, [batch], { ...mode, accept }))
        : await catalog.importOnce(resource, batch, mode, {
            ...receipt,
            textOf: (report) => packReport(textOf(report)),
          });
    const stored = dryRun ? {} : { stored: { created, updated, unchanged, refused, total } };
    return { report: text, replayed: false, ...stored };
  }

  async function importWithReceipt(
    resource: Resource,
    sent: ImportEnvelope,
    receipt: Omit<IdempotentRequest, 'textOf'>,
  ): Promise<ImportResponse | Failure> {
    const name = `${receipt.owner} ${receipt.key}`;
    if (running.has(name)) return failures.idempotency_key_in_use();
    running.add(name);
    try {
      return await apply(resource, sent, receipt);
    } catch (thrown) {
      if (!(thrown instanceof IdempotencyKeyUsed)) throw thrown;
      if (thrown.fingerprint !== receipt.fingerprint) return failures.idempotency_key_reused();
      return { report: unpackReport(thrown.report), replayed: true };
    } finally {
      running.delete(name);
    }
  }

  return async ({ resource, body, owner, idempotencyKey }) => {
    const sent = parseEnvelope(resource, body);
    if (isFailure(sent)) return sent;
    if (idempotencyKey === undefined) return apply(resource, sent);
    if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
      return failures.invalid_parameter('Idempotency-Key', 'Idempotency-Key is not 1 to 255 visible ASCII characters.');
    }
    const fingerprint = createHash('sha256').update(body).digest('hex');
    const place = `${owner} ${pathOf(resource)}`;
    return importWithReceipt(resource, sent, { owner: place, key: idempotencyKey, fingerprint });
  };
}

async function onlyReport(reports: AsyncIterable<Report>): Promise<Report> {
  for await (const report of reports) return report;
  throw new Error('the catalog gave no report on a batch');
}
