// The observer that writes an HTML page about an import when it is over, however it ended.

import { writeTextFile } from '../../files/write-text-file.js';
import type { ImportObserver, Outcome } from '../../importing/observer.js';
import { hasEarlierReport, keptReportNotice, reportDestination } from '../formats/report-destination.js';
import type { Write } from '../formats/report-form.js';
import type { RunInfo } from '../run-info.js';
import { addBatch, beginFile, endRun, finishFile, runCollector } from './collect/run-collector.js';
import { readPageAssets } from './page-assets.js';
import { renderRun } from './render-run.js';

interface PageOf {
  readonly run: RunInfo;
  readonly diff: boolean;
  /** Other reports of the run, which contain every line. */
  readonly everyLine: readonly string[];
  readonly say: (words: string) => void;
}

/** A page as text, written at the end. */
export function htmlText(write: Write, { run, diff, everyLine }: Omit<PageOf, 'say'>): ImportObserver {
  const state = runCollector(run, diff);
  return {
    begin: (file) => beginFile(state, file),
    batch: (result) => addBatch(state, result),
    finish: (outcome) => finishFile(state, outcome),
    end: (total) => write(renderRun(endRun(state, total, everyLine), readPageAssets())),
  };
}

/**
 * A page at `path`. It appears complete or not at all.
 * @throws CatalogError `usage` if it cannot be written
 */
export function htmlReport(path: string, { run, diff, everyLine, say }: PageOf): ImportObserver {
  const state = runCollector(run, diff);
  const hasEarlier = hasEarlierReport(path);
  const write = (total: Outcome): void => {
    const destination = reportDestination(path, hasEarlier, total);
    const page = (): string => renderRun(endRun(state, total, everyLine), readPageAssets());
    if (destination !== undefined) writeTextFile(`The report file ${destination}`, destination, page());
    const words = keptReportNotice(path, destination);
    if (words !== undefined) say(words);
  };
  return {
    begin: (file) => beginFile(state, file),
    batch: (result) => addBatch(state, result),
    finish: (outcome) => finishFile(state, outcome),
    end: write,
    failed: write,
  };
}
