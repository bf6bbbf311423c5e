// The paths by which a mapping reads members of records that are objects.
//
//   fields.name                   a member of a member; first the member whose whole name is `fields.name`
//   variants[].sku                that member of every entry of a list, in their order
//   param[@name=Colour]           the entries whose member (or attribute) has the value
//   prices[type=net].amount       a member of these
import { fold } from '../../core/text/text.js';

/** Reads a member of a record; undefined if it is missing. */
export type MemberReader = (record: unknown) => unknown;

/** Compiles the path of a member. */
export function memberReader(name: string): MemberReader {
  const step = listStep.exec(name);
  if (step !== null) return listReader(name, step);
  const path = name.split('.');
  return (record) => {
    if (typeof record !== 'object' || record === null) return undefined;
    if (Object.hasOwn(record, name)) return (record as Record<string, unknown>)[name];
    let value: unknown = record;
    for (const part of path) {
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
  const readEntry = rest === '' ? (entry: unknown) => entry : memberReader(rest);
  const choose = member === undefined ? undefined : entryFilter(list, member.trim(), wanted);
  return (record) => {
    const found = readList(record);
    if (found === undefined || found === null) return undefined;
    const entries = choose === undefined ? [found].flat() : choose([found].flat(), record);
    return entries.flatMap((entry) => readEntry(entry) ?? '');
  };
}

type EntryFilter = (entries: readonly unknown[], record: unknown) => readonly unknown[];

/** Selects the entries whose member has a value, ignoring case. */
function entryFilter(list: string, member: string, wanted: string): EntryFilter {
  const value = fold(wanted.trim());
  const isWanted = (found: unknown) => found !== undefined && found !== null && fold(String(found).trim()) === value;
  const readMember = memberReader(member);
  // Attributes of XML elements that hold text are a list beside that of the texts: `param@name` beside `param`.
  const readBeside = member.startsWith('@') ? memberReader(list + member) : undefined;
  return (entries, record) => {
    const beside = [readBeside?.(record) ?? []].flat();
    return entries.filter((entry, i) => isWanted(readMember(entry)) || isWanted(beside[i]));
  };
}
