// `backup`: copies a catalog while it is served and imported into.
import type { Command } from 'commander';
import { CatalogError } from '../../../core/errors.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import { catalogPath, isPostgresAddress } from '../../../store/catalog-path.js';
import { refuseCopyTarget } from '../../copy-target.js';
import { outputReservations } from '../../import/outputs/output-reservations.js';
import {
  addExamples,
  addLocalOption,
  addResultOptions,
  type LocalOptions,
  localFile,
  printDone,
  type ResultFlags,
} from '../../options.js';

interface BackupFlags extends LocalOptions, ResultFlags {
  readonly force?: boolean;
}

export function defineBackup(command: Command, process: NodeJS.Process): void {
  addLocalOption(
    command
      .description(
        'Writes a copy of the catalog as it is at one moment, also while it is served and imported into. Copying the file ' +
          'itself would lack what is in the log next to it. The copy is checked, and appears whole or not at all.',
      )
      .argument('<file>', 'the copy'),
  )
    .option('--force', 'replace a file that is there')
    .action((file: string, flags: BackupFlags) => backup(file, flags, process));
  addResultOptions(command, 'action');
  addExamples(command, [
    ['backup /backup/shop.db --db shop.db', 'back a catalog up'],
    ['backup /backup/shop.db --db shop.db --force', 'and replace the backup of yesterday'],
  ]);
}

async function backup(file: string, flags: BackupFlags, { env, stdout }: NodeJS.Process): Promise<void> {
  const catalog = localFile(flags, env);
  if (isPostgresAddress(catalog)) {
    const { readAddress } = await import('../../../store/postgres/address.js');
    const { schema, database } = readAddress(catalog, env);
    throw new CatalogError(
      'usage',
      'backup copies catalogs that are files. Back a PostgreSQL database up with pg_dump, such as: ' +
        `pg_dump --format=custom --schema=${schema} --file=${database}.dump ${database}`,
    );
  }
  const copy = catalogPath(file, 'the backup');
  outputReservations(catalog, []).reserve('backup', copy);
  refuseCopyTarget({ path: copy, typed: `backup ${file}`, remedy: 'name another file', force: flags.force === true });
  const { backUp } = await import('../../../store/sqlite/file/backup.js');
  const bytes = await backUp(catalog, copy);
  const words = `${file}: a checked copy of ${catalog}, ${groupDigits(bytes)} bytes`;
  printDone({ stdout }, flags, { words, json: { object: 'backup', file, catalog, bytes } });
}
