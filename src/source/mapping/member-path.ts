// The paths by which a mapping reads members of records that are objects.
//
//   fields.name                   a member of a member; first the member whose whole name is `fields.name`
//   variants[].sku                that member of every entry of a list, in their order
//   param[@name=Colour]           the entries whose member (or attribute) has the value
//   prices[type=net].amount       a member of these
//   property[@name=sku]@value     another attribute of these elements
import { fold } from '../../core/text/text.js';

/** Reads a member of a record; undefined if it is missing, an `UnexpectedList` if a list is on the way to it. */
export type MemberReader = (record: unknown) => unknown;

/** A list inside a path that names one value: it has several, and none of them is the one that was meant. */
export class UnexpectedList {
  /**
   * @param path the path of the list
   * @param rest what the path names in each of its entries; '' for the entries themselves
   * @param isInPart whether it is in an entry that gives one value, next to values of other lists
   */
  constructor(
    readonly path: string,
    readonly rest: string,
    readonly count: number,
    readonly isInPart = false,
  ) {}
}

export function memberReader(name: string): MemberReader {
  const step = listStep.exec(name);
  if (step !== null) return listReader(name, step, entryReader);
  const path = name.split('.');
  return (record) => {
    if (typeof record !== 'object' || record === null) return undefined;
    if (Object.hasOwn(record, name)) return (record as Record<string, unknown>)[name];
    let value: unknown = record;
    for (let i = 0; i < path.length; i++) {
      const part = path[i] ?? '';
      if (Array.isArray(value) && value.length > 0)
        return new UnexpectedList(path.slice(0, i).join('.'), path.slice(i).join('.'), value.length);
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
      value = (value as Record<string, unknown>)[part];
    }
    return value;
  };
}

/** `[]`, or `[member=value]`, of which several may follow each other. */
const listStep = /\[\]|(?:\[[^[\]=]+=[^\]]*\])+/;
const condition = /\[([^=]+)=([^\]]*)\]/g;

/**
 * Reads a member of the entries of a list, in order; `''` stands for an entry without it.
 * @param inner makes the reader of the member
 */
function listReader(name: string, step: RegExpExecArray, inner: (rest: string) => MemberReader): MemberReader {
  const [written] = step;
  const list = name.slice(0, step.index);
  const readList = list === '' ? (record: unknown) => record : memberReader(list);
  const rest = name.slice(step.index + written.length).replace(/^\./, '');
  // Attributes of elements that hold no elements are lists next to these.
  const readAttribute = rest.startsWith('@') ? memberReader(list + rest) : undefined;
  const readEntry = inner(rest);
  const filters = [...written.matchAll(condition)].map(([, member = '', wanted = '']) =>
    entryFilter(list, member.trim(), wanted),
  );
  return (record) => {
    const found = readList(record);
    if (found === undefined || found === null || found instanceof UnexpectedList) return found ?? undefined;
    const tests = filters.map((filter) => filter(record));
    const attributes = readAttribute === undefined ? [] : [readAttribute(record)].flat();
    const values = [found]
      .flat()
      .flatMap((entry, i) => (tests.every((test) => test(entry, i)) ? (readEntry(entry) ?? attributes[i] ?? '') : []));
    const met = values.find((value) => value instanceof UnexpectedList);
    if (met === undefined) return values;
    const path = met.path === '' ? `${list}${written}` : `${list}${written}.${met.path}`;
    return new UnexpectedList(path, met.rest, met.count, met.isInPart);
  };
}

type EntryFilter = (record: unknown) => (entry: unknown, i: number) => boolean;

/** Selects the entries whose member has a value, ignoring case; of a member with several values, one of them. */
function entryFilter(list: string, member: string, wanted: string): EntryFilter {
  const value = fold(wanted.trim());
  const isWanted = (found: unknown) =>
    [found].flat().some((one) => one !== undefined && one !== null && fold(String(one).trim()) === value);
  const readMember = memberReader(member);
  // Attributes of XML elements that hold text are a list next to that of the texts: `param@name` next to `param`.
  const readOuter = member.startsWith('@') ? memberReader(list + member) : undefined;
  return (record) => {
    const outer = [readOuter?.(record) ?? []].flat();
    return (entry, i) => isWanted(readMember(entry)) || isWanted(outer[i]);
  };
}

/**
 * Makes the readers of lists that are read side by side. Lists that begin alike, as `v[].sku` and `v[].prices[t=net].amount`, have
 * one value for each entry of `v`: an entry that lacks it keeps its place, and one with several of them is an `UnexpectedList`.
 */
export function sideBySide(): (name: string) => MemberReader {
  const names: string[] = [];
  return (name) => {
    names.push(name);
    let read: MemberReader | undefined;
    // How far the lists are the same is known once all of them are named.
    return (record) => {
      read ??= levelReader(name, sharedLists(name, names));
      return read(record);
    };
  };
}

/** Reads an entry of a list, or a member of it. */
function entryReader(name: string): MemberReader {
  return name === '' ? (entry) => entry : memberReader(name);
}

/** Reads one value for each entry of the lists of the first `levels` steps. */
function levelReader(name: string, levels: number): MemberReader {
  const step = listStep.exec(name);
  if (step === null) return elementReader(name);
  return listReader(name, step, levels > 1 ? (rest) => levelReader(rest, levels - 1) : partReader);
}

/** The one value that an entry has; undefined where it has none. */
function partReader(name: string): MemberReader {
  const read = entryReader(name);
  const one = (value: unknown): unknown => {
    if (value instanceof UnexpectedList) return new UnexpectedList(value.path, value.rest, value.count, true);
    if (!Array.isArray(value)) return value;
    const filled = value.filter((part) => part !== '' && part !== undefined && part !== null);
    return filled.length > 1 ? new UnexpectedList(name, '', filled.length, true) : one(filled[0]);
  };
  return (entry) => one(read(entry));
}

/** Reads an attribute of elements, `param@unit`, with a place for each element that lacks it. */
function elementReader(name: string): MemberReader {
  const read = memberReader(name);
  const at = name.lastIndexOf('@');
  if (at < 1 || name[at - 1] === '.') return read;
  const readElements = memberReader(name.slice(0, at));
  const readEach = memberReader(`${name.slice(0, at)}[]${name.slice(at)}`);
  return (record) => (readElements(record) === undefined ? read(record) : readEach(record));
}

/** The number of lists that all paths share, at least the first one. Lists below them may have different lengths. */
function sharedLists(name: string, names: readonly string[]): number {
  const lists = listsOf(name);
  const shared = names.map(listsOf).map((others) => lists.filter((list, i) => list === others[i]).length);
  return Math.max(1, Math.min(...shared));
}

/** The lists on the way of a path: `v[]` and `v[].w[]` of `v[].w[].x`. */
function listsOf(name: string): string[] {
  return [...name.matchAll(new RegExp(listStep, 'g'))].map(({ index, 0: written }) =>
    name.slice(0, index + written.length),
  );
}
