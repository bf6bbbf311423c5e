// Functions for every row of a record type: create it, fill it from an item, show it. Compiled for the members of the
// type: with names that are known only at run time, filling 200,000 rows takes ten
// times as long.
import type { ReadShape } from '../import-report.js';
import { compile } from '../rows/compile-function.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { Row, Value } from '../rows/table.js';

/** A column of a new row. */
export interface NewColumn {
  readonly column: string;
  readonly initial: Value;
  readonly isTime: boolean;
}

/** A field whose column takes what is sent. */
export interface AppliedField {
  readonly name: string;
  readonly column: string;
  readonly isBoolean: boolean;
}

/** A member of the read shape. */
export interface ShownMember {
  readonly name: string;
  readonly column: string;
  readonly show: ((value: Value) => unknown) | undefined;
  readonly compute: ((row: Row, snapshot: Snapshot) => unknown) | undefined;
}

type Item = Readonly<Record<string, unknown>>;
export type MakeRow = (id: string, now: number) => Row;
export type ApplySent = (item: Item, row: Row) => void;
export type View = (row: Row, snapshot: Snapshot) => ReadShape;

function compileMakeRow(columns: readonly NewColumn[]): MakeRow {
  const members = columns.map(({ column, initial, isTime }) => {
    return `${column}: ${column === 'id' ? 'id' : isTime ? 'now' : JSON.stringify(initial)}`;
  });
  return compile(['id', 'now'], `return { ${members.join(', ')} };`);
}

function compileApplySent(fields: readonly AppliedField[]): ApplySent {
  const steps = fields.map(({ name, column, isBoolean }) => {
    const value = `item.${name}`;
    if (isBoolean) return `if (${value} !== undefined) row.${column} = Number(${value});`;
    return `if (${value} !== undefined && ${value} !== row.${column}) row.${column} = ${value};`;
  });
  return compile(['item', 'row'], steps.join('\n'));
}

function compileView(members: readonly ShownMember[]): View {
  const shown = members.map(({ name, column, show, compute }, i) => {
    if (compute !== undefined) return `${name}: members[${i}].compute(row, snapshot)`;
    return show === undefined ? `${name}: row.${column}` : `${name}: members[${i}].show(row.${column})`;
  });
  const make = compile<(given: readonly ShownMember[]) => View>(
    ['members'],
    `return (row, snapshot) => ({ ${shown.join(', ')} });`,
  );
  return make(members);
}

/** Creates a row with only identifier and time set. Compiled at its first call, like the others. */
export function makeRowOf(columns: readonly NewColumn[]): MakeRow {
  let make: MakeRow | undefined;
  return (id, now) => {
    make ??= compileMakeRow(columns);
    return make(id, now);
  };
}

/**
 * Writes the sent fields into their columns. An equal text stays the one it was: the row is compared with its stored version up to
 * three times, and the same text is equal at a glance.
 */
export function applySentOf(fields: readonly AppliedField[]): ApplySent {
  let apply: ApplySent | undefined;
  return (item, row) => {
    apply ??= compileApplySent(fields);
    apply(item, row);
  };
}

/** Makes the read shape of a row. */
export function viewOf(members: readonly ShownMember[]): View {
  let view: View | undefined;
  return (row, snapshot) => {
    view ??= compileView(members);
    return view(row, snapshot);
  };
}
