// Checks the output files of an import against its inputs, before anything is read.

import { dirname } from 'node:path';
import { reportForm } from '../../../reporting/formats/report-file.js';
import { refuseMissingFolder } from '../../missing-folder.js';
import { chooseTarget } from '../../options.js';
import type { ImportCourse, Job } from '../import-job.js';
import type { ImportFlags } from '../options/import-options.js';
import { type Outputs, outputReservations } from './output-reservations.js';

/** @throws CatalogError `usage` where a file would be overwritten, or a report has an unknown format */
export function importOutputs(
  jobs: readonly Job[],
  flags: ImportFlags,
  env: NodeJS.ProcessEnv,
  { many, reads = [], writes = [] }: Pick<ImportCourse, 'many' | 'reads' | 'writes'>,
): Outputs {
  const target = chooseTarget(flags, env);
  const read = [
    ...jobs.map(({ file }) => file),
    ...reads,
    flags.map,
    flags.apiKeyFile,
    env['CATALOG_API_KEY_FILE'],
    flags.caFile,
  ];
  const outputs = outputReservations('db' in target ? target.db : undefined, read);
  for (const { option, path } of writes) outputs.claim(option, path);
  for (const path of flags.reportFile ?? []) {
    outputs.claim('--report-file', path);
    reportForm(path);
    // The number of the run is not known yet.
    if (!dirname(path).includes('{run}')) refuseMissingFolder(`--report-file ${path}`, path);
  }
  if (flags.statusFile !== undefined) {
    outputs.claim('--status-file', flags.statusFile);
    refuseMissingFolder(`--status-file ${flags.statusFile}`, flags.statusFile);
  }
  // Of several files, those in the folder are reserved one by one when their names are known.
  if (flags.refusedFile !== undefined && !many) outputs.claim('--refused-file', flags.refusedFile);
  if (flags.writeMissingValues !== undefined) outputs.claim('--write-missing-values', flags.writeMissingValues);
  return outputs;
}
