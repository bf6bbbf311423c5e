// Finds the configuration file. Every command does this, so it loads nothing else.

import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { foundAt } from '../../files/found-file.js';

/** The file's name in the working folder. */
export const configName = 'catalog-import.yaml';

/** The file of the user: `~/.config/catalog-import/config.yaml`, or where XDG_CONFIG_HOME says. */
export function userConfigPath(env: NodeJS.ProcessEnv): string {
  const named = env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(named) ? named : join(env['HOME'] ?? homedir(), '.config'), 'catalog-import', 'config.yaml');
}

/** The configuration file in effect: that of the working folder, else the user's, else none. */
export function findConfig(env: NodeJS.ProcessEnv): string | undefined {
  return [configName, userConfigPath(env)].find((path) => foundAt(path) !== undefined);
}
