// How the records of a drawn feed are laid out, and how they are written in each format.
import { workbookOf } from '../given-zip.js';
import type { DrawnMapping } from './drawn-mappings.js';

export type Value = string | readonly Value[] | { readonly [name: string]: Value };
export type Row = Readonly<Record<string, Value>>;

/** Where the columns of a record are: those that a mapping names as they are stay where they are. */
interface Layout {
  readonly of: readonly string[];
  readonly needs: readonly DrawnMapping['needs'][];
  /** The source of a column in a mapping, and its path. */
  readonly source: (name: string) => string;
  readonly path?: (name: string) => string;
  readonly pack: (row: Row, index: number) => Row;
}

const fixed = ['sku', 'kind', 'note'];

/** A layout that holds the other columns in one member. */
function inside(member: string, hold: (row: Row, index: number) => Value): Layout['pack'] {
  return (row, index) => {
    const split = (isFixed: boolean) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => fixed.includes(name) === isFixed));
    return { ...split(true), [member]: hold(split(false), index) };
  };
}

const tables = ['feed.csv', 'feed.tsv', 'feed.xlsx'];
const nested = ['feed.ndjson', 'feed.json', 'feed.xml'];

const flat = {
  source: (name: string) => `column: ${name}`,
  path: (name: string) => name,
  pack: (row: Row) => row,
};

const layouts: Readonly<Record<string, Layout>> = {
  flat: { ...flat, of: tables, needs: [undefined, 'path', 'name', 'table'] },
  'flat records': { ...flat, of: nested, needs: [undefined, 'path', 'name'] },
  'a member': {
    of: nested,
    needs: [undefined, 'path'],
    source: (name) => `column: offer.${name}`,
    path: (name) => `offer.${name}`,
    pack: inside('offer', (row) => row),
  },
  'members in members': {
    of: nested,
    needs: [undefined, 'path'],
    source: (name) => `column: data.offer.${name}`,
    path: (name) => `data.offer.${name}`,
    pack: inside('data', (offer) => ({ offer, made: 'x' })),
  },
  'one or a list of one': {
    of: nested,
    needs: [undefined],
    source: (name) => `column: "offers[].${name}"`,
    pack: inside('offers', (row, index) => (index % 2 === 0 ? row : [row])),
  },
  'JSON in a cell': {
    of: [...tables, ...nested],
    needs: [undefined],
    source: (name) => `json: box.${name}`,
    pack: inside('box', (row) => JSON.stringify(row)),
  },
};

const namesOf = (rows: readonly Row[]) => [...new Set(rows.flatMap((row) => Object.keys(row)))];
const textOf = (value: Value = '') => (typeof value === 'string' ? value : JSON.stringify(value));
const grid = (rows: readonly Row[]) => {
  const names = namesOf(rows);
  return [names, ...rows.map((row) => names.map((name) => textOf(row[name])))];
};

function delimited(rows: readonly Row[], sign: string): string {
  const cell = (text: string) => (/[",\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return grid(rows)
    .map((row) => `${row.map(cell).join(sign)}\n`)
    .join('');
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function elements(value: Row): string {
  return Object.entries(value)
    .flatMap(([name, one]) => (Array.isArray(one) ? one : [one]).map((entry) => [name, entry] as const))
    .map(([name, one]) => `<${name}>${typeof one === 'string' ? escaped(one) : elements(one as Row)}</${name}>`)
    .join('');
}

function sheetOf(cells: readonly (readonly string[])[], above: number): string {
  const cell = (text: string) =>
    /^\d+(?:\.\d+)?$/.test(text)
      ? `<c><v>${text}</v></c>`
      : `<c t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
  return cells.map((row, i) => `<row r="${i + 1 + above}">${row.map(cell).join('')}</row>`).join('');
}

/** How rows are written; a workbook has them in two sheets, of which tables are read from the second. */
const formats: Readonly<Record<string, (rows: readonly Row[], ofTable: readonly Row[]) => string | Uint8Array>> = {
  'feed.csv': (rows) => delimited(rows, ','),
  'feed.tsv': (rows) => delimited(rows, '\t'),
  'feed.xlsx': (rows, ofTable) =>
    workbookOf({
      Cover: sheetOf([['Price list'], ['of', 'today']], 0),
      Items: sheetOf(grid(rows), 0),
      More: sheetOf(grid(ofTable), 2),
    }),
  'feed.ndjson': (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  'feed.json': (rows) => JSON.stringify({ products: rows }),
  'feed.xml': (rows) => `<shop>${rows.map((row) => `<row>${elements(row)}</row>`).join('')}</shop>`,
};

export const isTable = (format: string): boolean => tables.includes(format);

/** What is drawn of a feed besides its rows. */
export interface Form {
  readonly mapping: DrawnMapping;
  readonly format: string;
  readonly layout: string;
}

/** Every mapping in every form in which it can be read. */
export function formsOf(mappings: readonly DrawnMapping[]): readonly Form[] {
  return mappings.flatMap((mapping) =>
    Object.entries(layouts).flatMap(([layout, { of, needs }]) =>
      needs.includes(mapping.needs) ? of.map((format) => ({ mapping, format, layout })) : [],
    ),
  );
}

/** The text of the mapping for a form. */
export function mappingFor({ mapping, format, layout }: Form): string {
  const { source, path } = layouts[layout] as Layout;
  const isBook = format === 'feed.xlsx';
  const text = mapping.map
    .replaceAll('<sheet>', isBook ? 'sheet: More,' : '')
    .replace(/<(\w+)>/g, (_, name: string) => source(name))
    .replace(/\[(\w+)\](?=[:}])/g, (_, name: string) => path?.(name) ?? name);
  return isBook ? `read: { sheet: Items }\n${text}` : text;
}

/** The records of a form. */
export function packed({ layout }: Form, rows: readonly Row[]): readonly Row[] {
  return rows.map((layouts[layout] as Layout).pack);
}

/** The file of a form. @param ofTable the records of tables, where they are in a sheet of their own */
export function fileOf({ format }: Form, records: readonly Row[], ofTable = records): string | Uint8Array {
  return formats[format]?.(records, ofTable) ?? '';
}
