// What an argument names: a file, the standard input, or an address.
import { CatalogError } from '../../core/errors.js';
import { isAddress, shownAddress } from '../../core/text/shown-address.js';
import { sourceAddress } from '../../http/source/source-address.js';
import { matchingFile } from '../import/matching-file.js';

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
