// A catalog of the library. Programs do not see the local catalog that it stands for; imports into it find that one.
import { CatalogError } from '../core/errors.js';
import { includeWords } from '../core/reading/record-view.js';
import type { Resource } from '../core/resource.js';
import { resources } from '../core/resources/index.js';
import type { LocalCatalog } from '../store/open.js';
import { hasCatalog, openCatalog } from '../store/open.js';
import { recordPages } from '../store/record-pages.js';
import { checkArgument, checkOptions, optionRules } from './check-options.js';
import type { CatalogRecord, LibraryCatalog, ListOptions, OpenCatalogOptions } from './library-api.js';

/** What an import needs of an open catalog. */
interface OpenedLibraryCatalog {
  readonly local: LocalCatalog;
  /** The catalog that a dry run writes to, which is discarded. */
  scratch(): Promise<LocalCatalog>;
}

const opened = Symbol('opened');

export async function openLibraryCatalog(place: string, options: OpenCatalogOptions): Promise<LibraryCatalog> {
  checkArgument(typeof place === 'string', 'A catalog must be named by its file or address.');
  checkOptions(options, optionRules.open);
  const { create = true, lockTimeout = 30_000 } = options;
  const where = { file: place, lockTimeout };
  if (!create && !(await hasCatalog(place)))
    throw new CatalogError('catalog_unusable', `There is no catalog at ${place}.`);
  const local = await openCatalog({ ...where, create });
  let isClosed = false;
  const open = (): OpenedLibraryCatalog => {
    checkArgument(!isClosed, 'The catalog is closed.');
    return { local, scratch: () => openCatalog({ ...where, create: false, scratch: true }) };
  };
  const catalog: LibraryCatalog & { readonly [opened]: () => OpenedLibraryCatalog } = {
    read: async (name, key, asked = {}) => {
      const resource = resourceNamed(name);
      checkArgument(typeof key === 'string', `The ${resource.key} must be a text.`);
      checkOptions(asked, optionRules.read(includeWords(resource)));
      return open().local.read(resource, { key }, asked.include);
    },
    list: (name, asked = {}) => {
      const resource = resourceNamed(name);
      checkOptions(asked, optionRules.list(includeWords(resource)));
      return listed(() => open().local, resource, asked);
    },
    async close() {
      isClosed = true;
      await local.close();
    },
    [opened]: open,
  };
  return catalog;
}

/** @throws CatalogError `usage` for what `openCatalog` did not give, and for one that is closed */
export function openedCatalog(catalog: LibraryCatalog): OpenedLibraryCatalog {
  const found = (catalog as { readonly [opened]?: () => OpenedLibraryCatalog } | undefined)?.[opened];
  if (found === undefined) throw new CatalogError('usage', 'The catalog must be one that openCatalog opened.');
  return found();
}

/** @throws CatalogError `usage` */
export function resourceNamed(name: string): Resource {
  const found = resources.find(({ command }) => command === name);
  if (found !== undefined) return found;
  const known = resources.map(({ command }) => command).join(', ');
  throw new CatalogError('usage', `${name} is not a resource; use one of ${known}.`);
}

async function* listed(
  local: () => LocalCatalog,
  resource: Resource,
  { include, changedSince }: ListOptions,
): AsyncGenerator<CatalogRecord> {
  const updatedSince = changedSince && Math.ceil(changedSince.getTime() / 1000);
  const asked = { ...(include && { include }), ...(updatedSince !== undefined && { updatedSince }) };
  // Looked up for each page: it may be closed meanwhile.
  const catalog: Pick<LocalCatalog, 'list'> = { list: (...page) => local().list(...page) };
  for await (const records of recordPages(catalog, resource, asked)) yield* records;
}
