// The file of --report-file. It appears whole or not at all: written beside its place and moved there. A report of
// one line an item may be followed while it grows, so that one is written in its place; its summary is its last line.
import { closeSync, fstatSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { extname } from 'node:path';
import { CatalogError } from '../core/errors.js';
import { csvReport } from './csv-report.js';
import { jsonReport, ndjsonReport } from './json-report.js';
import type { Reporter, Write } from './reporter.js';

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
  const descriptor = telling(path, () => openSync(written, 'w'));
  let open = true;
  const discard = (): void => {
    if (!open) return;
    open = false;
    closeSync(descriptor);
    if (whole) rmSync(written, { force: true });
  };
  const write: Write = (text) =>
    telling(path, () => {
      try {
        if (open) writeWhole(descriptor, text);
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
      telling(path, () => {
        if (fstatSync(descriptor).isFile()) fsyncSync(descriptor);
        closeSync(descriptor);
        open = false;
        if (whole) renameSync(written, path);
      });
    },
    discard,
  };
}

function writeWhole(descriptor: number, text: string): void {
  let at = writeSync(descriptor, text);
  if (at === Buffer.byteLength(text)) return;
  const bytes = Buffer.from(text);
  while (at < bytes.length) at += writeSync(descriptor, bytes, at);
}

function telling<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError('usage', `The report file ${path} cannot be written (${why}); name another --report-file.`, {
      cause,
    });
  }
}
