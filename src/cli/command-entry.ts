// An entry of the list of commands, and how a command gets its definition: code about commands in general is given the list.
import { Command } from 'commander';
import { addSharedOptions } from './shared-options.js';

/**
 * Gives a command its description, options, examples and action.
 * @param commands all commands, for those that are about commands
 */
export type Define = (command: Command, process: NodeJS.Process, commands: readonly CommandEntry[]) => void;

export interface CommandEntry {
  /** The command's name, then its aliases. */
  readonly words: readonly string[];
  /** One line in the list of commands. */
  readonly summary: string;
  /** The heading in the list of commands under which it is. */
  readonly group: string;
  readonly load: (process: NodeJS.Process) => Promise<Define>;
}

/** Adds to a command everything its list entry defines, and the options that all commands share. */
export async function defineCommand(
  entry: CommandEntry,
  command: Command,
  process: NodeJS.Process,
  commands: readonly CommandEntry[],
): Promise<void> {
  (await entry.load(process))(command, process, commands);
  addSharedOptions(command);
}

export async function allCommands(process: NodeJS.Process, commands: readonly CommandEntry[]): Promise<Command> {
  const program = new Command();
  for (const entry of commands) {
    const command = program.command(entry.words[0] ?? '').aliases(entry.words.slice(1));
    await defineCommand(entry, command, idleProcess(process), commands);
  }
  return program;
}

/** A process whose arguments name no file to start reading in advance. */
export function idleProcess(process: NodeJS.Process): NodeJS.Process {
  return Object.create(process, { argv: { value: [] } }) as NodeJS.Process;
}
