// `--map`: the jobs of an import with a mapping: which file makes which resource, in import order.
import { CatalogError } from '../../core/errors.js';
import type { Resource } from '../../core/resource.js';
import { resources, shopResources } from '../../core/resources/index.js';
import { nearest } from '../../core/text/text.js';
import { fileIn } from '../../files/file-in.js';
import { foundAt } from '../../files/found-file.js';
import { itemsEnding } from '../../source/column-targets.js';
import type { Mapping, MappingSection } from '../../source/mapping/mapping.js';
import { resourceByWord } from '../resource-argument.js';
import { refuseAddress, type TypedSource } from '../sources/typed-source.js';
import type { Job } from './import-job.js';
import type { ImportFlags } from './options/import-options.js';
import { refusedJobs } from './outputs/refused-folder.js';

/**
 * The jobs of a command that imports one resource from one file; a mapping may give more than one. Items that it made, and
 * that were refused, are read without it.
 */
export async function mappingJobs(
  resource: Resource,
  source: TypedSource,
  flags: ImportFlags,
): Promise<readonly Job[]> {
  if (flags.map === undefined || source.file.endsWith(itemsEnding)) return [{ resource, ...source }];
  const mapping = await mappingOf(flags);
  const jobs = sectionsOf(mapping, flags.map, resource).filter((job) => job.resource === resource);
  if (jobs.length > 0) return jobs.map(({ mapped }) => ({ resource, ...source, mapped }));
  const made = mapping.import.map(({ to }) => to).join(', ');
  throw new CatalogError(
    'usage',
    `${flags.map} maps ${made}, and no ${resource.command}; use run, or name one of them.`,
  );
}

/**
 * The jobs of `run` with a mapping: every section, in import order.
 * @param place a file that all sections read, or the folder with the files that the sections name
 * @param isRemote whether the target is a remote; sections that make records of the shop are omitted then
 */
export async function runJobs(
  place: string,
  flags: MappingFlags,
  isRemote: boolean,
): Promise<{ readonly jobs: readonly Job[]; readonly leftOut: readonly string[] }> {
  refuseAddress(place);
  const file = flags.map ?? '';
  const sections = sectionsOf(await mappingOf(flags), file, undefined);
  const isFolder = place !== '-' && foundAt(place)?.isDirectory() === true;
  const back = isFolder ? refusedJobs(place, file, sections) : undefined;
  const jobs =
    back ??
    sections.map(({ resource, mapped }): Job => {
      const { file: named } = mapped.section;
      if (isFolder && named === undefined)
        throw new CatalogError(
          'usage',
          `${file}: ${mapped.place}: name the file of the folder ${place} with file:, or give run a file.`,
        );
      return { resource, file: isFolder ? fileIn(place, named ?? '') : place, mapped };
    });
  const left = isRemote ? jobs.filter(({ resource }) => shopResources.includes(resource)) : [];
  const inOrder = jobs.filter((job) => !left.includes(job)).sort((one, other) => rankOf(one) - rankOf(other));
  if (inOrder.length === 0)
    throw new CatalogError(
      'usage',
      `${file} holds only data of the shop, which a remote has itself; nothing was imported.`,
    );
  return {
    jobs: inOrder,
    leftOut: left.map(({ resource, file: name, mapped }) => `${mapped?.place ?? name} (${resource.command})`),
  };
}

/** The rank of a job in the import order. Characteristics that apply to a category are made after the categories. */
function rankOf({ resource, mapped }: Job): number {
  const isScoped = Object.hasOwn(mapped?.section.fields ?? {}, 'scope_ident');
  return [...shopResources, ...resources].indexOf(resource) + (isScoped ? 1.5 : 0);
}

/** The flags that say how a mapping is read. */
type MappingFlags = Pick<ImportFlags, 'map' | 'rename' | 'set' | 'encoding' | 'decimal' | 'ofFolder'>;

async function mappingOf({ map = '', rename, set = [], encoding, decimal, ofFolder }: MappingFlags): Promise<Mapping> {
  if (rename !== undefined)
    throw new CatalogError(
      'usage',
      '--rename and --map both name columns; put it into the mapping: rename: {column: field}.',
    );
  const { readMapping } = await import('../../source/mapping/read-mapping.js');
  const constants = set.map((pair) => pair.slice(0, pair.indexOf('=')).trim());
  const given = new Set([
    ...constants,
    ...(encoding === undefined ? [] : ['encoding']),
    ...(decimal === undefined ? [] : ['decimal']),
  ]);
  return { ...readMapping(map, given), ...(ofFolder?.includes('map') && { isOfFolder: true }) };
}

/** Each section with the resource it makes; by default the resource of the command. */
export function sectionsOf(
  { import: sections, examples: _, ...common }: Mapping,
  name: string,
  wanted: Resource | undefined,
): { readonly resource: Resource; readonly mapped: MappingSection }[] {
  const now = Math.floor(Date.now() / 1000);
  return sections.map((section, i) => {
    const place = sections.length === 1 ? 'the mapping' : `import[${i}]`;
    const found = section.to === '' ? wanted : resourceByWord(section.to, [...resources, ...shopResources]);
    if (found === undefined) {
      const words = [...resources, ...shopResources].map(({ command }) => command);
      const near = nearest(section.to, words);
      const hint = near === undefined ? `Use one of ${[...new Set(words)].join(', ')}.` : `Did you mean ${near}?`;
      throw new CatalogError('usage', `${name}: ${place}.to: ${JSON.stringify(section.to)} is not a resource. ${hint}`);
    }
    return { resource: found, mapped: { ...common, name, place, section, now } };
  });
}
