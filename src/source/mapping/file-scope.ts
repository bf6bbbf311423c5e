// Binds the names of a mapping to one file: the columns of its header, or the members of its records.
import { CatalogError } from '../../core/errors.js';
import { fold, nearest } from '../../core/text/text.js';
import { listColumns } from '../column-targets.js';
import { type NamedMembers, namedMembers } from '../named-members.js';
import { compileExpression } from './language/expression.js';
import type { LookupTable } from './language/lookup-table.js';
import type { Scope } from './language/scope.js';
import type { MappingSection } from './mapping.js';
import { memberReader } from './member-path.js';

/** Counts of each detected decimal sign, by column. */
export type Decisions = Map<string, Map<'.' | ',', number>>;

/** An amount that says if it is with tax, and its line. */
interface TaxedAmount {
  readonly text: string;
  readonly line: number | undefined;
}

/** Data read before the items: lookup tables, and last segments of category paths that occur under several parents. */
export interface ReadBefore {
  readonly tables: ReadonlyMap<string, LookupTable>;
  readonly repeated: ReadonlySet<string>;
}

/** The names of one file; `used` collects the columns that were resolved. */
export interface FileScope extends Scope {
  readonly used: ReadonlySet<string>;
  /** The paths of the fields filled from a column, by its name; for JSON records by the first part of a path. */
  readonly fieldsBy: ReadonlyMap<string, ReadonlySet<string>>;
  /** The index of a column in a row; undefined for an unknown name. */
  readonly indexOf: (name: string) => number | undefined;
  /** The members that are named, for records that are objects. */
  readonly members: NamedMembers | undefined;
  /** The columns that may be missing, and are. */
  readonly absent: () => readonly string[];
  readonly decisions: Decisions;
  /** By column, the first amount that says that it is without tax, and the first that says that it is with tax. */
  readonly taxes: ReadonlyMap<string, ReadonlyMap<'net' | 'gross', TaxedAmount>>;
  readonly lost: ReadonlyMap<string, { count: number; readonly first: string }>;
  /** The places of texts that are names of columns, by these. */
  readonly texts: ReadonlyMap<string, string>;
  /** Counts of truncated values, by column and limit. */
  readonly truncated: ReadonlyMap<string, number>;
}

/**
 * The scope of a file.
 * @param columns the names of its columns; undefined for records that are objects
 */
export function fileScope(
  mapped: MappingSection,
  columns: readonly string[] | undefined,
  before: ReadBefore,
): FileScope {
  const { tables, repeated } = before;
  const used = new Set<string>();
  const fieldsBy = new Map<string, Set<string>>();
  let filled = '';
  const note = (column: string): void => {
    used.add(column);
    const name = columns === undefined ? (column.split(/[.[]/, 1)[0] ?? '') : column.trim();
    const fields = fieldsBy.get(name) ?? new Set();
    fieldsBy.set(name, filled === '' ? fields : fields.add(filled));
  };
  const decisions: Decisions = new Map();
  const taxes = new Map<string, Map<'net' | 'gross', TaxedAmount>>();
  const lost = new Map<string, { count: number; first: string }>();
  const truncated = new Map<string, number>();
  const fail = (place: string, what: string): never => {
    const at = place.replace(/^the mapping\./, '');
    throw new CatalogError('usage', `${mapped.name}: ${at}: ${what}${what.endsWith('?') ? '' : '.'}`);
  };
  // A table has names besides its header only in the JSON of its cells.
  let members = columns === undefined && mapped.isExample !== true ? namedMembers(fail) : undefined;
  const missing = new Set<string>();
  const texts = new Map<string, string>();
  return {
    compile: compileExpression,
    used,
    get members() {
      return members;
    },
    isColumn: (name) => columns?.includes(name) === true,
    texts,
    asText(column, place) {
      texts.set(column, place.replace(/^the mapping\./, ''));
    },
    columnsNamed(name) {
      const column = columns?.[indexOf(name, columns)];
      return columns?.filter((one) => one === column).length ?? 0;
    },
    named(names, use) {
      if (use.within !== undefined && mapped.isExample !== true) members ??= namedMembers(fail);
      if (columns === undefined || use.within !== undefined) members?.add(names, use);
      else if (use.optional && !names.some((name) => indexOf(name, columns ?? []) !== -1)) missing.add(names[0] ?? '');
    },
    absent: () => [...missing, ...(members?.absent() ?? [])],
    fieldsBy,
    filling(path) {
      filled = path;
    },
    decisions,
    taxes,
    lost,
    truncated,
    cut(source, limit) {
      const words = `${source}: cut to ${limit}`;
      truncated.set(words, (truncated.get(words) ?? 0) + 1);
    },
    own: [],
    read: mapped.read,
    now: mapped.now,
    paths: mapped.paths?.each,
    trace: mapped.trace,
    repeated,
    fail,
    indexOf(name) {
      const index = indexOf(name, columns ?? []);
      if (index === -1) return undefined;
      used.add(columns?.[index] ?? '');
      return index;
    },
    column(name, member = memberReader) {
      if (columns === undefined) {
        note(name);
        return member(name);
      }
      const index = indexOf(name, columns);
      if (index === -1) return undefined;
      const column = columns[index] ?? '';
      note(column);
      // Columns with the same name are a list, in their order.
      const all = columns.flatMap((one, i) => (one === column && column !== '' ? [i] : []));
      if (all.length > 1) return (record) => all.map((i) => (record as readonly unknown[])[i]);
      return (record) => (record as readonly unknown[])[index];
    },
    noColumn(name, place) {
      const near = nearest(name, columns ?? []);
      const hint = near === undefined ? `columns are ${listColumns(columns ?? [])}` : `did you mean "${near.trim()}"?`;
      return fail(place, `column "${name}" not found; ${hint}`);
    },
    table: (name, place) => tables.get(name) ?? fail(place, `table "${name}" not found`),
    digitsLost(column, value) {
      const known = lost.get(column);
      if (known === undefined) lost.set(column, { count: 1, first: value });
      else known.count++;
    },
    decided(column, sign) {
      const signs = decisions.get(column) ?? new Map<'.' | ',', number>();
      decisions.set(column, signs);
      signs.set(sign, (signs.get(sign) ?? 0) + 1);
    },
    taxed(column, tax, text, line) {
      const known = taxes.get(column) ?? new Map<'net' | 'gross', TaxedAmount>();
      taxes.set(column, known);
      if (!known.has(tax)) known.set(tax, { text, line });
    },
  };
}

/** The column named `name`: exactly, or else in any case. */
function indexOf(name: string, columns: readonly string[]): number {
  const wanted = name.trim();
  const exact = columns.findIndex((column) => column.trim() === wanted);
  if (exact !== -1) return exact;
  const folded = fold(wanted);
  return columns.findIndex((column) => fold(column.trim()) === folded);
}
