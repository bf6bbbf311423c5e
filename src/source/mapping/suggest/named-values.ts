// Characteristics that a record has as names with values: a list of objects (`specs: [{label, value}]`), elements with a
// name (`<param name="Colour">red</param>`), or an object (`custom_fields: {Colour: red}`).
import type { ColumnProfile } from '../../inspection/column-profile.js';
import type { ExampleRow } from '../mapping.js';
import { parseNumber } from '../values/parse-number.js';
import { namingWords, says, saysAmount, tierOf } from './read-header.js';

/** How the names and values are read, as the words of `each`, and the columns that are read so. */
interface NamedValues {
  readonly each: string;
  readonly reads: (column: string) => boolean;
  /** The names of amounts of money, which are left out. */
  readonly amounts?: readonly string[];
}

/** What a member with the name of an entry is called, and one with its value; the plainest first. */
const nameMembers = ['label', 'name', 'title', 'key', 'code', 'attribute', 'type'];
const valueMembers = ['value', 'val', 'option', 'text', '#text'];
/** What an object is called whose members are characteristics. */
const ofCharacteristics =
  /(?:attribut|character|spec|propert|feature|custom(?:$|.?field|.?data)|param|option|detail|merkmal|eigenschaft|caract)[^.]*$/iu;
/** The names and values of one record at a path. */
interface ListRead {
  readonly each: string;
  readonly path: string;
  readonly entries: readonly ValuePair[];
  /** The member or attribute with the names. */
  readonly name: string;
  /** Whether no word, but only its values say that it has names. */
  readonly isByValues: boolean;
  /** The path of the value below a name. */
  readonly of: (name: string) => string;
}
type ValuePair = readonly [name: unknown, value: unknown];
type NamedList = Omit<ListRead, 'entries'> & { readonly records: readonly ValuePair[][] };

/** The lists of names and values in the records. */
export function namedLists(first: readonly ExampleRow[]): readonly NamedList[] {
  const found = new Map<string, Omit<ListRead, 'entries'> & { readonly records: ValuePair[][] }>();
  first.forEach((record, i) => {
    for (const { entries, ...list } of entriesIn(record, '')) {
      const known = found.get(list.each) ?? { ...list, records: first.map((): ValuePair[] => []) };
      found.set(list.each, known);
      known.records[i]?.push(...entries);
    }
  });
  return [...found.values()];
}

/**
 * The names with values of the records.
 * @param free the columns that fill nothing else
 * @param isTaken whether a column fills something else
 */
export function namedValues(
  first: readonly ExampleRow[],
  free: readonly ColumnProfile[],
  isTaken: (column: string) => boolean,
): NamedValues | undefined {
  for (const { each, path, name, of, isByValues, records } of namedLists(first)) {
    const pairs = records.flat();
    const names = [...new Set(pairs.map(([one]) => String(one)))];
    // The purchase price is not for the customers of the shop.
    const amounts = names.filter((one) => isMoney(one, valuesOf(pairs, one)) && !isTaken(of(one)));
    const taken = names.filter((one) => isTaken(of(one)) || amounts.includes(one));
    const others = records.map((entries) => entries.filter(([one]) => !taken.includes(String(one))));
    const isKnown = !isByValues || taken.length > 0 || ofCharacteristics.test(path);
    const isMore = others.some((entries) => entries.length > 0);
    const isOfMoney = isMoney(path, valuesOf(pairs));
    if (
      isKnown &&
      isMore &&
      !isOfMoney &&
      others.every(areNamed) &&
      isOfNames(name, others) &&
      tierOf(path, 'stock') === -1
    )
      return {
        each: `{ parallel: ${each}, ${taken.length === 0 ? filledOnly : withoutTaken(taken)} }`,
        reads: (column) => column === path || each.includes(JSON.stringify(column)),
        amounts,
      };
  }
  return objectOf(first, free);
}

/** The values that are there, of all names or of one. */
const valuesOf = (pairs: readonly ValuePair[], name?: string): readonly string[] =>
  pairs.flatMap(([one, value]) =>
    (name === undefined || String(one) === name) && !['', null, undefined].includes(value as string)
      ? [String(value)]
      : [],
  );

/** Whether values are amounts of money: their name is a price, or it is a cost and they have decimals. `Special size: 12` is not one. */
function isMoney(name: string, values: readonly string[]): boolean {
  const words = namingWords(name);
  const isPrice = says(words, 'price') && !says(words, 'otherAmount') && !says(words, 'rate');
  const isNumber = (value: string) =>
    !('fault' in parseNumber(value, { decimal: /,\d{1,2}\D*$/.test(value) ? ',' : '.' }));
  const hasDecimals = values.some((value) => /\d[.,]\d\d(?!\d)/.test(value));
  return values.length > 0 && values.every(isNumber) && (isPrice || (saysAmount(name) && hasDecimals));
}

const withoutTaken = (names: readonly string[]): string =>
  `skip: [{ of: $value, empty: true }, { of: $name, is: ${JSON.stringify(names)} }]`;

const filledOnly = 'skip: { of: $value, empty: true }';
/** The lists of a record that could be so, at any depth. */
function entriesIn(record: object, prefix: string): ListRead[] {
  return Object.entries(record).flatMap(([member, value]): ListRead[] => {
    const path = prefix + member;
    const ofElements = elementsIn(record, member, prefix);
    if (ofElements !== undefined) return [ofElements];
    const parts: unknown[] = [value].flat();
    if (!parts.every((part): part is object => typeof part === 'object' && part !== null)) return [];
    const [byWord] = membersOf(parts, nameMembers);
    const [textByWord] = membersOf(parts, valueMembers);
    const isByValues = byWord === undefined || textByWord === undefined;
    const [name, text] = isByValues
      ? pairIn(parts, byWord === undefined ? textByWord : undefined)
      : [byWord, textByWord];
    if (name !== undefined && text !== undefined)
      return [
        {
          each: parallel(`${path}[].${name}`, `${path}[].${text}`),
          ...{ path, name, isByValues },
          entries: parts.map((part) => [at(part, name), at(part, text)]),
          of: (one) => `${path}[${name}=${one}].${text}`,
        },
      ];
    return Array.isArray(value) || typeof value !== 'object' || value === null ? [] : entriesIn(value, `${path}.`);
  });
}

/** The elements of one name, which have their names in one attribute, and their values as text or in another one. */
function elementsIn(record: object, member: string, prefix: string): ListRead | undefined {
  const listOf = (name: string): unknown[] => [record[name as keyof typeof record]].flat();
  const attributes = Object.keys(record).filter((name) => name.startsWith(`${member}@`));
  const byWord = attributes.find((name) => ofWord(name, nameMembers) >= 0);
  const own = byWord ?? attributes.find((name) => areNames(listOf(name)));
  if (own === undefined) return undefined;
  const hasTexts = listOf(member).some((one) => one !== '');
  const value = hasTexts
    ? member
    : (attributes.find((name) => name !== own && ofWord(name, valueMembers) >= 0) ?? member);
  const values = listOf(value);
  const attribute = value.slice(member.length);
  return {
    ...{
      each: parallel(prefix + own, prefix + value),
      path: prefix + member,
      name: own,
      isByValues: byWord === undefined,
    },
    entries: listOf(own).map((name, i) => [name, values[i]]),
    of: (name) => `${prefix}${member}[${own.slice(member.length)}=${name}]${attribute}`,
  };
}

/** The member with names, by its values, and that with what is named: the one that is called so, or the other one of two. */
function pairIn(parts: readonly object[], text: string | undefined): readonly string[] {
  const members = Object.keys(parts[0] ?? {});
  const isPair = text !== undefined || members.length === 2;
  const isOfAll = isPair && parts.every((part) => members.every((name) => Object.hasOwn(part, name)));
  const name = isOfAll
    ? members.find((one) => one !== text && areNames(parts.map((part) => at(part, one))))
    : undefined;
  return name === undefined ? [] : [name, text ?? members.filter((one) => one !== name)].flat();
}

/** Whether several values of one record are words, each another one; codes are none. */
const areNames = (values: readonly unknown[]): boolean =>
  values.length > 1 &&
  new Set(values).size === values.length &&
  values.every(isName) &&
  !values.every((one) => /\d/.test(String(one)));

const parallel = (name: string, value: string): string =>
  `{ name: ${JSON.stringify(name)}, value: ${JSON.stringify(value)} }`;

const at = (part: object, name: string): unknown => part[name as keyof typeof part];

/** The members of all parts that are called so, the plainest first: `PARAM_NAME` is a name. */
function membersOf(parts: readonly object[], words: readonly string[]): string[] {
  return Object.keys(parts[0] ?? {})
    .filter((name) => ofWord(name, words) >= 0 && parts.every((part) => Object.hasOwn(part, name)))
    .sort((one, other) => ofWord(one, words) - ofWord(other, words));
}

function ofWord(name: string, words: readonly string[]): number {
  const last = name.toLowerCase().split(/[_@-]/).at(-1);
  return words.indexOf(last ?? '');
}

/** Whether each entry has a name of its own, in words, and a value that a characteristic can have. */
function areNamed(entries: readonly ValuePair[]): boolean {
  const names = entries.map(([name]) => name);
  return new Set(names).size === names.length && entries.every(([name, value]) => isName(name) && isValue(value));
}

/** Whether what is called a type names characteristics: one that all share is the type of the value, `<id type="ean">`. */
function isOfNames(name: string, records: readonly (readonly ValuePair[])[]): boolean {
  return ofWord(name, ['type']) === -1 || new Set(records.flat().map(([one]) => one)).size > 1;
}

const isName = (name: unknown): boolean => typeof name === 'string' && /^\p{L}.{0,60}$/u.test(name);
const longestValue = 60;
const isValue = (value: unknown): boolean =>
  (typeof value !== 'object' || value === null) &&
  !/^https?:/.test(String(value)) &&
  String(value).length <= longestValue;

/** An object called as characteristics are, of which nothing else is known. */
function objectOf(first: readonly ExampleRow[], free: readonly ColumnProfile[]): NamedValues | undefined {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const members = new Set(first.flatMap((record) => Object.keys(record).filter((name) => isObject(record[name]))));
  for (const member of [...members].filter((name) => ofCharacteristics.test(name))) {
    const records = first.map((record) => Object.entries(record[member] ?? {}));
    const names = free.flatMap(({ name }) => (name.startsWith(`${member}.`) ? [name.slice(member.length + 1)] : []));
    const isWhole = records.flat().every(([name]) => names.includes(name) && !saysAmount(name));
    if (!isWhole || !records.every(areNamed)) continue;
    const columns = names.map((name) => `${JSON.stringify(`${member}.${name}`)}: ${JSON.stringify(name)}`);
    return {
      each: `{ columns: { ${columns.join(', ')} }, ${filledOnly} }`,
      reads: (column) => column.startsWith(`${member}.`),
    };
  }
  return undefined;
}
