// Ends the run of a feed once all its files were read, before the observers that report it: what the end did is in every report.
import type { WarningLog } from '../../../core/diagnostics/warning-log.js';
import type { Line } from '../../../core/import-report.js';
import {
  type EndLine,
  hiddenStatus,
  mostEndLines,
  type RunEffects,
  runEffects,
} from '../../../core/ledger/feed-end.js';
import type { ImportObserver, Outcome } from '../../../importing/observer.js';

export interface EndedRun {
  readonly lines: readonly EndLine[];
  /** How many more a remote passed on than it named. */
  readonly unnamed?: number;
}

/** The end of a run: in the ledger of a local catalog, or by a request to a remote. */
export interface FeedEnding {
  /** Observes what the feed lists. */
  readonly observer: ImportObserver;
  /** Ends a run whose files were read to their ends. */
  end(total: Outcome): Promise<EndedRun>;
}

/** An observer that ends the run, and adds what that did to the outcome. */
interface EndingObserver extends ImportObserver {
  effects(): RunEffects | undefined;
}

/** @param log is warned of records that reports do not name */
export function endingObserver(
  { observer, end }: FeedEnding,
  feed: string,
  log: Pick<WarningLog, 'warn'>,
): EndingObserver {
  const regained: EndLine[] = [];
  let regainedInAll = 0;
  let effects: RunEffects | undefined;
  return {
    ...observer,
    effects: () => effects,
    batch(result) {
      observer.batch?.(result);
      const { resource, data } = result.report;
      for (const line of data) {
        const found = line.notice.length === 0 ? undefined : regainedLine(resource, line);
        if (found === undefined) continue;
        regainedInAll++;
        if (regained.length < mostEndLines) regained.push(found);
      }
    },
    async end(total) {
      if (total.stopped !== undefined) return undefined;
      const { lines, unnamed = 0 } = await end(total);
      const own = runEffects(feed, [...regained, ...lines]);
      if (regainedInAll > regained.length || unnamed > 0) log.warn('records_unnamed', { named: own.lines.length });
      const counts = { ...own.counts, regained: regainedInAll, passed_on: own.counts.passed_on + unnamed };
      if (own.lines.length > 0 || feed !== '') effects = { ...own, counts };
      return { ...total, ...(effects && { effects }) };
    },
  };
}

/** A record that is listed again, and was suspended since its feed did not list it. */
function regainedLine(resource: string, { external_id, id, notice, diagnostics, changes }: Line): EndLine | undefined {
  if (!notice.some(({ code }) => code === 'status_regained')) return undefined;
  const to = diagnostics?.find(({ code }) => code === 'status_regained')?.value ?? null;
  const change = changes?.find(({ field }) => field === 'status') ?? {
    field: 'status',
    from: hiddenStatus(resource),
    to,
  };
  return { resource, external_id, id: id ?? '', cause: 'relisted', changes: [change] };
}
