// Converts the help of a command to a man page in roff.
import type { Command, Help, Option } from 'commander';
import { examplesOf } from '../options.js';
import { environment, exitStatus, files } from './reference-lists.js';

/**
 * The page of a command, including its subcommands.
 * @param summary its line in the list of commands
 */
export function manPage(
  command: Command,
  { version, summary }: { readonly version: string; readonly summary: string },
): string {
  return lines([
    ...head(command, version, summary),
    paragraphs(command.description()),
    ...argumentsAndOptions(command, '.SH'),
    ...command.commands.filter((one) => one.name() !== 'complete').flatMap((one) => subcommand(one)),
    ...examples(command),
    '.SH SEE ALSO',
    '.BR catalog\\-import (1)',
  ]);
}

export function programPage(program: Command, version: string): string {
  const pages = program.commands.map((command) => `.BR ${escaped(`catalog-import-${command.name()}`)} (1)`);
  return lines([
    ...head(program, version, 'import catalog files, and serve the catalog'),
    paragraphs(program.description()),
    '.SH COMMANDS',
    ...program.commands.map((command) => item(command.name(), command.summary())),
    '.SH ENVIRONMENT',
    ...environment.map(([variable, meaning]) => item(variable, meaning)),
    '.SH FILES',
    ...files.map(([name, meaning]) => item(name, meaning)),
    '.SH EXIT STATUS',
    ...exitStatus.map(({ codes, meaning }) => item(codes.join(', '), meaning.replaceAll('`', ''))),
    '.SH SEE ALSO',
    ...pages.map((page, i) => (i < pages.length - 1 ? `${page} ,` : page)),
  ]);
}

function head(command: Command, version: string, summary: string): string[] {
  const name = nameOf(command).replaceAll(' ', '-');
  return [
    `.TH ${quoted(name.toUpperCase())} 1 "" "catalog\\-import ${escaped(version)}" "catalog\\-import"`,
    '.nh',
    '.ad l',
    '.SH NAME',
    `${escaped(name)} \\- ${escaped(summary)}`,
    '.SH SYNOPSIS',
    `.B ${escaped(usageOf(command))}`,
    '.SH DESCRIPTION',
  ];
}

function lines(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n')}\n`;
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

function helpOf(command: Command): Help {
  return command.createHelp();
}

function usageOf(command: Command): string {
  return helpOf(command).commandUsage(command).replace(/\|\S+/, '');
}

function subcommand(command: Command): string[] {
  return [
    `.SH ${quoted(nameOf(command).toUpperCase())}`,
    `.B ${escaped(usageOf(command))}`,
    '.PP',
    paragraphs(command.description()),
    ...argumentsAndOptions(command, '.SS'),
  ];
}

function argumentsAndOptions(command: Command, macro: string): string[] {
  const help = helpOf(command);
  const args = help.visibleArguments(command);
  const groups = new Map<string, Option[]>();
  for (const option of help.visibleOptions(command)) {
    const heading = (option.helpGroupHeading ?? 'Options:').replace(/:$/, '');
    groups.set(heading, [...(groups.get(heading) ?? []), option]);
  }
  return [
    ...(args.length === 0 ? [] : [`${macro} ARGUMENTS`]),
    ...args.map((argument) => item(help.argumentTerm(argument), help.argumentDescription(argument))),
    ...[...groups].flatMap(([heading, options]) => [
      `${macro} ${quoted(heading.toUpperCase())}`,
      ...options.map((option) => item(help.optionTerm(option), help.optionDescription(option))),
    ]),
  ];
}

/** A term with its description below it. */
function item(term: string, description: string): string {
  return lines(['.TP', `.B ${escaped(term)}`, paragraphs(description)]).trimEnd();
}

function examples(command: Command): string[] {
  const shown = examplesOf(command);
  if (shown.length === 0) return [];
  return [
    '.SH EXAMPLES',
    ...shown.map(([line, does]) => lines(['.TP', escaped(does), `.B ${escaped(`catalog-import ${line}`)}`]).trimEnd()),
  ];
}

function paragraphs(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => escaped(paragraph.replace(/\s+/g, ' ').trim()))
    .join('\n.PP\n');
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', '""')}"`;
}

/** Escapes text for roff: no escapes or requests of its own, hyphens that can be copied, and ASCII only. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')
    .replace(/[^\n -~]/gu, (sign) => `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`);
}
