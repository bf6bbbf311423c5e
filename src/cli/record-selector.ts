// How a record is named on the command line: by its key, or by its identifier.
import type { Selector } from '../core/catalog.js';
import { CatalogError } from '../core/errors.js';
import { isIdentifier } from '../core/planning/references.js';
import type { Resource } from '../core/resource.js';
import { refuseForeignKey } from './resource-argument.js';

export interface RecordKeyFlags {
  readonly sku?: string;
  readonly name?: string;
  readonly externalId?: string;
  readonly id?: string;
}

/**
 * What a record is looked for by, in this order. A key option takes precedence over --id, as in the interface.
 * @param command the name of the command, for its message
 * @throws CatalogError `usage` where none is given, or several
 */
export function selectorsOf(
  command: string,
  resource: Resource,
  typed: string | undefined,
  { sku, name, externalId, id }: RecordKeyFlags,
): readonly Selector[] {
  const given: Readonly<Record<string, string | undefined>> = { sku, name, external_id: externalId };
  const keys = resource.keyAlias === undefined ? [resource.key] : [resource.key, resource.keyAlias];
  const option = refuseForeignKey(resource, given, ' or --id');
  const key = keys.map((field) => given[field]).find((value) => value !== undefined && value !== '');
  if (typed !== undefined && [sku, name, externalId, id].some((value) => value !== undefined))
    throw new CatalogError('usage', `Give the key once: ${typed}, or an option.`);
  if (typed !== undefined && typed !== '')
    return [{ key: typed }, ...(isIdentifier(typed, resource.prefix) ? [{ id: typed }] : [])];
  if (key !== undefined) return [{ key }];
  if (id !== undefined && id !== '') return [{ id }];
  throw new CatalogError(
    'usage',
    `Say which one: ${command} ${resource.name} <${resource.key}>, ${option} <value> or --id <identifier>.`,
  );
}
