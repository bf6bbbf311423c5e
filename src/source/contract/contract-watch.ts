// Judges a contract while its file is read: the values of columns in the records as they were read, those of fields in the
// items that they give. It holds figures and the first offenders, and what `unique` needs.
import type { Warning } from '../../core/diagnostics/warning-codes.js';
import type { RecordKey } from '../../core/fields/record-key.js';
import { foundAt } from '../../files/found-file.js';
import { isAdded } from '../column-targets.js';
import { bytesPath } from '../file-place.js';
import type { ReadRule } from '../mapping/mapping.js';
import type { Chunk, RecordReader } from '../record-reader.js';
import type { SourceOptions } from '../source.js';
import type { Expectation, ExpectedFigure } from './contract.js';
import { fileFigure, missedWarning } from './expected-figure.js';
import { type JudgedValues, judgedValues, judgeValue, valuesFigure } from './judged-values.js';
import type { FileFacts } from './rule.js';

export interface ContractWatch {
  /** Names the readers: that of the records, and that of the items. */
  reads(records: RecordReader, items: RecordReader): void;
  /**
   * Compares the names of the contract with the columns.
   * @throws CatalogError `usage` for a name that is neither a field nor a column
   */
  bind(): void;
  /** Takes a record as it was read. */
  record(record: unknown, line: number): void;
  /** Takes the items of chunks on their way. */
  watched(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk>;
  /** What was found, at the end of the file. */
  figures(): readonly ExpectedFigure[];
  /** At the end of the file, what the contract expects otherwise, of rules that only warn. */
  warnings(): readonly Warning[];
}

/** A file that is read, and the contract it is held against. */
interface WatchedFile {
  readonly expectations: readonly Expectation[];
  readonly key: RecordKey;
  /** How its numbers are written. */
  readonly read: ReadRule;
  readonly options: SourceOptions;
  /** Whether all of its rows are read. */
  readonly isWhole: boolean;
  readers?: { readonly records: RecordReader; readonly items: RecordReader };
  /** Once its columns are known. */
  judged?: readonly JudgedValues[];
  /** The names of members, for records that are objects. */
  readonly members: Set<string>;
  records: number;
  rows: number;
  isEnded: boolean;
}

/** Maximum names of members that are kept: a hostile file may have a million. */
const mostNames = 1000;

export function contractWatch(
  about: Pick<WatchedFile, 'expectations' | 'key' | 'read' | 'options' | 'isWhole'>,
): ContractWatch {
  const file: WatchedFile = { ...about, members: new Set(), records: 0, rows: 0, isEnded: false };
  return {
    reads(records, items) {
      file.readers = { records, items };
    },
    bind: () => void bound(file),
    record: (record, line) => takeRecord(file, record, line),
    async *watched(chunks) {
      for await (const chunk of chunks) {
        checkMembers(file, false);
        takeItems(file, chunk);
        yield chunk;
      }
      checkMembers(file, true);
      file.isEnded = true;
    },
    figures: () => figuresOf(file, false),
    warnings: () =>
      figuresOf(file, true).flatMap((figure) => (figure.passed ? [] : missedWarning(figure, file.options.file))),
  };
}

/** The expectations about values, compiled once the columns are known. */
function bound(file: WatchedFile): readonly JudgedValues[] {
  const { key, read, readers, expectations } = file;
  file.judged ??= expectations.flatMap(({ subject, ...one }) =>
    subject === undefined
      ? []
      : judgedValues({ ...one, subject }, { key, read, columns: readers?.records.columns?.() }),
  );
  return file.judged;
}

function takeRecord(file: WatchedFile, record: unknown, line: number): void {
  file.records++;
  for (const one of bound(file)) {
    if (one.isOfField) continue;
    one.scope.members?.watch(record);
    judgeValue(one, record, line, () => '');
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return;
  for (const name in record) if (file.members.size < mostNames) file.members.add(name);
}

function takeItems(file: WatchedFile, { entries, lines }: Chunk): void {
  file.rows += entries.length;
  const ofFields = bound(file).filter(({ isOfField }) => isOfField);
  for (const [i, entry] of entries.entries()) {
    if (entry.kind !== 'raw' || typeof entry.item !== 'object' || entry.item === null) continue;
    const item = entry.item as Readonly<Record<string, unknown>>;
    for (const one of ofFields) judgeValue(one, item, lines[i] ?? 0, () => file.key.of(item));
  }
}

/** Compares the names of columns with the first records, where these are objects. */
function checkMembers(file: WatchedFile, isWhole: boolean): void {
  const { records } = file;
  for (const { scope } of bound(file))
    scope.members?.check({ records, isAnyKept: records > 0, characters: 0, isWhole });
}

function figuresOf(file: WatchedFile, ofWarnings: boolean): readonly ExpectedFigure[] {
  if (!file.isEnded) return [];
  const facts = factsOf(file);
  const ofFiles = file.expectations.filter(({ subject, warns }) => subject === undefined && warns === ofWarnings);
  const ofValues = bound(file).filter(({ expectation: { warns } }) => warns === ofWarnings);
  return [...ofFiles.flatMap((one) => fileFigure(one, facts) ?? []), ...ofValues.map(valuesFigure)];
}

function factsOf({ expectations, options, isWhole, readers, members, rows }: WatchedFile): FileFacts {
  const named = new Set(expectations.map(({ subject }) => subject?.trim()));
  const isOwn = (name: string) => !isAdded(name);
  return {
    ...{ rows, isWhole, file: options.file, now: Date.now() },
    columns: [...(readers?.records.columns?.() ?? members)].map(shownColumn).filter(isOwn),
    unused: [...(readers?.items.unknown().keys() ?? [])].filter((name) => isOwn(name) && !named.has(name)),
    modified: modifiedOf(options),
  };
}

/** A column without a name goes by its position, as an inspection shows it. */
function shownColumn(name: string, index: number): string {
  return name.trim() || `column ${index + 1}`;
}

/** When a file was last modified, in milliseconds. */
function modifiedOf(options: SourceOptions): number {
  const { spool } = options;
  if (spool !== undefined) return Date.parse(spool.modified ?? '');
  return foundAt(bytesPath(options))?.mtimeMs ?? Number.NaN;
}
