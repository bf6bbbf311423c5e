// What an argument names: a file, the standard input, or an address.

import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { CatalogError } from '../../core/errors.js';
import { sanitizeText } from '../../core/text/sanitize.js';
import { isAddress, shownAddress } from '../../core/text/shown-address.js';
import { foundAt } from '../../files/found-file.js';
import { sourceAddress } from '../../http/source/source-address.js';
import { isSystemFile } from '../../source/bytes/system-files.js';

/** A source as it was typed. */
export interface TypedSource {
  /** A path, `-`, or an address as it may be shown. */
  readonly file: string;
  readonly address?: URL;
}

/** @throws CatalogError `usage` for a pattern that matches several files, and for an address that is not accepted */
export function typedSource(word: string, { allowHttp = false }: { readonly allowHttp?: boolean }): TypedSource {
  if (!isAddress(word)) return { file: matchingFile(word) };
  const address = sourceAddress(word, allowHttp);
  return { file: shownAddress(address.href), address };
}

/** @throws CatalogError `usage` for an address in place of a folder */
export function refuseAddress(word: string): void {
  if (isAddress(word))
    throw new CatalogError(
      'usage',
      `${shownAddress(word)}: run imports a folder. Import an address by the command of its records, such as products.`,
    );
}

/** Names of files in a message. */
const mostShown = 5;

/**
 * The file that a name means: the only one that matches, where it is a pattern and no file has this name. Where none
 * matches it is the name itself, which is not found then, as in a shell.
 * @throws CatalogError `usage` where several match: which of them hold the resource, and in which order, is not known
 */
function matchingFile(name: string): string {
  const pattern = basename(name);
  if (!/[*?]/.test(pattern) || foundAt(name) !== undefined) return name;
  const folder = name.slice(0, name.length - pattern.length);
  const expression = expressionOf(pattern);
  const matches = namesIn(dirname(name)).filter((one) => !isSystemFile(one) && expression.test(one));
  const [only, ...others] = matches;
  if (only === undefined) return name;
  if (others.length === 0) return folder + only;
  const shown = matches.sort().slice(0, mostShown).map(sanitizeText).join(', ');
  throw new CatalogError(
    'usage',
    `${sanitizeText(name)} matches ${matches.length} files: ${shown}${matches.length > mostShown ? ', …' : ''}. Name the files to import, or use run to import all files of a folder.`,
  );
}

/** None where the folder is missing or may not be read: opening the file fails then, with the reason. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Names are compared without case, as Windows does. */
function expressionOf(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 'is');
}
