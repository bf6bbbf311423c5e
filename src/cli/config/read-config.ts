// Reads the configuration file: defaults, and named profiles. Keys are the long names of options; under the name of a
// command are options for that command only. An error names file, line, column and remedy.
import { isMap, isScalar, isSeq, type Node } from 'yaml';
import type { CatalogError } from '../../core/errors.js';
import { sanitizeText } from '../../core/text/sanitize.js';
import { nearest } from '../../core/text/text.js';
import { type ConfigDocument, type Pair, pairsOf, readDocument, scalarText } from './config-document.js';
import type { ConfigCommand, ConfigOption } from './option-index.js';

/** An option in the file. */
export interface Setting {
  /** Its long name without hyphens. */
  readonly name: string;
  /** Its value as it would be typed; several values for a repeatable option; for a switch, whether it is on. */
  readonly value: string | readonly string[] | boolean;
  readonly line: number;
  readonly column: number;
  /** The section it is in: `defaults`, `profiles.erp.products`. */
  readonly section: string;
}

/** Options for all commands, and options for one command. */
export interface ConfigSection {
  readonly settings: readonly Setting[];
  readonly commands: ReadonlyMap<string, ConfigSection>;
}

export interface Config {
  readonly file: string;
  readonly defaults: ConfigSection;
  readonly profiles: ReadonlyMap<string, ConfigSection>;
}

/** What the file is checked against: all commands with their options. */
interface ConfigReader extends ConfigDocument {
  readonly commands: readonly ConfigCommand[];
}

/**
 * Parses and checks the file.
 * @param commands all commands with their options
 * @throws CatalogError `usage` with the position of the first error
 */
export function readConfig(file: string, commands: readonly ConfigCommand[]): Config {
  const reader: ConfigReader = { ...readDocument(file), commands };
  const empty: ConfigSection = { settings: [], commands: new Map() };
  let defaults = empty;
  let profiles: ReadonlyMap<string, ConfigSection> = new Map();
  for (const { key, name, value } of reader.contents === undefined
    ? []
    : pairsOf(reader.contents, 'the file', reader)) {
    if (name === 'defaults')
      defaults = value === undefined ? empty : sectionOf(value, { path: name, commands }, reader);
    else if (name === 'profiles') profiles = value === undefined ? new Map() : profilesOf(value, reader);
    else throw unknownAtTop(key, name, reader);
  }
  return { file, defaults, profiles };
}

function unknownAtTop(key: Node, name: string, { fault, commands }: ConfigReader): CatalogError {
  const shown = sanitizeText(name);
  const isOption = commands.some(({ options }) => options.has(name));
  if (isOption) return fault(key, `${shown} must be within defaults or a profile: put "defaults:" above it.`);
  const near = nearest(name, ['defaults', 'profiles']);
  return fault(
    key,
    `${shown} is not known here; use defaults and profiles.${near === undefined ? '' : ` Did you mean ${near}?`}`,
  );
}

function profilesOf(node: Node, reader: ConfigReader): ReadonlyMap<string, ConfigSection> {
  const found = new Map<string, ConfigSection>();
  for (const { key, name, value } of pairsOf(node, 'profiles', reader)) {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name))
      throw reader.fault(
        key,
        `The name of a profile has up to 64 letters, digits, dots, hyphens and underscores, such as erp.`,
      );
    const path = `profiles.${name}`;
    const section = value === undefined ? undefined : sectionOf(value, { path, commands: reader.commands }, reader);
    found.set(name, section ?? { settings: [], commands: new Map() });
  }
  return found;
}

/** The path of a section, and whose options it may set: those of all commands, or of one. */
interface SectionScope {
  readonly path: string;
  /** The commands that may have a subsection here. */
  readonly commands: readonly ConfigCommand[];
  readonly command?: ConfigCommand;
}

function sectionOf(node: Node, scope: SectionScope, reader: ConfigReader): ConfigSection {
  const settings: Setting[] = [];
  const commands = new Map<string, ConfigSection>();
  const pairs = pairsOf(node, scope.path, reader);
  checkTargets(pairs, scope.path, reader);
  for (const { key, name, value } of pairs) {
    const inner = scope.commands.find((one) => one.name === name || one.aliases.includes(name));
    if (inner !== undefined && (isMap(value) || optionsNamed(name, scope).length === 0)) {
      if (commands.has(inner.name)) throw reader.fault(key, `${inner.name} has two sections here; keep one.`);
      const place = { path: `${scope.path}.${inner.name}`, commands: inner.commands, command: inner };
      if (value !== undefined) commands.set(inner.name, sectionOf(value, place, reader));
    } else settings.push(settingOf({ key, name, value }, scope, reader));
  }
  return { settings, commands };
}

/** The value that an option of this name takes, for each command that has one. */
function optionsNamed(name: string, { command, commands }: SectionScope): ConfigOption[] {
  const own = command?.options.get(name);
  if (command !== undefined) return [...(own === undefined ? [] : [own]), ...ofCommands(name, command.commands)];
  return ofCommands(name, commands);
}

function ofCommands(name: string, commands: readonly ConfigCommand[]): ConfigOption[] {
  return commands.flatMap(({ options, commands: inner }) => {
    const own = options.get(name);
    return [...(own === undefined ? [] : [own]), ...ofCommands(name, inner)];
  });
}

function settingOf({ key, name, value }: Pair, scope: SectionScope, reader: ConfigReader): Setting {
  const options = optionsNamed(name, scope);
  if (options.length === 0) throw unknownKey(key, name, scope, reader);
  const read = typedValue({ key, name, value }, options, reader);
  return { name, value: read, ...reader.place(key), section: scope.path };
}

/** Keys that people might use for a secret. Their values are never shown. */
const secretKeys = /^(?:api[-_]?key|key|token|password|secret)$/i;

function unknownKey(key: Node, name: string, scope: SectionScope, { fault, commands }: ConfigReader): CatalogError {
  const shown = sanitizeText(name.slice(0, 60));
  if (secretKeys.test(name))
    return fault(
      key,
      `${shown}: a key does not belong in this file. Name the file that holds it with api-key-file, or the environment variable with api-key-env.`,
    );
  const known = [...names(scope.command === undefined ? commands : [scope.command])];
  const near = nearest(name.replace(/^--/, '').replaceAll('_', '-'), known);
  const whose = scope.command === undefined ? 'not an option of any command' : `not an option of ${scope.command.name}`;
  const elsewhere = scope.command !== undefined && ofCommands(name, commands).length > 0;
  const remedy =
    near === undefined ? `See catalog-import ${scope.command?.name ?? '<command>'} --help.` : `Did you mean ${near}?`;
  return fault(key, `${shown} is ${whose}. ${elsewhere ? 'Move it out of this section, or remove it.' : remedy}`);
}

/** The names of options and commands that are valid in a section of these commands. */
function names(commands: readonly ConfigCommand[]): Set<string> {
  return new Set(commands.flatMap(({ name, options, commands: inner }) => [...options.keys(), name, ...names(inner)]));
}

/** The value of an option as it would be typed. */
function typedValue(
  { key, name, value }: Pair,
  options: readonly ConfigOption[],
  reader: ConfigReader,
): Setting['value'] {
  const kinds = new Set(options.map(({ takes }) => takes));
  const wrong = (expected: string) => reader.fault(value ?? key, `${name} must be ${expected}.`);
  if (isSeq(value)) {
    if (!kinds.has('values')) throw wrong('a single value: the option cannot be repeated');
    return value.items.map((item) => textOf(reader.resolved(item), () => wrong('a list of texts')));
  }
  if (value === undefined || !isScalar(value)) throw wrong(expectedOf(kinds));
  if (typeof value.value === 'boolean') {
    if (kinds.has('nothing') || kinds.has('perhaps')) return value.value;
    throw wrong(expectedOf(kinds));
  }
  if (kinds.size === 1 && kinds.has('nothing')) throw wrong(expectedOf(kinds));
  const text = textOf(value, () => wrong(expectedOf(kinds)));
  return checkChoice(text, options, (message) => reader.fault(value, `${name}: ${message}`));
}

function expectedOf(kinds: ReadonlySet<ConfigOption['takes']>): string {
  if (kinds.has('nothing')) return 'true or false';
  if (kinds.has('perhaps')) return 'true, false or a text';
  return kinds.has('values') ? 'a text, or a list of texts' : 'a text or a number';
}

function textOf(node: Node | undefined, fault: () => CatalogError): string {
  const text = scalarText(node);
  if (text === undefined) throw fault();
  return text;
}

function checkChoice(text: string, options: readonly ConfigOption[], fault: (message: string) => CatalogError): string {
  const choices = options.flatMap(({ choices: all }) => all ?? []);
  if (options.some((option) => option.choices === undefined) || choices.includes(text)) return text;
  const near = nearest(text, choices);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw fault(`"${sanitizeText(text.slice(0, 60))}" is not one of ${[...new Set(choices)].join(', ')}.${hint}`);
}

/** A section may name one target only, since it would be ambiguous which of two is meant. */
function checkTargets(pairs: readonly Pair[], path: string, { fault }: ConfigReader): void {
  const targets = pairs.filter(({ name, value }) => (name === 'db' && !isMap(value)) || name === 'remote');
  const second = targets[1];
  if (second === undefined) return;
  throw fault(second.key, `db and remote name two targets in ${path}; keep one, and move the other to a profile.`);
}
