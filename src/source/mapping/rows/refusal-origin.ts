// The origin of reimported records: the columns that a file of refused rows adds give the line of each row in its
// original file, and the reason why it is in the file.
import type { RefusalCode } from '../../../core/diagnostics/refusal-codes.js';
import type { Entry } from '../../../core/entry.js';
import { earlierRowReason, laterRowReason, lineMarks, linePattern, refusalColumns } from '../../column-targets.js';

/** The origin of a reimported record. */
export interface RefusalOrigin {
  /** Its line in the original file. */
  readonly line: number;
  /** Not refused itself, but looked up by a refused record: it makes no item. */
  readonly isLookedUp: boolean;
  /** The first row of a key that a refused record may have: it makes no item, and its key is taken. */
  readonly isEarlier: boolean;
  /** Its empty cells were filled in the original file. Tables use the unfilled copy of the row. */
  readonly isFilled: boolean;
  /** It was unreadable: after its correction its empty cells are filled, and its group is determined. */
  readonly isLoose: boolean;
  /** It was unreadable, and certainly does not belong to the record before it. */
  readonly isApart: boolean;
  /** It was refused for its key, so that later rows with the key it will be given are unknown. */
  readonly isKeyless: boolean;
  /** Its record may lack an unreadable row, which may join it after the correction. */
  readonly isTorn: boolean;
}

/**
 * Reads the origin of records; undefined for a record that was not refused before.
 * @param columns the file's columns; undefined for records that are objects
 */
export function refusalOrigin(columns: readonly string[] | undefined): (record: unknown) => RefusalOrigin | undefined {
  const [lineName = '', codeName = '', reasonName = ''] = refusalColumns;
  if (columns === undefined) {
    return (record) => {
      if (typeof record !== 'object' || record === null || !Object.hasOwn(record, lineName)) return undefined;
      const { [lineName]: line, [codeName]: code, [reasonName]: reason } = record as Readonly<Record<string, unknown>>;
      return originFrom(String(line ?? ''), String(code ?? ''), String(reason ?? ''));
    };
  }
  const lineAt = columns.lastIndexOf(lineName);
  const codeAt = columns.lastIndexOf(codeName);
  const reasonAt = columns.lastIndexOf(reasonName);
  if (lineAt === -1 || codeAt === -1) return () => undefined;
  return (record) => {
    const cells = record as readonly (string | undefined)[];
    return originFrom(cells[lineAt] ?? '', cells[codeAt] ?? '', cells[reasonAt] ?? '');
  };
}

/**
 * Marks the items of reimported rows whose keys were corrected, for files without a mapping.
 * @param columns the file's columns; undefined for records that are objects
 */
export function withCorrectedKeys<R>(give: (record: R) => Entry, columns?: readonly string[]): (record: R) => Entry {
  if (columns !== undefined && !columns.includes(refusalColumns[0] ?? '')) return give;
  const origin = refusalOrigin(columns);
  return (record) => {
    const entry = give(record);
    return origin(record)?.isKeyless === true ? rekeyed(entry) : entry;
  };
}

/** An entry whose key was corrected. */
export function rekeyed(entry: Entry): Entry {
  return entry.kind === 'raw' ? { ...entry, isRekeyed: true } : entry;
}

const isLine = new RegExp(`^${linePattern}$`);

function originFrom(written: string, code: string, reason: string): RefusalOrigin | undefined {
  const line = written.trim();
  if (!isLine.test(line)) return undefined;
  return {
    line: Number.parseInt(line, 10),
    isLookedUp: code.trim() === '' && reason.trim() !== laterRowReason,
    isEarlier: code.trim() === '' && reason.trim() === earlierRowReason,
    isFilled: line.includes(lineMarks.isFilled),
    isLoose: line.includes(lineMarks.isLoose),
    isApart: line.includes(lineMarks.isApart),
    isKeyless: line.includes(lineMarks.isKeyless),
    isTorn: code.trim() === ('record_incomplete' satisfies RefusalCode),
  };
}
