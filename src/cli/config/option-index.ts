// The index of options that the configuration file may set: those of all commands, by command name.
import { existsSync, readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { commands, defineCommand } from '../command-list.js';
import { isRepeatable, repeated } from '../shared-options.js';

/** What an option takes: nothing, a value, perhaps a value, or several. */
export interface ConfigOption {
  readonly takes: 'nothing' | 'value' | 'perhaps' | 'values';
  readonly choices?: readonly string[];
  readonly summary: string;
}

/** A command with its other names, its options by their long names without hyphens, and its subcommands. */
export interface ConfigCommand {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly options: ReadonlyMap<string, ConfigOption>;
  readonly commands: readonly ConfigCommand[];
}

/** Options that choose the file or show help, and so cannot be set in the file. */
const notInFile = new Set(['profile', 'no-config', 'help', 'no-pager', 'version']);

/** Path of the index that the build writes: loading all commands instead would double the time of a short command. */
export const indexName = 'options.json';

/** The options of all commands: read from the index that the build made, or from the commands themselves. */
export async function loadOptionIndex(process: NodeJS.Process): Promise<readonly ConfigCommand[]> {
  const built = new URL(`./${indexName}`, import.meta.url);
  return existsSync(built) ? parseIndex(readFileSync(built, 'utf8')) : makeOptionIndex(process);
}

/** Makes the index by loading the definitions of all commands. */
export async function makeOptionIndex(process: NodeJS.Process): Promise<readonly ConfigCommand[]> {
  // The arguments of this call do not name a file to start reading in advance.
  const idle = Object.create(process, { argv: { value: [] } }) as NodeJS.Process;
  const found: ConfigCommand[] = [];
  for (const entry of commands) {
    const command = new Command(entry.words[0]).aliases(entry.words.slice(1));
    await defineCommand(entry, command, idle);
    found.push(indexed(command));
  }
  return found.filter(({ options, commands: inner }) => options.size > 0 || inner.length > 0);
}

function indexed(command: Command): ConfigCommand {
  const options = new Map<string, ConfigOption>();
  for (const option of command.options) {
    const name = (option.long ?? '').replace(/^--/, '');
    if (option.hidden || notInFile.has(name)) continue;
    options.set(name, described(option));
    if (option.negate) options.set(name.replace(/^no-/, ''), described(option));
  }
  const inner = command.commands.map(indexed).filter((one) => one.options.size > 0);
  return { name: command.name(), aliases: command.aliases(), options, commands: inner };
}

function described(option: Option): ConfigOption {
  const { argChoices: choices, description: summary } = option;
  return { takes: takenBy(option), summary, ...(choices !== undefined && { choices }) };
}

function takenBy(option: Option): ConfigOption['takes'] {
  if (isRepeatable(option)) return 'values';
  if (option.required) return 'value';
  return option.optional ? 'perhaps' : 'nothing';
}

/** An option definition, made from its index entry. */
export function optionOf(name: string, { takes, choices, summary }: ConfigOption): Option {
  const value = { nothing: '', value: ' <value>', perhaps: ' [value]', values: ' <value>' }[takes];
  const made = new Option(`--${name}${value}`, summary);
  if (choices !== undefined) made.choices([...choices]);
  return takes === 'values' ? repeated(made) : made;
}

/** The index as the build writes it. */
export function indexText(commands: readonly ConfigCommand[]): string {
  return JSON.stringify(commands, (_, value: unknown) => (value instanceof Map ? Object.fromEntries(value) : value));
}

type WrittenCommand = Omit<ConfigCommand, 'options' | 'commands'> & {
  readonly options: Readonly<Record<string, ConfigOption>>;
  readonly commands: readonly WrittenCommand[];
};

function parseIndex(text: string): readonly ConfigCommand[] {
  const revived = ({ options, commands: inner, ...one }: WrittenCommand): ConfigCommand => ({
    ...one,
    options: new Map(Object.entries(options)),
    commands: inner.map(revived),
  });
  return (JSON.parse(text) as readonly WrittenCommand[]).map(revived);
}
