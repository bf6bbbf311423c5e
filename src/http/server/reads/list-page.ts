// A page of a list as a response. It is read in small parts, so that other requests are served in between.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Catalog, ListRequest } from '../../../core/catalog.js';
import { CatalogError } from '../../../core/errors.js';
import type { Resource } from '../../../core/resource.js';
import type { Failure } from '../../protocol.js';
import { unknownCursor } from './query-selector.js';

/** Records read at a time. */
const atOnce = 25;

/** Characters from which a page ends before its limit: a record may have several texts of 1 MiB. */
const longest = 4 * 1024 * 1024;

/** The `response` of a page as JSON: the records under `data`, and the cursor under `next_cursor`. */
export async function listPage(
  catalog: Catalog,
  resource: Resource,
  { limit, after, ...request }: ListRequest,
): Promise<string | Failure> {
  const records: string[] = [];
  let next = after;
  let characters = 0;
  try {
    do {
      if (records.length > 0) await nextTurn();
      const part = {
        ...request,
        limit: Math.min(atOnce, limit - records.length),
        ...(next !== undefined && { after: next }),
      };
      const page = await catalog.list(resource, part);
      for (const record of page.records) {
        const text = JSON.stringify(record);
        characters += text.length;
        records.push(text);
      }
      next = page.next;
      // A part without records has scanned as many rows as one request may.
      if (page.records.length === 0) break;
    } while (next !== undefined && records.length < limit && characters < longest);
  } catch (error) {
    if (error instanceof CatalogError && error.code === 'not_found') return unknownCursor();
    throw error;
  }
  const head = `"object":"list","resource":${JSON.stringify(resource.name)}`;
  return `{${head},"data":[${records.join(',')}],"next_cursor":${JSON.stringify(next ?? null)}}`;
}
