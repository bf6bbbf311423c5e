// Writes the HTML page of an inspection, for `--report-file` of `inspect`.
import { extname } from 'node:path';
import { CatalogError } from '../../core/errors.js';
import { writeTextFile } from '../../files/write-text-file.js';
import type { InspectionReport } from '../../reporting/html/inspection-report.js';
import type { Inspection } from '../../source/inspection/inspect-file.js';
import type { Suggestion } from '../../source/mapping/suggest/suggest-mapping.js';
import { programVersion } from '../../store/program-version.js';
import { failureExitCodes } from '../exit-codes.js';
import { outputReservations } from '../import/outputs/output-reservations.js';
import { columnRemarks, keyRemarks, questionRemarks } from './inspection-remarks.js';

/** @throws CatalogError `usage` if the page would overwrite an input or output, or has another file extension */
export function claimPage(path: string, others: readonly (string | undefined)[]): void {
  if (!['.html', '.htm'].includes(extname(path).toLowerCase()))
    throw new CatalogError(
      'usage',
      `--report-file ${path}: inspect writes a page; use .html, or --output json for programs.`,
    );
  outputReservations(undefined, others).reserve('--report-file', path);
}

/** The results of inspecting a file. */
interface Inspected {
  readonly file: string;
  readonly started: Date;
  readonly options: Readonly<Record<string, unknown>>;
  /** Undefined where the file could not be read. */
  readonly inspection?: Inspection;
  readonly suggestion?: Suggestion;
  readonly failure?: unknown;
}

/** Writes the page. @throws CatalogError `usage` where it cannot be written */
export async function writePage(path: string, inspected: Inspected): Promise<void> {
  const [{ renderInspection }, { readPageAssets }] = await Promise.all([
    import('../../reporting/html/render-inspection.js'),
    import('../../reporting/html/page-assets.js'),
  ]);
  const text = renderInspection(reportOf(inspected), readPageAssets());
  writeTextFile(`The report file ${path}`, path, text);
}

function reportOf({ file, started, options, inspection, suggestion, failure }: Inspected): InspectionReport {
  const seconds = (Date.now() - started.getTime()) / 1000;
  const head = { version: programVersion(), file, started, seconds, options };
  const failed =
    failure instanceof CatalogError ? { failure: failure.message, exit: failureExitCodes[failure.code] } : {};
  if (inspection === undefined || suggestion === undefined) return { ...head, ...failed };
  const { found, records, columns, troubles } = inspection;
  const filledBy = new Map([...suggestion.fields].map(([field, column]) => [column, field]));
  return {
    ...head,
    ...failed,
    found: {
      format: found.format,
      encoding: found.encoding,
      why: found.why,
      delimiter: found.delimiter,
      newline: found.newline,
      compression: found.compression,
      header: found.skip === undefined ? undefined : found.skip + 1,
    },
    decimal: { sign: suggestion.decimal, why: suggestion.decimalWhy },
    records,
    resource: suggestion.fields.size === 0 ? undefined : suggestion.resource,
    columns: columns.map((profile) => ({
      name: profile.name.trim(),
      field: filledBy.get(profile.name),
      filled: Math.min(profile.filled, records),
      distinct: profile.distinct,
      isMore: profile.many,
      longest: profile.longest,
      longestLine: profile.longestLine,
      samples: profile.samples,
    })),
    troubles,
    remarks: [
      ...questionRemarks(suggestion),
      ...keyRemarks(columns, suggestion),
      ...columnRemarks(columns, suggestion),
    ],
    mapping: suggestion.yaml,
  };
}
