// A list of any length of which only the rows in sight are in the document. One of them is chosen, by mouse or by keys.
import type { RefusedRow } from '../refused-row.js';
import { dataText, element, grouped } from './elements.js';

const rowHeight = 52;
/** Rows beyond the edge, so that scrolling shows no gaps. */
const beyond = 6;

export interface RowList {
  readonly root: HTMLElement;
  show(rows: readonly RefusedRow[]): void;
}

/** @param chosen called with the row that is chosen; undefined where none is left */
export function rowList(chosen: (row: RefusedRow | undefined) => void): RowList {
  const all = element('div', { class: 'all', role: 'presentation' });
  const root = element('div', { class: 'list', role: 'listbox', tabindex: '0', 'aria-label': 'Refused rows' }, all);
  let rows: readonly RefusedRow[] = [];
  let at = 0;
  let drawn = '';

  function draw(): void {
    const first = Math.max(0, Math.floor(root.scrollTop / rowHeight) - beyond);
    const last = Math.min(rows.length, Math.ceil((root.scrollTop + root.clientHeight) / rowHeight) + beyond);
    const now = `${first} ${last} ${at}`;
    if (now === drawn) return;
    drawn = now;
    all.replaceChildren(...rows.slice(first, last).map((row, i) => rowElement(row, first + i)));
    root.setAttribute('aria-activedescendant', rows.length === 0 ? '' : `row-${at}`);
  }

  function rowElement({ l, k, code, reason }: RefusedRow, index: number): HTMLElement {
    const made = element(
      'div',
      {
        class: 'row',
        role: 'option',
        id: `row-${index}`,
        'aria-selected': String(index === at),
        'aria-posinset': String(index + 1),
        'aria-setsize': String(rows.length),
      },
      element('span', { class: 'at' }, grouped(l)),
      element('span', {}, dataText(k === '' ? '(no key)' : k, 'key'), ' ', element('code', { class: 'dim' }, code)),
      element('span', { class: 'why' }, dataText(reason)),
    );
    made.style.transform = `translateY(${index * rowHeight}px)`;
    made.addEventListener('click', () => choose(index));
    return made;
  }

  function choose(index: number): void {
    at = Math.max(0, Math.min(rows.length - 1, index));
    const top = at * rowHeight;
    if (top < root.scrollTop) root.scrollTop = top;
    else if (top + rowHeight > root.scrollTop + root.clientHeight) root.scrollTop = top + rowHeight - root.clientHeight;
    draw();
    chosen(rows[at]);
  }

  root.addEventListener('scroll', draw, { passive: true });
  new ResizeObserver(draw).observe(root);
  root.addEventListener('keydown', (event) => {
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
    choose(at + step);
  });
  return {
    root,
    show(next) {
      rows = next;
      drawn = '';
      all.style.height = `${rows.length * rowHeight}px`;
      root.scrollTop = 0;
      choose(0);
      if (rows.length === 0) all.replaceChildren(element('p', { class: 'empty' }, 'No row is like this.'));
    },
  };
}
