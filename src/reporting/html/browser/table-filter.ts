// A field above each longer table that shows only the rows with some words in them.
import { element } from './elements.js';

/** Gives every table that is long enough a filter. */
export function addTableFilters(): void {
  for (const table of document.querySelectorAll<HTMLTableElement>('table[data-filter]')) {
    const name = table.caption?.textContent ?? 'the table';
    const field = element('input', {
      type: 'search',
      placeholder: 'Filter',
      'aria-label': `Filter: ${name}`,
      autocomplete: 'off',
    });
    const rows = [...(table.tBodies[0]?.rows ?? [])].map((row) => ({
      row,
      text: (row.textContent ?? '').toLowerCase(),
    }));
    field.addEventListener('input', () => {
      const words = field.value.toLowerCase().split(/\s+/);
      for (const { row, text } of rows) row.hidden = !words.every((word) => text.includes(word));
    });
    table.before(element('div', { class: 'tablefilter' }, field));
  }
}
