// The JSON Schema of the configuration file, derived from the options of all commands: the file is read by it, and `schema config`
// prints it for editors.
import { existsSync, readFileSync } from 'node:fs';
import type { Command, Option } from 'commander';
import { allCommands, type CommandEntry } from '../command-entry.js';
import { isRepeatable, takesContract } from '../shared-options.js';

/** The forms of a value, or the keys of a section. */
export interface ConfigSchema {
  readonly description?: string;
  /** Of words that another check knows, such as a contract. */
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly items?: ConfigSchema;
  readonly anyOf?: readonly ConfigSchema[];
  readonly title?: string;
  readonly properties?: Readonly<Record<string, ConfigSchema>>;
}

/** Options that choose the file or show help, and so cannot be set in the file. */
const notInFile = new Set(['--profile', '--no-config', '--help', '--no-pager', '--version']);

/** The names of profiles. */
export const profileName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The file of the build that holds the schema of a section: loading all commands instead would double the time of a short command. */
export const sectionSchemaName = 'options.json';

let fromCommands: Promise<ConfigSchema> | undefined;

/** The schema of a section for all commands: the one that the build wrote, or made from the commands themselves, once. */
export async function loadSectionSchema(
  process: NodeJS.Process,
  commands: readonly CommandEntry[],
): Promise<ConfigSchema> {
  const built = new URL(`./${sectionSchemaName}`, import.meta.url);
  if (existsSync(built)) return JSON.parse(readFileSync(built, 'utf8')) as ConfigSchema;
  fromCommands ??= allCommands(process, commands).then(sectionSchema);
  return fromCommands;
}

export async function fileSchema(section: ConfigSchema): Promise<object> {
  const { contractJsonSchema } = await import('../../source/contract/contract-schema.js');
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'catalog-import.yaml',
    type: ['object', 'null'],
    additionalProperties: false,
    properties: {
      defaults: { description: 'Options of every command.', $ref: '#/$defs/section' },
      profiles: {
        description: 'Options that --profile <name> chooses.',
        type: ['object', 'null'],
        propertyNames: { pattern: profileName.source },
        additionalProperties: { $ref: '#/$defs/section' },
      },
    },
    $defs: { section, contract: contractJsonSchema() },
  };
}

/** A section: the options of a command and of its subcommands, and a section for each of these. */
export function sectionSchema(command: Command): ConfigSchema & { readonly additionalProperties: false } {
  const forms = new Map<string, ConfigSchema[]>();
  const add = (name: string, some: readonly ConfigSchema[]) => forms.set(name, [...(forms.get(name) ?? []), ...some]);
  for (const option of optionsWithin(command)) for (const name of namesOf(option)) add(name, valueForms(option));
  for (const inner of command.commands)
    for (const word of [inner.name(), ...inner.aliases()]) add(word, [sectionSchema(inner)]);
  return {
    ...{ title: command.name(), type: ['object', 'null'], additionalProperties: false },
    properties: Object.fromEntries([...forms].map(([name, all]) => [name, either(all)])),
  };
}

/** The options that the file may set for a command or its subcommands. */
function optionsWithin({ options, commands: inner }: Command): Option[] {
  const own = options.filter(({ long, hidden }) => !hidden && !notInFile.has(long ?? ''));
  return [...own, ...inner.flatMap(optionsWithin)];
}

/** An option's name in the file; `no-color` may also be written `color: false`. */
function namesOf(option: Option): string[] {
  return option.negate ? [option.name(), option.name().replace(/^no-/, '')] : [option.name()];
}

/** One of the schemas; equal ones are merged. */
function either(schemas: readonly ConfigSchema[]): ConfigSchema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only] = distinct;
  return distinct.length === 1 && only !== undefined ? only : { anyOf: distinct };
}

function valueForms(option: Option): ConfigSchema[] {
  const { argChoices, description, required, optional } = option;
  const text = { description, ...(argChoices === undefined ? { type: ['string', 'number'] } : { enum: argChoices }) };
  const flag = required ? [] : [{ description, type: 'boolean' }];
  const list = isRepeatable(option) ? [{ description, type: 'array', items: text }] : [];
  const contract = takesContract(option) ? [{ description, type: 'object', $ref: '#/$defs/contract' }] : [];
  return [...flag, ...(required || optional ? [text] : []), ...list, ...contract];
}
