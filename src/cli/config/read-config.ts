// Reads the configuration file: defaults, and named profiles. Keys are the long names of options; under the name of a
// command are options for that command only. An error names file, line, column and remedy.

import type { Option } from 'commander';
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node } from 'yaml';
import { CatalogError } from '../../core/errors.js';
import { sanitizeText } from '../../core/text/sanitize.js';
import { nearest } from '../../core/text/text.js';
import { parseYaml } from '../../source/parse-yaml.js';
import { type ConfigSchema, profileName } from './config-schema.js';
import { readConfigText } from './config-text.js';

/** An option in a file. */
export interface Setting {
  readonly file: string;
  readonly name: string;
  /** Its value as it would be typed; several values for a repeatable option; for a switch, whether it is on. */
  readonly value: string | readonly string[] | boolean;
  readonly line: number;
  readonly column: number;
  /** The section it is in: `defaults`, `profiles.erp.products`. */
  readonly section: string;
  /** Undefined in the defaults. */
  readonly profile: string | undefined;
  /** The names of the command that the section is for, and of those it belongs to; empty for all commands. */
  readonly path: readonly string[];
}

/** A value for an option of a command, with its origin. */
export interface OptionValue {
  readonly option: Option;
  readonly value: Setting['value'];
  /** What it comes from: a typed option, a variable, or a section of the file. */
  readonly origin: string;
  /** For a value from the file. */
  readonly setting?: Setting;
  /** The origin that overrides it. */
  readonly beatenBy?: string;
}

/** What the files hold together, the folder's first. */
export interface Config {
  readonly files: readonly string[];
  readonly settings: readonly Setting[];
  /** One that two files have is there twice. */
  readonly profiles: readonly string[];
}

interface SectionScope extends Pick<Setting, 'file' | 'section' | 'profile' | 'path'> {
  readonly schema: ConfigSchema;
}

/** The maximum number of keys and values in the file: aliases could make it endless. */
const nodesAtMost = 5_000;

interface ConfigReader {
  readonly schema: ConfigSchema;
  readonly fault: (at: Node | number, message: string) => CatalogError;
  readonly place: (at: Node | number) => Pick<Setting, 'line' | 'column'>;
  /** The node, or the target of an alias; undefined where there is no value. */
  readonly resolved: (node: unknown) => Node | undefined;
  /** The words of a node as JSON. */
  readonly written: (node: Node) => string;
}

/**
 * Parses and checks the files.
 * @param schema that of a section for all commands
 * @throws CatalogError `usage` with the position of the first error
 */
export function readConfigs(files: readonly string[], schema: ConfigSchema): Config {
  const read = files.map((file) => readConfig(file, schema));
  return {
    files,
    settings: read.flatMap(({ settings }) => settings),
    profiles: read.flatMap(({ profiles }) => profiles),
  };
}

function readConfig(file: string, schema: ConfigSchema): Omit<Config, 'files'> {
  const lines = new LineCounter();
  const { document, fault: broken } = parsed(file, lines);
  const reader = readerOf(file, { document, lines, schema });
  if (broken !== undefined) throw reader.fault(broken.at, `${broken.message.replace(/[.:]$/, '')}.`);
  const settings: Setting[] = [];
  const profiles: string[] = [];
  for (const { key, name, value } of pairsOf(document.contents, 'the file', reader)) {
    if (name === 'defaults')
      settings.push(...settingsOf(value, { file, section: name, profile: undefined, path: [], schema }, reader));
    else if (name !== 'profiles') throw unknownAtTop(key, name, reader);
    else
      for (const { key: at, name: profile, value: body } of pairsOf(value, name, reader)) {
        if (!profileName.test(profile))
          throw reader.fault(
            at,
            'The name of a profile has up to 64 letters, digits, dots, hyphens and underscores, such as erp.',
          );
        profiles.push(profile);
        settings.push(...settingsOf(body, { file, section: `profiles.${profile}`, profile, path: [], schema }, reader));
      }
  }
  return { settings, profiles };
}

function parsed(file: string, lines: LineCounter): ReturnType<typeof parseYaml> {
  try {
    return parseYaml(readConfigText(file), lines);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new CatalogError('usage', `${file} is nested too deeply; it has sections, commands and options.`, { cause });
  }
}

function readerOf(
  file: string,
  { document, lines, schema }: { document: Document; lines: LineCounter; schema: ConfigSchema },
): ConfigReader {
  const place: ConfigReader['place'] = (at) => {
    const { line, col } = lines.linePos(typeof at === 'number' ? at : (at.range?.[0] ?? 0));
    return { line, column: col };
  };
  let left = nodesAtMost;
  return {
    schema,
    place,
    written: (node) => JSON.stringify(node.toJS(document, { maxAliasCount: 100 })),
    fault(at, message) {
      const { line, column } = place(at);
      return new CatalogError('usage', `${file}: line ${line}, column ${column}: ${message}`);
    },
    resolved(node) {
      if (left-- === 0) throw new CatalogError('usage', `${file} has more than ${nodesAtMost} keys and values.`);
      const found = isAlias(node) ? node.resolve(document) : (node as Node | null | undefined);
      return isScalar(found) && found.value === null ? undefined : (found ?? undefined);
    },
  };
}

/** A key with its value. */
interface Pair {
  readonly key: Node;
  readonly name: string;
  /** Undefined where the key has no value. */
  readonly value: Node | undefined;
}

/** The pairs of a mapping; none where there is no value. */
function pairsOf(value: Node | null | undefined, what: string, { fault, resolved }: ConfigReader): Pair[] {
  const node = resolved(value);
  if (node === undefined) return [];
  if (!isMap(node)) throw fault(node, `${what} must hold keys with values, such as "db: shop.db".`);
  return node.items.map((pair) => {
    const key = pair.key as Node;
    if (!isScalar(key)) throw fault(key ?? node, `${what}: a key must be a word.`);
    return { key, name: String(key.value), value: resolved(pair.value) };
  });
}

function unknownAtTop(key: Node, name: string, { fault, schema }: ConfigReader): CatalogError {
  const shown = sanitizeText(name);
  if (formsOf(schema, name).length > 0)
    return fault(key, `${shown} must be within defaults or a profile: put "defaults:" above it.`);
  return fault(
    key,
    `${shown} is not known here; use defaults and profiles.${didYouMean(name, ['defaults', 'profiles'])}`,
  );
}

function didYouMean(name: string, known: Iterable<string>): string {
  const near = nearest(name, [...known]);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

/** What a key may hold: sections, and forms of a value; empty where there is no such key. */
function formsOf({ properties = {} }: ConfigSchema, name: string): readonly ConfigSchema[] {
  const found = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return found === undefined ? [] : (found.anyOf ?? [found]);
}

function settingsOf(node: Node | undefined, within: SectionScope, reader: ConfigReader): Setting[] {
  const { file, schema, section, profile, path } = within;
  const pairs = pairsOf(node, section, reader);
  checkTargets(pairs, section, reader);
  const seen = new Set<string>();
  return pairs.flatMap((pair): Setting[] => {
    const { key, name, value } = pair;
    const forms = formsOf(schema, name);
    if (forms.length === 0) throw unknownKey(pair, schema, reader);
    const inner = forms.find(({ properties }) => properties !== undefined);
    if (inner === undefined || (!isMap(value) && forms.length > 1))
      return [{ file, name, section, profile, path, ...reader.place(key), value: settingValue(pair, forms, reader) }];
    const { title = name } = inner;
    if (seen.size === seen.add(title).size) throw reader.fault(key, `${title} has two sections here; keep one.`);
    return settingsOf(
      value,
      { file, section: `${section}.${title}`, profile, path: [...path, title], schema: inner },
      reader,
    );
  });
}

/** A section may name one target only, since it would be ambiguous which of two is meant. */
function checkTargets(pairs: readonly Pair[], section: string, { fault }: ConfigReader): void {
  const [, second] = pairs.filter(({ name, value }) => (name === 'db' && !isMap(value)) || name === 'remote');
  if (second === undefined) return;
  throw fault(second.key, `db and remote name two targets in ${section}; keep one, and move the other to a profile.`);
}

/** Keys that people might use for a secret. Their values are never shown. */
const secretKeys = /^(?:api[-_]?key|key|token|password|secret)$/i;

function unknownKey({ key, name }: Pair, schema: ConfigSchema, reader: ConfigReader): CatalogError {
  const shown = sanitizeText(name.slice(0, 60));
  if (secretKeys.test(name))
    return reader.fault(
      key,
      `${shown}: a key does not belong in this file. Name the file that holds it with api-key-file, or the environment variable with api-key-env.`,
    );
  const isOfAll = schema === reader.schema;
  const near = didYouMean(name.replace(/^--/, '').replaceAll('_', '-'), Object.keys(schema.properties ?? {}));
  const help = near || ` See catalog-import ${isOfAll ? '<command>' : schema.title} --help.`;
  const isElsewhere = formsOf(reader.schema, name).length > 0;
  return reader.fault(
    key,
    `${shown} is not an option of ${isOfAll ? 'any command' : schema.title}.${isElsewhere ? ' Move it out of this section, or remove it.' : help}`,
  );
}

function settingValue(
  { key, name, value }: Pair,
  forms: readonly ConfigSchema[],
  reader: ConfigReader,
): Setting['value'] {
  const fits = (node: Node | undefined, form: ConfigSchema): boolean => {
    if (form.$ref !== undefined) return isMap(node);
    if (form.type === 'boolean') return isScalar(node) && typeof node.value === 'boolean';
    if (form.items !== undefined)
      return isSeq(node) && node.items.every((item) => fits(reader.resolved(item), form.items as ConfigSchema));
    const text = form.properties === undefined ? scalarText(node) : undefined;
    return text !== undefined && form.enum?.includes(text) !== false;
  };
  if (!forms.some((form) => fits(value, form)))
    throw reader.fault(value ?? key, `${name}${wrongValue(scalarText(value), forms)}`);
  if (isSeq(value)) return value.items.map((item) => scalarText(reader.resolved(item)) ?? '');
  if (isMap(value)) return reader.written(value);
  return scalarText(value) ?? (isScalar(value) && value.value === true);
}

function wrongValue(text: string | undefined, forms: readonly ConfigSchema[]): string {
  const choices = new Set(forms.flatMap((form) => form.enum ?? []));
  if (text !== undefined && choices.size > 0)
    return `: "${sanitizeText(text.slice(0, 60))}" is not one of ${[...choices].join(', ')}.${didYouMean(text, choices)}`;
  const expected = forms.map(({ type, items, properties, $ref }) => {
    if (properties !== undefined || $ref !== undefined) return 'keys with values';
    if (type === 'boolean') return 'true or false';
    return items === undefined ? 'a text or a number' : 'a list of texts';
  });
  return ` must be ${[...new Set(expected)].join(', or ')}.`;
}

/** The source text of a text or number (1_000 and 0x10 stay as written); undefined for any other node. */
function scalarText(node: Node | undefined): string | undefined {
  if (!isScalar(node)) return undefined;
  if (typeof node.value === 'number') return node.source ?? String(node.value);
  return typeof node.value === 'string' ? node.value : undefined;
}
