// What an undo changed, for its reports: by the history of the undoing run.
import type { WarningLog } from '../../../core/diagnostics/warning-log.js';
import type { FieldChange } from '../../../core/import-report.js';
import { type EndCounts, type EndLine, mostEndLines, type RunEffects } from '../../../core/ledger/feed-end.js';
import type { Ledger } from '../../../store/ledger/ledger.js';
import type { UndoResult } from '../../../store/ledger/undo-runs.js';

/** How many records an undo changed, and of how many it kept fields. */
export function undoCounts({ suspended, restored, kept }: UndoResult): EndCounts {
  return { suspended, regained: 0, passed_on: 0, restored, kept };
}

/**
 * What an undo changed, and a warning where that is more than reports name.
 * @param run the number of the undoing run; undefined where no report names records
 */
export async function undoEffects(
  ledger: Pick<Ledger, 'runs' | 'changes'>,
  { run: number, result }: { readonly run: number | undefined; readonly result: UndoResult },
  log: Pick<WarningLog, 'warn'>,
): Promise<RunEffects> {
  const lines = new Map<string, EndLine & { readonly changes: FieldChange[] }>();
  // A run of the catalog that began meanwhile may have the number of the dry run, which comes last.
  const run = number === undefined ? undefined : (await ledger.runs()).findLast((one) => one.number === number);
  let isCut = false;
  for await (const changes of run === undefined ? [] : ledger.changes(run))
    for (const { resource, key, id, fields } of changes) {
      if (!lines.has(id) && lines.size >= mostEndLines) {
        isCut = true;
        continue;
      }
      const line = lines.get(id) ?? { resource, external_id: key, id, cause: 'undone' as const, changes: [] };
      lines.set(id, line);
      line.changes.push(
        ...fields.map(({ field, before = null, value = null }) => ({ field, from: before, to: value })),
      );
    }
  if (isCut) log.warn('records_unnamed', { named: lines.size });
  return { feed: '', counts: undoCounts(result), lines: [...lines.values()] };
}
