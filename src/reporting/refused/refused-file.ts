// The file of --refused-file: where one record is one item, the record as it came, with the source's dialect, columns and
// encoding; where a mapping joined records, the item that it made of them, as NDJSON. After either come `_code` and
// `_reason`, and the line: they are ignored when the corrected file is imported.
import { accessSync, constants, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { CatalogError } from '../../core/errors.js';
import { type RecordKey, recordKey } from '../../core/fields/record-key.js';
import type { Resource } from '../../core/resource.js';
import { counted } from '../../core/text/counted.js';
import { shownFile } from '../../core/text/sanitize.js';
import { type DurableFile, makeFolder, removeAbandoned, removeFile, replaceFile } from '../../files/durable-file.js';
import { foundAt } from '../../files/found-file.js';
import { withWriteErrors } from '../../files/write-text-file.js';
import type { BatchResult, ImportObserver, RefusedRecords } from '../../importing/observer.js';
import { itemsEnding } from '../../source/column-targets.js';
import { type Format, formatNames, formatOfName, type SourceForm } from '../../source/open-source.js';
import { formatOf, type WrittenRecord } from './refused-format.js';
import { refusedRows } from './refused-rows.js';

interface RefusedFile {
  readonly path: string;
  readonly form: SourceForm;
  add(result: BatchResult): void;
  /** Commits the file and returns how many records it contains; without any, there is no file. */
  end(): number;
  discard(): void;
}

/**
 * Starts the file for one source.
 * @throws CatalogError `usage` if the file cannot be written
 */
function openRefusedFile(path: string, form: SourceForm, key: RecordKey): RefusedFile {
  telling(path, () => makeWritable(path));
  const shape = formatOf(form);
  let file: DurableFile | undefined;
  let count = 0;
  let written = 0;
  let last: WrittenRecord | undefined;
  const rows = refusedRows(key, form.items?.isOnce === true);

  function write(text: string): void {
    telling(path, () => {
      file ??= replaceFile(path);
      file.write(form.encode(text, written === 0));
    });
  }

  function flush(): void {
    if (last === undefined) return;
    write((written === 0 ? shape.begin : shape.between) + shape.record(last));
    written++;
    if (last.codes.length > 0) count++;
    last = undefined;
  }

  return {
    path,
    form,
    add(result) {
      for (const { line, raw, codes, reasons } of rows.of(result)) {
        // A record from which a mapping makes several items is written once.
        if (last?.line !== line || last.raw !== raw) flush();
        last ??= { line, raw, codes: [], reasons: [] };
        last.codes.push(...codes);
        last.reasons.push(...reasons);
      }
    },
    end() {
      flush();
      const ended = file;
      if (ended === undefined) telling(path, () => removeFile(path));
      else {
        write(shape.end);
        telling(path, () => ended.commit());
      }
      return count;
    },
    discard: () => file?.discard(),
  };
}

/** The file is created with the first refused record; whether that is possible is checked before the import. */
function makeWritable(path: string): void {
  const earlier = statSync(path, { throwIfNoEntry: false });
  if (earlier?.isDirectory()) throw new Error('it is a folder');
  if (!statSync(dirname(path)).isDirectory()) throw new Error(`${dirname(path)} is not a folder`);
  if (earlier !== undefined && !earlier.isFile()) return;
  accessSync(dirname(path), constants.W_OK);
  removeAbandoned(path);
}

function telling<T>(path: string, work: () => T): T {
  return withWriteErrors(`The file of refused records ${path}`, work);
}

/** Whether a path is that of a folder, for any number of files: one that exists, ends with `/`, or has no extension. */
export function isRefusedFolder(path: string): boolean {
  const found = foundAt(path);
  return found === undefined ? path.endsWith('/') || extname(path) === '' : found.isDirectory();
}

/** The name of the file with items in place of records: `refused.csv` → `refused.items.ndjson`. */
function itemsName(path: string): string {
  return path.endsWith(itemsEnding) ? path : path.slice(0, path.length - extname(path).length) + itemsEnding;
}

const families: Readonly<Record<Format, 'table' | 'records' | 'document'>> = {
  csv: 'table',
  tsv: 'table',
  json: 'records',
  ndjson: 'records',
  xml: 'document',
};

/** Records are written back as they came: a name of another format would have them read as that. */
function refuseOtherFormat(path: string, file: string, { format, isNamed }: SourceForm): void {
  const named = formatOfName(path);
  if (isNamed || named === undefined || families[named] === families[format]) return;
  const fitting = path.replace(/\.[^.]+(?:\.gz)?$/i, `.${format}`);
  throw new CatalogError(
    'usage',
    `--refused-file ${path} is named like ${formatNames[named]}, and the refused records of ${shownFile(file)} are written back as they came, in ${formatNames[format]}. Name it ${fitting}.`,
  );
}

interface RefusedSource {
  readonly file: string;
  readonly resource: Pick<Resource, 'command' | 'fields' | 'key'>;
}

/** The paths of the files of refused records of one command. */
function refusedPaths(path: string, files: readonly string[]): (source: RefusedSource, form: SourceForm) => string {
  if (!isRefusedFolder(path))
    return ({ file }, form) => {
      if (form.items !== undefined) return itemsName(path);
      refuseOtherFormat(path, file, form);
      return path;
    };
  const used = new Set<string>();
  return ({ file, resource: { command } }, { format, items }) => {
    const base = basename(file)
      .replace(/\.gz$/i, '')
      .replace(/\.(?:xlsx|zip)$/i, `.${format}`);
    const name = file === '-' ? `${command}.${format}` : items === undefined ? base : itemsName(base);
    // The name of a file that feeds several resources, or that is read without a mapping, begins with its resource.
    const isNamed = name.startsWith(`${command}.`);
    const needsName = items !== undefined || files.filter((one) => one === file).length > 1;
    let own = needsName && !isNamed ? `${command}.${name}` : name;
    for (let n = 2; used.has(own); n++) own = `${command}.${n}.${name}`;
    used.add(own);
    telling(path, () => makeFolder(path));
    return join(path, own);
  };
}

/**
 * The observer that writes the refused records of each file.
 * @param path the path of --refused-file
 * @param files the files of the import
 * @param claim called for each file before it is written; throws if the path is in use
 * @param say prints a notice about each file
 */
export function refusedRecords(
  path: string,
  files: readonly string[],
  claim: (file: string) => void,
  say: (words: string) => void,
): ImportObserver {
  const pathOf = refusedPaths(path, files);
  let open: RefusedFile | undefined;
  let name = '';
  return {
    begin({ file, resource, source: { form } }) {
      if (form === undefined) throw new Error(`${file}: refused records were asked for, and their text was not kept`);
      name = file;
      const own = pathOf({ file, resource }, form);
      if (own !== path) claim(own);
      open = openRefusedFile(own, form, recordKey(resource.fields, resource.key));
    },
    batch(result) {
      open?.add(result);
    },
    finish(outcome) {
      const count = open?.end() ?? 0;
      if (open === undefined || count === 0) return undefined;
      const refusedFile: RefusedRecords = { path: open.path, count, as: open.form.items ? 'items' : 'records' };
      say(refusedWords(name, refusedFile));
      return { ...outcome, refusedFile };
    },
    discard: () => open?.discard(),
  };
}

/** The notice about a file of refused records. */
function refusedWords(file: string, { path, count, as }: RefusedRecords): string {
  const records = counted(count, 'refused records');
  const how =
    as === 'items'
      ? `as the items that the mapping made: correct them, and import ${path} without the mapping`
      : `as they came: correct them, and import ${path} with the same options`;
  return `${shownFile(file)}: ${records} written back ${how}`;
}
