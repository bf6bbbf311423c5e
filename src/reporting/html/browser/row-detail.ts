// One refused row in its original form, with the faulty cells marked.
import type { RefusedRow } from '../refused-row.js';
import { dataText, element, grouped } from './elements.js';
import type { UnpackedRows } from './refused-rows.js';

/** Shows a row in the pane next to the list. */
export function showDetail(pane: HTMLElement, row: RefusedRow | undefined, all: UnpackedRows): void {
  pane.scrollTop = 0;
  if (row === undefined) {
    pane.replaceChildren();
    return;
  }
  const { f, l, k, code, reason, more = [] } = row;
  const file = all.files.length > 1 ? [' of ', dataText(all.files[f] ?? '')] : [];
  pane.replaceChildren(
    element('h3', {}, dataText(k === '' ? '(no key)' : k, 'key')),
    element('p', { class: 'dim' }, `Line ${grouped(l)}`, ...file, ' · ', element('code', {}, code)),
    element('p', { class: 'reason' }, dataText(reason)),
    ...more.map((one) => element('p', { class: 'reason' }, dataText(one))),
    ...(row.cells === undefined ? [] : [cellTable(row, all)]),
  );
}

function cellTable({ f, cells = [], names, bad = [] }: RefusedRow, { heads }: UnpackedRows): HTMLElement {
  const columns = names ?? heads[f] ?? [];
  const width = Math.max(cells.length, names === undefined ? columns.length : 0);
  const lines = Array.from({ length: width }, (_, i) => {
    const text = cells[i] ?? '';
    const isBad = bad.includes(i);
    const shown = text === '' ? element('span', { class: 'dim' }, 'empty') : dataText(text);
    const value = isBad ? element('mark', {}, shown) : shown;
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, dataText(columns[i] ?? `column ${i + 1}`)),
      element('td', {}, value),
    );
  });
  return element('table', {}, element('caption', {}, 'The row as it came'), element('tbody', {}, ...lines));
}
