// A page of a list as a response. It is read in small parts, so that other requests are served in between.
import type { Catalog, ListRequest, RecordPage } from '../../../core/catalog.js';
import { CatalogError } from '../../../core/errors.js';
import type { ReadShape } from '../../../core/import-report.js';
import type { Resource } from '../../../core/resource.js';
import type { Failure } from '../../protocol.js';
import { jsonPieces, type LargeText, largeRecord, textLength } from './json-pieces.js';
import { ownTurn } from './own-turn.js';
import { type ListQuery, unknownCursor } from './query-selector.js';

/** Records read at first, and at most at a time: so many large ones take some milliseconds. */
const atFirst = 4;
const atOnce = 12;

/** Characters of texts that are read at a time, as far as those of the records before tell. */
const readAtOnce = 1024 * 1024;

/** Characters from which a page ends before its limit. A record that has more is a page of its own. */
const longest = 4 * 1024 * 1024;

/** Records that are compared for one page. Where few match, a page ends early, with a cursor. */
const mostCompared = 5000;

/** A page while it is read. */
interface PageSoFar {
  readonly records: string[];
  large: ReadShape | undefined;
  /** Where the next part begins, and the next page. */
  next: string | undefined;
  characters: number;
  compared: number;
  /** No record is added any more. */
  isFull: boolean;
  /** Characters of the largest record of the last part. */
  largest: number;
}

/** The `response` of a page as JSON: the records under `data`, and the cursor under `next_cursor`. */
export async function listPage(
  catalog: Catalog,
  resource: Resource,
  asked: ListQuery,
): Promise<string | LargeText | Failure> {
  const page: PageSoFar = {
    ...{ records: [], large: undefined, next: asked.after, characters: 0 },
    ...{ compared: 0, largest: 0, isFull: false },
  };
  try {
    do {
      await ownTurn();
      const part = await catalog.list(resource, partOf(asked, page));
      addPart(resource, asked, { page, part });
      // A part without records has scanned as many rows as one request may.
      if (part.records.length === 0) break;
    } while (page.next !== undefined && !page.isFull && page.compared < mostCompared);
  } catch (error) {
    if (error instanceof CatalogError && error.code === 'not_found') return unknownCursor();
    throw error;
  }
  const { records, large } = page;
  const head = `{"object":"list","resource":${JSON.stringify(resource.name)},"data":[`;
  const tail = `],"next_cursor":${JSON.stringify(page.next ?? null)}}`;
  if (large === undefined) return `${head}${records.join(',')}${tail}`;
  const pieces = function* (): Generator<string> {
    yield head;
    yield* jsonPieces(large);
    yield tail;
  };
  return { pieces, held: textLength(large) };
}

/** Adds the records of a part that are wanted, until the page is full. */
function addPart(
  resource: Resource,
  asked: ListQuery,
  { page, part }: { readonly page: PageSoFar; readonly part: RecordPage },
): void {
  const { limit, wanted = () => true } = asked;
  page.largest = 0;
  for (const record of part.records) {
    page.compared++;
    const length = textLength(record);
    page.largest = Math.max(page.largest, length);
    if (wanted(record)) {
      if (length > largeRecord && page.records.length > 0) {
        page.isFull = true;
        return;
      }
      if (asked.comparesNames) removeNames(resource, record, asked);
      addRecord(page, record, length);
      page.isFull = page.isFull || page.records.length >= limit || page.characters >= longest;
    }
    page.next = record === part.records.at(-1) ? part.next : String(record['id']);
    if (page.isFull) return;
  }
  page.next = part.next;
}

function addRecord(page: PageSoFar, record: ReadShape, length: number): void {
  if (length > largeRecord) {
    page.large = record;
    page.isFull = true;
    return;
  }
  const text = JSON.stringify(record);
  page.characters += text.length;
  page.records.push(text);
}

/** The request of the next part of a page. */
function partOf({ include = [], updatedSince, wanted, comparesNames, limit }: ListQuery, page: PageSoFar): ListRequest {
  const most = page.compared === 0 ? atFirst : Math.min(atOnce, Math.max(1, Math.floor(readAtOnce / page.largest)));
  return {
    limit: wanted === undefined ? Math.min(most, limit - page.records.length) : most,
    include: comparesNames ? [...include, 'names'] : include,
    ...(updatedSince !== undefined && { updatedSince }),
    ...(page.next !== undefined && { after: page.next }),
  };
}

/** Removes the names that were read only to be compared. */
function removeNames(resource: Resource, record: Record<string, unknown>, { include = [] }: ListQuery): void {
  if (include.includes('names')) return;
  for (const name in resource.details['names']?.shape) delete record[name];
}
