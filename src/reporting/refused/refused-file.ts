// The file of --refused-file: refused records in their original form, with the source's dialect, columns and encoding,
// and with `_line`, `_code` and `_reason` after them. Corrected, it is imported as it is: these three are ignored, also
// in a file without a header.
import { accessSync, constants, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type RecordKey, recordKey } from '../../core/fields/record-key.js';
import type { Resource } from '../../core/resource.js';
import { shownFile } from '../../core/text/shown-file.js';
import { type DurableFile, makeFolder, removeAbandoned, removeFile, replaceFile } from '../../files/durable-file.js';
import { withWriteErrors } from '../../files/write-text-file.js';
import type { BatchResult, ImportObserver } from '../../importing/observer.js';
import { earlierRowReason, lineMarks, lookedUpReason } from '../../source/column-targets.js';
import type { SourceForm } from '../../source/open-source.js';
import { type RawPart, splitRaws } from '../../source/record-reader.js';
import { formatOf, type Refused } from './refused-format.js';
import { refusedRows } from './refused-rows.js';

/** A file of refused records that is being written. */
interface RefusedFile {
  add(result: BatchResult): void;
  /** Commits the file and returns how many records it contains; without any, there is no file. */
  end(): number;
  /** Removes the incomplete file. */
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
  let last: Refused | undefined;
  const rows = refusedRows(key);
  /** Records that were not refused but are looked up by refused ones, by line. */
  const lookedUp = new Map<number, string>();

  function write(text: string): void {
    telling(path, () => {
      file ??= replaceFile(path);
      file.write(form.encode(text, written === 0));
    });
  }

  function flush(): void {
    if (last === undefined) return;
    const { raw, ...reported } = last;
    const parts = splitRaws(raw).filter(({ isKey }) => isKey !== true);
    const isApart = ({ isLookedUp, isContext }: RawPart) => isLookedUp === true && isContext !== true;
    for (const { text, line = reported.line } of parts.filter(isApart)) lookedUp.set(line, text);
    const records = parts.filter((part) => !isApart(part)).map((part) => shape.record(partOf(part, reported)));
    write((written === 0 ? shape.begin : shape.between) + records.join(shape.between));
    written++;
    if (reported.codes.length > 0) count++;
    last = undefined;
  }

  return {
    add(result) {
      for (const { line, raw, codes, reasons, isKeyless } of rows.of(result)) {
        // A record from which a mapping makes several items is written once.
        if (last?.line !== line || last.raw !== raw) flush();
        last ??= { line, raw, codes: [], reasons: [] };
        if (isKeyless) last = { ...last, mark: lineMarks.isKeyless };
        last.codes.push(...codes);
        last.reasons.push(...reasons);
      }
    },
    end() {
      flush();
      for (const [line, raw] of lookedUp)
        write(shape.between + shape.record({ line, raw, codes: [], reasons: [lookedUpReason] }));
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

/** Each row of an item gets its problems, since they are corrected and imported together. */
function partOf(part: RawPart, reported: Omit<Refused, 'raw'>): Refused {
  const context = part.isEarlier ? earlierRowReason : lookedUpReason;
  const why = part.isContext ? { codes: [], reasons: [context] } : reported;
  const keyless = part.isContext ? '' : (reported.mark ?? '');
  return { ...why, line: part.line ?? reported.line, raw: part.text, mark: markOf(part) + keyless };
}

function markOf({ isFilled, isLoose, isApart }: RawPart): string {
  const place = isApart ? lineMarks.isLoose + lineMarks.isApart : isLoose ? lineMarks.isLoose : '';
  return (isFilled ? lineMarks.isFilled : '') + place;
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

/** The files of refused records of one command: one if it imports one file, else one for each in a folder. */
export interface RefusedFiles {
  /** Opens the file for a job. */
  open(
    job: { readonly file: string; readonly resource: Pick<Resource, 'command' | 'fields' | 'key'> },
    form: SourceForm | undefined,
  ): RefusedFile;
  discard(): void;
}

/**
 * The destination of --refused-file.
 * @param files the imported files; for several, the path is that of a folder
 * @param many whether they are reported as one run
 * @param claim called for each file of the folder before it is written; throws if the path is in use
 */
export function refusedFiles(
  path: string,
  files: readonly string[],
  many: boolean,
  claim: (file: string) => void,
): RefusedFiles {
  const used = new Set<string>();
  let open: RefusedFile | undefined;
  return {
    open({ file, resource }, form) {
      if (form === undefined) throw new Error(`${file}: refused records were asked for, and their text was not kept`);
      const name =
        file === '-'
          ? `${resource.command}.${form.format}`
          : basename(file)
              .replace(/\.gz$/i, '')
              .replace(/\.(?:xlsx|zip)$/i, `.${form.format}`);
      // For a file that feeds several resources, each resource has a file of its own, named so that `run` recognizes
      // it.
      let own = files.filter((one) => one === file).length > 1 ? `${resource.command}.${name}` : name;
      for (let n = 2; used.has(own); n++) own = `${resource.command}.${n}.${name}`;
      used.add(own);
      if (many) {
        telling(path, () => makeFolder(path));
        claim(join(path, own));
      }
      open = openRefusedFile(many ? join(path, own) : path, form, recordKey(resource.fields, resource.key));
      return open;
    },
    discard: () => open?.discard(),
  };
}

/**
 * The observer that writes the refused records of each file.
 * @param say prints a notice about each file
 */
export function refusedRecords(files: RefusedFiles, say: (words: string) => void): ImportObserver {
  let open: RefusedFile | undefined;
  let name = '';
  return {
    begin({ file, resource, source }) {
      name = file;
      open = files.open({ file, resource }, source.form);
    },
    batch(result) {
      open?.add(result);
    },
    finish() {
      const words = refusedWords(name, open?.end());
      if (words !== undefined) say(words);
    },
    discard: () => files.discard(),
  };
}

/** The notice about a file of refused records. */
function refusedWords(file: string, count: number | undefined): string | undefined {
  if (count === undefined || count === 0) return undefined;
  const records = count === 1 ? '1 refused record' : `${count} refused records`;
  return `${shownFile(file)}: ${records} written back; mend and import what is there`;
}
