// `template`: prints a file to start from, with one example record. The meaning of the columns goes to stderr, so that
// stdout can be imported as it is.
import { type Command, Option } from 'commander';
import type { Fields } from '../../../core/fields/fields.js';
import { resources } from '../../../core/resources/index.js';
import { cell } from '../../../reporting/formats/csv-cell.js';
import { addExamples } from '../../options.js';
import { outputWidth } from '../../output-width.js';
import { parseResource } from '../../resource-argument.js';
import { fieldTable } from '../../template/field-table.js';
import { templateExamples, templateNeeds } from '../../template/template-examples.js';
import { addTextOutputOptions, type TextOutputOptions, textForm, withTextOutput } from '../../text-output.js';

interface TemplateFlags extends TextOutputOptions {
  readonly output?: 'csv' | 'json';
  readonly format?: 'csv' | 'json';
  readonly quiet?: boolean;
}

const forms = ['csv', 'json'] as const;

export function defineTemplate(command: Command, process: NodeJS.Process): void {
  command
    .description(
      'Prints a file to start from: every column of a resource, and one example record. The columns are explained on ' +
        'stderr, so that --to file.csv gives a file that can be imported as it is.',
    )
    .argument('<resource>', resources.map(({ command: word }) => word).join(', '))
    .addOption(
      new Option('--output <form>', 'form of the template (default: by the ending of --to, else csv)').choices(forms),
    )
    .addOption(new Option('--format <form>').choices(forms).hideHelp())
    .option('-q, --quiet', 'do not explain the columns');
  addTextOutputOptions(command);
  addExamples(command, [
    ['template products --to products.csv', 'begin a file; the columns are explained on the terminal'],
    ['template groups --output json', 'lists are easier to read in JSON'],
  ]);
  command.action(async (word: string, { format, output, quiet, ...to }: TemplateFlags) => {
    const resource = parseResource(word, resources);
    const example = templateExamples[resource.command] ?? {};
    if (quiet !== true) {
      const needs = templateNeeds[resource.command];
      process.stderr.write(fieldTable(resource.fields, outputWidth(process), '# '));
      if (needs !== undefined) process.stderr.write(`# ${needs}\n`);
    }
    const typed = format ?? output;
    const isJson = textForm({ ...to, ...(typed && { output: typed }) }, forms) === 'json';
    const text = isJson ? `${JSON.stringify([example], undefined, 2)}\n` : csvTemplate(resource.fields, example);
    await withTextOutput(to, process, (write) => write(text));
  });
}

/** Header and example row: every field, and for a list every member of the example's entries, or of one entry. */
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
