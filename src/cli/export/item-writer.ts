// Writes items to a file that can be imported as it is: CSV, NDJSON or JSON.
import { type ExportItem, exportFields } from '../../core/reading/export-item.js';
import type { Resource } from '../../core/resource.js';

export const exportForms = ['ndjson', 'json', 'csv'] as const;
export type ExportForm = (typeof exportForms)[number];

export interface ItemWriter {
  begin(): string;
  items(items: readonly ExportItem[]): string;
  end(): string;
}

/** The writer of one file. @param fields the columns of a CSV file */
export function itemWriter(form: ExportForm, resource: Resource, fields = exportFields(resource)): ItemWriter {
  if (form === 'csv') return csvWriter(fields);
  if (form === 'ndjson')
    return {
      begin: () => '',
      items: (items) => items.map((item) => `${JSON.stringify(item)}\n`).join(''),
      end: () => '',
    };
  let count = 0;
  return {
    begin: () => '[',
    items: (items) => items.map((item) => `${count++ === 0 ? '' : ','}\n${JSON.stringify(item)}`).join(''),
    end: () => (count === 0 ? ']\n' : '\n]\n'),
  };
}

function csvWriter(fields: readonly string[]): ItemWriter {
  return {
    begin: () => `${fields.join(',')}\n`,
    items(items) {
      let text = '';
      for (const item of items) {
        for (let i = 0; i < fields.length; i++) {
          const value = item[fields[i] as string];
          if (i > 0) text += ',';
          if (typeof value === 'string') text += cellOf(value);
          else if (Array.isArray(value)) text += value.length === 0 ? '' : cellOf(JSON.stringify(value));
          else if (value !== undefined) text += String(value);
        }
        text += '\n';
      }
      return text;
    },
    end: () => '',
  };
}

/**
 * Characters that require quotes: delimiters of any CSV dialect, and white space at either end, which some readers
 * trim.
 */
const special = /[",;|\t\r\n]|^\s|\s$/;

/**
 * A cell with exactly this text. Formulas are not escaped with an apostrophe, since it would be imported too; text that looks
 * like a formula of a text, `="0012"`, is written as one, since it would be read as 0012.
 */
function cellOf(content: string): string {
  const text = content.startsWith('="') ? `="${content.replaceAll('"', '""')}"` : content;
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
