// The file of --report-file. It appears whole or not at all: written beside its place and moved there. A report of
// one line an item may be followed while it grows, so that one is written in its place; its summary is its last line.
import { closeSync, fstatSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { extname } from 'node:path';
import { csvReport } from './csv-report.js';
import { jsonReport, ndjsonReport } from './json-report.js';
import type { Reporter, Write } from './reporter.js';
import { writeWhole, writing } from './writing.js';

/** A report file under way. `discard` leaves nothing behind of one that did not end. */
export interface ReportFile extends Reporter {
  discard(): void;
}

/**
 * Opens a report file; its form follows from the extension: `.json`, `.csv`, else one JSON line an item.
 * @throws CatalogError `usage` where the file cannot be written
 */
export function openReportFile(path: string, shape: { readonly many: boolean; readonly diff: boolean }): ReportFile {
  const extension = extname(path).toLowerCase();
  const whole = extension === '.json' || extension === '.csv';
  const written = whole ? `${path}.${process.pid}.tmp` : path;
  const telling = <T>(work: () => T): T => writing(`The report file ${path}`, work, '; name another --report-file');
  const descriptor = telling(() => openSync(written, 'w'));
  let open = true;
  const discard = (): void => {
    if (!open) return;
    open = false;
    closeSync(descriptor);
    if (whole) rmSync(written, { force: true });
  };
  const write: Write = (text) =>
    telling(() => {
      try {
        if (open) writeWhole(descriptor, Buffer.from(text));
      } catch (cause) {
        // Where a part is missing, nothing takes the place of an earlier report.
        discard();
        throw cause;
      }
    });
  const form = { write, selection: 'all' as const, many: shape.many };
  const reporter =
    extension === '.csv' ? csvReport(write, shape) : extension === '.json' ? jsonReport(form) : ndjsonReport(form);
  return {
    ...reporter,
    async end(total) {
      await reporter.end(total);
      if (!open) return;
      telling(() => {
        if (fstatSync(descriptor).isFile()) fsyncSync(descriptor);
        closeSync(descriptor);
        open = false;
        if (whole) renameSync(written, path);
      });
    },
    discard,
  };
}
