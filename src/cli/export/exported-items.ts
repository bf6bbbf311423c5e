// The records of a catalog or remote as items that reproduce them when imported.
import type { Catalog } from '../../core/catalog.js';
import type { ReadShape } from '../../core/import-report.js';
import { type ExportItem, exportItem, type OnLeftOut } from '../../core/reading/export-item.js';
import { includeWords } from '../../core/reading/record-view.js';
import type { Resource } from '../../core/resource.js';
import { resources } from '../../core/resources/index.js';
import { recordPages } from '../../store/record-pages.js';

/** Pages in which each category follows its parent, since a file is imported in order. */
async function* parentsFirst(
  catalog: Catalog,
  resource: Resource,
  from: AsyncIterable<readonly ReadShape[]>,
): AsyncGenerator<readonly ReadShape[]> {
  const written = new Set<unknown>();
  for await (const page of from) {
    const ordered: ReadShape[] = [];
    for (const record of page) {
      const above: ReadShape[] = [];
      for (let one: ReadShape | undefined = record; one !== undefined && !written.has(one['id']); ) {
        above.unshift(one);
        written.add(one['id']);
        const parent: unknown = one['parent'];
        const isKnown = parent === '' || written.has(parent);
        one = isKnown ? undefined : await catalog.read(resource, { id: String(parent) }, includeWords(resource));
      }
      ordered.push(...above);
    }
    if (ordered.length > 0) yield ordered;
  }
}

/** Shared characteristics are read with the others, and exported to a file of their own. */
function isOf(resource: Resource, record: ReadShape): boolean {
  return resource.name !== 'attribute' || record['shared'] === !resources.includes(resource);
}

/**
 * The items of a resource in an order in which they can be imported, page by page.
 * @param onLeftOut called for each part that cannot be exported
 */
export async function* exportedItems(
  catalog: Catalog,
  resource: Resource,
  onLeftOut: OnLeftOut,
): AsyncGenerator<readonly ExportItem[]> {
  const records = recordPages(catalog, resource, { include: includeWords(resource) });
  for await (const page of resource.name === 'category' ? parentsFirst(catalog, resource, records) : records) {
    const items: ExportItem[] = [];
    for (const record of page) {
      const item = isOf(resource, record) ? exportItem(resource, record, onLeftOut) : undefined;
      if (item !== undefined) items.push(item);
    }
    if (items.length > 0) yield items;
  }
}
