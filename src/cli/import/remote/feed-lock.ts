// Two imports of one feed into one remote take turns, where they share the folder of journals: as into a local catalog, the
// second is held against its guards only when the first has ended.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { CatalogError } from '../../../core/errors.js';
import { shownAddress } from '../../../core/text/mask-credentials.js';
import { makeFolder } from '../../../files/durable-file.js';
import { withWriteErrors } from '../../../files/write-text-file.js';
import type { ReleaseLock } from '../../../store/sqlite/file/exclusive-lock.js';
import { chooseTarget } from '../../options.js';
import type { ImportFlags } from '../options/import-options.js';
import { stateFolder } from './open-journal.js';
import { remoteName } from './remote-name.js';

/** Milliseconds that an import waits for another one of its feed, as for one into a local catalog. */
const longestWait = 30_000;

/** A lock of a feed. */
export interface FeedLock {
  /**
   * Takes it, unless it is taken already.
   * @throws CatalogError `catalog_locked` where another import of the feed is still under way after a while
   */
  take(): Promise<void>;
  release(): Promise<void>;
}

/** The lock of an import with a feed into a remote. @param say prints a notice */
export function feedLock(flags: ImportFlags, env: NodeJS.ProcessEnv, say: (words: string) => void): FeedLock {
  let taking: Promise<ReleaseLock> | undefined;
  return {
    async take() {
      taking ??= takeFeedLock(flags, env, say);
      await taking;
    },
    async release() {
      (await taking?.catch(() => undefined))?.();
    },
  };
}

async function takeFeedLock(
  flags: ImportFlags,
  env: NodeJS.ProcessEnv,
  say: (words: string) => void,
): Promise<ReleaseLock> {
  const { takeLock } = await import('../../../store/sqlite/file/exclusive-lock.js');
  const { feed = '' } = flags;
  const chosen = chooseTarget(flags, env);
  const remote = 'remote' in chosen ? remoteName(chosen.remote) : '';
  const name = createHash('sha256').update([remote, feed].join('\n')).digest('base64url');
  const file = join(stateFolder(env), `${name}.lock`);
  withWriteErrors(`The lock of the feed, ${file},`, () => makeFolder(stateFolder(env), 0o700));
  const release = await takeLock(file, longestWait, () =>
    say(`${feed}: another import of this feed into ${shownAddress(remote)} is under way; waiting for it to end.`),
  );
  if (release !== undefined) return release;
  throw new CatalogError(
    'catalog_locked',
    `Another import of feed ${feed} into ${remote} is still under way; try again once it has ended.`,
  );
}
