// `characteristics`, `categories`, `groups`, `products`, `reviews`: imports a file of one resource into the target.
import type { Command } from 'commander';
import { CatalogError } from '../../../core/errors.js';
import type { Resource } from '../../../core/resource.js';
import { importFiles } from '../../import/import-files.js';
import type { Job } from '../../import/import-job.js';
import { mappingJobs } from '../../import/mapping-jobs.js';
import { readableFiles } from '../../import/options/file-options.js';
import { addImportOptions, type ImportFlags } from '../../import/options/import-options.js';
import { addExamples } from '../../options.js';
import { shellCommand } from '../../shell-word.js';
import { typedSources } from '../../sources/typed-source.js';

export function defineImport(command: Command, process: NodeJS.Process, resource: Resource): void {
  const word = resource.command;
  command
    .description(
      `Imports ${word} from a file and reports line by line what happened. A record is recognized by its ` +
        `${resource.key}: a new one is created, a known one updated; fields that are not sent keep their values.\n\n` +
        `Fields: ${Object.keys(resource.fields).join(', ')}.`,
    )
    .argument('<files...>', `${readableFiles}; several are imported in this order`);
  addImportOptions(command, { remote: true });
  addExamples(command, [
    [`${word} ${word}.csv`, 'import, and see what was refused and why'],
    [`${word} ${word}.csv --dry-run --diff`, 'see what would change, without writing'],
    [`${word} erp.csv --encoding windows-1252 --decimal , --rename "Art. Nr.=${resource.key}"`, 'a feed from an ERP'],
    [`${word} ${word}.json.gz --output ndjson --report-file report.csv`, 'for programs, and for a spreadsheet'],
    [`${word} ${word}-*.csv`, 'several files, with one report each and a total'],
    [`${word} - < feed.ndjson --max-refused 100`, 'from a pipe, stopping when too much is refused'],
  ]);
  command.action((files: string[], flags: ImportFlags) => importMapped(resource, files, flags, process));
}

async function importMapped(
  resource: Resource,
  names: readonly string[],
  flags: ImportFlags,
  process: NodeJS.Process,
): Promise<void> {
  const typed = names.flatMap((name) => typedSources(name, flags));
  const files = typed.map(({ file }) => file);
  const [again] = files.filter((file, i) => files.indexOf(file) !== i);
  if (again !== undefined) {
    const queries = again.includes('://') ? ' Of addresses the values of the query do not count.' : '';
    const name = again === '-' ? 'The standard input' : again;
    throw new CatalogError('usage', `${name} is named twice; name each file once.${queries}`);
  }
  const jobs: Job[] = [];
  for (const source of typed) jobs.push(...(await mappingJobs(resource, source, flags)));
  try {
    await importFiles(jobs, flags, process, { many: jobs.length > 1, command: resource.command });
  } catch (error) {
    throw await withFittingResource(error, { resource, files, flags });
  }
}

/** Adds to a failure of usage, such as a file without the key, that the file looks like one of another resource. */
async function withFittingResource(
  error: unknown,
  {
    resource,
    files,
    flags,
  }: { readonly resource: Resource; readonly files: readonly string[]; readonly flags: ImportFlags },
): Promise<unknown> {
  if (!(error instanceof CatalogError) || error.code !== 'usage' || flags.map !== undefined) return error;
  const { fittingResource } = await import('../../fitting-resource.js');
  for (const file of files) {
    const fitting = await fittingResource(file);
    if (fitting !== undefined && fitting !== resource)
      return new CatalogError(
        'usage',
        `${error.message} ${file} looks like ${fitting.command}: try ${shellCommand([fitting.command, file])}`,
        { cause: error },
      );
  }
  return error;
}
