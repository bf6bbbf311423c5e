// Checks the output files of an import against its inputs, before anything is read.

import { dirname, extname } from 'node:path';
import { CatalogError } from '../../../core/errors.js';
import { fileIn } from '../../../files/file-in.js';
import { foundAt } from '../../../files/found-file.js';
import { failedPlace, hasEarlierReport } from '../../../reporting/formats/report-destination.js';
import { reportForm } from '../../../reporting/formats/report-file.js';
import { isRefusedFolder } from '../../../reporting/refused/refused-file.js';
import { statusName } from '../../../reporting/status-file.js';
import { findConfigs } from '../../config/find-config.js';
import { refuseMissingFolder } from '../../missing-folder.js';
import { chooseTarget, type TargetOptions } from '../../options.js';
import type { ImportCourse, Job } from '../import-job.js';
import type { ImportFlags } from '../options/import-options.js';
import { type Outputs, outputReservations } from './output-reservations.js';

/** The options that name files. */
type FileFlags = TargetOptions &
  Pick<
    ImportFlags,
    | 'map'
    | 'expect'
    | 'feed'
    | 'dryRun'
    | 'apiKeyFile'
    | 'caFile'
    | 'reportFile'
    | 'statusFile'
    | 'refusedFile'
    | 'writeMissingValues'
  >;

/** @throws CatalogError `usage` where a file would be overwritten, or a report has an unknown format; `try_again` where another run writes it */
export function importOutputs(
  jobs: readonly Job[],
  flags: FileFlags,
  env: NodeJS.ProcessEnv,
  { reads = [], writes = [] }: Pick<ImportCourse, 'reads' | 'writes'>,
): Outputs {
  const target = chooseTarget(flags, env);
  const read = [
    ...jobs.flatMap((job) => [job.file, ...tableFiles(job)]),
    ...reads,
    ...findConfigs(env),
    flags.map,
    flags.expect,
    flags.apiKeyFile,
    env['CATALOG_API_KEY_FILE'],
    flags.caFile,
  ];
  const outputs = outputReservations('db' in target ? target.db : undefined, read);
  try {
    claimAll(outputs, jobs, flags, writes);
  } catch (error) {
    outputs.release();
    throw error;
  }
  return outputs;
}

/** Where the tables of a mapping may be: next to the file or next to the mapping. */
function tableFiles({ file, address, mapped }: Job): string[] {
  if (mapped === undefined) return [];
  const folders = [address === undefined ? dirname(file) : '.', dirname(mapped.name)];
  return Object.values(mapped.tables).flatMap(({ file: table }) =>
    table === undefined ? [] : folders.map((folder) => fileIn(folder, table)),
  );
}

function claimAll(
  outputs: Outputs,
  jobs: readonly Job[],
  flags: FileFlags,
  writes: NonNullable<ImportCourse['writes']>,
): void {
  for (const { option, path } of writes) outputs.claim(option, path);
  for (const path of flags.reportFile ?? []) {
    // Claimed when the number of the run is known.
    if (path.includes('{run}')) outputs.reserve('--report-file', path);
    else outputs.claim('--report-file', path);
    if (hasEarlierReport(path)) outputs.claim('--report-file', failedPlace(path));
    reportForm(path);
    if (!dirname(path).includes('{run}')) refuseMissingFolder(`--report-file ${path}`, path);
  }
  if (flags.statusFile !== undefined) {
    const { statusFile, feed, dryRun } = flags;
    if (dryRun === true) outputs.reserve('--status-file', statusFile);
    else outputs.claim('--status-file', statusFile, `feed ${statusName(feed, jobs[0]?.file)}`);
    // It is replaced, with what it has of other feeds: a pipe would wait for a reader, and keep nothing.
    if (foundAt(statusFile)?.isFile() === false)
      throw new CatalogError(
        'usage',
        `--status-file ${statusFile} is a folder, a pipe or a device, and no file. Name a file, such as ${feed ?? 'status'}.prom.`,
      );
    refuseMissingFolder(`--status-file ${statusFile}`, statusFile);
  }
  // Those in a folder are reserved one by one when their names are known.
  if (flags.refusedFile !== undefined && !isRefusedFolder(flags.refusedFile)) {
    refuseOneForSeveral(flags.refusedFile, jobs);
    outputs.claim('--refused-file', flags.refusedFile);
  }
  if (flags.writeMissingValues !== undefined) outputs.claim('--write-missing-values', flags.writeMissingValues);
}

/** One file holds the refused records of one source. */
function refuseOneForSeveral(path: string, jobs: readonly Job[]): void {
  if (jobs.length < 2) return;
  const folder = path.slice(0, path.length - extname(path).length);
  throw new CatalogError(
    'usage',
    `--refused-file ${path} is one file, and ${jobs.length} imports may refuse records; name a folder with --refused-file ${folder}/ instead`,
  );
}
