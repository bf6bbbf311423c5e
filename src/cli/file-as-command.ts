// What was meant by a file, a folder, the word `import` or a word of another tool in place of a command: `catalog-import x.csv`.
import { basename } from 'node:path';
import { CatalogError } from '../core/errors.js';
import type { Resource } from '../core/resource.js';
import { resources } from '../core/resources/index.js';
import { foundAt } from '../files/found-file.js';
import { fittingResource } from './fitting-resource.js';
import { resourceByWord, wordOf } from './resource-argument.js';
import { shellCommand, shellWord } from './shell-word.js';

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
  const named = isImport ? words.slice(1) : words;
  if (!isImport && foundAt(word) === undefined) return;
  throw new CatalogError('usage', `${word} is not a command. ${await meant(named)}`);
}

async function meant([first, ...others]: readonly string[]): Promise<string> {
  if (first === undefined || first.startsWith('-'))
    return 'Name what the file holds, for example: catalog-import products feed.csv';
  const named = resourceByWord(first, resources);
  if (named !== undefined) return `Did you mean: ${shellCommand([named.command, others[0] ?? 'feed.csv'])}`;
  return meantByFiles([first, ...others.filter((word) => foundAt(word) !== undefined)]);
}

/** The command that imports a folder, or those that import these files, each by what its name says or its columns. */
export async function meantByFiles(files: readonly string[]): Promise<string> {
  const ofResource = new Map<Resource, string[]>();
  for (const file of files) {
    if (foundAt(file)?.isDirectory() === true) return `To import a folder: ${shellCommand(['run', file])}`;
    const resource = resourceByWord(wordOf(basename(file)), resources) ?? (await fittingResource(file));
    if (resource === undefined) return unknown(file);
    ofResource.set(resource, [...(ofResource.get(resource) ?? []), file]);
  }
  const typed = resources
    .filter((resource) => ofResource.has(resource))
    .map((resource) => shellCommand([resource.command, ...(ofResource.get(resource) ?? [])]));
  const [[only, [file, more] = []] = []] = ofResource;
  if (only === undefined || file === undefined || typed.length > 1 || more !== undefined)
    return `To import them: ${typed.join(', then ')}`;
  return `${shellWord(file)} looks like ${only.command}. To import it: ${typed.join('')}`;
}

function unknown(file: string): string {
  const commands = resources.map(({ command }) => command).join(', ');
  const [products, inspect] = ['products', 'inspect'].map((command) => shellCommand([command, file]));
  return `Name what ${shellWord(file)} holds (${commands}), for example: ${products}. To look into it first: ${inspect}`;
}
