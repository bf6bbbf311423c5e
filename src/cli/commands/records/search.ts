// `search`: finds records of any resource whose names or keys contain all given words.
import { type Command, Option } from 'commander';
import type { Catalog } from '../../../core/catalog.js';
import { CatalogError } from '../../../core/errors.js';
import type { ReadShape } from '../../../core/import-report.js';
import type { Resource } from '../../../core/resource.js';
import { resources } from '../../../core/resources/index.js';
import { fold } from '../../../core/text/text.js';
import { streamWriter } from '../../../reporting/formats/stream-writer.js';
import { recordPages } from '../../../store/record-pages.js';
import { type ListForm, listForms, recordWriter } from '../../list/list-writer.js';
import { addExamples, addLocalOption, addQuiet, type LocalOptions, openLocal, wholeNumber } from '../../options.js';
import { outputWidth } from '../../output-width.js';
import { noticePrinter } from '../../terminal-output.js';

interface SearchFlags extends LocalOptions {
  readonly limit: number;
  readonly output: ListForm;
  readonly quiet?: boolean;
}

const columns = ['resource', 'key', 'status', 'name', 'id'] as const;

export function defineSearch(command: Command, process: NodeJS.Process): void {
  addLocalOption(
    command
      .description(
        'Finds records whose names or keys have all of the words, in any case; deleted ones too. Keys are SKUs of products and ' +
          'external_ids of reviews.',
      )
      .argument('<words...>', 'words, or parts of them'),
  )
    .option('--limit <n>', 'most records', wholeNumber, 20)
    .addOption(new Option('--output <form>', 'form of the result').choices(listForms).default('table'))
    .action((words: readonly string[], flags: SearchFlags) => search(words, flags, process));
  addQuiet(command, 'query');
  addExamples(command, [
    ['search phone 64', 'everything with both words in its name or key'],
    ['search PHONE-64 --output ndjson --limit 1', 'for a script'],
  ]);
}

/** A found record, as it is shown. */
function hit(resource: Resource, record: ReadShape): ReadShape {
  const { id, status, name } = record;
  return { resource: resource.name, key: record[resource.key], status, name, id };
}

/** Records of a resource that match the words; all its records are read, page by page. */
async function* found(catalog: Catalog, resource: Resource, words: readonly string[]): AsyncGenerator<ReadShape> {
  for await (const records of recordPages(catalog, resource))
    for (const record of records) {
      const text = fold(`${String(record[resource.key])}\n${String(record['name'])}`);
      if (words.every((word) => text.includes(word))) yield hit(resource, record);
    }
}

async function search(
  given: readonly string[],
  { limit, output, ...options }: SearchFlags,
  process: NodeJS.Process,
): Promise<void> {
  const words = given.flatMap((text) => fold(text).split(/\s+/)).filter((word) => word !== '');
  if (words.length === 0) throw new CatalogError('usage', 'Name at least one word to search for.');
  const catalog = await openLocal(options, process.env, { create: false });
  const write = streamWriter(process.stdout);
  const writer = recordWriter(output, columns, outputWidth(process));
  const hits: ReadShape[] = [];
  try {
    await write(writer.begin());
    // One more match than shown is looked for, to find out whether there are more.
    for (const resource of resources) {
      for await (const record of found(catalog, resource, words)) {
        hits.push(record);
        if (hits.length > limit) break;
      }
      if (hits.length > limit) break;
    }
    await write(writer.records(hits.slice(0, limit)) + writer.end());
  } finally {
    await catalog.close();
  }
  const say = noticePrinter(process.stderr, options);
  if (hits.length === 0) say('Nothing found.');
  else if (hits.length > limit && limit > 0) say(`The first ${limit}; --limit shows more.`);
}
