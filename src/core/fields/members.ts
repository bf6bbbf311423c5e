// The members of a record, each declared once: the field that is sent, the column that is stored, the member that is
// read. record-type.ts derives table, new row, fields, view and read shape from these declarations.
import type { ReadField } from '../reading/read-shapes.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { Row, Value } from '../rows/table.js';
import { showDecimal } from './decimal.js';
import type { BooleanField, DecimalField, Field, IntegerField, ListField, ReferenceField } from './fields.js';

/** How a member is stored. */
interface ColumnOf<V extends Value, N extends string> {
  /** The column's name; '' if it equals the member's. */
  readonly name: N;
  readonly initial: V;
  /** The initial value is the time of creation. */
  readonly isTime?: true;
  /** It cannot be empty: it stays also where the creation of its record is undone. */
  readonly lasting?: true;
}

/** How a member is read. */
interface ReadOf {
  /** Its type in the read shape. */
  readonly shape: ReadField;
  /** Converts the column's value for a read; by default null becomes '' and a boolean true or false. */
  readonly show?: (value: Value) => unknown;
  /** The value is computed from other rows. */
  readonly compute?: (row: Row, snapshot: Snapshot) => unknown;
  /** The member before it in the read shape, if that is not the one declared before it. */
  readonly after?: string;
}

/** One member of a record. */
export interface RecordMember {
  readonly field?: Field;
  readonly column?: ColumnOf<Value, string>;
  readonly read?: ReadOf;
  /** The column takes the sent value; otherwise the resource's `decide` sets it. */
  readonly isApplied?: boolean;
}

/** The members of a record by name, in the order in which they are sent. */
export type RecordMembers = Readonly<Record<string, RecordMember>>;

/** The column type for the values of a field. */
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

/** The fields of an item with these members. */
export type FieldsOf<M extends RecordMembers> = {
  readonly [K in keyof M as M[K] extends { readonly field: Field } ? K : never]: M[K] extends {
    readonly field: infer F extends Field;
  }
    ? F
    : never;
};

/** The stored row of these members. */
export type RowOfMembers<M extends RecordMembers> = {
  -readonly [K in keyof M & string as M[K] extends { readonly column: ColumnOf<Value, infer N> }
    ? N extends ''
      ? K
      : N
    : never]: M[K] extends { readonly column: ColumnOf<infer V, string> } ? V : never;
};

interface StoredOptions {
  readonly column?: string;
  /** The initial value, if it is not the default of its kind: '', 0 or null. */
  readonly initial?: Value;
  /** A new row holds the time it is made. */
  readonly isTime?: true;
  readonly lasting?: true;
  /** The resource's `decide` sets the column; it does not simply take the sent value. */
  readonly decided?: true;
  /** The type in the read shape, if it differs from the field's; false if the member is not read. */
  readonly read?: ReadField | false;
  readonly show?: (value: Value) => unknown;
  readonly readAfter?: string;
}

type KeptOptions = Partial<ReadOf> & { readonly column?: string; readonly lasting?: true };

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

/** Converts the column of a field for a read; undefined if no conversion is needed. */
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

/** Name and type of a column, from the options of its declaration. */
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
    lasting,
    decided,
    read = shapeOf(field),
    readAfter,
  }: StoredOptions = options ?? {};
  const show = options?.show ?? shownAs(field);
  return {
    field,
    // The runtime form of what the types above derive from the options.
    column: {
      name: column as NameOf<O>,
      initial: initial as KeptAs<F, O>,
      ...(isTime && { isTime }),
      ...(lasting && { lasting }),
    },
    isApplied: decided !== true,
    ...(read !== false && { read: { shape: read, ...(show && { show }), ...(readAfter && { after: readAfter }) } }),
  };
}

/** A field that is sent and not stored under its own name: a list, an alias of a key, the key of another record. */
export function sent<F extends Field>(field: F): SentMember<F> {
  return { field };
}

/** A column that no item sends. It is part of reads if `read` gives its type. */
export function kept<V extends Value, const O extends KeptOptions = NoOptions>(
  initial: V,
  options?: O & KeptOptions,
): KeptMember<Widened<V>, NameOf<O>> {
  const { column = '', lasting, shape, ...read }: KeptOptions = options ?? {};
  return {
    column: { name: column as NameOf<O>, initial: initial as unknown as Widened<V>, ...(lasting && { lasting }) },
    ...(shape && { read: { shape, ...read } }),
  };
}

/** A list that is sent and read, and stored as rows of its own. */
export function readList<F extends ListField>(field: F, read: ReadOf): SentMember<F> {
  return { field, read };
}

export function identifier(): KeptMember<string, ''> {
  return kept('', { shape: 'string', lasting: true });
}

/** The time of a row's creation or last change. */
export function timestamp(): KeptMember<number, ''> {
  return { column: { name: '', initial: 0, isTime: true }, read: { shape: 'integer' } };
}

/** A member of reads with a constant value. */
export function constant(value: string): ReadMember {
  return { read: { shape: `=${value}`, compute: () => value } };
}

/** A member of reads that is computed from other rows. */
export function computed(shape: ReadField, compute: (row: Row, snapshot: Snapshot) => unknown): ReadMember {
  return { read: { shape, compute } };
}
