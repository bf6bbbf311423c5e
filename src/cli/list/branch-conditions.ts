// Conditions on a category, as of `list products --where category=Phones`: they hold for its subcategories, too.
import type { Catalog } from '../../core/catalog.js';
import { isIdentifier } from '../../core/planning/references.js';
import type { FieldCondition, RecordPredicate } from '../../core/reading/record-conditions.js';
import type { Resource } from '../../core/resource.js';
import { category } from '../../core/resources/category.js';
import { counted } from '../../core/text/counted.js';
import { quote } from '../../core/text/text.js';
import { recordPages } from '../../store/record-pages.js';

/** The records of a category and of all below it, with the sentence that says so where there are any. */
interface Branch {
  readonly isWanted: RecordPredicate;
  readonly notice: string | undefined;
}

/** Whether a condition names a category, by name, path or identifier, of records that are not categories themselves. */
export function namesBranch(resource: Resource, { field, value }: FieldCondition): boolean {
  const declared = resource.fields[field];
  const { prefix } = category;
  return (
    resource !== category &&
    value.trim() !== '' &&
    declared?.kind === 'reference' &&
    declared.prefixes.every((one) => one === prefix)
  );
}

/** The branch that a condition names; without records where there is no such category. */
export async function branchOf(catalog: Catalog, { field, value }: FieldCondition): Promise<Branch> {
  const name = value.trim();
  const { findByName } = await import('../../importing/name-resolver.js');
  const top = isIdentifier(name, category.prefix) ? name : await findByName(catalog, category, name);
  if (typeof top !== 'string') {
    const why = top === undefined ? '' : `: ${top.message}`;
    return { isWanted: () => false, notice: `Category ${quote(name)} not found${why}.` };
  }
  const below = await childrenOf(catalog);
  const ids = new Set([top]);
  for (const id of ids) for (const child of below.get(id) ?? []) ids.add(child);
  return {
    isWanted: (record) => ids.has(String(record[field])),
    notice: ids.size === 1 ? undefined : `${quote(name)} includes its ${counted(ids.size - 1, 'subcategories')}.`,
  };
}

async function childrenOf(catalog: Catalog): Promise<ReadonlyMap<string, readonly string[]>> {
  const below = new Map<string, string[]>();
  for await (const records of recordPages(catalog, category))
    for (const { id, parent } of records) {
      const children = below.get(String(parent));
      if (children === undefined) below.set(String(parent), [String(id)]);
      else children.push(String(id));
    }
  return below;
}
