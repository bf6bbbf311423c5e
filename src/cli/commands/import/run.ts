// `run`: imports every file of a folder in import order, recognized by its name, with a report for each and a total.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { CatalogError } from '../../../core/errors.js';
import { resources, shopResources } from '../../../core/resources/index.js';
import { nearest } from '../../../core/text/text.js';
import { foundAt } from '../../../files/found-file.js';
import { isSystemFile } from '../../../source/bytes/system-files.js';
import { configName } from '../../config/find-config.js';
import { importFiles } from '../../import/import-files.js';
import type { Job } from '../../import/import-job.js';
import { runJobs } from '../../import/mapping-jobs.js';
import { addImportOptions, type ImportFlags } from '../../import/options/import-options.js';
import { addExamples, chooseTarget } from '../../options.js';
import { resourceByWord, wordOf } from '../../resource-argument.js';
import { inImportOrder, refuseAddress } from '../../sources/typed-source.js';

export function defineRun(command: Command, process: NodeJS.Process): void {
  command
    .description(
      'Imports every file of a folder in import order. The name of a file is its resource: ' +
        '1-characteristics.csv, 20_products.eu.json. Files with data of the shop (customers, orders, files, brands, ' +
        'warranties, pages, shared-characteristics) are loaded first into a local catalog. A file called ….later.… (characteristics.later.csv) is ' +
        'imported after all others. Any other name is an ' +
        'error before anything is imported; sub-folders, catalog-import.yaml, files that begin with a dot and what systems leave (Thumbs.db, ~$products.xlsx) are ignored.',
    )
    .argument('<folder>', 'the folder, or a .zip of one; with --map also a file that feeds several resources');
  addImportOptions(command, { remote: true });
  addExamples(command, [
    ['run shop/', 'import a folder'],
    ['run shop/ --dry-run', 'see what would happen; what one file would create is known to the next'],
    ['run feed.csv --map feed.yaml', 'categories, groups and products out of one product feed'],
    ['run shop/ --report-file report.csv', 'every line of every file in one table'],
  ]);
  // Several files are refused with the commands that import them.
  command.allowExcessArguments();
  command.action(async (folder: string, flags: ImportFlags, { args }: Command) => {
    if (args.length > 1)
      throw new CatalogError(
        'usage',
        `run imports one folder. ${await (await import('../../file-as-command.js')).meantByFiles(args)}`,
      );
    const isRemote = 'remote' in chooseTarget(flags, process.env);
    const { jobs, leftOut } = await (flags.map === undefined
      ? folderJobs(folder, isRemote)
      : runJobs(folder, flags, isRemote));
    return importFiles(jobs, flags, process, { many: true, leftOut });
  });
}

/** The files of a folder or archive in import order, and those that a remote does not accept. */
export async function folderJobs(
  folder: string,
  remote: boolean,
): Promise<{ readonly jobs: readonly Job[]; readonly leftOut: string[] }> {
  refuseAddress(folder);
  const isFile = foundAt(folder)?.isFile() === true;
  const zipped = isFile && /\.zip$/i.test(folder);
  if (isFile && !zipped) {
    const meant = await (await import('../../file-as-command.js')).meantByFiles([folder]);
    throw new CatalogError('input_unreadable', `${folder} is a file, and no folder. ${meant}`);
  }
  const names = zipped ? await filesIn(folder) : filesOf(folder);
  const files = names.map((name) => ({ name, resource: resourceByWord(wordOf(basename(name)), everything) }));
  const strays = files.filter(({ resource }) => resource === undefined).map(({ name }) => name);
  if (strays.length > 0) throw stray(folder, strays);
  if (files.length === 0) throw new CatalogError('usage', `${folder} contains no files; nothing was imported.`);
  const inOrder = [false, true].flatMap((later) =>
    [...shopResources, ...resources].flatMap((resource) =>
      files
        .filter((file) => file.resource === resource && isLater(file.name) === later)
        .map(
          ({ name }): Job =>
            zipped ? { resource, file: folder, sheet: name } : { resource, file: join(folder, name) },
        ),
    ),
  );
  const left = remote ? inOrder.filter(({ resource }) => shopResources.includes(resource)) : [];
  return { jobs: inOrder.filter((job) => !left.includes(job)), leftOut: left.map(({ file, sheet }) => sheet ?? file) };
}

/** `characteristics` names those of the interface; shared ones of the shop are `shared-characteristics`. */
const everything = [...resources, ...shopResources];

/** The files of an archive, without folders and what a Mac adds. */
async function filesIn(archive: string): Promise<string[]> {
  const { openArchive, feedEntries: filesAmong } = await import('../../../source/bytes/zip-archive.js');
  const opened = await openArchive(archive);
  opened.close();
  return inImportOrder(filesAmong(opened.names).filter((name) => basename(name) !== configName));
}

function filesOf(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter(
      (name) => !isSystemFile(name) && name !== configName && !isSubfolder(folder, name),
    );
  } catch (cause) {
    throw new CatalogError('input_unreadable', `${folder}${unreadable(cause)}`, { cause });
  }
  const odd = names.find((name) => foundAt(join(folder, name))?.isFile() === false);
  if (odd !== undefined)
    throw new CatalogError(
      'usage',
      `${join(folder, odd)} is not a file, but a folder, pipe or device. Nothing was imported. Remove it, or import the other files by name.`,
    );
  return inImportOrder(names);
}

/** A folder that is not named like a file of a resource, as `products.csv` is. */
function isSubfolder(folder: string, name: string): boolean {
  if (foundAt(join(folder, name))?.isDirectory() !== true) return false;
  return !name.includes('.') || resourceByWord(wordOf(name), everything) === undefined;
}

/** Why a folder cannot be read, with a remedy. */
function unreadable(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT') return ': folder not found.';
  return ` cannot be read as a folder (${message}).`;
}

/** `characteristics.later.ndjson` is imported last, since it refers to records of all other files. */
function isLater(name: string): boolean {
  return /\.later\./i.test(basename(name));
}

function stray(folder: string, names: readonly string[]): CatalogError {
  const words = everything.map(({ command }) => command);
  const reported = names.slice(0, 10).map((name) => {
    const near = nearest(wordOf(name), words);
    return near === undefined ? name : `${name} (${near}?)`;
  });
  const more = names.length > reported.length ? ` and ${names.length - reported.length} more` : '';
  return new CatalogError(
    'usage',
    `${folder}: ${reported.join(', ')}${more}: the name does not say which records the file has. Nothing was imported. ` +
      `Begin the name with one of ${words.join(', ')} (such as products.csv), or move the file to a sub-folder.`,
  );
}
