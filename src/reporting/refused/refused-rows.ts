// Selects the rows for the file of refused rows: the refused ones, and the later rows of their keys. A corrected row is
// imported after rows that followed it in its file: without them it would overwrite what they had stored.
import type { RecordKey } from '../../core/fields/record-key.js';
import type { Line, Report } from '../../core/import-report.js';
import { hasTrustedKey } from '../../core/trusted-key.js';
import type { BatchResult } from '../../importing/observer.js';
import { laterRowReason } from '../../source/column-targets.js';
import { type KeyHashSet, newKeyHashSet } from '../../source/open-source.js';
import { keyMark, splitRaws } from '../../source/record-reader.js';

/** A line of a report, for the file of refused rows. */
interface WrittenRow {
  readonly line: number;
  readonly raw: string;
  /** Empty for a row that was not refused. */
  readonly codes: readonly string[];
  readonly reasons: readonly string[];
  /** Refused for its key: the key it will be given is unknown. */
  readonly isKeyless: boolean;
}

/** Maximum keys of refused rows kept in memory, in 12 MB. */
const mostKeys = 700_000;

/** A record with the lines of its items so far. */
interface OpenRecord {
  readonly line: number;
  readonly raw: string;
  readonly ids: string[];
  isRefused: boolean;
}

/** The reason for a row whose key could not be read: later rows with the key it will get are unknown. */
const keylessReason =
  'with a key that is stored by then it is refused again, since another row of the file may have it; empty _line to let it change that record';

/** Selects the rows of one file. */
export interface RefusedRows {
  /** The rows of a batch to be written, in the order of the file. */
  of(result: BatchResult): WrittenRow[];
}

/** Begins a file. */
export function refusedRows(key: RecordKey): RefusedRows {
  /** The keys of all items of refused records: the corrected record makes all of them again. */
  let keys: KeyHashSet | undefined;
  /** The last record of the previous batch, whose items may continue in the next. */
  let open: OpenRecord | undefined;

  function remember(id: string): void {
    if (id === '') return;
    keys ??= newKeyHashSet(mostKeys);
    keys.before(key.same(id), 1);
  }

  return {
    of({ report, lines, raws = [] }) {
      if (report.refused === 0 && keys === undefined) {
        open = lastRecord(report, lines, raws);
        return [];
      }
      const rows: WrittenRow[] = [];
      for (let from = 0, to = 0; from < lines.length; from = to) {
        while (to < lines.length && lines[to] === lines[from] && raws[to] === raws[from]) to++;
        const record: OpenRecord = { line: lines[from] ?? 0, raw: raws[from] ?? '', ids: [], isRefused: false };
        const earlier = from === 0 && open?.line === record.line && open.raw === record.raw ? open : undefined;
        const made = report.data.slice(from, to);
        const refused = made.filter(({ code }) => code !== null);
        record.ids.push(...(earlier?.ids ?? []), ...made.map(({ external_id: id }) => id));
        record.isRefused = refused.length > 0 || earlier?.isRefused === true;
        open = record;
        if (record.isRefused) {
          const row = refusedRow(record, refused, key);
          if (record.raw !== '' && row.codes.length > 0) rows.push(row);
          for (const id of record.ids) remember(id);
          // An unreadable record may have any of these.
          if (record.raw.includes(keyMark))
            for (const { text, isKey } of splitRaws(record.raw)) if (isKey) remember(text);
        } else if (record.raw !== '' && record.ids.some((id) => keys?.linesOf(key.same(id)) !== undefined))
          rows.push({ line: record.line, raw: record.raw, codes: [], reasons: [laterRowReason], isKeyless: false });
      }
      return rows;
    },
  };
}

/** The reasons for which the items of a record were refused. */
function refusedRow({ line, raw }: OpenRecord, refused: readonly Line[], key: RecordKey): WrittenRow {
  const isKeyless = refused.some((one) => !hasTrustedKey(one, key)) && !mayHaveKeys(raw);
  const reasons = refused.flatMap(({ reason, notice }) => [
    reason ?? '',
    ...notice.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)),
  ]);
  if (isKeyless) reasons.push(keylessReason);
  return { line, raw, codes: refused.map(({ code }) => String(code)), reasons, isKeyless };
}

/** Whether a record names keys that it may have, by which later rows are found. A key with a NUL is no record's. */
function mayHaveKeys(raw: string): boolean {
  return (
    raw.includes(keyMark) &&
    splitRaws(raw).some(({ isKey, text }) => isKey === true && text !== '' && !text.includes('\0'))
  );
}

/** The last record of a batch without refused items. */
function lastRecord(report: Report, lines: readonly number[], raws: readonly string[]): OpenRecord | undefined {
  const last = lines.length - 1;
  if (last < 0) return undefined;
  const ids: string[] = [];
  for (let i = last; i >= 0 && lines[i] === lines[last] && raws[i] === raws[last]; i--)
    ids.push(report.data[i]?.external_id ?? '');
  return { line: lines[last] ?? 0, raw: raws[last] ?? '', ids, isRefused: false };
}
