// `schema`: prints the JSON Schema of a resource, for validation before sending, or that of the configuration file.
import { type Command, Option } from 'commander';
import { itemSchema } from '../../../core/fields/json-schema.js';
import type { Resource } from '../../../core/resource.js';
import { resources } from '../../../core/resources/index.js';
import type { CommandEntry } from '../../command-entry.js';
import { addExamples } from '../../options.js';
import { outputWidth } from '../../output-width.js';
import { parseResource } from '../../resource-argument.js';
import { fieldTable } from '../../template/field-table.js';

interface SchemaFlags {
  readonly output: 'table' | 'json';
}

export function defineSchema(command: Command, process: NodeJS.Process, commands: readonly CommandEntry[]): void {
  command
    .description(
      'Prints the JSON Schema (2020-12) of the records of a resource, as they are imported, of a mapping, or of catalog-import.yaml.',
    )
    .argument('<resource>', [...resources.map(({ command: word }) => word), 'mapping', 'config'].join(', '))
    .addOption(new Option('--output <form>', 'form of the output').choices(['json', 'table']).default('json'));
  addExamples(command, [
    ['schema product > product.schema.json', 'for an editor, or a validator'],
    ['schema config > catalog-import.schema.json', 'the same for the configuration file'],
    ['schema mapping > mapping.schema.json', 'the same for mapping files'],
    ['schema product --output table', 'the fields, to read'],
  ]);
  command.action(async (word: string, { output }: SchemaFlags) => {
    const name = word.trim().toLowerCase();
    if (name === 'config' || name === 'mapping') return printFileSchema(name, command, process, commands);
    const resource = parseResource(word, resources);
    process.stdout.write(
      output === 'json' ? asText(schemaOf(resource)) : fieldTable(resource.fields, outputWidth(process)),
    );
  });
}

function asText(schema: unknown): string {
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

function schemaOf(resource: Resource): unknown {
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  return { $schema, title: resource.title, ...itemSchema(resource) };
}

const named = {
  config: 'the configuration file has no table; `config <command>` shows the options',
  mapping: 'a mapping has no table; `help mapping` explains the words',
};

async function printFileSchema(
  name: keyof typeof named,
  command: Command,
  process: NodeJS.Process,
  commands: readonly CommandEntry[],
): Promise<void> {
  if (command.getOptionValueSource('output') === 'cli' && command.getOptionValue('output') === 'table')
    command.error(`error: the schema of ${named[name]}`);
  process.stdout.write(asText(await fileSchemas[name](process, commands)));
}

const fileSchemas: Readonly<
  Record<keyof typeof named, (process: NodeJS.Process, commands: readonly CommandEntry[]) => Promise<unknown>>
> = {
  async config(process, commands) {
    const { fileSchema, loadSectionSchema } = await import('../../config/config-schema.js');
    return fileSchema(await loadSectionSchema(process, commands));
  },
  async mapping() {
    const { mappingJsonSchema } = await import('../../../source/mapping/schema/mapping-schema.js');
    return mappingJsonSchema();
  },
};
