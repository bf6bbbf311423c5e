// Opens the run journal of an import into a remote: one for each file content, target and set of options. A changed
// file gets another journal, so that no unsent item is skipped.
import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Catalog } from '../../../core/catalog.js';
import { CatalogError } from '../../../core/errors.js';
import type { Resource } from '../../../core/resource.js';
import { shownFile } from '../../../core/text/sanitize.js';
import { digestOf, digestOfFile } from '../../../files/digests.js';
import { whyOpenToOthers } from '../../../files/foreign-files.js';
import { inHomeFolder } from '../../../files/home-folder.js';
import type { Journal } from '../../../http/client/run-journal.js';
import { shareOptions } from '../../../importing/guards/guard-list.js';
import type { FileRequest } from '../../../importing/request.js';
import { bytesPath } from '../../../source/file-place.js';
import { type CatalogTarget, chooseTarget } from '../../options.js';
import type { ImportFlags } from '../options/import-options.js';

/** What a journal is for. */
interface Journaled {
  readonly url: string;
  readonly resource: Resource;
  /** The path of the bytes, or `-`. */
  readonly path: string;
}

/**
 * Opens or creates the journal of an import.
 * @returns undefined where no journal is possible: for standard input, and for a dry run
 * @throws CatalogError `usage` if it cannot be resumed
 */
async function openRunJournal(
  about: Journaled,
  flags: ImportFlags,
  env: NodeJS.ProcessEnv,
): Promise<Journal | undefined> {
  const resume = flags.resume === true;
  if (about.path === '-' || flags.dryRun === true) {
    if (resume) throw new CatalogError('usage', '--resume needs a file that is read again, and no dry run.');
    return undefined;
  }
  const { openJournal } = await import('../../../http/client/run-journal.js');
  const name = digestOf(about.url, about.resource.command, await digestOfFile(about.path), readingOf(flags));
  const folder = stateFolder(env);
  const path = join(folder, `${name}.ndjson`);
  await forgetOld(folder);
  try {
    return await openJournal(path, resume, randomUUID);
  } catch (cause) {
    if (!resume) return undefined;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError('usage', `The journal ${path} cannot be read (${why}); run without --resume.`, { cause });
  }
}

/** The options that determine what is sent; not those of reports, of guards and of the connection. */
function readingOf(flags: ImportFlags): string {
  const reported = ['output', 'report', 'reportFile', 'progress', 'quiet', 'color', 'maxRefused', 'resume'];
  const told = ['statusFile', 'refusedFile', 'failOn', 'onEnd', 'onEndWhen'];
  const reached = ['db', 'remote', 'apiKeyFile', 'apiKeyEnv', 'allowHttp', 'caFile', 'retryMaxWait', 'retryMaxTime'];
  const called = ['profile', 'verbose', 'concurrency'];
  const guarded = [...shareOptions.map(({ limit }) => limit), 'maxPriceChange', 'minRows', 'maxAge', 'expect'];
  const others = [...reported, ...told, ...reached, ...called, ...guarded];
  const kept = Object.entries(flags).filter(([name]) => !others.includes(name));
  return JSON.stringify(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** How long journals of runs that were not resumed are kept after their last write, in milliseconds. */
const forgottenAfter = 30 * 24 * 60 * 60 * 1000;

async function forgetOld(folder: string): Promise<void> {
  try {
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      if (name.endsWith('.ndjson') && Date.now() - (await stat(path)).mtimeMs > forgottenAfter) await rm(path);
    }
  } catch {
    // Failing to clean up is not an error: the folder may not exist yet, or another run is cleaning it.
  }
}

/**
 * The folder of journals. XDG: a relative path is invalid and ignored.
 * @throws CatalogError `usage` for a user without a folder, and for one whose files others may change
 */
export function stateFolder(env: NodeJS.ProcessEnv): string {
  const state = env['XDG_STATE_HOME'] ?? '';
  const folder = isAbsolute(state) ? state : inHomeFolder(env, '.local', 'state');
  if (folder === undefined)
    throw new CatalogError(
      'usage',
      'This user has no home folder, where imports into a remote keep what it acknowledged. Set HOME or XDG_STATE_HOME to a folder that can be written.',
    );
  const own = join(folder, 'catalog-import');
  const why = whyOpenToOthers(own);
  if (why === undefined) return own;
  throw new CatalogError(
    'usage',
    `The folder ${own} cannot be trusted with what a remote acknowledged: ${why}. Make it yours alone (chmod 700), or set XDG_STATE_HOME to another folder.`,
  );
}

/** The target for one file; for a remote with the journal of what it has acknowledged. */
export async function journaledCatalog(
  { resource, source }: Pick<FileRequest, 'resource' | 'source'>,
  target: CatalogTarget,
  flags: ImportFlags,
  { env, say }: { readonly env: NodeJS.ProcessEnv; readonly say: (words: string) => void },
): Promise<{ readonly catalog: Catalog; readonly journal?: Journal }> {
  const chosen = chooseTarget(flags, env);
  const resume = flags.resume === true;
  if (target.remote === undefined || !('remote' in chosen)) {
    if (resume) throw new CatalogError('usage', '--resume is for a remote; into a local catalog, just run again.');
    return { catalog: target.catalog };
  }
  if (flags.dryRun === true)
    say('A dry run of a remote checks each batch by itself: it does not know what earlier batches would create.');
  const journal = await openRunJournal({ url: chosen.remote, resource, path: bytesPath(source) }, flags, env);
  if (journal === undefined) return { catalog: target.catalog };
  if (resume && journal.held === 0)
    say(`${shownFile(source.file)}: no earlier run to resume; starting with the first record.`);
  return { catalog: target.remote.withJournal(journal), journal };
}
