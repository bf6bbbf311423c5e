// Gives the options of a command what the configuration files say: Commander parses the words that would be typed.
import { Command, CommanderError, type Option } from 'commander';
import { CatalogError } from '../../core/errors.js';
import type { CommandEntry } from '../command-entry.js';
import { loadSectionSchema } from './config-schema.js';
import { configName, userConfigPath } from './find-config.js';
import { folderSettings } from './folder-options.js';
import { readConfigs, type Setting } from './read-config.js';
import { commandChain, resolveConfig } from './resolve-config.js';

interface ConfigUse {
  /** Their paths, if there are any. */
  readonly files: readonly string[];
  readonly profile: string | undefined;
  readonly commands: readonly CommandEntry[];
}

/**
 * Reads the files and sets the options of a command that they decide.
 * @throws CatalogError `usage` for an invalid file or an unknown profile
 */
export async function applyConfig(
  command: Command,
  { files, profile, commands }: ConfigUse,
  process: NodeJS.Process,
): Promise<void> {
  if (files.length === 0)
    throw new CatalogError(
      'usage',
      `--profile ${profile}: no configuration file found. Profiles are in ${configName} in the working folder, or in ${userConfigPath(process.env) ?? '~/.config/catalog-import/config.yaml'}.`,
    );
  const config = readConfigs(files, await loadSectionSchema(process, commands));
  const chain = commandChain(command);
  const found = resolveConfig(config, chain, { profile, env: process.env });
  const used = found.filter(({ beatenBy }) => beatenBy === undefined);
  const configured: string[] = [];
  const ofFolder: string[] = [];
  for (const { option, setting } of used) {
    if (setting === undefined) continue;
    const name = option.attributeName();
    const value = parsed(option, setting);
    configured.push(name);
    if (setting.file === configName && setting.profile === undefined) ofFolder.push(name);
    for (const one of chain.filter(({ options }) => options.some((own) => own.attributeName() === name)))
      one.setOptionValueWithSource(name, value, 'config');
  }
  // For rules that hold for what was typed.
  if (configured.length > 0) command.setOptionValueWithSource('configured', configured, 'config');
  if (ofFolder.length > 0) command.setOptionValueWithSource('ofFolder', ofFolder, 'config');
  if (command.optsWithGlobals<{ readonly quiet?: boolean }>().quiet !== true)
    process.stderr.write(folderSettings(used));
}

function parsed(option: Option, setting: Setting): unknown {
  const { file, name, section, line, column } = setting;
  const scratch = new Command()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .addOption(option);
  try {
    return scratch.parse(wordsOf(option, setting), { from: 'user' }).getOptionValue(option.attributeName());
  } catch (cause) {
    if (!(cause instanceof CommanderError || cause instanceof CatalogError)) throw cause;
    const message = cause.message.replace(/^error: /, '').replace(/([^.?])$/, '$1.');
    throw new CatalogError('usage', `${file}: line ${line}, column ${column}: ${section}.${name}: ${message}`, {
      cause,
    });
  }
}

/** The words that would be typed; none for a switch that is off. */
function wordsOf(option: Option, { name, value }: Setting): string[] {
  const word = option.long ?? '';
  if (typeof value === 'boolean') return value === (option.negate && !name.startsWith('no-')) ? [] : [word];
  return [value].flat().map((text) => `${word}=${text}`);
}
