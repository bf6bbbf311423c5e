// The members of a record, each declared once: the field that an item sends, the column that is kept, the member that is
// read. Table, new row, fields, view and read shape are derived from these declarations by record-type.ts.
import type { ReadField } from '../reading/read-shapes.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { Row, Value } from '../rows/table.js';
import { showDecimal } from './decimal.js';
import type { BooleanField, DecimalField, Field, IntegerField, ListField, ReferenceField } from './fields.js';

/** How a member is kept. */
interface ColumnOf<V extends Value, N extends string> {
  /** The column's name; '' where it is the member's own. */
  readonly name: N;
  /** What a new row holds. */
  readonly initial: V;
  /** A new row holds the time it is made. */
  readonly isTime?: true;
}

/** How a member is read. */
interface ReadOf {
  /** Its type in the read shape. */
  readonly shape: ReadField;
  /** The column's value as it is shown; by default null is '' and a boolean is true or false. */
  readonly show?: (value: Value) => unknown;
  /** A value that is made of other rows. */
  readonly compute?: (row: Row, snapshot: Snapshot) => unknown;
  /** The member it follows in the read shape, where that is not the one before it. */
  readonly after?: string;
}

/** One member of a record. */
export interface RecordMember {
  readonly field?: Field;
  readonly column?: ColumnOf<Value, string>;
  readonly read?: ReadOf;
  /** The column takes the value of the field where that is sent; else the resource's `decide` sees to it. */
  readonly isApplied?: boolean;
}

/** The members of a record by name, in the order in which they are sent. */
export type RecordMembers = Readonly<Record<string, RecordMember>>;

/** The type of column that keeps the values of a field. */
type ColumnValueOf<F extends Field> = F extends ListField
  ? never
  : F extends ReferenceField
    ? string | null
    : F extends DecimalField
      ? number | null
      : F extends IntegerField | BooleanField
        ? number
        : string;

interface SentMember<F extends Field> extends RecordMember {
  readonly field: F;
}

interface KeptMember<V extends Value, N extends string> extends RecordMember {
  readonly field?: never;
  readonly column: ColumnOf<V, N>;
}

interface StoredMember<F extends Field, V extends Value, N extends string> extends RecordMember {
  readonly field: F;
  readonly column: ColumnOf<V, N>;
}

interface ReadMember extends RecordMember {
  readonly field?: never;
  readonly column?: never;
}

/** The fields that an item of these members may have. */
export type FieldsOf<M extends RecordMembers> = {
  readonly [K in keyof M as M[K] extends { readonly field: Field } ? K : never]: M[K] extends {
    readonly field: infer F extends Field;
  }
    ? F
    : never;
};

/** The row that is kept of these members. */
export type RowOfMembers<M extends RecordMembers> = {
  -readonly [K in keyof M & string as M[K] extends { readonly column: ColumnOf<Value, infer N> }
    ? N extends ''
      ? K
      : N
    : never]: M[K] extends { readonly column: ColumnOf<infer V, string> } ? V : never;
};

interface StoredOptions {
  readonly column?: string;
  /** What a new row holds, where it is not '', 0 or null, by the kind of the field. */
  readonly initial?: Value;
  /** A new row holds the time it is made. */
  readonly isTime?: true;
  /** The resource's `decide` sets the column; it does not simply take what is sent. */
  readonly decided?: true;
  /** The type in the read shape, where it is not that of the field; false if the member is not read. */
  readonly read?: ReadField | false;
  readonly show?: (value: Value) => unknown;
  readonly readAfter?: string;
}

type KeptOptions = Partial<ReadOf> & { readonly column?: string };

const initialOf: Readonly<Record<Exclude<Field['kind'], 'list'>, Value>> = {
  text: '',
  choice: '',
  integer: 0,
  boolean: 0,
  decimal: null,
  reference: null,
};

function shapeOf(field: Field): ReadField {
  if (field.kind === 'choice') return field.values;
  return field.kind === 'integer' || field.kind === 'boolean' ? field.kind : 'string';
}

/** How the column of a field is shown; undefined if it is shown as it is. */
function shownAs(field: Field): ((value: Value) => unknown) | undefined {
  switch (field.kind) {
    case 'boolean':
      return (value) => value === 1;
    case 'decimal':
      return (value) => (value === null ? '' : showDecimal(Number(value), field.scale));
    case 'reference':
      return (value) => value ?? '';
    default:
      return undefined;
  }
}

type NoOptions = Readonly<Record<never, never>>;
type Widened<V extends Value> = V extends string ? string : V extends number ? number : null;

/** The name and the type of a column, off the options it was declared with. */
type NameOf<O> = O extends { readonly column: infer N extends string } ? N : '';
type KeptAs<F extends Field, O> = O extends { readonly initial: infer I extends Value }
  ? I extends null
    ? ColumnValueOf<F> | null
    : Widened<I>
  : ColumnValueOf<F>;

/** A member that is sent, kept and read. */
export function stored<F extends Exclude<Field, ListField>, const O extends StoredOptions = NoOptions>(
  field: F,
  options?: O & StoredOptions,
): StoredMember<F, KeptAs<F, O>, NameOf<O>> {
  const {
    column = '',
    initial = initialOf[field.kind],
    isTime,
    decided,
    read = shapeOf(field),
    readAfter,
  }: StoredOptions = options ?? {};
  const show = options?.show ?? shownAs(field);
  return {
    field,
    // What the types above say of the options.
    column: { name: column as NameOf<O>, initial: initial as KeptAs<F, O>, ...(isTime && { isTime }) },
    isApplied: decided !== true,
    ...(read !== false && { read: { shape: read, ...(show && { show }), ...(readAfter && { after: readAfter }) } }),
  };
}

/** A field that is sent and not kept under its own name: a list, another name of a key, the key of another record. */
export function sent<F extends Field>(field: F): SentMember<F> {
  return { field };
}

/** A column that no item sends. It is read where `read` gives its type. */
export function kept<V extends Value, const O extends KeptOptions = NoOptions>(
  initial: V,
  options?: O & KeptOptions,
): KeptMember<Widened<V>, NameOf<O>> {
  const { column = '', shape, ...read }: KeptOptions = options ?? {};
  return {
    column: { name: column as NameOf<O>, initial: initial as unknown as Widened<V> },
    ...(shape && { read: { shape, ...read } }),
  };
}

/** A list that is sent and read, and kept as rows of its own. */
export function readList<F extends ListField>(field: F, read: ReadOf): SentMember<F> {
  return { field, read };
}

/** The identifier of the record. */
export function identifier(): KeptMember<string, ''> {
  return kept('', { shape: 'string' });
}

/** The time a row was made or changed. */
export function timestamp(): KeptMember<number, ''> {
  return { column: { name: '', initial: 0, isTime: true }, read: { shape: 'integer' } };
}

/** A member that is read and has one value. */
export function constant(value: string): ReadMember {
  return { read: { shape: `=${value}`, compute: () => value } };
}

/** A member that is read and made of other rows. */
export function computed(shape: ReadField, compute: (row: Row, snapshot: Snapshot) => unknown): ReadMember {
  return { read: { shape, compute } };
}
