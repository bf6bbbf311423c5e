// The members of records that a mapping or --rename names. A table has a header to compare names with; of records that are
// objects the first ones are read before anything is written, and a name that none of them has is a mistake.
import { CatalogError } from '../core/errors.js';
import { fold, nearest } from '../core/text/text.js';
import { type ColumnOptions, listColumns } from './column-targets.js';

/** How a name is used. */
export interface NameUse {
  /** Where it is written. */
  readonly place: string;
  /** Whether it is the name of a member of the record itself, and no path. */
  readonly isName?: boolean;
  readonly optional?: boolean;
  /** Whether it is read of every record, and not only of those that a section keeps. */
  readonly ofAll?: boolean;
  /** The members that a record has in a text, where the name is one of those; undefined where there is no text. */
  readonly within?: (record: unknown) => unknown;
  /** Names next to which it has to be: where no record has one of these, it is not missed. */
  readonly beside?: readonly string[];
}

/** How much of a file was read. */
export interface ReadSoFar {
  readonly records: number;
  /** Whether any of them was kept. */
  readonly isAnyKept: boolean;
  readonly characters: number;
  readonly isWhole: boolean;
}

export interface NamedMembers {
  /** Adds a name, or several of which one suffices. */
  add(names: readonly string[], use: NameUse): void;
  watch(record: unknown): void;
  /**
   * Decides on the names once all occurred, or enough was read.
   * @throws what `fail` throws, for a name that does not occur
   */
  check(read: ReadSoFar): void;
  readonly isChecked: boolean;
  /** The names that did not occur so far. */
  absent(): readonly string[];
}

/** What is read before a name counts as absent: so many records, or so many characters. */
const mostRecords = 1_000;
const mostCharacters = 4 * 1024 * 1024;

/** Maximum names that are kept for "did you mean". */
const mostNames = 2_000;
/** How many names that are next to others are looked for in a record: those of the numbers that come next. */
const lookAhead = 60;
/** The members of members whose names are kept for it. */
const deepest = 4;

interface NamedMember {
  readonly name: string;
  readonly use: NameUse;
  /** Whether the name itself must occur, and not only its members. */
  readonly isWhole: boolean;
  /** Whether a record was there that could have had it. */
  isDue: boolean;
  occursIn(record: unknown): boolean;
}

/** Whether so much of a file was read that a name which has not occurred counts as absent. */
export function isHeadRead({ records, characters }: Pick<ReadSoFar, 'records' | 'characters'>): boolean {
  return records >= mostRecords || characters >= mostCharacters;
}

/** Starts to watch for names. @param fail throws for a place and what is wrong there */
export function namedMembers(fail: (place: string, what: string) => never): NamedMembers {
  const wanted: NamedMember[] = [];
  /** Names that are wanted from the first record on which has what is next to them. */
  const waiting: { readonly beside: readonly PathStep[][]; readonly want: () => void }[] = [];
  /** The names that occurred, without the prefix of their namespace. */
  const found = new Set<string>();
  const seen = new Set<string>();
  let isChecked = false;
  const isRequired = ({ use }: NamedMember) => use.optional !== true;
  function callUp(record: unknown): void {
    for (let i = Math.min(waiting.length, lookAhead) - 1; i >= 0; i--) {
      if (waiting[i]?.beside.some((path) => occurs(record, path)) !== true) continue;
      for (const { want } of waiting.splice(i, 1)) want();
      // The next one has come into sight.
      i = Math.min(waiting.length, lookAhead);
    }
  }
  const named: NamedMembers = {
    get isChecked() {
      return isChecked;
    },
    add(names, { beside, ...use }) {
      if (beside !== undefined) {
        waiting.push({ beside: beside.map(pathOf), want: () => named.add(names, use) });
        return;
      }
      const paths = use.isName === true ? names.map((name) => [name]) : names.map(pathOf);
      const name = names[0] ?? '';
      const want = (asked: readonly PathStep[][], as: NameUse, isWhole: boolean) =>
        wanted.push({
          name,
          use: as,
          isWhole,
          isDue: as.within === undefined,
          occursIn: (record) => asked.some((path) => occurs(record, path)),
        });
      // The value in `param[@name=Colour]` is data: that no record has it is no mistake, but is reported.
      const isFiltered = paths.flat().some((part) => typeof part === 'object');
      want(paths.map(ofAnyValue), use, !isFiltered);
      if (isFiltered) want(paths, { ...use, optional: true }, true);
    },
    watch(record) {
      callUp(record);
      for (let i = wanted.length - 1; i >= 0; i--) {
        const one = wanted[i];
        if (one === undefined) continue;
        const { within } = one.use;
        const members = within === undefined ? record : within(record);
        one.isDue ||= members !== undefined;
        if (!isChecked && within !== undefined) collectNames(members, '', seen);
        if (!one.occursIn(members)) continue;
        if (one.isWhole) found.add(localName(one.name));
        wanted.splice(i, 1);
      }
      if (!isChecked) collectNames(record, '', seen);
    },
    check({ records, isAnyKept, characters, isWhole }) {
      if (isChecked) return;
      const missing = wanted.filter(isRequired);
      if (missing.length + waiting.length > 0 && !isWhole && !isHeadRead({ records, characters })) return;
      const lost = missing.find(({ use, isDue }) => isDue && records > 0 && (isAnyKept || use.ofAll === true));
      isChecked = lost === undefined;
      if (lost === undefined) return;
      const near = nearest(lost.name, [...seen]);
      const hint = near === undefined ? `members are ${listColumns([...seen])}` : `did you mean "${near}"?`;
      const where = isWhole ? 'not found' : `not found in the first ${records} records`;
      const allowed = lost.use.isName === true ? '' : '; write optional: true where it may be missing';
      fail(lost.use.place, `column "${lost.name}" ${where}; ${hint.endsWith('?') ? hint : hint + allowed}`);
    },
    // Feeds write `g:price` or `price`: a mapping that reads both lacks neither.
    absent: () => [...new Set(wanted.map(({ name }) => name))].filter((name) => !found.has(localName(name))),
  };
  return named;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

export function renamedMembers({ rename }: ColumnOptions): NamedMembers {
  const named = namedMembers((option, what) => {
    throw new CatalogError('usage', `${option}: ${what}`);
  });
  for (const name of rename.keys()) named.add([name], { place: '--rename', isName: true });
  return named;
}

/** A part of a path: a member, or a condition on the entries of a list. */
type PathStep = string | { readonly member: string; readonly value?: string };

/** `param[@name=Colour].text` as its parts. */
function pathOf(name: string): PathStep[] {
  return [...name.matchAll(/\[([^[\]=]+)=([^\]]*)\]|([^.[\]]+)/g)].map(([, member, value, plain]) =>
    member === undefined ? (plain ?? '') : { member: member.trim(), value: fold((value ?? '').trim()) },
  );
}

/** A path whose conditions ask only for their members. */
function ofAnyValue(path: readonly PathStep[]): PathStep[] {
  return path.map((part) => (typeof part === 'string' ? part : { member: part.member }));
}

/** Whether a record has the member at a path, in any entry of the lists on its way. */
function occurs(value: unknown, path: readonly PathStep[]): boolean {
  const [first, ...rest] = path;
  if (first === undefined) return true;
  if (Array.isArray(value)) return value.some((entry) => occurs(entry, path));
  if (typeof value !== 'object' || value === null) return false;
  const members = value as Readonly<Record<string, unknown>>;
  if (typeof first !== 'string') return hasValue(members[first.member], first.value) && occurs(value, rest);
  const [next, ...others] = rest;
  // Attributes of XML elements that hold text are next to them: `param@name` next to `param`. Others hold elements.
  if (
    typeof next === 'object' &&
    hasValue(members[`${first}${next.member}`], next.value) &&
    (typeof others[0] === 'object'
      ? occurs(value, [first, ...others])
      : Object.hasOwn(members, `${first}${others.join('.')}`) || occurs(members[first], others))
  )
    return true;
  if (typeof next === 'string' && next.startsWith('@') && Object.hasOwn(members, `${first}${next}`))
    return occurs(members[`${first}${next}`], others);
  if (Object.hasOwn(members, first) && occurs(members[first], rest)) return true;
  // The name of a member may have points.
  return typeof next === 'string' && occurs(value, [`${first}.${next}`, ...others]);
}

function hasValue(found: unknown, value: string | undefined): boolean {
  const isWanted = (one: unknown) => value === undefined || fold(String(one).trim()) === value;
  return [found].flat().some((one) => one !== undefined && one !== null && isWanted(one));
}

/** Keeps the names of members, as a mapping writes them. */
function collectNames(value: unknown, path: string, names: Set<string>, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > deepest || names.size >= mostNames) return;
  if (Array.isArray(value)) {
    for (const entry of value.slice(0, 3)) collectNames(entry, `${path}[]`, names, depth);
    return;
  }
  for (const name of Object.keys(value).slice(0, mostNames)) {
    const whole = path === '' ? name : `${path}.${name}`;
    names.add(whole.slice(0, 100));
    collectNames((value as Readonly<Record<string, unknown>>)[name], whole, names, depth + 1);
  }
}
