// The fields of a resource as text, for `template` and for `schema --output table`.
import type { Field, Fields } from '../../core/fields/fields.js';

/**
 * A line for each field: its name, whether it is required, its type, its meaning.
 * @param mark the beginning of each line
 */
export function fieldTable(fields: Fields, mark = '', before = ''): string {
  return Object.entries(fields)
    .map(([name, field]) => {
      const must = field.required ? ' (required)' : '';
      const line = `${mark}${before}${name}${must}: ${kindWords(field)}; ${field.note}\n`;
      return field.kind === 'list' ? line + fieldTable(field.entry, mark, `${before}${name}[…].`) : line;
    })
    .join('');
}

function kindWords(field: Field): string {
  switch (field.kind) {
    case 'text':
      if (field.maxBytes !== undefined) return `text, up to ${field.maxBytes} bytes`;
      return field.maxCharacters === undefined ? 'text' : `text, up to ${field.maxCharacters} characters`;
    case 'choice':
      return field.values.map((value) => (value === '' ? "''" : value)).join(', ');
    case 'integer':
      return field.min === undefined || field.max === undefined
        ? 'whole number'
        : `whole number, ${field.min} to ${field.max}`;
    case 'decimal':
      return `amount with up to ${field.scale} decimals`;
    case 'boolean':
      return 'yes or no';
    case 'reference':
      return `${field.to}${field.byName ? ', by identifier or name' : ', by identifier'}`;
    case 'list':
      return 'list';
  }
}
