// A page of a list as a response. It is read in small parts, so that other requests are served in between.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Catalog, ListRequest } from '../../../core/catalog.js';
import { CatalogError } from '../../../core/errors.js';
import type { Resource } from '../../../core/resource.js';
import type { Failure } from '../../protocol.js';
import { type ListQuery, unknownCursor } from './query-selector.js';

/** Records read at a time. */
const atOnce = 25;

/** Characters from which a page ends before its limit: a record may have several texts of 1 MiB. */
const longest = 4 * 1024 * 1024;

/** Records that are compared for one page. Where few match, a page ends early, with a cursor. */
const mostCompared = 5000;

/** The `response` of a page as JSON: the records under `data`, and the cursor under `next_cursor`. */
export async function listPage(catalog: Catalog, resource: Resource, asked: ListQuery): Promise<string | Failure> {
  const { limit, wanted = () => true } = asked;
  const records: string[] = [];
  let next = asked.after;
  let characters = 0;
  let compared = 0;
  try {
    do {
      if (compared > 0) await nextTurn();
      const page = await catalog.list(resource, partOf(asked, next, limit - records.length));
      compared += page.records.length;
      next = page.next;
      for (const record of page.records) {
        if (!wanted(record)) continue;
        if (asked.comparesNames) removeNames(resource, record, asked);
        const text = JSON.stringify(record);
        characters += text.length;
        if (records.push(text) < limit || record === page.records.at(-1)) continue;
        next = String(record['id']);
        break;
      }
      // A part without records has scanned as many rows as one request may.
      if (page.records.length === 0) break;
    } while (next !== undefined && records.length < limit && characters < longest && compared < mostCompared);
  } catch (error) {
    if (error instanceof CatalogError && error.code === 'not_found') return unknownCursor();
    throw error;
  }
  const head = `"object":"list","resource":${JSON.stringify(resource.name)}`;
  return `{${head},"data":[${records.join(',')}],"next_cursor":${JSON.stringify(next ?? null)}}`;
}

/** The request of the next part of a page. */
function partOf(
  { include = [], updatedSince, wanted, comparesNames }: ListQuery,
  after: string | undefined,
  left: number,
): ListRequest {
  return {
    limit: wanted === undefined ? Math.min(atOnce, left) : atOnce,
    include: comparesNames ? [...include, 'names'] : include,
    ...(updatedSince !== undefined && { updatedSince }),
    ...(after !== undefined && { after }),
  };
}

/** Removes the names that were read only to be compared. */
function removeNames(resource: Resource, record: Record<string, unknown>, { include = [] }: ListQuery): void {
  if (include.includes('names')) return;
  for (const name in resource.details['names']?.shape) delete record[name];
}
