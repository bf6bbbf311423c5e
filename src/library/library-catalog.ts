// A catalog of the library: the local catalog behind it is not shown, and found again by those who import into it.
import { CatalogError } from '../core/errors.js';
import type { Resource } from '../core/resource.js';
import { resources } from '../core/resources/index.js';
import type { LocalCatalog } from '../store/open.js';
import { hasCatalog, openCatalog } from '../store/open.js';
import type { CatalogRecord, LibraryCatalog, ListOptions, OpenCatalogOptions } from './library-api.js';

/** Records that are read at a time. */
const atOnce = 250;

/** What is behind a catalog of the library. */
export interface OpenedLibraryCatalog {
  readonly local: LocalCatalog;
  /** The catalog that a dry run writes to, which is discarded. */
  scratch(): Promise<LocalCatalog>;
}

const opened = Symbol('opened');

export async function openLibraryCatalog(place: string, options: OpenCatalogOptions): Promise<LibraryCatalog> {
  const { create = true, lockTimeout = 30_000 } = options;
  const where = { file: place, lockTimeout };
  if (!create && !(await hasCatalog(place)))
    throw new CatalogError('catalog_unusable', `There is no catalog at ${place}.`);
  const local = await openCatalog({ ...where, create });
  const catalog: LibraryCatalog & { readonly [opened]: OpenedLibraryCatalog } = {
    read: (name, key, { include } = {}) => local.read(resourceNamed(name), { key }, include),
    list: (name, asked) => listed(local, resourceNamed(name), asked),
    close: () => local.close(),
    [opened]: { local, scratch: () => openCatalog({ ...where, create: false, scratch: true }) },
  };
  return catalog;
}

/** @throws CatalogError `usage` for what `openCatalog` did not give */
export function openedCatalog(catalog: LibraryCatalog): OpenedLibraryCatalog {
  const found = (catalog as { readonly [opened]?: OpenedLibraryCatalog })[opened];
  if (found === undefined) throw new CatalogError('usage', 'The catalog must be one that openCatalog opened.');
  return found;
}

/** @throws CatalogError `usage` */
export function resourceNamed(name: string): Resource {
  const found = resources.find(({ command }) => command === name);
  if (found !== undefined) return found;
  const known = resources.map(({ command }) => command).join(', ');
  throw new CatalogError('usage', `${name} is not a resource; use one of ${known}.`);
}

async function* listed(
  local: LocalCatalog,
  resource: Resource,
  { include, changedSince }: ListOptions = {},
): AsyncGenerator<CatalogRecord> {
  const updatedSince = changedSince && Math.ceil(changedSince.getTime() / 1000);
  for (let after: string | undefined; ; ) {
    const { records, next } = await local.list(resource, {
      limit: atOnce,
      ...(include && { include }),
      ...(after !== undefined && { after }),
      ...(updatedSince !== undefined && { updatedSince }),
    });
    yield* records;
    if (next === undefined) return;
    after = next;
  }
}
