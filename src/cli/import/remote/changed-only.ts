// `--changed-only`: items that a remote acknowledged are saved next to the journals, one file for each remote and
// resource. An import without the option updates an existing file, so that it never claims too much.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Catalog } from '../../../core/catalog.js';
import type { WarningLog } from '../../../core/diagnostics/warning-log.js';
import { CatalogError } from '../../../core/errors.js';
import { digestOf } from '../../../files/digests.js';
import type { Journal } from '../../../http/client/run-journal.js';
import type { FileRequest } from '../../../importing/request.js';
import type { RememberingCatalog } from '../../../importing/withhold-known-items.js';
import type { AcknowledgedItemsFile } from '../../../store/sqlite/acknowledged/acknowledged-items.js';
import { type CatalogTarget, chooseTarget } from '../../options.js';
import type { ImportFlags } from '../options/import-options.js';
import { journaledCatalog, stateFolder } from './open-journal.js';
import { remoteName } from './remote-name.js';

/** @throws CatalogError `usage` for options that conflict with each other, with the target, or with standard input */
export function checkChangedOnly(files: readonly string[], flags: ImportFlags, env: NodeJS.ProcessEnv): void {
  const { changedOnly = false, full = false } = flags;
  if (full && !changedOnly)
    throw new CatalogError('usage', '--full belongs to --changed-only: without that, every item is sent anyway.');
  if (!changedOnly) return;
  if ('db' in chooseTarget(flags, env))
    throw new CatalogError(
      'usage',
      '--changed-only is for a remote (--remote); a local catalog compares every row and writes what changed.',
    );
  if (files.includes('-') && flags.feed === undefined)
    throw new CatalogError(
      'usage',
      '--changed-only remembers what was sent by the name of the file, and standard input has none. Name a file, or use --feed.',
    );
}

/** The target of one file, with its saved acknowledgements. */
export interface RememberedCatalog {
  readonly catalog: Catalog;
  readonly journal?: Journal;
  readonly acknowledged?: AcknowledgedItemsFile;
}

/**
 * The target for one file; for a remote with its journal, and with saved acknowledgements where they are used.
 * @throws CatalogError `usage` if the journal cannot be resumed, `catalog_unusable` if the file of acknowledgements
 * cannot be used
 */
export async function rememberedCatalog(
  { resource, source }: FileRequest,
  target: CatalogTarget,
  flags: ImportFlags,
  context: { readonly env: NodeJS.ProcessEnv; readonly say: (words: string) => void },
): Promise<RememberedCatalog> {
  const journaled = await journaledCatalog({ resource, source }, target, flags, context);
  const chosen = chooseTarget(flags, context.env);
  if (!('remote' in chosen)) return journaled;
  const { changedOnly = false, full = false, dryRun = false } = flags;
  const name = digestOf(remoteName(chosen.remote), resource.name);
  const file = join(stateFolder(context.env), `${name}.acknowledged.db`);
  if (!changedOnly && (dryRun || !existsSync(file))) return journaled;
  const { openAcknowledgedItems } = await import('../../../store/sqlite/acknowledged/acknowledged-items.js');
  const run = journaled.journal?.run ?? randomUUID();
  const acknowledged = openAcknowledgedItems({
    file,
    binding: source.file === '-' && flags.feed === undefined ? run : bindingOf(source, flags),
    run,
    withholds: changedOnly && !full,
    dryRun,
    now: () => Math.floor(Date.now() / 1000),
  });
  const catalog: RememberingCatalog = { ...journaled.catalog, acknowledged };
  return { ...journaled, catalog, acknowledged };
}

/**
 * Closes the saved state of a remote.
 * @param complete whether the journals are no longer needed
 */
export async function closeRemembered(files: readonly RememberedCatalog[], complete: boolean): Promise<void> {
  for (const { journal } of files) await (complete ? journal?.remove() : journal?.close());
  for (const { acknowledged } of files) acknowledged?.close();
}

/**
 * Options that determine how items are made from rows. The resulting items are compared as well, so this list need not
 * be complete.
 */
const reading = [
  'format',
  'encoding',
  'delimiter',
  'decimal',
  'empty',
  'rename',
  'set',
  'sheet',
  'record',
  'items',
  'skip',
  'onDuplicate',
] as const satisfies readonly (keyof ImportFlags)[];

/**
 * Identifies where items come from and how they are made: with another file, options or mapping, everything is sent
 * again.
 */
function bindingOf({ file, sheet, mapped }: FileRequest['source'], flags: ImportFlags): string {
  const options = reading.map((name) => flags[name] ?? null);
  const mapping = flags.map === undefined ? '' : digestOf(readFileSync(flags.map));
  // Files of a feed may have a different name each night.
  const named = flags.feed === undefined ? ['file', resolve(file)] : ['feed', flags.feed];
  return digestOf(JSON.stringify([named, sheet ?? null, mapped?.place ?? null, mapping, options]));
}

/** Warns at the end of a file about its rows that were not sent. */
export function warnOfRemembered(acknowledged: AcknowledgedItemsFile | undefined, file: string, log: WarningLog): void {
  if (acknowledged === undefined) return;
  if (acknowledged.wasDamaged()) log.warn('acknowledgements_damaged', { file });
  const count = acknowledged.known();
  if (count > 0) log.warn('items_not_sent', { file, count });
  const { shared, unsettled } = acknowledged.notWithheld();
  if (shared + unsettled > 0) log.warn('items_not_withheld', { file, shared, unsettled });
  if (acknowledged.wasForgotten()) log.warn('remote_lost_records', { file });
}
