// A virtual list of any length: only the visible rows are in the document. One of them is selected, by mouse or
// keyboard.
import type { RefusedRow } from '../refused-row.js';
import { dataText, element, grouped } from './elements.js';

const rowHeight = 52;
/** Rows beyond the visible area, so that scrolling shows no gaps. */
const beyond = 6;

export interface RowList {
  readonly root: HTMLElement;
  show(rows: readonly RefusedRow[]): void;
}

interface ListState {
  readonly root: HTMLElement;
  /** As high as all rows together. */
  readonly all: HTMLElement;
  readonly chosen: (row: RefusedRow | undefined) => void;
  rows: readonly RefusedRow[];
  /** The selected row. */
  at: number;
  /** The drawn range, so that it is not drawn again. */
  drawn: string;
}

/** @param chosen called with the selected row; undefined if none is left */
export function rowList(chosen: (row: RefusedRow | undefined) => void): RowList {
  const all = element('div', { class: 'all', role: 'presentation' });
  const root = element('div', { class: 'list', role: 'listbox', tabindex: '0', 'aria-label': 'Refused rows' }, all);
  const list: ListState = { root, all, chosen, rows: [], at: 0, drawn: '' };
  root.addEventListener('scroll', () => draw(list), { passive: true });
  new ResizeObserver(() => draw(list)).observe(root);
  root.addEventListener('keydown', (event) => press(list, event));
  return {
    root,
    show(rows) {
      list.rows = rows;
      list.drawn = '';
      all.style.height = `${rows.length * rowHeight}px`;
      root.scrollTop = 0;
      choose(list, 0);
      if (rows.length === 0) all.replaceChildren(element('p', { class: 'empty' }, 'No row is like this.'));
    },
  };
}

/** Adds the visible rows to the document. */
function draw(list: ListState): void {
  const { root, all, rows, at } = list;
  const first = Math.max(0, Math.floor(root.scrollTop / rowHeight) - beyond);
  const last = Math.min(rows.length, Math.ceil((root.scrollTop + root.clientHeight) / rowHeight) + beyond);
  const now = `${first} ${last} ${at}`;
  if (now === list.drawn || rows.length === 0) return;
  list.drawn = now;
  all.replaceChildren(...rows.slice(first, last).map((row, i) => rowElement(list, row, first + i)));
  root.setAttribute('aria-activedescendant', `row-${at}`);
}

function rowElement(list: ListState, { l, k, code, reason }: RefusedRow, index: number): HTMLElement {
  const attributes = {
    class: 'row',
    role: 'option',
    id: `row-${index}`,
    'aria-selected': String(index === list.at),
    'aria-posinset': String(index + 1),
    'aria-setsize': String(list.rows.length),
  };
  const made = element(
    'div',
    attributes,
    element('span', { class: 'at' }, grouped(l)),
    element('span', {}, dataText(k === '' ? '(no key)' : k, 'key'), ' ', element('code', { class: 'dim' }, code)),
    element('span', { class: 'why' }, dataText(reason)),
  );
  made.style.transform = `translateY(${index * rowHeight}px)`;
  made.addEventListener('click', () => choose(list, index));
  return made;
}

/** Selects a row, and scrolls it into view. */
function choose(list: ListState, index: number): void {
  const { root, rows } = list;
  list.at = Math.max(0, Math.min(rows.length - 1, index));
  const top = list.at * rowHeight;
  if (top < root.scrollTop) root.scrollTop = top;
  else if (top + rowHeight > root.scrollTop + root.clientHeight) root.scrollTop = top + rowHeight - root.clientHeight;
  draw(list);
  list.chosen(rows[list.at]);
}

function press(list: ListState, event: KeyboardEvent): void {
  const { root, rows, at } = list;
  const page = Math.max(1, Math.floor(root.clientHeight / rowHeight) - 1);
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -rows.length,
    End: rows.length,
  };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  choose(list, at + step);
}
