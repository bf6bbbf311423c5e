// Gives the options of a command what the configuration file says: Commander parses the words that would be typed.
import { Command, CommanderError, type Option } from 'commander';
import { CatalogError } from '../../core/errors.js';
import { foundAt } from '../../files/found-file.js';
import type { CommandEntry } from '../command-entry.js';
import { type ConfigSchema, loadSectionSchema } from './config-schema.js';
import { configName, userConfigPath } from './find-config.js';
import { folderSettings } from './folder-options.js';
import { readConfig, type Setting } from './read-config.js';
import { commandChain, resolveConfig } from './resolve-config.js';

interface ConfigUse {
  /** The path of the file, if there is one. */
  readonly file: string | undefined;
  readonly profile: string | undefined;
  readonly commands: readonly CommandEntry[];
}

/**
 * Reads the file and sets the options of a command that it decides.
 * @throws CatalogError `usage` for an invalid file or an unknown profile
 */
export async function applyConfig(
  command: Command,
  { file, profile, commands }: ConfigUse,
  process: NodeJS.Process,
): Promise<void> {
  if (file === undefined)
    throw new CatalogError(
      'usage',
      `--profile ${profile}: no configuration file found. Profiles are in ${configName} in the working folder, or in ${userConfigPath(process.env) ?? '~/.config/catalog-import/config.yaml'}.`,
    );
  const schema = await loadSectionSchema(process, commands);
  const config = readConfig(file, schema);
  if (profile !== undefined && config.profiles.includes(profile)) refuseTwin(profile, file, { schema, process });
  const chain = commandChain(command);
  const found = resolveConfig(config, chain, { profile, env: process.env });
  const used = found.filter(({ beatenBy }) => beatenBy === undefined);
  const configured: string[] = [];
  const ofFolder: string[] = [];
  for (const { option, setting } of used) {
    if (setting === undefined) continue;
    const name = option.attributeName();
    const value = parsed(option, setting, file);
    configured.push(name);
    if (file === configName && setting.profile === undefined) ofFolder.push(name);
    for (const one of chain.filter(({ options }) => options.some((own) => own.attributeName() === name)))
      one.setOptionValueWithSource(name, value, 'config');
  }
  // For rules that hold for what was typed.
  if (configured.length > 0) command.setOptionValueWithSource('configured', configured, 'config');
  if (ofFolder.length > 0) command.setOptionValueWithSource('ofFolder', ofFolder, 'config');
  if (command.optsWithGlobals<{ readonly quiet?: boolean }>().quiet !== true)
    process.stderr.write(folderSettings(file, used));
}

/** Refuses a profile of a folder's file that the user's own has, too: who types its name may mean that one. */
function refuseTwin(
  profile: string,
  file: string,
  { schema, process }: { readonly schema: ConfigSchema; readonly process: NodeJS.Process },
): void {
  const own = userConfigPath(process.env);
  if (file !== configName || own === undefined || foundAt(own) === undefined) return;
  if (!readConfig(own, schema).profiles.includes(profile)) return;
  throw new CatalogError(
    'usage',
    `--profile ${profile}: ${file} in this folder has such a profile, and ${own} has another. Give one of them another name.`,
  );
}

function parsed(option: Option, setting: Setting, file: string): unknown {
  const { name, section, line, column } = setting;
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
