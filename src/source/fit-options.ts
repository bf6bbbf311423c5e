// Options about the form of files (form-options.ts), and constants, that are given for several files at once.
import { CatalogError } from '../core/errors.js';
import type { Fields } from '../core/fields/fields.js';
import { detectFormat } from './bytes/detect-format.js';
import { openBytes } from './bytes/open-bytes.js';
import { decodedText, headLength } from './bytes/text-source.js';
import { columnTarget } from './column-targets.js';
import { isReadOnce } from './file-place.js';
import { type FileForm, type FormOption, purposeOf, unfittingOptions } from './form-options.js';
import { sentBack } from './sent-back.js';
import { type SourceOptions, sheetOf } from './source.js';

/**
 * Refuses options that mean nothing for any of several files. A file that an option does not fit is read without it.
 * @returns the files, for which nothing more has to be refused
 * @throws CatalogError `usage`
 */
export async function fitOptions<F extends { readonly source: SourceOptions }>(files: readonly F[]): Promise<F[]> {
  const names = new Set(files.map(({ source }) => source.file));
  const given = files.filter(({ source }) => Object.keys(source.mustFit ?? {}).length > 0);
  if (names.size < 2 || files.some(({ source }) => isReadOnce(source)) || given.length === 0) return [...files];
  const fitting = new Map<string, FormOption>();
  const meant = new Set<string>();
  for (const { source } of given) {
    const form = await formOf(source);
    const { mustFit = {} } = source;
    const idle = form === undefined ? [] : unfittingOptions(mustFit, form);
    for (const option of Object.keys(mustFit) as FormOption[]) {
      const name = mustFit[option] as string;
      fitting.set(name, option);
      if (!idle.includes(option)) meant.add(name);
    }
  }
  for (const [name, option] of fitting)
    if (!meant.has(name))
      throw new CatalogError(
        'usage',
        `${name} is for ${purposeOf(option)}, and none of the files is that. Leave it out.`,
      );
  return files.map((file) => ({ ...file, source: { ...file.source, mustFit: {} } }));
}

/** Each file with the constants of `--set` that its records have a field for; one that none of them has is left to be refused. */
export function fitConstants<
  F extends { readonly resource: { readonly fields: Fields }; readonly source: SourceOptions },
>(files: readonly F[]): F[] {
  const isOf = (name: string, { resource }: F): boolean => columnTarget(name, resource.fields) !== undefined;
  return files.map((file) => {
    const { set } = file.source;
    if (set === undefined) return file;
    const own = [...set].filter(([name]) => isOf(name, file) || !files.some((other) => isOf(name, other)));
    return { ...file, source: { ...file.source, set: new Map(own) } };
  });
}

/** The form of a file by its beginning; undefined where it cannot be read, which is reported when it is opened. */
async function formOf(options: SourceOptions): Promise<FileForm | undefined> {
  try {
    const { encoding, format } = options;
    const bytes = await openBytes(options, sheetOf(options));
    try {
      const { compression } = bytes;
      const text = await decodedText(bytes.blocks, compression === 'xlsx' ? undefined : encoding);
      const found = format ?? detectFormat(bytes.name, await text.head());
      const isSentBack = compression !== 'xlsx' && sentBack(await text.head(headLength)) !== undefined;
      return { format: found, compression, isSentBack };
    } finally {
      await bytes.close();
    }
  } catch (failure) {
    if (failure instanceof CatalogError) return undefined;
    throw failure;
  }
}
