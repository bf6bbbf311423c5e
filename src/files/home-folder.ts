// The folder of the user. There may be none: a container that runs as a user who is not listed, and sets no HOME.
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The path of a file in the user's folder; undefined where the user has none. */
export function inHomeFolder(env: NodeJS.ProcessEnv, ...path: readonly string[]): string | undefined {
  const home = env['HOME'] || systemHome();
  return home === undefined ? undefined : join(home, ...path);
}

function systemHome(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    // "uv_os_homedir returned ENOENT": the user is not listed.
    return undefined;
  }
}
