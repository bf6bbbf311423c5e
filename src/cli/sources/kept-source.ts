// The last complete file of a feed by its address, kept next to the journals: where the server answers that nothing is newer,
// this one is imported again. So such a night is a run like any other: what is missing counts, what somebody changed by hand
// is set again, a corrected mapping applies, and rows that were refused are refused. To leave the run out instead would need
// a key of all that it depends on, which is wrong as soon as it lacks one thing.
import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { digestOfFile } from '../../files/digests.js';
import { makeFolder, replaceFile, replaceFileBy } from '../../files/durable-file.js';
import type { Validators } from '../../http/source/fetch-source.js';
import { stateFolder } from '../import/remote/open-journal.js';

/** What is kept of a file. */
export interface KeptSource extends Validators {
  /** The run that imported it, where it has a number. */
  readonly run?: number | undefined;
  /** How many rows that run refused, in all of its files. */
  readonly refused?: number;
  readonly name: string;
  readonly encoding?: string | undefined;
}

interface KeptFile extends KeptSource {
  readonly address: string;
  readonly digest: string;
}

/** What a file is kept for. */
export interface KeptFor {
  readonly feed: string;
  /** As it may be shown: the values of its query may differ each night. */
  readonly file: string;
  readonly address: URL;
}

/** How long copies that are no longer used are kept, in milliseconds. */
const forgottenAfter = 90 * 86_400_000;

function hashOf(...words: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(words)).digest('base64url').slice(0, 32);
}

/** @throws CatalogError `usage` for a user without a folder */
function pathsOf({ feed, file }: KeptFor, env: NodeJS.ProcessEnv) {
  const folder = join(stateFolder(env), 'sources');
  const path = join(folder, hashOf(feed, file));
  return { folder, body: `${path}.body`, about: `${path}.json` };
}

/** The largest description of a kept copy that is read, in bytes. A longer file is not one that this program wrote. */
const longestAbout = 64 * 1024;

/** The copy that is kept; undefined where there is none, it is of another address, or not as it was written. */
export async function keptSource(
  what: KeptFor,
  env: NodeJS.ProcessEnv,
): Promise<(KeptSource & { readonly path: string }) | undefined> {
  try {
    const { body, about } = pathsOf(what, env);
    if (statSync(about).size > longestAbout) return undefined;
    const { address, digest, ...kept } = JSON.parse(readFileSync(about, 'utf8')) as KeptFile;
    if (address !== hashOf(what.address.href) || digest !== (await digestOfFile(body))) return undefined;
    const now = new Date();
    utimesSync(body, now, now);
    return { ...kept, path: body };
  } catch {
    return undefined;
  }
}

/** Keeps a file that was imported, in place of the one before. */
export async function keepSource(what: KeptFor, path: string, kept: KeptSource, env: NodeJS.ProcessEnv): Promise<void> {
  const { folder, body, about } = pathsOf(what, env);
  makeFolder(folder, 0o700);
  await replaceFileBy(body, async (temporary) => copyFileSync(path, temporary));
  const file = replaceFile(about);
  const all: KeptFile = { ...kept, address: hashOf(what.address.href), digest: await digestOfFile(body) };
  file.write(Buffer.from(`${JSON.stringify(all)}\n`));
  file.commit();
  for (const name of readdirSync(folder)) {
    const old = join(folder, name);
    if (name.endsWith('.body') && Date.now() - statSync(old).mtimeMs > forgottenAfter) {
      rmSync(old, { force: true });
      rmSync(old.replace(/body$/, 'json'), { force: true });
    }
  }
}
