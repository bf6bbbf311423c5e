// The file of --report-file. It appears complete or not at all: it is written next to its path and moved there. A report
// with one line per item can be followed while it grows, so that it is written directly at its path unless an earlier
// run's report is there, which must not be lost before it can be replaced; its last line is the summary.
import { extname } from 'node:path';
import { CatalogError } from '../../core/errors.js';
import { type DurableFile, replaceFile, writeInPlace } from '../../files/durable-file.js';
import { withWriteErrors } from '../../files/write-text-file.js';
import type { ImportObserver, Outcome } from '../../importing/observer.js';
import type { RunInfo } from '../run-info.js';
import { csvReport } from './csv-report.js';
import { jsonReport, ndjsonReport } from './json-report.js';
import { hasEarlierReport, keptReportNotice, reportDestination } from './report-destination.js';
import type { Write } from './report-form.js';

export interface ReportShape {
  /** Whether it covers several files, as with `run`. */
  readonly many: boolean;
  readonly diff: boolean;
  readonly run: RunInfo;
  readonly feed: string | undefined;
  /** The other reports of the run. */
  readonly otherReports: readonly string[];
  /** Fills in the number of the run, when it is known. */
  readonly resolve: (name: string) => string;
  /** Called with a name that was filled in, before it is written; throws if it is in use. */
  readonly claim: (path: string) => void;
  readonly say: (words: string) => void;
}

/**
 * The observer that writes a report file. It is opened with the first file of the import, before that is imported; where a run reads
 * no file, at its end.
 */
export function reportFile(name: string, shape: ReportShape): ImportObserver {
  let inner: ImportObserver | undefined;
  const form = reportForm(name);
  const open = () => {
    const path = shape.resolve(name);
    if (path !== name) shape.claim(path);
    return form === 'page' ? openPage(path, shape) : openReportFile(path, shape, form);
  };
  return {
    async begin(file) {
      inner ??= await open();
      return inner.begin?.(file);
    },
    batch: (result) => inner?.batch?.(result),
    finish: (outcome) => inner?.finish?.(outcome),
    async end(total) {
      inner ??= await open();
      return inner.end?.(total);
    },
    // A run that did not begin has no lines, but its failure can be shown.
    ...(form === 'page' && { failed: async (total: Outcome) => (await open()).failed?.(total) }),
    discard: () => inner?.discard?.(),
  };
}

/** Opens an HTML page. Its code is loaded only for this. */
async function openPage(path: string, { run, diff, otherReports, resolve, say }: ReportShape): Promise<ImportObserver> {
  const { htmlReport } = await import('../html/html-report.js');
  return htmlReport(path, { run, diff, say, everyLine: otherReports.filter((other) => !isPage(other)).map(resolve) });
}

/** Makes the observer that writes a form; `page` is an HTML page. */
type ReportForm = 'page' | ((write: Write, shape: ReportShape) => ImportObserver);

const ndjson: ReportForm = (write, { many, run }) => ndjsonReport({ write, selection: 'all', many, run });

/** The forms by extension. A new one is a file like `csv-report.ts`, and a line here. */
const forms: Readonly<Record<string, ReportForm>> = {
  ...{ '': ndjson, '.ndjson': ndjson, '.jsonl': ndjson },
  '.json': (write, { many, run }) => jsonReport({ write, selection: 'all', many, run }),
  // A run without a file, such as an undo, reports only what it changes.
  '.csv': (write, { diff, feed, run }) => csvReport(write, { diff: diff || run.files.length === 0, feed }),
  ...{ '.html': 'page', '.htm': 'page' },
};

/**
 * The form of a report file by its extension; without one NDJSON.
 * @throws CatalogError `usage` for another extension
 */
export function reportForm(path: string): ReportForm {
  const extension = extname(path).toLowerCase();
  const form = forms[extension];
  if (form !== undefined) return form;
  const known = Object.keys(forms).filter((name) => name !== '');
  throw new CatalogError(
    'usage',
    `--report-file ${path}: ${extension} is not a form of report; use one of ${known.join(', ')}.`,
  );
}

/** Whether a report is an HTML page. */
export function isPage(path: string): boolean {
  return forms[extname(path).toLowerCase()] === 'page';
}

/**
 * Opens a report file.
 * @throws CatalogError `usage` if it cannot be written
 */
function openReportFile(path: string, shape: ReportShape, form: Exclude<ReportForm, 'page'>): ImportObserver {
  const telling = <T>(work: () => T): T =>
    withWriteErrors(`The report file ${path}`, work, '; name another --report-file');
  const hasEarlier = hasEarlierReport(path);
  const grows = form === ndjson && !hasEarlier;
  const file: DurableFile = telling(() => (grows ? writeInPlace(path) : replaceFile(path)));
  const write: Write = (text) =>
    telling(() => {
      try {
        file.write(Buffer.from(text));
      } catch (cause) {
        // An incomplete report does not replace an earlier one.
        file.discard();
        throw cause;
      }
    });
  const reporter = form(write, shape);
  return {
    ...reporter,
    async end(total) {
      await reporter.end?.(total);
      const destination = reportDestination(path, hasEarlier, total);
      if (destination === undefined) file.discard();
      else telling(() => file.commit(destination === path ? undefined : destination));
      const words = keptReportNotice(path, destination);
      if (words !== undefined) shape.say(words);
    },
    discard: file.discard,
  };
}
