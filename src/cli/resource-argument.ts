// Parses a resource argument: singular, plural or the specification's name; any case, with -, _ or a space between
// words.
import { CatalogError } from '../core/errors.js';
import type { Resource } from '../core/resource.js';
import { findResource } from '../core/resources/index.js';
import { nearest } from '../core/text/text.js';
import { shellCommand } from './shell-word.js';

/** The resource of a typed name, or undefined. */
export function resourceByWord(word: string, among: readonly Resource[]): Resource | undefined {
  return findResource(
    word
      .trim()
      .toLowerCase()
      .replace(/[_\s]+/g, '-'),
    among,
  );
}

/** The word in a file's name: without leading digits and punctuation, and without what follows the first dot. */
export function wordOf(name: string): string {
  return name.replace(/^[\d\p{P}\p{S}\s]+/u, '').replace(/\..*$/su, '');
}

/**
 * The resource of a typed name.
 * @param command a command that takes a key after the resource: the word may be such a key
 * @throws CatalogError `usage` with the most similar name, or the command with a resource
 */
export function parseResource(word: string, among: readonly Resource[], command?: string): Resource {
  const found = resourceByWord(word, among);
  if (found !== undefined) return found;
  const near = nearest(
    word,
    among.flatMap(({ command, words }) => [command, ...words]),
  );
  const keyed = command === undefined ? '' : ` To name a product: ${shellCommand([command, 'product', word])}`;
  const hint = near === undefined ? keyed : ` Did you mean ${near}?`;
  const known = among.map(({ command }) => command).join(', ');
  const use = among.length === 1 ? `use ${known}` : `use one of ${known}`;
  throw new CatalogError('usage', `${word} is not a resource; ${use}.${hint}`);
}

/**
 * Refuses a key option that is not one of the resource: it would be ignored.
 * @param given the values of `--sku`, `--name` and `--external-id`, by field
 * @param others what else the command finds a record by, such as ` or --id`
 * @returns the option of the resource's key
 * @throws CatalogError `usage` with the option to use
 */
export function refuseForeignKey(
  resource: Resource,
  given: Readonly<Record<string, string | undefined>>,
  others = '',
): string {
  const keys = [resource.key, resource.keyAlias];
  const foreign = Object.keys(given).find((field) => given[field] !== undefined && !keys.includes(field));
  const option = `--${resource.key.replace('_', '-')}`;
  if (foreign === undefined) return option;
  const typed = `--${foreign.replace('_', '-')}`;
  throw new CatalogError('usage', `${typed} does not name one of the ${resource.command}; use ${option}${others}.`);
}
