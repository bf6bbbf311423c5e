// The JSON Schema of the configuration file, for editors; derived from the options of the commands.
import type { ConfigCommand, ConfigOption } from './option-index.js';

type Schema = Readonly<Record<string, unknown>>;

/** The schema of the whole file. */
export function configSchema(commands: readonly ConfigCommand[]): Schema {
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
        propertyNames: { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' },
        additionalProperties: { $ref: '#/$defs/section' },
      },
    },
    $defs: { section: sectionSchema(commands, allOptions(commands)) },
  };
}

/** A section: options, and a section for each of the commands. An option and a command may share a name. */
function sectionSchema(commands: readonly ConfigCommand[], options: ReadonlyMap<string, ConfigOption[]>): Schema {
  const properties: Record<string, Schema> = {};
  for (const [name, kinds] of options) properties[name] = either(kinds.map(valueSchema));
  for (const { name, aliases, options: own, commands: inner } of commands) {
    const all = new Map([...own].map(([long, option]) => [long, [option]]));
    for (const [long, kinds] of allOptions(inner)) if (!all.has(long)) all.set(long, kinds);
    const section = sectionSchema(inner, all);
    for (const word of [name, ...aliases])
      properties[word] = properties[word] === undefined ? section : either([properties[word], section]);
  }
  return { type: ['object', 'null'], additionalProperties: false, properties };
}

function allOptions(commands: readonly ConfigCommand[]): Map<string, ConfigOption[]> {
  const all = new Map<string, ConfigOption[]>();
  const add = (some: readonly ConfigCommand[]): void => {
    for (const { options, commands: inner } of some) {
      for (const [name, option] of options) all.set(name, [...(all.get(name) ?? []), option]);
      add(inner);
    }
  };
  add(commands);
  return all;
}

/** One of the schemas; equal ones are merged. */
function either(schemas: readonly Schema[]): Schema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only] = distinct;
  return distinct.length === 1 && only !== undefined ? only : { anyOf: distinct };
}

function valueSchema({ takes, choices, summary: description }: ConfigOption): Schema {
  const text = choices === undefined ? { type: ['string', 'number'] } : { enum: choices };
  switch (takes) {
    case 'nothing':
      return { type: 'boolean', description };
    case 'perhaps':
      return { type: ['boolean', 'string', 'number'], description };
    case 'values':
      return { description, anyOf: [text, { type: 'array', items: text }] };
    case 'value':
      return { description, ...text };
  }
}
