// Where the configuration file is. Every command asks, so that nothing else is loaded for it.
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The name of the file in the working folder. */
export const configName = 'catalog-import.yaml';

/** The file of the user: `~/.config/catalog-import/config.yaml`, or where XDG_CONFIG_HOME says. */
export function userConfigPath(env: NodeJS.ProcessEnv): string {
  const named = env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(named) ? named : join(env['HOME'] ?? homedir(), '.config'), 'catalog-import', 'config.yaml');
}

/** The configuration file that counts: that of the working folder, else that of the user, else none. */
export function findConfig(env: NodeJS.ProcessEnv): string | undefined {
  return [configName, userConfigPath(env)].find((path) => statSync(path, { throwIfNoEntry: false }) !== undefined);
}
