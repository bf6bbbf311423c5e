// The fields of a resource as text, for `template`, for `schema --output table`, and for the manual's page of fields.
import type { Field, Fields, ListField, TextField, TextFormat } from '../../core/fields/fields.js';
import { groupDigits } from '../../core/text/sanitize.js';
import { wrapText } from '../help-layout.js';

interface FieldLine {
  /** Its name; of a field of an entry with that of the list: `grades[…].price`. */
  readonly name: string;
  readonly isRequired: boolean;
  /** Its type, with its limits. */
  readonly type: string;
  readonly meaning: string;
}

/** The fields in their order, each list followed by the fields of its entries. */
export function fieldLines(fields: Fields, before = ''): readonly FieldLine[] {
  return Object.entries(fields).flatMap(([own, field]) => {
    const name = `${before}${own}`;
    const line = { name, isRequired: field.required, type: typeOf(field), meaning: field.note };
    return field.kind === 'list' ? [line, ...fieldLines(field.entry, `${name}[…].`)] : [line];
  });
}

/**
 * A line for each field: its name, whether it is required, its type, its meaning.
 * @param mark the beginning of each line
 */
export function fieldTable(fields: Fields, width = Number.POSITIVE_INFINITY, mark = ''): string {
  return fieldLines(fields)
    .map(({ name, isRequired, type, meaning }) => {
      const line = `${name}${isRequired ? ' (required)' : ''}: ${type}; ${meaning}`;
      return `${wrapText(line, width - mark.length, 4).replace(/^/gm, mark)}\n`;
    })
    .join('');
}

function typeOf(field: Field): string {
  switch (field.kind) {
    case 'text':
      return field.format === undefined ? `text${textLimit(field)}` : formats[field.format];
    case 'choice':
      return field.values.map((value) => (value === '' ? "''" : value)).join(', ');
    case 'integer':
      return `whole number, ${groupDigits(field.min)} to ${groupDigits(field.max)}`;
    case 'decimal':
      return `amount with up to ${field.scale} decimals`;
    case 'boolean':
      return 'yes or no';
    case 'reference':
      return `${field.to}${field.byName ? ', by identifier or name' : ', by identifier'}`;
    case 'list':
      return `list${entryLimit(field)}`;
  }
}

const formats: Readonly<Record<TextFormat, string>> = {
  hex: 'six hexadecimal digits',
  currency: 'code of three letters',
  language: 'code of three letters',
};

function textLimit({ maxBytes, maxCharacters }: TextField): string {
  if (maxBytes === undefined)
    return maxCharacters === undefined ? '' : `, up to ${groupDigits(maxCharacters)} characters`;
  return maxBytes % 1_048_576 === 0 ? `, up to ${maxBytes / 1_048_576} MiB` : `, up to ${groupDigits(maxBytes)} bytes`;
}

function entryLimit({ maxEntries }: ListField): string {
  return maxEntries === undefined ? '' : `, up to ${groupDigits(maxEntries)} entries`;
}
