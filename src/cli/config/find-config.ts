// Finds the configuration files. Every command does this, so it loads nothing else.

import { isAbsolute, join } from 'node:path';
import { foundAt } from '../../files/found-file.js';
import { inHomeFolder } from '../../files/home-folder.js';

export const configName = 'catalog-import.yaml';

/** The file of the user: `~/.config/catalog-import/config.yaml`, or where XDG_CONFIG_HOME says. Undefined for a user without a folder. */
export function userConfigPath(env: NodeJS.ProcessEnv): string | undefined {
  const named = env['XDG_CONFIG_HOME'] ?? '';
  const folder = isAbsolute(named) ? named : inHomeFolder(env, '.config');
  return folder === undefined ? undefined : join(folder, 'catalog-import', 'config.yaml');
}

/** The configuration files in effect: that of the working folder and the user's, where they exist. */
export function findConfigs(env: NodeJS.ProcessEnv): string[] {
  return [configName, userConfigPath(env)].filter(
    (path) => path !== undefined && foundAt(path) !== undefined,
  ) as string[];
}
