// `shop`: records of the local catalog that the shop keeps outside the import interface: the records that imports refer
// to, and deleting a product.
import type { Command } from 'commander';
import { CatalogError } from '../../../core/errors.js';
import { shopResources } from '../../../core/resources/index.js';
import { importFiles } from '../../import/import-files.js';
import { mappingJobs } from '../../import/mapping-jobs.js';
import { readableFiles } from '../../import/options/file-options.js';
import { addImportOptions, type ImportFlags } from '../../import/options/import-options.js';
import {
  addExamples,
  addLocalOption,
  addResultOptions,
  type LocalOptions,
  localFile,
  openLocal,
  printDone,
  type ResultFlags,
} from '../../options.js';
import { parseResource } from '../../resource-argument.js';
import { typedSource } from '../../sources/typed-source.js';

const kinds = shopResources.map(({ command }) => command).join(', ');

export function defineShop(command: Command, process: NodeJS.Process): void {
  command.description(
    'Loads data of the shop that imports refer to, and deletes products as the shop does. For a local catalog only.',
  );
  defineLoad(command.command('load'), process);
  defineDelete(command.command('delete-product'), process);
  addExamples(command, [
    ['shop load customers customers.csv', 'reviews refer to customers'],
    ['shop delete-product PHONE-64', 'an import never brings it back'],
  ]);
}

function defineLoad(command: Command, process: NodeJS.Process): void {
  command
    .summary('load a file of one kind')
    .description(
      `Loads a file of one kind into a local catalog: ${kinds}. Formats, options and report are those of an import.\n\n` +
        'customers: external_id; orders: external_id, created_at, items[].external_id; files, brands, warranties, pages: ' +
        'id, and optionally name; characteristics: those shared by the service, which imports cannot change.',
    )
    .argument('<kind>', kinds)
    .argument('<file>', readableFiles);
  addImportOptions(command, { remote: false });
  addExamples(command, [
    ['shop load customers customers.csv', 'reviews refer to customers'],
    ['shop load orders orders.ndjson', 'and to orders with their lines'],
    ['shop load characteristics shared.json', 'characteristics shared by the service'],
  ]);
  command.action(async (word: string, file: string, flags: ImportFlags) => {
    const jobs = await mappingJobs(parseResource(word, shopResources), typedSource(file, flags), flags);
    // Never the remote that an environment variable names: this program does not manage the shop records of a remote.
    const local = { ...flags, db: localFile(flags, process.env) };
    await importFiles(jobs, local, process, { many: jobs.length > 1, command: `shop load ${word}` });
  });
}

function defineDelete(command: Command, process: NodeJS.Process): void {
  command
    .summary('delete a product, as the shop does')
    .description('Sets a product to deleted. An import never restores it; a read still finds it.')
    .argument('<sku>', 'the SKU of the product');
  addResultOptions(addLocalOption(command), 'action');
  addExamples(command, [['shop delete-product PHONE-64', 'delete one product']]);
  command.action(async (sku: string, flags: LocalOptions & ResultFlags) => {
    const catalog = await openLocal(flags, process.env, { create: false });
    try {
      if (!(await catalog.deleteProduct(sku))) throw new CatalogError('not_found', 'Product not found.');
    } finally {
      await catalog.close();
    }
    printDone(process, flags, { words: 'Deleted.', json: { object: 'product', sku, status: 'deleted' } });
  });
}
