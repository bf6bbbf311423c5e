// `--include`: details that a read adds to a record, as `include` does over HTTP.
import { type Command, Option } from 'commander';
import { CatalogError } from '../core/errors.js';
import { includeWords } from '../core/reading/record-view.js';
import type { Resource } from '../core/resource.js';
import { nearest } from '../core/text/text.js';

export function addIncludeOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--include <details>',
      'also these details, separated by commas, as include does over HTTP: of a product names, grades, attributes, media, lowest_price_30d',
    ),
  );
}

/**
 * The details that `--include` names.
 * @throws CatalogError `usage` for one that the resource does not have
 */
export function includedDetails(resource: Resource, typed = ''): readonly string[] {
  const words = typed
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const known = includeWords(resource);
  const unknown = words.find((word) => !known.includes(word));
  if (unknown === undefined) return words;
  const near = nearest(unknown, known);
  const remedy = near === undefined ? `Use ${known.join(', ')}.` : `Did you mean ${near}?`;
  throw new CatalogError('usage', `--include ${unknown} is not a detail of ${resource.command}. ${remedy}`);
}
