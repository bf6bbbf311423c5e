// Exports a whole catalog to a folder that `run` can import.
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalog } from '../../core/catalog.js';
import { CatalogError } from '../../core/errors.js';
import type { ExportItem, OnLeftOut } from '../../core/reading/export-item.js';
import type { Resource } from '../../core/resource.js';
import { resources, shopResources } from '../../core/resources/index.js';
import { syncFolder, writeWhole } from '../../files/durable-file.js';
import { byteOrderMark } from '../../reporting/formats/csv-cell.js';
import { exportedItems } from './exported-items.js';
import { type ExportForm, itemWriter } from './item-writer.js';

/** The fields of the items that are imported after all others, by resource. */
const laterFields: Readonly<Record<string, readonly string[]>> = {
  attribute: ['name', 'kind', 'scope', 'scope_ident'],
  product: ['sku', 'grades'],
};

/** The files of a folder under construction; they get their final names when the whole export is complete. */
interface Construction {
  readonly folder: string;
  readonly form: ExportForm;
  /** Whether each file begins with a byte order mark. */
  readonly bom: boolean;
  readonly files: string[];
}

/** The number of exported records by resource. */
export type Exported = ReadonlyMap<Resource, number>;

/**
 * Exports every resource to an empty folder, which is created if missing.
 * @param isRemote omits records that only the shop manages; `bom`: begins each file with a byte order mark
 * @param onLeftOut called for each part that cannot be exported, with its resource
 * @throws CatalogError `usage` if the folder is not empty, or cannot be written
 */
export async function exportFolder(
  catalog: Catalog,
  folder: string,
  { form, bom, isRemote }: { readonly form: ExportForm; readonly bom: boolean; readonly isRemote: boolean },
  onLeftOut: (resource: Resource, why: Parameters<OnLeftOut>[0]) => void,
): Promise<Exported> {
  prepareFolder(folder);
  const construction: Construction = { folder, form, bom, files: [] };
  const exported = new Map<Resource, number>();
  try {
    // In reverse order: records that others refer to are never deleted, so those exported later include every reference
    // of those exported before.
    for (const resource of [...(isRemote ? [] : shopResources), ...resources].reverse()) {
      const count = await exportResource(catalog, resource, construction, (why) => onLeftOut(resource, why));
      if (count > 0) exported.set(resource, count);
    }
    for (const file of construction.files) renameSync(join(folder, `.${file}`), join(folder, file));
    syncFolder(folder);
  } catch (error) {
    for (const file of construction.files) rmSync(join(folder, `.${file}`), { force: true });
    throw asUsage(folder, error);
  }
  return exported;
}

function prepareFolder(folder: string): void {
  let names: readonly string[];
  try {
    mkdirSync(folder, { recursive: true });
    names = readdirSync(folder);
  } catch (error) {
    throw asUsage(folder, error);
  }
  if (names.length > 0) throw new CatalogError('usage', `${folder} is not empty. Name an empty folder, or a new one.`);
}

/** Converts a system error about a folder to a CatalogError; returns any other error unchanged. */
function asUsage(folder: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error;
  return new CatalogError('usage', `${folder} cannot be written (${error.message}).`, { cause: error });
}

async function exportResource(
  catalog: Catalog,
  resource: Resource,
  construction: Construction,
  onLeftOut: OnLeftOut,
): Promise<number> {
  const main = openFile(construction, resource, '');
  const later = openFile(construction, resource, '.later', laterFields[resource.name]);
  try {
    let count = 0;
    for await (const items of exportedItems(catalog, resource, onLeftOut)) {
      count += items.length;
      later.write(items.flatMap((item) => [...takeScope(item), ...takeGrades(item)]));
      main.write(items);
    }
    main.finish();
    later.finish();
    return count;
  } finally {
    main.close();
    later.close();
  }
}

/** Removes the scope from a characteristic's item, since it refers to records that are imported later. */
function takeScope(item: ExportItem): readonly ExportItem[] {
  if (item['scope'] === undefined || item['scope'] === 'catalog') return [];
  const { name, kind, scope, scope_ident } = item;
  delete item['scope'];
  delete item['scope_ident'];
  return [{ name, kind, scope, scope_ident }];
}

/** Removes the grades from a product's item that has a price or stock next to them: they count only before it has grades. */
function takeGrades(item: ExportItem): readonly ExportItem[] {
  const { sku, grades, price, stock } = item;
  if (!Array.isArray(grades) || grades.length === 0 || (price ?? stock) === undefined) return [];
  delete item['grades'];
  return [{ sku, grades }];
}

/** A file that is created with its first record. */
function openFile(
  { folder, form, bom, files }: Construction,
  resource: Resource,
  suffix: string,
  fields?: readonly string[],
) {
  const writer = itemWriter(form, resource, fields);
  const name = `${resource.command}${suffix}.${form}`;
  let descriptor: number | undefined;
  const put = (text: string) => descriptor !== undefined && writeWhole(descriptor, Buffer.from(text));
  return {
    write(items: readonly ExportItem[]): void {
      if (items.length === 0) return;
      if (descriptor === undefined) {
        files.push(name);
        descriptor = openSync(join(folder, `.${name}`), 'wx');
        put((bom ? byteOrderMark : '') + writer.begin());
      }
      put(writer.items(items));
    },
    finish(): void {
      put(writer.end());
      if (descriptor !== undefined) fsyncSync(descriptor);
    },
    close(): void {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}
