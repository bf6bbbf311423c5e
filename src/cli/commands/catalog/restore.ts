// `restore`: puts a backup in the place of a catalog.
import type { Command } from 'commander';
import { CatalogError } from '../../../core/errors.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import { foundAt } from '../../../files/found-file.js';
import { isSameFile } from '../../../files/same-file.js';
import { catalogPath, isPostgresAddress } from '../../../store/catalog-path.js';
import { refuseCopyTarget } from '../../copy-target.js';
import {
  addExamples,
  addLocalOption,
  addResultOptions,
  type LocalOptions,
  localFile,
  printDone,
  type ResultFlags,
} from '../../options.js';
import { shellCommand } from '../../shell-word.js';

interface RestoreFlags extends LocalOptions, ResultFlags {
  readonly force?: boolean;
}

export function defineRestore(command: Command, process: NodeJS.Process): void {
  addLocalOption(
    command
      .description(
        'Puts a copy of a backup in the place of the catalog. The backup is checked first, as doctor does, and stays. The ' +
          'catalog appears whole or not at all; one that a server or an import has open is not replaced.',
      )
      .argument('<file>', 'the backup'),
  )
    .option('--force', 'replace the catalog that is there')
    .action((file: string, flags: RestoreFlags) => restore(file, flags, process));
  addResultOptions(command, 'action');
  addExamples(command, [
    ['restore /backup/shop.db --db new.db', 'make a catalog of a backup'],
    ['restore /backup/shop.db --db shop.db --force', 'replace a catalog by its backup'],
  ]);
}

async function restore(file: string, flags: RestoreFlags, { env, stdout }: NodeJS.Process): Promise<void> {
  const catalog = localFile(flags, env);
  if (isPostgresAddress(catalog))
    throw new CatalogError(
      'usage',
      'restore makes catalogs that are files. Restore a PostgreSQL database with pg_restore, or copy the backup into it: ' +
        `catalog-import copy --from ${file} --to <address>`,
    );
  const backup = catalogPath(file, 'the backup');
  if (foundAt(backup) === undefined)
    throw new CatalogError(
      'catalog_unusable',
      `There is no file ${file}. Name the file of a backup, which you made by ${shellCommand(['backup', 'keep.db'])}: ${shellCommand(['restore', 'keep.db'])}`,
    );
  refuseTarget(backup, catalog, flags);
  const { restoreFrom } = await import('../../../store/sqlite/file/restore.js');
  const bytes = await restoreFrom(backup, catalog);
  const words = `${catalog}: restored from ${file}, ${groupDigits(bytes)} bytes`;
  printDone({ stdout }, flags, { words, json: { object: 'restored', file, catalog, bytes } });
}

/** @throws CatalogError `usage` where the catalog may not be written to its place */
function refuseTarget(backup: string, catalog: string, { force }: RestoreFlags): void {
  if (isSameFile(backup, catalog))
    throw new CatalogError('usage', `${backup} is the catalog itself; name its backup, or another catalog with --db.`);
  refuseCopyTarget({
    path: catalog,
    typed: `--db ${catalog}`,
    remedy: 'name another catalog with --db',
    force: force === true,
  });
}
