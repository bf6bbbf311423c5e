// What expressions are compiled with and evaluated with.
import type { NumberFault } from '../../../core/diagnostics/number-problems.js';
import type { Problem } from '../../../core/diagnostics/refusal-codes.js';
import type { WrittenAmount } from '../../../core/fields/currencies.js';
import type { Field } from '../../../core/fields/fields.js';
import type { RowPlace } from '../../file-place.js';
import { WrittenNumber } from '../../json/written-number.js';
import type { NameUse } from '../../named-members.js';
import type { Expression, PathNames, ReadRule } from '../mapping.js';
import type { MappingTrace } from '../mapping-trace.js';
import { besideOf, type OneValue } from '../values/known-number.js';
import type { LookupTable } from './lookup-table.js';

export interface Context {
  /** The record as it was read: the cells of a row, or an object. */
  readonly record: unknown;
  /** Variables such as `$name`, defined by an expansion. */
  readonly own: Readonly<Record<string, OneValue>>;
  /** Where the record is, if it is one of several. */
  readonly place?: RowPlace;
  /** Reports a value that cannot be mapped: the item will be refused. */
  readonly refuse: (problem: Problem) => void;
  /** Whether the expression has refused its value, which is empty from then on. Set only where `plus` or `times` asks. */
  readonly isRefused?: (() => boolean) | undefined;
  /** Collects the amounts with a currency next to them, to compare it with that of the item. */
  readonly amounts?: WrittenAmount[];
}

/** A text or a known number, a list of these, or a list of a JSON record; '' for nothing. */
export type MappedValue = OneValue | readonly unknown[];

/** Evaluates to a value for a record. */
export type Evaluate = (context: Context) => MappedValue;

export interface Scope {
  /** Compiles an expression inside another one or a condition: they contain each other. */
  readonly compile: (expression: Expression, scope: Scope, place: string, target: string) => Evaluate;
  /** Reads a column from a record; undefined for an unknown column. */
  readonly column: (name: string, member?: Scope['member']) => ((record: unknown) => unknown) | undefined;
  /** Reads a member of a record that is an object: set where lists are read side by side. */
  readonly member?: ((name: string) => (record: unknown) => unknown) | undefined;
  /** Whether a table has a column of exactly this name; of other records, that is not known. */
  readonly isColumn: (name: string) => boolean;
  /** Notes that a text of the mapping is the name of a column. */
  readonly asText: (column: string, place: string) => void;
  /** How many columns of a table an expression reads by a name; 0 for other records, of which that is not known. */
  readonly columnsNamed: (name: string) => number;
  /** Notes that a column is named, or several of which one suffices; undefined where that is known already. */
  readonly named?: ((names: readonly string[], use: NameUse) => void) | undefined;
  /** Whether an `aggregate` means something: several rows give one value. */
  readonly aggregates?: ((how: unknown) => boolean) | undefined;
  /** Whether expressions are read of every record, and not only of those that are kept. */
  readonly ofAll?: boolean;
  /** Sets the field that the following columns are for; '' for none. */
  readonly filling: (path: string) => void;
  /** Fails for an unknown column, with the most similar one. */
  readonly noColumn: (name: string, place: string) => never;
  /** The variables of the expansion. */
  readonly own: readonly string[];
  /** Where their values come from, for messages. */
  readonly origins?: Readonly<Record<string, string>> | undefined;
  /** Why `$value` is empty in all parts of a cell: it has pairs, and another sign between name and value. */
  readonly unpaired?: ((context: Context, field: string) => Problem | undefined) | undefined;
  /**
   * If the value is a key: that of an item or that of a row of a lookup table. A list in one of its columns refuses the record, and
   * in the key of an item so does an empty part. The key of a level of a path is neither.
   */
  readonly keyOf?: 'item' | 'row' | undefined;
  /** Whether the value is a number, whatever it fills: one that is compared, or a branch of a number. */
  readonly isAmount?: boolean | undefined;
  /** Whether a number is read of what the expression is a part of. */
  readonly isOfNumber?: boolean | undefined;
  /** The decimal sign, if the value is read as a number. */
  readonly numberSign?: '.' | ',' | undefined;
  /** Whether a value may be an object or a list of objects: for filling a list, and for comparing. */
  readonly takesObjects?: boolean | undefined;
  /** Whether the empty ones of several columns keep their places in the list. */
  readonly keepsPlaces?: boolean | undefined;
  /** Whether a value may be a list of several: otherwise the record is refused, since one of them would be a guess. */
  readonly takesLists?: boolean | undefined;
  /**
   * The rows of a table.
   * @throws CatalogError `usage` for an unknown table
   */
  readonly table: (name: string, place: string) => LookupTable;
  readonly read: ReadRule;
  /** When the import runs, in Unix seconds. */
  readonly now: number | undefined;
  /** Keeps each step with what it gives; undefined where nobody looks at them. */
  readonly trace?: MappingTrace | undefined;
  /** How categories are named from their paths in this mapping. */
  readonly paths: PathNames | undefined;
  /** Last parts of paths, folded, that occur under several parents. */
  readonly repeated: ReadonlySet<string>;
  /** Fails with a position in the mapping file. */
  readonly fail: (place: string, what: string) => never;
  /** Counts a number such as 8,72E+12, which a spreadsheet has rounded. */
  readonly digitsLost: (column: string, value: string) => void;
  /** Counts a value that was cut to a limit. */
  readonly cut: (source: string, limit: string) => void;
  /** Counts a detected decimal sign. */
  readonly decided: (column: string, sign: '.' | ',') => void;
  /** Counts an amount next to which it says that it is without or with tax. */
  readonly taxed: (column: string, tax: 'net' | 'gross', text: string, line: number | undefined) => void;
}

/** The scope for compiling steps. */
export interface StepScope extends Scope {
  /** The position of the step in the mapping file. */
  readonly place: string;
  /** The column, or another source of the value, in messages. */
  readonly source: string;
  readonly target: string;
  /** Checks a plain number against the field it fills; only for the last step. */
  readonly fault?: (number: string) => NumberFault | undefined;
  /** That field. */
  readonly field?: Field;
  /** Whether another step may read the number again, so that it has to be known as one. */
  readonly isReadAgain?: boolean;
  /** Compiles an operand: an expression that gives a number. */
  operand(expression: Expression, place: string): Evaluate;
}

export function toText(value: MappedValue): string {
  return typeof value === 'string' ? value : String(toOne(value));
}

/** A value as it is shown to people. */
export function shownValue(value: MappedValue): unknown {
  const shown = (one: unknown) => (one instanceof WrittenNumber ? one.text : one);
  return Array.isArray(value) ? value.map(shown) : shown(value);
}

/** The text of a value, or its number if that is known. */
export function toOne(value: MappedValue): OneValue {
  if (typeof value === 'string' || value instanceof WrittenNumber) return value;
  const filled = value.filter((part) => part !== '' && part !== undefined && part !== null);
  const [first] = filled;
  if (filled.length === 1 && first instanceof WrittenNumber) return first;
  return filled.map((part) => String(part)).join(', ');
}

/** The text of a field. If the value was made of amounts with a currency, this has to be that of the item. */
export function textOfField(value: MappedValue, field: string, { amounts }: Context): string {
  if (typeof value !== 'string') for (const one of besideOf(value)) amounts?.push({ field, ...one });
  return toText(value);
}
