// An import of the library: a request, a catalog that records it as a run, and an observer that tells each item.
import { fileURLToPath } from 'node:url';
import { rawEntry } from '../core/entry.js';
import { CatalogError } from '../core/errors.js';
import type { Line } from '../core/import-report.js';
import { isBreach } from '../core/ledger/guard-figure.js';
import type { Resource } from '../core/resource.js';
import { findResource } from '../core/resources/index.js';
import { contractFigures } from '../importing/guards/contract.js';
import { breachOf, GuardStopped } from '../importing/guards/guard-stopped.js';
import type { ImportObserver } from '../importing/observer.js';
import type { FileRequest } from '../importing/request.js';
import { readFiles, runImport } from '../importing/run-import.js';
import { sharedBarcodes } from '../importing/shared-barcodes.js';
import type { MappingSection } from '../source/mapping/mapping.js';
import type { Chunk, Source, SourceOptions } from '../source/open-source.js';
import type { OpenRun } from '../store/ledger/runs.js';
import { checkArgument, checkOptions, optionRules } from './check-options.js';
import type {
  ImportedItem,
  ImportFileOptions,
  ItemImportOptions,
  LibraryCatalog,
  LibraryImportResult,
} from './library-api.js';
import { openedCatalog, resourceNamed } from './library-catalog.js';

/** What is imported: a file, or items as they come. */
type Imported = { readonly file: string | URL } | { readonly items: Iterable<object> | AsyncIterable<object> };

export async function runLibraryImport(
  target: LibraryCatalog,
  name: string,
  imported: Imported,
  options: ImportFileOptions,
): Promise<LibraryImportResult> {
  const resource = resourceNamed(name);
  checkOptions(options, 'file' in imported ? optionRules.file : optionRules.items);
  if ('items' in imported) checkItems(imported.items, options);
  const { local, scratch } = openedCatalog(target);
  const { dryRun = false, history = true, changes = false, only, onDuplicate, maxRefused, signal } = options;
  const files =
    'file' in imported
      ? await fileRequests(resource, imported.file, options)
      : [itemsRequest(resource, imported.items)];
  await keepContracts(files, signal);
  const catalog = dryRun ? await scratch() : local;
  let run: OpenRun | undefined;
  const begin = async () => (await local.ledger()).begin({ feed: '', detail: { command: 'library', files: [] } });
  const catalogFor = async ({ source: { file } }: FileRequest) => {
    if (dryRun || !history) return catalog;
    run ??= await begin();
    return local.importing({ recorder: run.addFile({ file, resource: resource.name }) });
  };
  const observer = itemObserver(options);
  try {
    const request = {
      ...{ files, dryRun, diff: changes },
      ...(only && { only }),
      ...(onDuplicate && { duplicates: onDuplicate }),
      ...(maxRefused !== undefined && { maxRefused }),
    };
    const { counts, failure } = await runImport(request, catalogFor, [sharedBarcodes(), observer], signal);
    await run?.end({ state: stateOf(failure), exit: failure === undefined ? (counts.refused > 0 ? 3 : 0) : 1, counts });
    if (failure !== undefined) throw failure;
    return { ...counts, run: run?.number ?? null, ...observer.noticed };
  } finally {
    if (dryRun) await catalog.close();
  }
}

/**
 * Reads files that have a contract, before the first write.
 * @throws GuardStopped where one is not kept
 */
async function keepContracts(files: readonly FileRequest[], signal = new AbortController().signal): Promise<void> {
  const bound = files.filter(({ source }) => source.expect !== undefined);
  const contract = contractFigures(false);
  const take = ({ resource, source: { file } }: FileRequest, source: Source) =>
    contract.take({ resource, file, source });
  await readFiles(bound, take, signal);
  const found = contract.figures().filter(isBreach);
  if (found.length > 0) throw new GuardStopped(bound[0]?.source.file ?? '', found.map(breachOf));
}

function stateOf(failure: unknown): 'done' | 'interrupted' | 'stopped' | 'failed' {
  if (failure === undefined) return 'done';
  const code = failure instanceof CatalogError ? failure.code : undefined;
  return code === 'interrupted' ? 'interrupted' : code === 'guard_stopped' ? 'stopped' : 'failed';
}

async function fileRequests(
  resource: Resource,
  file: string | URL,
  { format, encoding, delimiter, decimal, empty, sheet, limit, map }: ImportFileOptions,
): Promise<readonly FileRequest[]> {
  const isLocal = typeof file === 'string' || (file instanceof URL && file.protocol === 'file:');
  checkArgument(isLocal, 'A file must be a path, or a URL that begins with file:.');
  const source: SourceOptions = {
    file: file instanceof URL ? fileURLToPath(file) : file,
    mayCheck: true,
    // Names of these options, for the message about a file of another form.
    mustFit: {
      ...(encoding !== undefined && { encoding: 'encoding' }),
      ...(delimiter !== undefined && { delimiter: 'delimiter' }),
      ...(sheet !== undefined && { sheet: 'sheet' }),
    },
    ...(format && { format }),
    ...(encoding && { encoding }),
    ...(delimiter && { delimiter }),
    ...(decimal && { decimal }),
    ...(empty && { empty }),
    ...(sheet && { sheet }),
    ...(limit !== undefined && { limit }),
  };
  // What standard input is, the program that uses the library decides.
  checkArgument(!/^-?$/.test(source.file), 'A file must have a path; pass items of standard input to importItems.');
  if (map === undefined) return [{ resource, source }];
  const { expectationsOf } = await import('../source/contract/contract.js');
  const mapped = await sectionsFor(resource, map);
  return mapped.map((section) => {
    const stated = { option: 'expect', name: map, place: `${section.place}.expect` };
    const expect = expectationsOf(section.section.expect, stated);
    return { resource, source: { ...source, mapped: section, ...(expect.length > 0 && { expect }) } };
  });
}

async function sectionsFor(resource: Resource, map: string): Promise<readonly MappingSection[]> {
  const { readMapping } = await import('../source/mapping/read-mapping.js');
  const { import: sections, tables, read, paths } = readMapping(map);
  const now = Math.floor(Date.now() / 1000);
  const wanted = sections.filter(({ to }) => to === '' || findResource(to.toLowerCase()) === resource);
  if (wanted.length === 0) throw new CatalogError('usage', `${map} maps no ${resource.command}.`);
  return wanted.map((section) => {
    const place = sections.length === 1 ? 'the mapping' : `import[${sections.indexOf(section)}]`;
    return { name: map, place, section, tables, read, now, ...(paths && { paths }) };
  });
}

/** @throws CatalogError `usage` if these are no items, or if they have to be read twice and can be read only once */
function checkItems(items: unknown, { onDuplicate }: ItemImportOptions): void {
  const { [Symbol.asyncIterator]: later, [Symbol.iterator]: now } = Object(items);
  checkArgument(later !== undefined || now !== undefined, 'Items must be a list, or something else to iterate over.');
  const isRead = onDuplicate !== 'refuse' || Array.isArray(items);
  checkArgument(isRead, "onDuplicate: 'refuse' reads the items twice: pass them as an array.");
}

function itemsRequest(resource: Resource, items: Iterable<object> | AsyncIterable<object>): FileRequest {
  const described = { file: 'items', resource: resource.name };
  return { resource, source: { file: 'items' }, planned: { open: () => sourceOf(items), described } };
}

/** Items as a source, one batch of each: an item is imported when the next one may be long in coming. */
function sourceOf(items: Iterable<object> | AsyncIterable<object>): Source {
  let read = 0;
  async function* chunks(): AsyncGenerator<Chunk> {
    for await (const item of items) yield { entries: [rawEntry(item)], lines: [++read] };
  }
  return {
    found: { format: 'ndjson', encoding: 'utf-8', delimiter: undefined, compression: undefined },
    chunks: chunks(),
    progress: () => ({ read, size: undefined }),
    unknown: () => new Map(),
    columns: () => [],
    leftOut: () => 0,
    overflowed: () => false,
    notes: () => [],
    warnings: () => [],
    close: async () => undefined,
  };
}

/** Tells each item, and collects what was noticed about files. */
function itemObserver({ onItem }: ItemImportOptions) {
  const noticed = { ignored: [] as string[], warnings: [] as LibraryImportResult['warnings'][number][] };
  let source: Pick<Source, 'warnings' | 'notes' | 'unknown'> | undefined;
  const observer: ImportObserver = {
    begin(file) {
      source = file.source;
    },
    async batch({ report, lines }) {
      if (onItem === undefined) return;
      for (const [i, line] of report.data.entries()) await onItem(asItem(line, lines[i] ?? 0));
    },
    finish() {
      noticed.ignored.push(...(source?.unknown().keys() ?? []));
      noticed.warnings.push(...(source?.warnings() ?? []).map(({ code, message }) => ({ code, message })));
      noticed.warnings.push(...(source?.notes() ?? []).map(({ code, words }) => ({ code, message: words })));
    },
  };
  return { ...observer, noticed };
}

function asItem({ external_id: key, action, id, code, reason, notice, changes }: Line, line: number): ImportedItem {
  return { line, key, action, id, code, reason, notices: notice, ...(changes && { changes }) };
}
