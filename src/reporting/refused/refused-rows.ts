// Selects the records for the file of refused ones: those, and the later records of their keys. A corrected record is
// imported after the ones that followed it in its file: without them it would overwrite what they had stored.
import type { RecordKey } from '../../core/fields/record-key.js';
import type { Line, Report } from '../../core/import-report.js';
import { hasTrustedKey } from '../../core/trusted-key.js';
import type { BatchResult } from '../../importing/observer.js';
import { laterRowReason } from '../../source/column-targets.js';
import { type KeyHashSet, newKeyHashSet } from '../../source/open-source.js';
import type { WrittenRecord } from './refused-format.js';

/** Maximum keys of refused records kept in memory, in 12 MB. */
const mostKeys = 700_000;

/** A record with the keys of its items so far. */
interface OpenRecord {
  readonly line: number;
  readonly raw: string;
  readonly ids: string[];
  isRefused: boolean;
}

/** The reason for a record whose key could not be read: later records with the key it will get are unknown. */
const keylessReason =
  'if you give it the key of another record of the file, this one replaces it, since it is imported later';

export interface RefusedRows {
  /** The records of a batch to be written, in the order of the file. */
  of(result: BatchResult): WrittenRecord[];
}

/**
 * Begins a file.
 * @param isOnce whether no key comes twice, so that nothing follows a refused record
 */
export function refusedRows(key: RecordKey, isOnce: boolean): RefusedRows {
  /** The keys of all items of refused records: the corrected record makes all of them again. */
  let keys: KeyHashSet | undefined;
  /** The last record of the previous batch, whose items may continue in the next. */
  let open: OpenRecord | undefined;

  function remember(id: string): void {
    if (id === '' || isOnce) return;
    keys ??= newKeyHashSet(mostKeys);
    keys.before(key.same(id), 1);
  }

  function rowOf(record: OpenRecord, refused: readonly Line[], possible: readonly string[]): WrittenRecord | undefined {
    const { line, raw, ids } = record;
    if (!record.isRefused) {
      const isLater = raw !== '' && ids.some((id) => keys?.linesOf(key.same(id)) !== undefined);
      return isLater ? { line, raw, codes: [], reasons: [laterRowReason] } : undefined;
    }
    for (const id of [...ids, ...possible]) remember(id);
    const lacksKey = possible.length === 0 && refused.some((one) => !hasTrustedKey(one, key));
    const reasons = [...refused.flatMap(reasonsOf), ...(lacksKey ? [keylessReason] : [])];
    return raw === '' || refused.length === 0
      ? undefined
      : { line, raw, codes: refused.map(({ code }) => String(code)), reasons };
  }

  return {
    of({ report, lines, raws = [], entries = [] }) {
      if (report.refused === 0 && keys === undefined) {
        open = lastRecord(report, lines, raws);
        return [];
      }
      const rows: WrittenRecord[] = [];
      for (let from = 0, to = 0; from < lines.length; from = to) {
        while (to < lines.length && lines[to] === lines[from] && raws[to] === raws[from]) to++;
        const [line = 0, raw = ''] = [lines[from], raws[from]];
        const earlier = from === 0 && open?.line === line && open.raw === raw ? open : undefined;
        const made = report.data.slice(from, to);
        const refused = made.filter(({ code }) => code !== null);
        const ids = [...(earlier?.ids ?? []), ...made.map(({ external_id: id }) => id)];
        open = { line, raw, ids, isRefused: refused.length > 0 || earlier?.isRefused === true };
        const possible = entries
          .slice(from, to)
          .flatMap((entry) => (entry.kind === 'unreadable' ? (entry.possibleKeys ?? []) : []));
        const row = rowOf(open, refused, possible);
        if (row !== undefined) rows.push(row);
      }
      return rows;
    },
  };
}

function reasonsOf({ reason, notice }: Line): string[] {
  return [reason ?? '', ...notice.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))];
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
