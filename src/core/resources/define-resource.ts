// A resource of one record type: what follows from the record and its key is not said again.
import { recordKey } from '../fields/record-key.js';
import type { Resource } from '../resource.js';
import type { Table } from '../rows/table.js';

/** What follows from the record. */
type OfRecord = 'prefix' | 'fields' | 'externalId' | 'find' | 'readShape' | 'view';

interface OwnMembers extends Omit<Resource, OfRecord | 'details'> {
  /** The look-up of its table by the key, if it has another name than the key. */
  readonly lookup?: string;
  /** If it is not that of its table. */
  readonly prefix?: string;
  readonly details?: Resource['details'];
}

export function defineResource(
  { fields, table, readShape, view }: Pick<Resource, 'fields' | 'readShape' | 'view'> & { readonly table: Table },
  { lookup, ...own }: OwnMembers,
): Resource {
  const key = recordKey(fields, own.key);
  return {
    ...{ prefix: table.prefix ?? '', fields, externalId: key.of, readShape, view, details: {} },
    find: (selector, snapshot) =>
      'id' in selector
        ? snapshot.find(table, 'id', selector.id)
        : snapshot.find(table, lookup ?? own.key, key.same(selector.key.trim())),
    ...own,
  };
}
