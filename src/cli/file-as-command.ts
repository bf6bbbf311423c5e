// What was meant by a file, a folder, the word `import` or a word of another tool in place of a command: `catalog-import x.csv`.
import { basename } from 'node:path';
import { CatalogError } from '../core/errors.js';
import { resources } from '../core/resources/index.js';
import { foundAt } from '../files/found-file.js';
import { wordOf } from './commands/import/run.js';
import { fittingResource } from './fitting-resource.js';
import { resourceByWord } from './resource-argument.js';
import { shellWord } from './shell-word.js';

/** What other tools call what a command does. */
const elsewhere: Readonly<Record<string, string>> = {
  ...{ show: 'get product --sku …', delete: 'shop delete-product …', diff: 'plan products feed.csv', status: 'info' },
  ...{ history: 'runs', log: 'runs', snapshots: 'runs', forget: 'runs forget --keep 90d', version: '--version' },
  ...{ rollback: 'undo …', revert: 'undo …', login: 'keys create …', auth: 'keys create …' },
};

/**
 * @param words what was typed, the first of which is not a command
 * @throws CatalogError `usage` with the command that is meant; returns where none is known
 */
export async function refuseFileAsCommand(words: readonly string[]): Promise<void> {
  const isImport = words[0] === 'import';
  const [word = ''] = words;
  if (Object.hasOwn(elsewhere, word))
    throw new CatalogError('usage', `${word} is not a command. Did you mean: catalog-import ${elsewhere[word]}`);
  const [first, second = ''] = isImport ? words.slice(1) : words;
  if (!isImport && foundAt(first ?? '') === undefined) return;
  const typed = isImport ? 'import' : first;
  throw new CatalogError('usage', `${typed} is not a command. ${await meant(first, second)}`);
}

async function meant(first: string | undefined, second: string): Promise<string> {
  if (first === undefined || first.startsWith('-'))
    return 'Name what the file holds, for example: catalog-import products feed.csv';
  const named = resourceByWord(first, resources);
  if (named !== undefined) return `Did you mean: catalog-import ${named.command} ${shellWord(second || 'feed.csv')}`;
  const file = shellWord(first);
  if (foundAt(first)?.isDirectory() === true) return `To import a folder: catalog-import run ${file}`;
  const resource = resourceByWord(wordOf(basename(first)), resources) ?? (await fittingResource(first));
  if (resource !== undefined)
    return `${file} looks like ${resource.command}. To import it: catalog-import ${resource.command} ${file}`;
  const commands = resources.map(({ command }) => command).join(', ');
  return `Name what ${file} holds (${commands}), for example: catalog-import products ${file}. To look into it first: catalog-import inspect ${file}`;
}
