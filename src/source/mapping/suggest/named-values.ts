// Characteristics that a record has as names with values: a list of objects (`specs: [{label, value}]`), elements with a
// name (`<param name="Colour">red</param>`), or an object (`custom_fields: {Colour: red}`).
import type { ColumnProfile } from '../../inspection/column-profile.js';
import type { ExampleRow } from '../mapping.js';
import { moneyRole, tierOf } from './read-header.js';

/** How the names and values are read, as the words of `each`, and the columns that are read so. */
interface NamedValues {
  readonly each: string;
  readonly reads: (column: string) => boolean;
}

/** What a member with the name of an entry is called, and one with its value; the plainest first. */
const nameMembers = ['label', 'name', 'title', 'key', 'code', 'attribute', 'type'];
const valueMembers = ['value', 'val', 'option', 'text', '#text'];
/** What an object is called whose members are characteristics. */
const ofCharacteristics =
  /(?:attribut|character|spec|propert|feature|custom(?:$|.?field|.?data)|param|option|detail|merkmal|eigenschaft|caract)[^.]*$/iu;
/** A path and the values of one record there, each with its name. */
type ListRead = readonly [each: string, path: string, entries: readonly ValuePair[], name: string];
type ValuePair = readonly [name: unknown, value: unknown];

/**
 * The names with values of the records.
 * @param free the columns that fill nothing else
 */
export function namedValues(first: readonly ExampleRow[], free: readonly ColumnProfile[]): NamedValues | undefined {
  const found = new Map<string, { path: string; name: string; records: (readonly ValuePair[])[] }>();
  for (const record of first)
    for (const [each, path, entries, name] of entriesIn(record, '')) {
      const known = found.get(each) ?? { path, name, records: [] };
      found.set(each, known);
      known.records.push(entries);
    }
  for (const [each, { path, name, records }] of found)
    if (records.every(areNamed) && isOfNames(name, records) && tierOf(path, 'stock') === -1 && !isPriced(path))
      return {
        each: `{ parallel: ${each}, ${filledOnly} }`,
        reads: (column) =>
          column === path ||
          each.includes(JSON.stringify(column)) ||
          (column.startsWith(`${path}[`) && !column.startsWith(`${path}[]`)),
      };
  return objectOf(first, free);
}

const isPriced = (name: string): boolean => !['other', undefined].includes(moneyRole(name));

const filledOnly = 'skip: { of: $value, empty: true }';
/** The lists of a record that could be so, at any depth. */
function entriesIn(record: object, prefix: string): ListRead[] {
  return Object.entries(record).flatMap(([member, value]): ListRead[] => {
    const path = prefix + member;
    const own = Object.keys(record).find((name) => name.startsWith(`${member}@`) && ofWord(name, nameMembers) >= 0);
    if (own !== undefined) {
      const [names, values] = [[record[own as keyof typeof record]].flat(), [value].flat()];
      return [[parallel(prefix + own, path), path, names.map((name, i) => [name, values[i]]), own]];
    }
    const parts: unknown[] = [value].flat();
    if (!parts.every((part): part is object => typeof part === 'object' && part !== null)) return [];
    const [name] = membersOf(parts, nameMembers);
    const [text] = membersOf(parts, valueMembers);
    if (name !== undefined && text !== undefined)
      return [
        [
          parallel(`${path}[].${name}`, `${path}[].${text}`),
          path,
          parts.map((part) => [at(part, name), at(part, text)]),
          name,
        ],
      ];
    return Array.isArray(value) || typeof value !== 'object' || value === null ? [] : entriesIn(value, `${path}.`);
  });
}

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
    const isWhole = records.flat().every(([name]) => names.includes(name) && !isPriced(name));
    if (!isWhole || !records.every(areNamed) || !names.every((name) => /^\p{L}[^.[\]]*$/u.test(name))) continue;
    const columns = names.map((name) => `${JSON.stringify(`${member}.${name}`)}: ${JSON.stringify(name)}`);
    return {
      each: `{ columns: { ${columns.join(', ')} }, ${filledOnly} }`,
      reads: (column) => column.startsWith(`${member}.`),
    };
  }
  return undefined;
}
