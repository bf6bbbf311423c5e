// Options that commands share: those of the configuration file and of the log.
import { type Command, Option } from 'commander';

/** Options that only change how a result is shown: a command without any other needs no profile. */
const looks = new Set(['output', 'quiet', 'color', 'pager']);

/** Options of commands that open a catalog or a remote: their work takes time, which --verbose shows. */
const targets = new Set(['db', 'from']);

/** Adds `--profile`, `--no-config` and `--verbose` to a command and its subcommands, where they apply. */
export function addSharedOptions(command: Command): Command {
  for (const inner of command.commands) addSharedOptions(inner);
  const names = command.options.map((option) => option.attributeName());
  if (names.includes('profile')) return command;
  if (names.some((name) => targets.has(name)))
    command.addOption(
      grouped(command, new Option('-v, --verbose', 'log each step with its duration on stderr'), 'Report:'),
    );
  if (names.some((name) => !looks.has(name)))
    for (const option of [
      new Option('--profile <name>', 'use this profile of catalog-import.yaml'),
      new Option('--no-config', 'read no configuration file'),
    ])
      command.addOption(grouped(command, option, 'Run:'));
  return command;
}

/** Puts an option under a heading of the help, if the command has it. */
function grouped(command: Command, option: Option, heading: string): Option {
  return command.options.some(({ helpGroupHeading }) => helpGroupHeading === heading)
    ? option.helpGroup(heading)
    : option;
}

const repeatable = new WeakSet<Option>();

/** Marks an option that can be repeated; its value in the configuration file is a list. */
export function repeated(option: Option): Option {
  repeatable.add(option);
  return option;
}

const written = new WeakSet<Option>();

/** Marks an option that takes a contract: in the configuration file it may be written in place of the name of its file. */
export function contractOption(option: Option): Option {
  written.add(option);
  return option;
}

export function takesContract(option: Option): boolean {
  return written.has(option);
}

export function isRepeatable(option: Option): boolean {
  return repeatable.has(option);
}
