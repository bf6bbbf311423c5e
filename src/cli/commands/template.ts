// `template`: a file to begin with, one example record in it; what each column means goes to stderr, so that what is
// written to a file can be imported as it is.
import { type Command, Option } from 'commander';
import type { Field, Fields } from '../../core/fields/fields.js';
import { resources } from '../../core/resources/index.js';
import { cell } from '../../reporting/csv-cell.js';
import { addExamples } from '../options.js';
import { parseResource } from '../resource-argument.js';
import { templateExamples } from '../template-examples.js';

interface TemplateFlags {
  readonly format: 'csv' | 'json';
  readonly quiet?: boolean;
}

export function defineTemplate(command: Command, process: NodeJS.Process): void {
  command
    .description(
      'Prints a file to start from: every column of a resource, and one example record. The columns are explained on ' +
        'stderr, so that > file.csv gives a file that can be imported as it is.',
    )
    .argument('<resource>', resources.map(({ command: word }) => word).join(', '))
    .addOption(new Option('--format <format>', 'form of the template').choices(['csv', 'json']).default('csv'))
    .option('-q, --quiet', 'do not explain the columns');
  addExamples(command, [
    ['template products > products.csv', 'begin a file; the columns are explained on the terminal'],
    ['template groups --format json', 'lists are easier to read in JSON'],
  ]);
  command.action((word: string, { format, quiet }: TemplateFlags) => {
    const resource = parseResource(word, resources);
    const example = templateExamples[resource.command] ?? {};
    if (quiet !== true) process.stderr.write(explained(resource.fields));
    process.stdout.write(
      format === 'json' ? `${JSON.stringify([example], undefined, 2)}\n` : csvTemplate(resource.fields, example),
    );
  });
}

/** Header and example row: every field, and of a list every member of the entries the example has, or of one. */
function csvTemplate(fields: Fields, example: Readonly<Record<string, unknown>>): string {
  const columns: (readonly [name: string, value: unknown])[] = [];
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind !== 'list') columns.push([name, example[name]]);
    else {
      const entries = (example[name] ?? [{}]) as readonly Readonly<Record<string, unknown>>[];
      entries.forEach((entry, i) => {
        for (const member of Object.keys(field.entry)) columns.push([`${name}[${i}].${member}`, entry[member]]);
      });
    }
  }
  const row = (cells: readonly unknown[]) => `${cells.map((one) => cell(String(one ?? ''))).join(',')}\n`;
  return row(columns.map(([name]) => name)) + row(columns.map(([, value]) => value));
}

/** A line a field: its name, whether it must be there, what it may hold, what it is. */
function explained(fields: Fields, before = ''): string {
  return Object.entries(fields)
    .map(([name, field]) => {
      const must = field.required ? ' (required)' : '';
      const line = `# ${before}${name}${must}: ${kindWords(field)}; ${field.note}\n`;
      return field.kind === 'list' ? line + explained(field.entry, `${before}${name}[…].`) : line;
    })
    .join('');
}

function kindWords(field: Field): string {
  switch (field.kind) {
    case 'text':
      if (field.maxBytes !== undefined) return `text, up to ${field.maxBytes} bytes`;
      return field.maxCharacters === undefined ? 'text' : `text, up to ${field.maxCharacters} characters`;
    case 'choice':
      return field.values.map((value) => (value === '' ? "''" : value)).join(', ');
    case 'integer':
      return field.min === undefined || field.max === undefined
        ? 'whole number'
        : `whole number, ${field.min} to ${field.max}`;
    case 'decimal':
      return `amount with up to ${field.scale} decimals`;
    case 'boolean':
      return 'yes or no';
    case 'reference':
      return `${field.to}${field.byName ? ', by identifier or name' : ', by identifier'}`;
    case 'list':
      return 'list';
  }
}
