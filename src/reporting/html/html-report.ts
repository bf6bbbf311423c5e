// The observer that writes a page about an import once it is over, however it ended.

import { writeTextFile } from '../../files/writing.js';
import type { ImportObserver, Outcome } from '../../importing/observer.js';
import type { RunInfo } from '../run-info.js';
import { readPageAssets } from './page-assets.js';
import { renderRun } from './render-run.js';
import { addBatch, beginFile, endRun, finishFile, runCollector } from './run-collector.js';

/** What a page is about. */
interface PageOf {
  readonly run: RunInfo;
  /** Whether lines tell what changes. */
  readonly diff: boolean;
  /** Other reports of the run, which hold every line. */
  readonly everyLine: readonly string[];
}

/** A page at `path`. It is there whole or not at all. @throws CatalogError `usage` where it cannot be written */
export function htmlReport(path: string, { run, diff, everyLine }: PageOf): ImportObserver {
  const state = runCollector(run, diff);
  const write = (total: Outcome): void =>
    writeTextFile(`The report file ${path}`, path, renderRun(endRun(state, total, everyLine), readPageAssets()));
  return {
    begin: (file) => beginFile(state, file),
    batch: (result) => addBatch(state, result),
    finish: (outcome) => finishFile(state, outcome),
    end: write,
    failed: write,
  };
}
