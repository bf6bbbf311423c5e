// The effective options: which value of flags, environment and configuration file applies, and where it comes from; for
// one command, or for all.
import { Command, type Option } from 'commander';
import { maskCredentials } from '../../core/text/mask-credentials.js';
import { type ConfigCommand, optionOf } from './option-index.js';
import type { Config, ConfigSection, Setting } from './read-config.js';
import { environmentOf, profileOver, type Resolved, resolveConfig } from './resolve-config.js';

/** An option with the source of its value. */
export interface ConfigRow {
  readonly option: string;
  /** The command it applies to; undefined for every command that has the option. */
  readonly command?: string;
  readonly value: string | readonly string[] | boolean;
  readonly from: 'file' | 'environment' | 'default';
  /** For a value from the file: its section and line. */
  readonly section?: string;
  readonly line?: number;
  readonly variable?: string;
  /** The source that overrides it. */
  readonly beatenBy?: string;
}

/** Sources beside the file. */
export interface ConfigAsked {
  readonly profile: string | undefined;
  readonly env: NodeJS.ProcessEnv;
}

/** The effective options of one command that have a value, the strongest source first. */
export function rowsOfCommand(config: Config | undefined, command: Command, asked: ConfigAsked): ConfigRow[] {
  const resolved = config === undefined ? [] : resolveConfig(config, command, asked);
  const rows = [...environmentRows(command.options, asked.env, resolved), ...resolved.map((one) => rowOf(one))];
  const isSet = (name: string) => rows.some(({ option, beatenBy }) => option === name && beatenBy === undefined);
  const defaults = command.options.flatMap((option): ConfigRow[] => {
    const value = shown(option.defaultValue);
    return value === undefined || isSet(longName(option)) ? [] : [{ option: longName(option), value, from: 'default' }];
  });
  const hasTarget = isSet('db') || isSet('remote') || !command.options.some((option) => longName(option) === 'db');
  return [
    ...rows,
    ...(hasTarget ? [] : [{ option: 'db', value: './catalog.db', from: 'default' as const }]),
    ...defaults,
  ];
}

/** What environment and file set for all commands, then what the file sets for single ones. */
export function rowsOfAll(
  config: Config | undefined,
  commands: readonly ConfigCommand[],
  asked: ConfigAsked,
): ConfigRow[] {
  const everything = anyCommand('any', commands);
  new Command().addCommand(everything, { noHelp: true });
  const general = config === undefined ? [] : resolveConfig(config, everything, asked);
  const rows = environmentRows(everything.options, asked.env, general);
  if (config === undefined) return rows;
  return [...rows, ...general.map((one) => rowOf(one)), ...commands.flatMap((one) => ownRows(config, [one], asked))];
}

/**
 * The settings of one command's sections, and of its subcommands'.
 * @param path the names of the command and of those it belongs to
 */
function ownRows(config: Config, path: readonly ConfigCommand[], asked: ConfigAsked): ConfigRow[] {
  const command = path.at(-1) as ConfigCommand;
  const name = path.map((one) => one.name).join(' ');
  const inner = command.commands.flatMap((one) => ownRows(config, [...path, one], asked));
  const end = `.${path.map((one) => one.name).join('.')}`;
  const sections = [config.defaults, config.profiles.get(asked.profile ?? '')];
  if (!sections.some((section) => section !== undefined && hasSection(section, path))) return inner;
  const chain = path.map((one) => anyCommand(one.name, [one]));
  for (const [i, one] of chain.entries()) chain[i - 1]?.addCommand(one);
  new Command().addCommand(chain[0] as Command);
  const rows = resolveConfig(config, chain.at(-1) as Command, asked).filter(({ setting }) =>
    setting.section.endsWith(end),
  );
  return [...rows.map((one) => rowOf(one, name)), ...inner];
}

function hasSection(section: ConfigSection, path: readonly ConfigCommand[]): boolean {
  const [first, ...rest] = path;
  if (first === undefined) return true;
  const inner = section.commands.get(first.name);
  return inner !== undefined && hasSection(inner, rest);
}

/** A command with the options of all given commands and of their subcommands. */
function anyCommand(name: string, commands: readonly ConfigCommand[]): Command {
  const made = new Command(name);
  const add = (some: readonly ConfigCommand[]): void => {
    for (const { options, commands: inner } of some) {
      for (const [long, option] of options)
        if (!made.options.some((one) => longName(one) === long)) made.addOption(optionOf(long, option));
      add(inner);
    }
  };
  add(commands);
  return made;
}

/** @param resolved what the file says, which a chosen profile of it may beat a variable by */
function environmentRows(
  options: readonly Option[],
  env: NodeJS.ProcessEnv,
  resolved: readonly Resolved[],
): ConfigRow[] {
  return Object.entries(environmentOf).flatMap(([name, variables]) => {
    const option = options.find((one) => one.attributeName() === name);
    if (option === undefined) return [];
    const beatenBy = profileOver(name, resolved);
    return variables.flatMap((variable): ConfigRow[] => {
      const value = env[variable];
      if (value === undefined) return [];
      const isKey = variable === 'CATALOG_API_KEY';
      return [
        {
          option: isKey ? 'api-key' : longName(option),
          value: isKey ? '(set)' : maskCredentials(value),
          ...{ from: 'environment', variable },
          ...(beatenBy !== undefined && { beatenBy }),
        },
      ];
    });
  });
}

function rowOf({ setting, beatenBy }: Resolved, command?: string): ConfigRow {
  const { name: option, section, line } = setting;
  const value = shownSetting(setting);
  return {
    ...{ option, value, from: 'file', section, line },
    ...(command !== undefined && { command }),
    ...(beatenBy !== undefined && { beatenBy }),
  };
}

function shownSetting({ value }: Setting): ConfigRow['value'] {
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' ? maskCredentials(value) : value.map(maskCredentials);
}

function shown(value: unknown): ConfigRow['value'] | undefined {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return undefined;
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'boolean' ? value : String(value);
}

function longName(option: Option): string {
  return (option.long ?? '').replace(/^--/, '');
}
