// What is added to Commander's words for a command line that it does not understand: the command or the option that is meant.
import type { Argument, Command } from 'commander';
import { nearest } from '../core/text/text.js';
import { shellCommand } from './shell-word.js';

/** Options that users of other programs type by habit, and the option that is meant here. */
const habits: Readonly<Record<string, string>> = {
  '--mapping': '--map',
  '--separator': '--delimiter',
  '--sep': '--delimiter',
  '--charset': '--encoding',
  '--database': '--db',
  '-d': '--db',
  '--url': '--remote',
  '--rejects': '--refused-file',
  '--errors': '--refused-file',
};

/** Options of other programs for what is an argument here. */
const inputs = ['--file', '--input', '-f', '-i'];

/** Words for the same work, each of which finds the subcommand among the others. */
const sameWork: readonly (readonly string[])[] = [
  ['retire', 'revoke', 'forget', 'delete-product', 'delete', 'remove', 'rm', 'del', 'drop'],
  ['create', 'set', 'add', 'new', 'make'],
  ['show', 'get', 'view', 'cat'],
  ['list', 'ls'],
  ['migrate', 'upgrade', 'update', 'init'],
];

/** What was typed: the command, by the words of its path, and the words after them. `help get` is about `get`. */
interface Typed {
  readonly command: Command;
  readonly path: readonly string[];
  readonly rest: readonly string[];
}

/**
 * Adds to an error of Commander what is meant, where that is known, and the command that shows the help.
 * @param argv the words after the name of the program
 */
export function hinted(error: string, program: Command, argv: readonly string[]): string {
  const typed = typedCommand(program, argv);
  const [first = ''] = error.split('\n');
  const [, option] = /unknown option '([^'=]+)/.exec(first) ?? [];
  const [, argument] = /missing required argument '([^']+)'/.exec(first) ?? [];
  const meant =
    (option === undefined ? meantCommand(first, typed) : meantByOption(option, typed, argv)) ??
    // What Commander supposes: `(Did you mean --full?)`
    /\(Did you mean (.*)\?\)/.exec(error)?.[1];
  const what = argument === undefined ? undefined : argumentNamed(program, argument)?.description;
  const said = option === undefined ? first : first.replace(/'[^']*'/, `'${option}'`);
  return [
    `${said}${what ? `: ${what}` : ''}${meant === undefined ? '' : ` (Did you mean ${meant}?)`}`,
    `(${shellCommand([...typed.path, '--help'])} shows the options, with examples)\n`,
  ].join('\n');
}

function typedCommand(program: Command, argv: readonly string[]): Typed {
  let typed: Typed = { command: program, path: [], rest: argv[0] === 'help' ? argv.slice(1) : argv };
  for (;;) {
    const [word = '', ...rest] = typed.rest;
    const inner = typed.command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (inner === undefined) return typed;
    typed = { command: inner, path: [...typed.path, word], rest };
  }
}

/** The command that is meant by words that are too many, or by one that is no subcommand. */
function meantCommand(error: string, { command, path, rest }: Typed): string | undefined {
  const isExcess = error.startsWith('error: too many arguments');
  if (path.length === 0 || !(isExcess || error.startsWith('error: unknown command'))) return undefined;
  const end = rest.findIndex((one) => one.startsWith('-'));
  const [word = '', ...others] = end === -1 ? rest : rest.slice(0, end);
  const names = command.commands.map((inner) => inner.name());
  const like = sameWork.find((words) => words.includes(word))?.find((name) => names.includes(name));
  const near = like ?? nearest(word, names);
  // `runs 1` shows one of what `runs` lists.
  const name = near ?? (isExcess ? names.find((one) => one === 'show') : undefined);
  const inner = command.commands.find((one) => one.name() === name);
  if (inner !== undefined)
    return commandLine(inner, [...path, inner.name()], near === undefined ? [word, ...others] : others);
  return isExcess ? commandLine(command, path, []) : names.map((one) => shellCommand([...path, one])).join(', ');
}

/** A command with the words that were typed for its arguments, and the names of those that are needed and were not. */
function commandLine(command: Command, path: readonly string[], words: readonly string[]): string {
  const { registeredArguments, options } = command;
  const given = registeredArguments.some(({ variadic }) => variadic)
    ? words
    : words.slice(0, registeredArguments.length);
  const needed = registeredArguments.filter(({ required }) => required).slice(given.length);
  return [
    shellCommand([...path, ...given]),
    ...needed.map((argument) => `<${argument.name()}>`),
    ...options
      .filter(({ mandatory, defaultValue }) => mandatory && defaultValue === undefined)
      .map(({ flags }) => flags),
  ].join(' ');
}

/** What is meant by an option that the command does not have: another one, an argument, or a command in front of the option. */
function meantByOption(option: string, typed: Typed, argv: readonly string[]): string | undefined {
  const { command, path } = typed;
  const habit = hasForm(command, option.slice(2)) ? `--output ${option.slice(2)}` : habits[option];
  if (path.length === 0) {
    const names = new Set(command.commands.flatMap((inner) => [inner.name(), ...inner.aliases()]));
    const at = argv.findIndex((word) => names.has(word));
    const before = argv.slice(0, at).map((word) => (word === option ? (habit ?? word) : word));
    return at < 1 ? undefined : shellCommand([...argv.slice(at), ...before]);
  }
  if (habit !== undefined && hasOption(command, habit.replace(/ .*/, ''))) return habit;
  const names = command.registeredArguments.flatMap((argument) => argument.name().split('|'));
  const singular = names.map((name) => name.replace(/s$/, ''));
  const isInput = inputs.includes(option) && singular.some((name) => name === 'file' || name === 'folder');
  if (!isInput && !singular.includes(option.replace(/^--?/, '').replace(/s$/, ''))) return undefined;
  return shellCommand(
    argv.flatMap((word) => {
      if (word === option) return [];
      return word.startsWith(`${option}=`) ? [word.slice(option.length + 1)] : [word];
    }),
  );
}

function argumentNamed(command: Command, name: string): Argument | undefined {
  const own = command.registeredArguments.find((argument) => argument.name() === name);
  return own ?? command.commands.map((inner) => argumentNamed(inner, name)).find((found) => found !== undefined);
}

/** Whether the command or one above it has this option. */
function hasOption(command: Command, name: string): boolean {
  const has = command.options.some(({ long }) => long === name);
  return has || (command.parent !== null && hasOption(command.parent, name));
}

/** Whether the command supports this output format. */
function hasForm({ options }: Command, form: string): boolean {
  return options.some(({ long, argChoices }) => long === '--output' && argChoices?.includes(form));
}
