// What an argument names: a file, the standard input, or an address.

import { basename, dirname } from 'node:path';
import { CatalogError } from '../../core/errors.js';
import { isAddress, shownAddress } from '../../core/text/mask-credentials.js';
import { sanitizeText } from '../../core/text/sanitize.js';
import { namesIn } from '../../files/file-in.js';
import { foundAt } from '../../files/found-file.js';
import { sourceAddress } from '../../http/source/source-address.js';
import { isSystemFile } from '../../source/bytes/system-files.js';
import { shellCommand } from '../shell-word.js';

export interface TypedSource {
  /** A path, `-`, or an address as it may be shown. */
  readonly file: string;
  readonly address?: URL;
}

interface AddressRule {
  readonly allowHttp?: boolean;
}

/**
 * What an argument of a command for several files names.
 * @throws CatalogError `usage` for an address that is not accepted, `input_unreadable` for a folder
 */
export function typedSources(word: string, rule: AddressRule): readonly TypedSource[] {
  return isAddress(word) ? [typedSource(word, rule)] : matchingFiles(word).map(noFolder);
}

/**
 * @throws CatalogError `usage` for a pattern that matches several files, and for an address that is not accepted;
 * `input_unreadable` for a folder
 */
export function typedSource(word: string, { allowHttp = false }: AddressRule): TypedSource {
  if (!isAddress(word)) return noFolder(matchingFile(word));
  const address = sourceAddress(word, allowHttp);
  return { file: shownAddress(address.href), address };
}

function noFolder(file: string): TypedSource {
  if (foundAt(file)?.isDirectory() !== true) return { file };
  throw new CatalogError(
    'input_unreadable',
    `${sanitizeText(file)} is a folder. To import its files: ${shellCommand(['run', file])}`,
  );
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

/** Names of files in the order in which they are imported: `2-` before `10-`. The order is loaded in 5 ms: not for one file. */
export function inImportOrder(names: readonly string[]): string[] {
  return [...names].sort(new Intl.Collator('en', { numeric: true }).compare);
}

/**
 * The files that a name means: those that match, in the order of their names, where it is a pattern and no file has this
 * name. Where none matches it is the name itself, which is not found then, as in a shell.
 */
function matchingFiles(name: string): readonly string[] {
  const pattern = basename(name);
  if (!/[*?]/.test(pattern) || foundAt(name) !== undefined) return [name];
  const folder = name.slice(0, name.length - pattern.length);
  const expression = expressionOf(pattern);
  const matches = namesIn(dirname(name)).filter((one) => !isSystemFile(one) && expression.test(one.normalize('NFC')));
  return matches.length === 0 ? [name] : inImportOrder(matches).map((one) => folder + one);
}

/**
 * The file that a name means, for a command that takes one.
 * @throws CatalogError `usage` where several match
 */
function matchingFile(name: string): string {
  const [only = name, ...others] = matchingFiles(name);
  if (others.length === 0) return only;
  const all = [only, ...others].map((file) => sanitizeText(basename(file)));
  const shown = `${all.slice(0, mostShown).join(', ')}${all.length > mostShown ? ', …' : ''}`;
  throw new CatalogError('usage', `${sanitizeText(name)} matches ${all.length} files: ${shown}. Name one of them.`);
}

/** Names are compared without case, as Windows does. */
function expressionOf(pattern: string): RegExp {
  const source = pattern
    .normalize('NFC')
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 'is');
}
