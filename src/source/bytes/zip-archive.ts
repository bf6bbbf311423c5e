// Reads one entry of a .zip archive (or of a workbook, which is one too) as a stream. The home of yauzl, which checks
// sizes and checksums and reads the directory at the end of the file, so that stdin is not supported.
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { CatalogError } from '../../core/errors.js';
import { isSameName } from '../../files/file-in.js';
import { isSystemFile } from './system-files.js';

export interface Archive {
  readonly names: readonly string[];
  /** The bytes of an entry, unpacked. */
  open(name: string): Promise<Readable>;
  close(): void;
}

/** Entries an archive may have: a feed has a handful. */
const mostEntries = 10_000;

/**
 * Opens an archive.
 * @param file its name for people
 * @throws CatalogError `input_unreadable` if it is broken, or holds too much
 */
export async function openArchive(path: string, file = path): Promise<Archive> {
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(path, { lazyEntries: true, autoClose: false });
    if (zip.entryCount > mostEntries) throw new Error(`it contains more than ${mostEntries} files`);
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
    const opened = zip;
    return {
      names: [...entries.keys()],
      async open(name) {
        const entry = entries.get(name);
        if (entry === undefined)
          throw new CatalogError('input_unreadable', `${file} does not contain ${name}; pack it again.`);
        if (entry.isEncrypted())
          throw new CatalogError('input_unreadable', `${file}: ${name} is encrypted; unpack it first.`);
        if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
          throw new CatalogError(
            'input_unreadable',
            `${file}: ${name} is packed by ${methodWords(entry.compressionMethod)}; pack it again as an ordinary .zip (deflate).`,
          );
        return opened.openReadStreamPromise(entry).catch((cause: Error) => {
          throw new CatalogError(
            'input_unreadable',
            `${file}: ${name} cannot be unpacked (${cause.message}); fetch or pack it again.`,
            { cause },
          );
        });
      },
      close: () => opened.close(),
    };
  } catch (cause) {
    zip?.close();
    if (cause instanceof CatalogError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError('input_unreadable', `${file}: the archive is broken (${why}); fetch or pack it again.`, {
      cause,
    });
  }
}

/** Names of compression methods other than deflate. */
const methods: Readonly<Record<number, string>> = {
  1: 'shrink',
  6: 'implode',
  9: 'deflate64',
  12: 'bzip2',
  14: 'LZMA',
  93: 'Zstandard',
  95: 'xz',
  98: 'PPMd',
  99: 'AES',
};

function methodWords(method: number): string {
  const name = methods[method];
  return name === undefined ? `method ${method}` : `${name} (method ${method})`;
}

/** The files of an archive: no folders, no dot files, no metadata of macOS. */
export function feedEntries(names: readonly string[]): string[] {
  return names.filter(
    (name) => !name.endsWith('/') && !name.split('/').some((part) => part === '__MACOSX' || isSystemFile(part)),
  );
}

export function selectEntry(file: string, names: readonly string[], wanted: string | undefined): string {
  const files = feedEntries(names);
  const base = (name: string) => name.slice(name.lastIndexOf('/') + 1);
  const found =
    wanted === undefined ? files : files.filter((name) => isSameName(name, wanted) || isSameName(base(name), wanted));
  if (found.length === 1) return found[0] ?? '';
  const listed = files.slice(0, 20).join(', ');
  const what = wanted === undefined ? `contains ${files.length} files` : `contains no file named ${wanted}`;
  throw new CatalogError('usage', `${file} ${what}; name one with --sheet: ${listed}.`);
}
