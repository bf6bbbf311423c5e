// Filters refused rows by code, column, key, line and words.
import type { RefusedRow } from '../refused-row.js';
import { element } from './elements.js';
import type { UnpackedRows } from './refused-rows.js';

/** The filter; '' matches anything. */
export interface RowFilter {
  readonly code: string;
  readonly column: string;
  readonly file: string;
  readonly key: string;
  readonly line: string;
}

/** Whether a row matches. Lines are a number, or two with a hyphen between them. */
export function matches(row: RefusedRow, filter: RowFilter, { causes }: UnpackedRows): boolean {
  const { code, column, file, key, line } = filter;
  if (code !== '' && row.code !== code) return false;
  if (column !== '' && causes[row.c]?.column !== column) return false;
  if (file !== '' && String(row.f) !== file) return false;
  if (line !== '' && !isOnLine(row.l, line)) return false;
  return key === '' || row.k.toLowerCase().includes(key.toLowerCase());
}

function isOnLine(line: number, wanted: string): boolean {
  const [, from, hyphen, to] = /^\s*(\d+)?\s*([-–]?)\s*(\d+)?\s*$/.exec(wanted) ?? [];
  if (from === undefined && to === undefined) return false;
  if (hyphen === '') return line === Number(from);
  return line >= Number(from ?? 0) && line <= Number(to ?? Number.POSITIVE_INFINITY);
}

export interface FilterForm {
  readonly root: HTMLElement;
  /** Shows how many rows match. */
  readonly shown: HTMLElement;
  read(): RowFilter;
  /** Shows the rows of one cause. */
  choose(code: string, column: string): void;
}

export function filterForm(all: UnpackedRows, changed: () => void): FilterForm {
  const { rows, causes, files } = all;
  const code = choice(
    'Code',
    countBy(rows, (row) => row.code),
  );
  const column = choice(
    'Column',
    countBy(rows, (row) => causes[row.c]?.column ?? ''),
  );
  const file = choice(
    'File',
    countBy(rows, (row) => String(row.f)),
    (value) => files[Number(value)] ?? value,
  );
  const key = entry('Key', 'part of a key');
  const line = entry('Line', '120 or 100-200');
  const shown = element('output', { class: 'shown', 'aria-live': 'polite' });
  const clear = element('button', { type: 'button' }, 'Clear');
  const fields = [code, column, ...(files.length > 1 ? [file] : []), key, line];
  const root = element(
    'div',
    { class: 'filters', role: 'search', 'aria-label': 'Filter the refused rows' },
    ...fields.map(({ label }) => label),
    clear,
    shown,
  );
  for (const { field } of fields)
    field.addEventListener(field instanceof HTMLSelectElement ? 'change' : 'input', changed);
  clear.addEventListener('click', () => {
    for (const { field } of fields) field.value = '';
    changed();
  });
  return {
    root,
    shown,
    read: () => ({
      code: code.field.value,
      column: column.field.value,
      file: file.field.value,
      key: key.field.value.trim(),
      line: line.field.value.trim(),
    }),
    choose(wantedCode, wantedColumn) {
      for (const { field } of fields) field.value = '';
      code.field.value = wantedCode;
      column.field.value = wantedColumn;
      changed();
    },
  };
}

function countBy(rows: readonly RefusedRow[], of: (row: RefusedRow) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(of(row), (counts.get(of(row)) ?? 0) + 1);
  return [...counts].filter(([value]) => value !== '').sort((a, b) => b[1] - a[1]);
}

function choice(
  name: string,
  counts: readonly (readonly [string, number])[],
  words = (value: string): string => value,
) {
  const field = element('select', { name: name.toLowerCase() }, element('option', { value: '' }, 'any'));
  for (const [value, count] of counts) {
    const option = element('option', {}, `${words(value)} (${count})`);
    // A property, not markup: the value comes from a supplier.
    option.value = value;
    field.append(option);
  }
  return { field, label: element('label', {}, name, field) };
}

function entry(name: string, hint: string) {
  const field = element('input', {
    type: 'search',
    name: name.toLowerCase(),
    placeholder: hint,
    autocomplete: 'off',
    spellcheck: 'false',
  });
  return { field, label: element('label', {}, name, field) };
}
