// The script of a page. The page can be read without it; with it rows are filtered, shown one by one, copied and
// downloaded.
import { download, rowsAsCsv } from './download.js';
import { element, grouped } from './elements.js';
import { type UnpackedRows, unpackRows } from './refused-rows.js';
import { showDetail } from './row-detail.js';
import { filterForm, matches } from './row-filter.js';
import { rowList } from './row-list.js';
import { addTableFilters } from './table-filter.js';

/** The list of refused rows with its filter and the selected row. */
function explore(place: HTMLElement, all: UnpackedRows): { choose(code: string, column: string): void } {
  const total = Number(place.dataset['total'] ?? all.rows.length);
  const pane = element('div', { class: 'detail', role: 'region', 'aria-label': 'The chosen row', tabindex: '0' });
  const list = rowList((row) => showDetail(pane, row, all));
  const form = filterForm(all, update);
  const save = element('button', { type: 'button' }, 'Download as CSV');
  let shown = all.rows;

  function update(): void {
    const filter = form.read();
    shown = all.rows.filter((row) => matches(row, filter, all));
    const of =
      total > all.rows.length ? `${grouped(all.rows.length)} of ${grouped(total)} in this page` : grouped(total);
    form.shown.textContent = shown.length === all.rows.length ? `${of} rows` : `${grouped(shown.length)} of ${of}`;
    list.show(shown);
  }

  save.addEventListener('click', () => download('refused.csv', rowsAsCsv(shown, all)));
  form.root.insertBefore(save, form.shown);
  place.append(element('div', { class: 'explorer' }, form.root, element('div', { class: 'panes' }, list.root, pane)));
  place.hidden = false;
  update();
  return form;
}

/** The buttons of the causes: show their rows in the list, or download them. */
function connectCauses(all: UnpackedRows, choose: (code: string, column: string) => void): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-show], [data-csv]')) {
    const number = Number(button.dataset['show'] ?? button.dataset['csv']);
    const { code = '', column = '' } = all.causes[number] ?? {};
    button.addEventListener('click', () => {
      if (button.dataset['csv'] !== undefined) {
        download(
          `${code}.csv`,
          rowsAsCsv(
            all.rows.filter(({ c }) => c === number),
            all,
          ),
        );
        return;
      }
      choose(code, column);
      document.getElementById('refused')?.scrollIntoView();
      document.querySelector<HTMLElement>('.list')?.focus({ preventScroll: true });
    });
  }
}

function connectCopies(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    const source = document.getElementById(button.dataset['copy'] ?? '');
    button.addEventListener('click', () => {
      const words = button.textContent;
      navigator.clipboard.writeText(source?.textContent ?? '').then(
        () => {
          button.textContent = 'Copied';
          setTimeout(() => {
            button.textContent = words;
          }, 2_000);
        },
        // If the browser does not allow copying, the text is selected instead.
        () => source !== null && getSelection()?.selectAllChildren(source),
      );
    });
  }
}

/** All sections are expanded for printing. */
function openForPrint(): void {
  const closed: HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    for (const part of document.querySelectorAll<HTMLDetailsElement>('details:not([open])')) {
      closed.push(part);
      part.open = true;
    }
  });
  addEventListener('afterprint', () => {
    for (const part of closed.splice(0)) part.open = false;
  });
}

/** Expands a section that was linked to, and marks the link to the visible section. */
function followScroll(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('nav a')];
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        for (const link of links)
          if (link.hash === `#${target.id}`) link.setAttribute('aria-current', 'true');
          else link.removeAttribute('aria-current');
      }
    },
    { rootMargin: '-15% 0px -75% 0px' },
  );
  for (const part of document.querySelectorAll('main > section[id]')) seen.observe(part);
}

async function startPage(): Promise<void> {
  addTableFilters();
  connectCopies();
  openForPrint();
  followScroll();
  const place = document.getElementById('explorer');
  if (place === null) return;
  const all = await unpackRows().catch(() => undefined);
  if (all === undefined) {
    document.documentElement.classList.remove('with-list');
    for (const button of document.querySelectorAll('[data-show], [data-csv]')) button.remove();
    return;
  }
  connectCauses(all, explore(place, all).choose);
}

// At once, before there is a body: the plain rows that the list replaces are never laid out, which takes longer than
// unpacking. `with-list` is removed if the list cannot be shown.
document.documentElement.classList.add('js', 'with-list');
addEventListener('DOMContentLoaded', () => void startPage());
