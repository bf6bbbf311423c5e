// Writes records as a list: a table, JSON, NDJSON, or CSV for spreadsheets.
import type { ReadShape } from '../../core/import-report.js';
import type { Resource } from '../../core/resource.js';
import { sanitizeJson, sanitizeText } from '../../core/text/sanitize.js';
import { cell } from '../../reporting/formats/csv-cell.js';
import { cutToWidth } from '../../reporting/formats/display-width.js';
import { type TableLayout, tableLayout } from '../../reporting/formats/text-table.js';
import { shownMember } from '../../reporting/shown-time.js';

export const listForms = ['table', 'json', 'ndjson', 'csv'] as const;
export type ListForm = (typeof listForms)[number];

export interface ListWriter {
  begin(): string;
  records(records: readonly ReadShape[]): string;
  end(): string;
}

/** Columns of a table in addition to the key and the status, by resource. */
const tableColumns: Readonly<Record<string, readonly string[]>> = {
  attribute: ['name', 'status', 'kind', 'unit', 'scope', 'scope_name', 'shared'],
  category: ['name', 'status', 'parent_name', 'slug', 'position'],
  product_group: ['name', 'status'],
  product: ['sku', 'status', 'name', 'category_name', 'price', 'currency', 'stock'],
  product_review: ['external_id', 'status', 'product_sku', 'rating', 'name', 'text'],
};

/** The maximum width of a table column. */
const widest = 40;

/**
 * The writer for a list of a resource's records.
 * @param details what it includes next to the names
 * @param width columns that a table may have
 */
export function listWriter(
  form: ListForm,
  resource: Resource,
  details: readonly string[],
  width: number | undefined,
): ListWriter {
  const included = details.flatMap((word) => Object.keys(resource.details[word]?.shape ?? {}));
  const shown = [...(tableColumns[resource.name] ?? [resource.key]), ...included];
  const all = Object.keys({ ...resource.readShape, ...resource.details['names']?.shape });
  return recordWriter(form, [...new Set(form === 'table' ? shown : [...all, ...included])], width);
}

/** The writer for a list of records with these columns, if the format has columns. */
export function recordWriter(form: ListForm, columns: readonly string[], width?: number): ListWriter {
  if (form === 'table') return tableWriter(columns, width);
  if (form === 'csv') return csvWriter(columns);
  if (form === 'ndjson')
    return {
      begin: () => '',
      records: (records) => records.map((record) => `${sanitizeJson(JSON.stringify(record))}\n`).join(''),
      end: () => '',
    };
  let count = 0;
  return {
    begin: () => '[',
    records: (records) =>
      records.map((record) => `${count++ === 0 ? '' : ','}\n${sanitizeJson(JSON.stringify(record))}`).join(''),
    end: () => (count === 0 ? ']\n' : '\n]\n'),
  };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

/** A number is written as it is: only a text can be taken for a formula. */
function csvCell(value: unknown): string {
  return typeof value === 'number' ? String(value) : cell(textOf(value));
}

function csvWriter(columns: readonly string[]): ListWriter {
  return {
    begin: () => `${columns.join(',')}\n`,
    records: (records) =>
      records.map((record) => `${columns.map((name) => csvCell(record[name])).join(',')}\n`).join(''),
    end: () => '',
  };
}

/** The layout follows from the first page, so that output need not wait for the rest. */
function tableWriter(columns: readonly string[], width: number | undefined): ListWriter {
  let layout: TableLayout | undefined;
  return {
    begin: () => '',
    records(records) {
      const rows = records.map((record) =>
        columns.map((name) => cutToWidth(sanitizeText(textOf(shownMember(name, record[name]))), widest)),
      );
      if (rows.length === 0) return '';
      const head = layout === undefined;
      layout ??= tableLayout([columns, ...rows], width);
      return `${head ? layout.head : ''}${layout.rows(rows)}`;
    },
    end: () => '',
  };
}
