// The problems of a refused line as data: the field, the column of the file, the value, and the most similar accepted
// value. Reports for programs and browsers use this.

import { refusals } from '../../core/diagnostics/refusal-codes.js';
import { cutText } from '../../core/diagnostics/report-limits.js';
import type { Entry } from '../../core/entry.js';
import type { Fields, ListField } from '../../core/fields/fields.js';
import type { Diagnostic, Line } from '../../core/import-report.js';
import type { Resource } from '../../core/resource.js';
import { fold, nearest } from '../../core/text/text.js';
import type { ImportedFile } from '../../importing/observer.js';
import type { SourceColumn } from '../../source/column-targets.js';

/** One problem of a refused line. */
interface ReportedProblem {
  readonly code: string;
  /** The path of the field, '' for the whole item. */
  readonly field: string;
  /** The column of the file for the field; null if there is none, or it is unknown. */
  readonly column: string | null;
  /** The sent value, cut at 500 characters; null if nothing or a list was sent. */
  readonly value: unknown;
  /** The most similar accepted value; null if none is similar, or a remote does not report it. */
  readonly nearest: string | null;
}

/** Derives the problems of the lines of one file. */
export interface ProblemTeller {
  /** The problems of a refused line; the first is the reason of its refusal. */
  of(line: Line, entry: Entry | undefined): readonly ReportedProblem[];
  /** The columns for a field of an item. */
  columnsOf(field: string, entry: Entry | undefined): readonly string[];
}

/** Makes the derivation for a file. Its columns are looked up after some of the file was read. */
export function problemTeller({ resource, source }: Pick<ImportedFile, 'resource' | 'source'>): ProblemTeller {
  let find: ((field: string, item: unknown) => readonly string[]) | undefined;
  function columnsOf(field: string, entry: Entry | undefined): readonly string[] {
    if (field === '') return [];
    find ??= columnFinder(source.columns(), resource.fields);
    return find(field, entry === undefined || entry.kind === 'unreadable' ? undefined : entry.item);
  }
  return {
    columnsOf,
    of: (line, entry) =>
      diagnosticsOf(line, resource).map(({ code, field, value = valueAt(field, entry), params }) => ({
        code,
        field,
        column: columnsOf(field, entry)[0] ?? null,
        value: value === undefined ? null : value,
        nearest: nearestOf(value, params),
      })),
  };
}

/** The problems among the diagnostics. A remote sends none: then they are derived from the reason, `path: sentence`. */
function diagnosticsOf(line: Line, resource: Resource): readonly Diagnostic[] {
  const isProblem = ({ code }: { readonly code: string }): boolean => Object.hasOwn(refusals, code);
  const { code, reason, diagnostics, notice } = line;
  if (code === null) return [];
  if (diagnostics !== undefined) return diagnostics.filter(isProblem);
  const [path = '', root = ''] = /^([a-z_]+)(?:\[\d+\](?:\.[a-z_]+)?)?(?=:? )/.exec(reason ?? '') ?? [];
  const field = Object.hasOwn(resource.fields, root) ? path : '';
  return [{ code, field, message: reason ?? '' }, ...notice.filter(isProblem)];
}

/** The value of an item at the path of a field, for lines of a remote, which sends text only. */
function valueAt(field: string, entry: Entry | undefined): unknown {
  if (entry?.kind !== 'raw' || field === '') return undefined;
  let value: unknown = entry.item;
  for (const part of field.split(/[[\].]+/)) {
    if (part === '') continue;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return typeof value === 'object' ? undefined : cutText(value);
}

function nearestOf(value: unknown, params: Diagnostic['params']): string | null {
  const allowed = params?.['allowed'];
  const wanted = params?.['wanted'] ?? params?.['sent'] ?? value;
  if (!Array.isArray(allowed) || typeof wanted !== 'string') return null;
  return nearest(wanted, allowed as readonly string[]) ?? null;
}

/** Finds the columns for a field. Entries of a list are found by their keys, as columns name them. */
function columnFinder(columns: readonly SourceColumn[], fields: Fields) {
  const byPath = new Map<string, string[]>();
  for (const { name, fields: paths } of columns)
    for (const path of paths) byPath.set(fold(path), [...(byPath.get(fold(path)) ?? []), name]);
  return (field: string, item: unknown): readonly string[] => {
    const [, list, index, member] = /^([a-z_]+)\[(\d+)\](?:\.([a-z_]+))?$/.exec(field) ?? [];
    const paths =
      list === undefined ? [field] : entryPaths(list, Number(index), member, item, fields[list] as ListField);
    const found = paths.map((path) => byPath.get(fold(path))).find((names) => names !== undefined);
    return found ?? byPath.get(fold(list ?? field)) ?? [];
  };

  /** Possible names of an entry's field: `grades[like_new].price`, `grades[0].price`, `grades[].price` of a mapping. */
  function entryPaths(list: string, index: number, member: string | undefined, item: unknown, field: ListField) {
    const entries = (item as Readonly<Record<string, unknown>> | undefined)?.[list];
    const entry = Array.isArray(entries) ? (entries as readonly unknown[])[index] : undefined;
    const own = (entry as Readonly<Record<string, unknown>> | undefined)?.[field.entryKey];
    const part = member ?? field.entryValue;
    const slots = columns.filter(({ fields: paths }) => paths.some((path) => path.startsWith(`${list}[`)));
    // By position only if no entry before it is empty, since that would move the others up.
    const isPlaced = Array.isArray(entries) && new Set(slots.flatMap(positionsIn)).size <= entries.length;
    return [
      ...(typeof own === 'string' ? [`${list}[${own}].${part}`] : []),
      // The key of an entry is part of the name of its column.
      ...(typeof own === 'string' && part === field.entryKey ? [`${list}[${own}].${field.entryValue}`] : []),
      ...(isPlaced || entries === undefined ? [`${list}[${index}].${part}`] : []),
      `${list}[].${part}`,
    ];
  }
}

function positionsIn({ fields }: SourceColumn): string[] {
  return fields.flatMap((path) => /^[a-z_]+\[\d+\]/.exec(path)?.[0] ?? []);
}
