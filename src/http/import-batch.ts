// A POST: body → batch → report, at most once for each Idempotency-Key.
import { createHash } from 'node:crypto';
import { rawEntry } from '../core/entry.js';
import type { Report } from '../core/line.js';
import { type IdempotentCatalog, type Receipt, ReceiptTaken } from '../core/receipts.js';
import type { Resource } from '../core/resource.js';
import { readBody, type Sent } from './body.js';
import { type Failure, failures, isFailure, pathOf } from './wire.js';

/** A report as JSON; `replayed` where it was given before. */
interface Answered {
  readonly report: string;
  readonly replayed: boolean;
}

/** One POST, as far as its import is concerned. */
interface Post {
  readonly resource: Resource;
  readonly body: Buffer;
  /** The id of the API key it came with. */
  readonly owner: string;
  readonly idempotencyKey: string | undefined;
}

/** Imports the batch of one POST. */
export type Importer = (post: Post) => Promise<Answered | Failure>;

/**
 * Makes the importer of one server.
 * @param imported told of every report that is new
 */
export function newImporter(catalog: IdempotentCatalog, imported: (report: Report) => void): Importer {
  const running = new Set<string>();

  async function apply(resource: Resource, { items, dryRun, diff }: Sent, receipt?: Receipt): Promise<Answered> {
    const batch = items.map(rawEntry);
    const report =
      receipt === undefined
        ? await onlyReport(catalog.importBatches(resource, [batch], { dryRun, diff }))
        : await catalog.importOnce(resource, batch, { dryRun, diff }, receipt);
    imported(report);
    return { report: JSON.stringify(report), replayed: false };
  }

  async function importWithReceipt(resource: Resource, sent: Sent, receipt: Receipt): Promise<Answered | Failure> {
    const name = `${receipt.owner} ${receipt.key}`;
    if (running.has(name)) return failures.idempotency_key_in_use();
    running.add(name);
    try {
      return await apply(resource, sent, receipt);
    } catch (thrown) {
      if (!(thrown instanceof ReceiptTaken)) throw thrown;
      if (thrown.fingerprint !== receipt.fingerprint) return failures.idempotency_key_reused();
      return { report: thrown.report, replayed: true };
    } finally {
      running.delete(name);
    }
  }

  return async ({ resource, body, owner, idempotencyKey }) => {
    const sent = readBody(resource, body);
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
