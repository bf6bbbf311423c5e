// Third-party files in a folder next to the project, on machines that have it: corpora, and exports of other shops.
// CATALOG_TEST_CORPORA names another place for the folder, which has `corpora` and `data`.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const beside = process.env['CATALOG_TEST_CORPORA'] ?? fileURLToPath(new URL('../../shared', import.meta.url));

/** Where the exports of other shops are; they are not ours to copy. */
export const feedFolder = `${beside}/data`;

/**
 * The path of a corpus; undefined where there are none.
 * @throws Error where there are corpora and this one is not among them: a path that is wrong would test nothing
 */
export function corpus(path: string): string | undefined {
  const folder = `${beside}/corpora`;
  if (!existsSync(folder)) return undefined;
  if (!existsSync(`${folder}/${path}`)) throw new Error(`${folder} has no ${path}`);
  return `${folder}/${path}`;
}
