// The names of what fields refer to: histories keep identifiers, and people know a category by its name.
import type { Resource } from '../../core/resource.js';
import { resources } from '../../core/resources/index.js';
import type { Draft } from '../../core/rows/snapshot.js';

/** Names of records by their identifiers. */
export type ReferenceNames = ReadonlyMap<string, string>;

/** A field with a value, as a read shows it. */
type ValueOfField = readonly [field: string, value: unknown];

/** The names of the records that these values refer to; without those that are not there, or not loaded yet. */
export function referenceNames(
  { fields }: Resource,
  values: Iterable<ValueOfField>,
  draft: Draft,
): Map<string, string> {
  const names = new Map<string, string>();
  for (const [field, value] of values) {
    const descriptor = fields[field];
    if (descriptor?.kind !== 'reference' || typeof value !== 'string' || names.has(value)) continue;
    const prefix = descriptor.prefixes.find((one) => value.startsWith(one));
    const to = resources.find((resource) => resource.prefix === prefix);
    const name = to?.find({ id: value }, draft)?.[to.key];
    if (typeof name === 'string') names.set(value, name);
  }
  return names;
}
