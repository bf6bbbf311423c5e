// The library: what `import … from 'catalog-import'` gives. Few names, each of which is documented in manual/library.md.
import type {
  ImportFileOptions,
  ItemImportOptions,
  LibraryCatalog,
  LibraryImportResult,
  OpenCatalogOptions,
  ResourceName,
} from './library-api.js';
import { openLibraryCatalog } from './library-catalog.js';
import { runLibraryImport } from './run-library-import.js';

export { CatalogError, type ErrorCode } from '../core/errors.js';
export type {
  CatalogRecord,
  ImportedItem,
  ImportFileOptions,
  ItemImportOptions as ImportOptions,
  ItemNotice,
  LibraryCatalog as Catalog,
  LibraryImportResult as ImportResult,
  ListOptions,
  OpenCatalogOptions,
  ReadOptions,
  ResourceName,
} from './library-api.js';

/**
 * Opens a catalog: a file, or an address `postgres://…`.
 * @throws CatalogError `catalog_unusable`, `catalog_locked`, `catalog_unavailable`, or `usage`
 */
export function openCatalog(place: string, options: OpenCatalogOptions = {}): Promise<LibraryCatalog> {
  return openLibraryCatalog(place, options);
}

/**
 * Imports a file.
 * @returns the counts; refused items are no failure
 * @throws CatalogError where the file cannot be read or the catalog not be written; items that were passed before are saved
 */
export function importFile(
  catalog: LibraryCatalog,
  resource: ResourceName,
  file: string | URL,
  options: ImportFileOptions = {},
): Promise<LibraryImportResult> {
  return runLibraryImport(catalog, resource, { file }, options);
}

/** Imports items, in the form in which they are sent over HTTP, as they come. */
export function importItems(
  catalog: LibraryCatalog,
  resource: ResourceName,
  items: Iterable<object> | AsyncIterable<object>,
  options: ItemImportOptions = {},
): Promise<LibraryImportResult> {
  return runLibraryImport(catalog, resource, { items }, options);
}
