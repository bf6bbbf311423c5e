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
   */
  constructor(
    readonly path: string,
    readonly rest: string,
    readonly count: number,
  ) {}
}

export function memberReader(name: string): MemberReader {
  const step = listStep.exec(name);
  if (step !== null) return listReader(name, step);
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

/** `[]`, or `[member=value]`. */
const listStep = /\[(?:([^[\]=]+)=([^\]]*))?\]/;

/** Reads a member of the entries of a list, in order; `''` stands for an entry without it. */
function listReader(name: string, step: RegExpExecArray): MemberReader {
  const [written, member, wanted = ''] = step;
  const list = name.slice(0, step.index);
  const readList = list === '' ? (record: unknown) => record : memberReader(list);
  const rest = name.slice(step.index + written.length).replace(/^\./, '');
  // Attributes of elements that hold no elements are lists next to these.
  const readAttribute = rest.startsWith('@') ? memberReader(list + rest) : undefined;
  const readEntry = rest === '' ? (entry: unknown) => entry : memberReader(rest);
  const choose = member === undefined ? undefined : entryFilter(list, member.trim(), wanted);
  return (record) => {
    const found = readList(record);
    if (found === undefined || found === null || found instanceof UnexpectedList) return found ?? undefined;
    const isChosen = choose?.(record);
    const attributes = readAttribute === undefined ? [] : [readAttribute(record)].flat();
    const values = [found]
      .flat()
      .flatMap((entry, i) => (isChosen?.(entry, i) === false ? [] : (readEntry(entry) ?? attributes[i] ?? '')));
    const inner = values.find((value) => value instanceof UnexpectedList);
    return inner === undefined
      ? values
      : new UnexpectedList(`${list}${written}.${inner.path}`, inner.rest, inner.count);
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
