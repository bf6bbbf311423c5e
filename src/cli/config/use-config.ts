// Applies the configuration files after the command line is parsed and before the command runs.
import type { Command, Option } from 'commander';
import { CatalogError } from '../../core/errors.js';
import type { CommandEntry } from '../command-entry.js';
import { findConfigs } from './find-config.js';

/**
 * Makes a program read the configuration files. Without one this costs a command two path look-ups.
 * @param program with the definition of the typed command loaded
 */
export function useConfig(program: Command, process: NodeJS.Process, commands: readonly CommandEntry[]): void {
  const files = findConfigs(process.env);
  // Required options may be set in the file, so they are checked after it was read.
  const required = files.length === 0 ? [] : releaseRequired(program);
  program.hook('preAction', async (_, command) => {
    if (!command.options.some((option) => option.attributeName() === 'profile')) return;
    const { profile, config } = command.optsWithGlobals<{ readonly profile?: string; readonly config?: boolean }>();
    if (config === false && profile !== undefined)
      throw new CatalogError(
        'usage',
        '--no-config reads no file, and --profile names a part of one. Leave one of them out.',
      );
    if (config !== false && (files.length > 0 || profile !== undefined)) {
      const { applyConfig } = await import('./apply-config.js');
      await applyConfig(command, { files, profile, commands }, process);
    }
    requireAll(command, required);
  });
}

/** Makes required options optional, and returns them. */
function releaseRequired(command: Command): Option[] {
  const own = command.options.filter(({ mandatory }) => mandatory);
  for (const option of own) option.mandatory = false;
  return [...own, ...command.commands.flatMap(releaseRequired)];
}

/** Fails with Commander's message where a required option is set neither on the command line nor in the file. */
function requireAll(command: Command, required: readonly Option[]): void {
  const missing = command.options.find(
    (option) => required.includes(option) && command.getOptionValue(option.attributeName()) === undefined,
  );
  if (missing === undefined) return;
  command.error(`error: required option '${missing.flags}' not specified`, {
    code: 'commander.missingMandatoryOptionValue',
  });
}
