// A filter above each longer table that shows only rows with given words.
import { element } from './elements.js';

/** Adds a filter to every table that is long enough. */
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
