// Sets the options of a command that the configuration file names, as if they were typed.
import { type Command, InvalidArgumentError, type Option } from 'commander';
import { CatalogError } from '../../core/errors.js';
import { isRepeatable } from '../shared-options.js';
import { configName, userConfigPath } from './find-config.js';
import { folderSettings } from './folder-options.js';
import { loadOptionIndex } from './option-index.js';
import { readConfig, type Setting } from './read-config.js';
import { commandChain, type Resolved, resolveConfig } from './resolve-config.js';

/**
 * Reads the file and sets the options of a command that it decides.
 * @param file path of the file, if there is one
 * @throws CatalogError `usage` for an invalid file or an unknown profile
 */
export async function applyConfig(
  command: Command,
  { file, profile }: { readonly file: string | undefined; readonly profile: string | undefined },
  process: NodeJS.Process,
): Promise<void> {
  if (file === undefined)
    throw new CatalogError(
      'usage',
      `--profile ${profile}: no configuration file found. Profiles are in ${configName} in the working folder, or in ${userConfigPath(process.env) ?? '~/.config/catalog-import/config.yaml'}.`,
    );
  const config = readConfig(file, await loadOptionIndex(process));
  const chain = commandChain(command);
  const found = resolveConfig(config, command, { profile, env: process.env });
  const named = folderSettings(file, found);
  const configured: string[] = [];
  for (const resolved of found) {
    if (resolved.beatenBy !== undefined) continue;
    configured.push(resolved.option.attributeName());
    const value = parsedValue(file, resolved);
    const name = resolved.option.attributeName();
    for (const one of chain)
      if (one.options.some((option) => option.attributeName() === name))
        one.setOptionValueWithSource(name, value, 'config');
  }
  // For rules that hold for what was typed.
  if (configured.length > 0) command.setOptionValueWithSource('configured', configured, 'config');
  if (named !== '' && command.optsWithGlobals<{ readonly quiet?: boolean }>().quiet !== true)
    process.stderr.write(named);
}

/** The value of an option, parsed by its own parser. */
function parsedValue(file: string, { setting, option }: Resolved): unknown {
  const { name, value } = setting;
  if (typeof value === 'boolean') return switched(option, name, value);
  const texts = typeof value === 'string' ? [value] : value;
  let parsed: unknown = isRepeatable(option) ? option.defaultValue : undefined;
  for (const text of texts) parsed = parse(file, { option, setting, text }, parsed);
  return parsed;
}

/** A switch is on or off; an option with an optional value is given without one, or not at all. */
function switched(option: Option, name: string, value: boolean): boolean | undefined {
  if (option.negate && name.startsWith('no-')) return !value;
  return option.optional && !value ? undefined : value;
}

function parse(
  file: string,
  { option, setting, text }: { readonly option: Option; readonly setting: Setting; readonly text: string },
  before: unknown,
): unknown {
  if (option.parseArg === undefined) return text;
  try {
    return option.parseArg(text, before);
  } catch (cause) {
    if (!(cause instanceof InvalidArgumentError || cause instanceof CatalogError)) throw cause;
    const { line, column, section, name } = setting;
    const message = cause.message.replace(/([^.?])$/, '$1.');
    throw new CatalogError('usage', `${file}: line ${line}, column ${column}: ${section}.${name}: ${message}`, {
      cause,
    });
  }
}
