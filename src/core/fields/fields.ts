// The descriptors of a resource's write fields. A field is plain data, so that five readers share one description: the
// check of an item, the coercion of cells, the JSON Schema, the template and the help.

/** Formats of a text that have a rule of their own. */
export type TextFormat = 'hex' | 'currency' | 'language';

interface Common {
  /** The meaning of the field, shown in templates and schemas. */
  readonly note: string;
  /** The field must be sent with every item (or with every entry, inside a list). */
  readonly required: boolean;
}

/** Text, limited in UTF-8 bytes or in characters (code points). */
export interface TextField extends Common {
  readonly kind: 'text';
  readonly maxBytes?: number;
  readonly maxCharacters?: number;
  /** Keys are trimmed; other text is kept as sent. */
  readonly trim: boolean;
  readonly format?: TextFormat;
  /** Keys that differ only in case are equal. */
  readonly anyCase?: boolean;
  /** The field of which this one is an alias. */
  readonly aliasOf?: string;
}

/** One word of a closed list. */
export interface ChoiceField extends Common {
  readonly kind: 'choice';
  readonly values: readonly string[];
  /** Values that replace the key, whatever the key field contains. */
  readonly keys?: Readonly<Record<string, string>>;
}

/** A whole number from `min` to `max`. */
export interface IntegerField extends Common {
  readonly kind: 'integer';
  readonly min: number;
  readonly max: number;
}

/** Zero or more with at most `scale` decimals, kept as an exact integer of its smallest unit. */
export interface DecimalField extends Common {
  readonly kind: 'decimal';
  readonly scale: number;
}

export interface BooleanField extends Common {
  readonly kind: 'boolean';
}

/** Another record: by identifier, or by name too where `byName` says so. */
export interface ReferenceField extends Common {
  readonly kind: 'reference';
  /** The kind of record it refers to, as named in messages. */
  readonly to: string;
  /** Possible prefixes of an identifier; empty where the shop's identifiers have none. */
  readonly prefixes: readonly string[];
  readonly byName: boolean;
}

/** A list of entries, each with fields of its own. */
export interface ListField<E extends Fields = Fields> extends Common {
  readonly kind: 'list';
  readonly entry: E;
  /** The field that identifies an entry in a file: `grades[like_new].price`. */
  readonly entryKey: string;
  /** The field for the second half of a short list: `new=100|good=60`. */
  readonly entryValue?: string;
  readonly maxEntries?: number;
  /** Whether several entries may have one key: the values of a characteristic. */
  readonly isMultiple?: true;
}

export type Field = TextField | ChoiceField | IntegerField | DecimalField | BooleanField | ReferenceField | ListField;

/** Fields by their name, in the order of the specification. */
export type Fields = Readonly<Record<string, Field>>;

/** The type of a checked value by kind of field: amounts are integers of their smallest unit; null clears. */
interface Values {
  readonly text: string;
  readonly choice: string;
  readonly integer: number;
  readonly decimal: number | null;
  readonly boolean: boolean;
  readonly reference: string | null;
}

type ValueOf<F extends Field> =
  F extends ListField<infer E> ? readonly ItemOf<E>[] : F['kind'] extends keyof Values ? Values[F['kind']] : never;

/** A checked item with these fields: the sent ones, normalized; wrong or missing fields are absent. */
export type ItemOf<F extends Fields> = { readonly [Name in keyof F]?: ValueOf<F[Name]> };

interface Options {
  readonly required?: boolean;
}

/** The longest text of a field without a limit of its own, in UTF-8 bytes. */
const longestText = 1024 * 1024;

/** Whether a text may have many times the length of a name. */
export function mayBeLong({ maxBytes }: Pick<TextField, 'maxBytes'>): boolean {
  return maxBytes === longestText;
}

/** Limits of whole numbers: what any shop counts or orders by, and times until the end of year 9999. */
const countable = { min: -2_147_483_648, max: 2_147_483_647 };
const datable = { min: 0, max: 253_402_300_799 };

function limited<O extends Partial<Pick<TextField, 'maxBytes' | 'maxCharacters'>>>(options: O) {
  return options.maxBytes === undefined && options.maxCharacters === undefined
    ? { maxBytes: longestText, ...options }
    : options;
}

/** Text up to 1 MiB, or up to `maxBytes` UTF-8 bytes or `maxCharacters` code points. */
export function text(
  note: string,
  options: Options & Partial<Pick<TextField, 'maxBytes' | 'maxCharacters' | 'trim' | 'format' | 'aliasOf'>> = {},
): TextField {
  return { kind: 'text', note, required: false, trim: false, ...limited(options) };
}

/** A key: text that loses surrounding white space and may not be empty after that. */
export function key(
  note: string,
  options: Options & Partial<Pick<TextField, 'maxBytes' | 'maxCharacters' | 'anyCase'>> = {},
): TextField {
  return { kind: 'text', note, required: true, trim: true, ...limited(options) };
}

/** One of `values`. */
export function choice(
  note: string,
  values: readonly string[],
  options: Options & Pick<ChoiceField, 'keys'> = {},
): ChoiceField {
  return { kind: 'choice', note, required: false, values, ...options };
}

/** A whole number: a count, an amount of pieces, a place in an order; from `min` to `max` where given. */
export function integer(
  note: string,
  options: Options & Partial<Pick<IntegerField, 'min' | 'max'>> = {},
): IntegerField {
  return { kind: 'integer', note, required: false, ...countable, ...options };
}

/** A time in Unix seconds. */
export function time(note: string): IntegerField {
  return { kind: 'integer', note, required: false, ...datable };
}

/** Whether a whole number is a time in Unix seconds. */
export function isTime({ max }: IntegerField): boolean {
  return max === datable.max;
}

/** A decimal of zero or more with at most `scale` decimals. */
export function decimal(note: string, scale: number): DecimalField {
  return { kind: 'decimal', note, required: false, scale };
}

/** True or false. */
export function boolean(note: string): BooleanField {
  return { kind: 'boolean', note, required: false };
}

/** A reference to a record of `to`, recognized by the prefixes of its identifier. */
export function reference(
  note: string,
  to: string,
  prefixes: readonly string[],
  options: Options & { readonly byName?: boolean } = {},
): ReferenceField {
  return { kind: 'reference', note, required: false, byName: false, to, prefixes, ...options };
}

/** A list whose entries have the fields `entry` and are recognized by `entryKey`. */
export function list<const E extends Fields>(
  note: string,
  entry: E,
  entryKey: string & keyof E,
  options: Partial<Pick<ListField, 'maxEntries' | 'entryValue' | 'isMultiple'>> = {},
): ListField<E> {
  return { kind: 'list', note, required: false, entry, entryKey, ...options };
}

/** `activated` or `suspended`: the status of everything but products and reviews. */
export const statuses = ['activated', 'suspended'] as const;
