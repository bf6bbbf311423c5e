// The options that commands have in common without naming them: those of the configuration file and of the log.
import { type Command, Option } from 'commander';

/** Options that say only how something is shown: a command that has no other needs no profile. */
const looks = new Set(['output', 'quiet', 'color']);

/** Options of commands that open a catalog or a remote: their work takes time, which --verbose tells. */
const targets = new Set(['db', 'from']);

/** Adds `--profile` and `--verbose` to a command and its subcommands, where they mean something. */
export function addSharedOptions(command: Command): Command {
  for (const inner of command.commands) addSharedOptions(inner);
  const names = command.options.map((option) => option.attributeName());
  if (names.includes('profile')) return command;
  if (names.some((name) => targets.has(name)))
    command.addOption(
      grouped(command, new Option('-v, --verbose', 'log each step with its duration on stderr'), 'Report:'),
    );
  if (names.some((name) => !looks.has(name)))
    command.addOption(
      grouped(command, new Option('--profile <name>', 'use this profile of catalog-import.yaml'), 'Run:'),
    );
  return command;
}

/** Puts an option under a heading, where the command has that one. */
function grouped(command: Command, option: Option, heading: string): Option {
  return command.options.some(({ helpGroupHeading }) => helpGroupHeading === heading)
    ? option.helpGroup(heading)
    : option;
}

const repeatable = new WeakSet<Option>();

/** Marks an option that may be given more than once; in the configuration file its value is a list. */
export function repeated(option: Option): Option {
  repeatable.add(option);
  return option;
}

/** Whether an option may be given more than once. */
export function isRepeatable(option: Option): boolean {
  return repeatable.has(option);
}
