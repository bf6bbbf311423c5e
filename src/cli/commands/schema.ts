// `schema`: the JSON Schema of a resource, for whoever validates before sending.
import type { Command } from 'commander';
import { itemSchema } from '../../core/fields/json-schema.js';
import { resources } from '../../core/resources/index.js';
import { addExamples } from '../options.js';
import { parseResource } from '../resource-argument.js';

export function defineSchema(command: Command, process: NodeJS.Process): void {
  command
    .description('Prints the JSON Schema (2020-12) of the records of a resource, as they are imported.')
    .argument('<resource>', resources.map(({ command: word }) => word).join(', '));
  addExamples(command, [['schema product > product.schema.json', 'for an editor, or a validator']]);
  command.action((word: string) => {
    const resource = parseResource(word, resources);
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: resource.title,
      ...itemSchema(resource),
    };
    process.stdout.write(`${JSON.stringify(schema, undefined, 2)}\n`);
  });
}
