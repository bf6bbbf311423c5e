// Parses a resource argument: singular, plural or the specification's name; any case, with -, _ or a space between
// words.
import { CatalogError } from '../core/errors.js';
import type { Resource } from '../core/resource.js';
import { findResource } from '../core/resources/index.js';
import { nearest } from '../core/text/text.js';

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

/**
 * The resource of a typed name.
 * @throws CatalogError `usage` with the most similar name
 */
export function parseResource(word: string, among: readonly Resource[]): Resource {
  const found = resourceByWord(word, among);
  if (found !== undefined) return found;
  const near = nearest(
    word,
    among.flatMap(({ command, words }) => [command, ...words]),
  );
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
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
