// The candidates for the next word of a command line: commands, options, their values, resources, codes, manual pages.
// Files are left to the shell.
import { type Argument, Command, type Option } from 'commander';
import { type CommandEntry, defineCommand, idleProcess } from '../command-entry.js';
import { findConfigs } from '../config/find-config.js';
import { manualPages } from '../manual/manual-pages.js';

interface NextWord {
  readonly word: string;
  readonly summary: string;
}

/** Tells the shell to complete file names. */
export const fileMark = ':file';

type NextWords = readonly NextWord[] | typeof fileMark;

/** What candidates are found by. */
interface CompletionContext {
  readonly process: NodeJS.Process;
  readonly commands: readonly CommandEntry[];
}

/**
 * The candidates for the last word.
 * @param typed the words after the program's name; the last one is incomplete and may be empty
 */
export async function candidates(typed: readonly string[], known: CompletionContext): Promise<NextWords> {
  const { process, commands } = known;
  const [first = '', ...rest] = typed;
  if (rest.length === 0) return startingWith(first, topWords(commands));
  const entry = commands.find(({ words }) => words.includes(first));
  if (entry === undefined) return [];
  let command = new Command(first);
  await defineCommand(entry, command, idleProcess(process), commands);
  const before = [...rest.slice(0, -1)];
  const inner = command.commands.find((one) => one.name() === before[0]);
  if (inner !== undefined) {
    before.shift();
    command = inner;
  }
  return startingWith(rest.at(-1) ?? '', await nextOf(command, { before, begun: rest.at(-1) ?? '' }, known));
}

function topWords(commands: readonly CommandEntry[]): NextWord[] {
  return [
    ...commands.map(({ words: [word = ''], summary }) => ({ word, summary })),
    { word: '--help', summary: 'show the help' },
    { word: '--version', summary: 'print the version' },
  ];
}

function startingWith(begun: string, found: NextWords): NextWords {
  return found === fileMark ? found : found.filter(({ word }) => word.startsWith(begun));
}

/** The profiles of the configuration files; none where they cannot be read, since completion has no place for an error. */
async function profileNames({ process, commands }: CompletionContext): Promise<readonly string[]> {
  const files = findConfigs(process.env);
  if (files.length === 0) return [];
  const [{ loadSectionSchema }, { readConfigs }] = await Promise.all([
    import('../config/config-schema.js'),
    import('../config/read-config.js'),
  ]);
  try {
    return [...new Set(readConfigs(files, await loadSectionSchema(process, commands)).profiles)];
  } catch {
    return [];
  }
}

/** Candidates after a command: values of an option, options, or arguments. */
async function nextOf(
  command: Command,
  { before, begun }: { readonly before: readonly string[]; readonly begun: string },
  known: CompletionContext,
): Promise<NextWords> {
  const option = optionNamed(command, before.at(-1));
  if (option !== undefined && (option.required || option.optional))
    return (await listedValues(option, before, begun)) ?? valuesOf(option, known);
  if (begun.startsWith('-')) return optionsOf(command);
  const inner = command.commands
    .filter((one) => one.name() !== 'complete' && one.name() !== 'help')
    .map((one) => ({ word: one.name(), summary: one.summary() || one.description() }));
  if (inner.length > 0 && before.length === 0) return inner;
  const given = before.filter((word, i) => !word.startsWith('-') && !takesValue(command, before[i - 1])).length;
  const { registeredArguments } = command;
  const argument = registeredArguments[given] ?? registeredArguments.findLast(({ variadic }) => variadic);
  return argument === undefined ? optionsOf(command) : argumentValues(argument, begun, known);
}

function optionNamed(command: Command, word: string | undefined): Option | undefined {
  return command.options.find(({ long, short }) => word !== undefined && (word === long || word === short));
}

function takesValue(command: Command, word: string | undefined): boolean {
  const option = optionNamed(command, word);
  return option !== undefined && (option.required || option.optional);
}

function optionsOf(command: Command): NextWord[] {
  const own = command.options
    .filter(({ hidden }) => !hidden)
    .map(({ long, short, description }) => ({ word: long ?? short ?? '', summary: description }));
  return [...own, { word: '--help', summary: 'show the help' }];
}

function plain(words: readonly string[]): NextWord[] {
  return words.map((word) => ({ word, summary: '' }));
}

async function valuesOf({ argChoices, flags, long }: Option, known: CompletionContext): Promise<NextWords> {
  if (long === '--profile') return plain(await profileNames(known));
  if (argChoices !== undefined) return plain(argChoices);
  return /<(?:file|path|folder)>/.test(flags) ? fileMark : [];
}

/** Values that no list of the option names: scopes of a key, and for `list` what the resource that was typed has. */
async function listedValues(
  { long }: Option,
  before: readonly string[],
  begun: string,
): Promise<NextWord[] | undefined> {
  if (long !== '--scope' && long !== '--status' && long !== '--where') return undefined;
  const { findResource, resources } = await import('../../core/resources/index.js');
  if (long === '--scope') {
    const given = begun.slice(0, begun.lastIndexOf(',') + 1);
    return plain(resources.flatMap(({ name }) => [`${given}${name}:read`, `${given}${name}:write`]));
  }
  const resource = before.map((word) => findResource(word)).find((found) => found !== undefined);
  if (resource === undefined) return [];
  const wordsOf = (field: string): readonly string[] => {
    const words = resource.readShape[field];
    return Array.isArray(words) ? words : [];
  };
  if (long === '--status') return plain(wordsOf('status'));
  const [field = '', value] = begun.split('=');
  if (value !== undefined) return plain(wordsOf(field).map((word) => `${field}=${word}`));
  const { conditionFields } = await import('../../core/reading/record-conditions.js');
  return plain(conditionFields(resource).map((name) => `${name}=`));
}

/** The names of the resources; alternative names only where they begin with the typed text, as in `get attr`. */
function resourceWords(begun: string, commands: readonly CommandEntry[]): NextWord[] {
  const resources = commands.slice(0, 5);
  const usual = resources.flatMap(({ words: [word = ''] }) => word);
  if (begun === '' || usual.some((word) => word.startsWith(begun))) return plain(usual);
  const others = resources.map(({ words }) => words.find((word) => word.startsWith(begun)));
  return plain(others.filter((word) => word !== undefined));
}

async function argumentValues(argument: Argument, begun: string, { commands }: CompletionContext): Promise<NextWords> {
  const { argChoices, description } = argument;
  const name = argument.name();
  if (argChoices !== undefined) return plain(argChoices);
  if (/file|folder|path/.test(name)) return fileMark;
  if (name === 'resource') return resourceWords(begun, commands);
  if (name === 'code') {
    const { codeKinds } = await import('../../core/diagnostics/explain-code.js');
    const { exitStatus } = await import('../manual/reference-lists.js');
    return [
      ...Object.values(codeKinds).flatMap((codes) =>
        Object.entries(codes).map(([word, { title }]) => ({ word, summary: title })),
      ),
      ...exitStatus.flatMap(({ codes, meaning }) => codes.map((word) => ({ word: String(word), summary: meaning }))),
    ];
  }
  if (name === 'kind') return plain(description.split(/, /));
  if (name === 'topic')
    return [
      ...topWords(commands).filter(({ word }) => !word.startsWith('-')),
      ...manualPages.map(({ name: word, summary }) => ({ word, summary })),
    ];
  return [];
}
