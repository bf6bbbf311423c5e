// Reads of a remote: one record, or a page of a list.
import type { ListRequest, RecordPage, Selector } from '../../core/catalog.js';
import type { ReadShape } from '../../core/import-report.js';
import type { Resource } from '../../core/resource.js';
import { listPathOf, pageLimits, pathOf } from '../protocol.js';
import { invalidResponse, type Success, sendOnce } from './classify-response.js';
import type { Wire } from './remote-import.js';
import { isRetryable, retryWithBackoff } from './retry.js';

/** Requests a record, with retries; undefined if the remote has no such record. */
async function ask(wire: Wire, path: string): Promise<Success | undefined> {
  const answer = await retryWithBackoff(
    async (limits) => {
      const outcome = await sendOnce(wire.transport, { method: 'GET', path }, { ...limits, known: wire.known });
      if (!isRetryable(outcome)) wire.known = true;
      return outcome;
    },
    wire.policy,
    wire.traffic,
    new AbortController().signal,
  );
  if ('missing' in answer) return undefined;
  if ('tooLarge' in answer) throw invalidResponse(`it ${answer.tooLarge} to a read`);
  return answer;
}

function isRecord(value: unknown): value is ReadShape {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';
}

/** Reads one record of a remote (`Catalog.read`). */
export async function readRecord(
  wire: Wire,
  resource: Resource,
  selector: Selector,
  include: readonly string[] = [],
): Promise<ReadShape | undefined> {
  const query = new URLSearchParams('id' in selector ? { id: selector.id } : { [resource.key]: selector.key });
  if (include.length > 0) query.set('include', include.join(','));
  const record = (await ask(wire, `${pathOf(resource)}?${query}`))?.response;
  if (record === undefined) return undefined;
  if (!isRecord(record)) throw invalidResponse('the record it gave has no id');
  return record;
}

/** Reads a page of a remote's records (`Catalog.list`). */
export async function listRecords(
  wire: Wire,
  resource: Resource,
  { limit, after, updatedSince, include = [] }: ListRequest,
): Promise<RecordPage> {
  const query = new URLSearchParams({ limit: String(Math.min(limit, pageLimits.most)) });
  if (after !== undefined) query.set('cursor', after);
  if (updatedSince !== undefined) query.set('updated_since', String(updatedSince));
  if (include.length > 0) query.set('include', include.join(','));
  const page = (await ask(wire, `${listPathOf(resource)}?${query}`))?.response;
  if (page === undefined || !('data' in page) || !Array.isArray(page.data) || !page.data.every(isRecord))
    throw invalidResponse('the page of a list it gave holds no records');
  const next = 'next_cursor' in page ? page.next_cursor : undefined;
  // A page whose cursor refers to itself would be requested forever.
  if (next === after && next !== undefined) throw invalidResponse('a page of its list leads to itself');
  return { records: page.data, next: typeof next === 'string' && next !== '' ? next : undefined };
}
