// Records of an object whose members are the records, by key: {"A-1": {…}, "A-2": {…}}. Each is read like an entry of a
// list with its name as the member `@key`; if there is a list instead, it is read as it is.
import { CatalogError } from '../../core/errors.js';
import type { JsonCutter } from './json-cutter.js';
import { stringScanner } from './string-scanner.js';

/** Maximum characters of a name. */
const longestName = 1000;

/**
 * The expected next token: the object, a name, its colon, a record, its first member, more of it, the separator to the
 * next.
 */
type KeyedPlace = 'start' | 'name' | 'colon' | 'record' | 'first member' | 'inside' | 'after' | 'list';

interface KeyedState {
  readonly file: string;
  readonly strings: ReturnType<typeof stringScanner>;
  place: KeyedPlace;
  /** The name of the record, as written. */
  name: string;
  /** Number of open brackets within the record. */
  depth: number;
}

/**
 * Makes the cutter of such an object.
 * @param list the cutter for a list of records
 */
export function keyedCutter(file: string, list: JsonCutter): JsonCutter {
  const state: KeyedState = { file, strings: stringScanner(), place: 'start', name: '', depth: 0 };
  return {
    beside: list.beside,
    cut: (block, last, onRecord) => list.cut(asList(state, block), last, onRecord),
  };
}

/** Rewrites a piece of the object as a piece of a list. Line breaks stay where they are. */
function asList(state: KeyedState, block: string): string {
  const parts: string[] = [];
  let at = 0;
  state.strings.begin();
  while (at < block.length) {
    const { place } = state;
    if (place === 'list') return parts.join('') + block.slice(at);
    const from = at;
    if (place === 'inside') {
      at = recordEnd(state, block, at);
      parts.push(block.slice(from, at));
    } else if (place === 'name' && (state.strings.isOpen() || block[at] === '"')) at = nameEnd(state, block, at);
    else if (place === 'first member' && /\S/.test(block[at] ?? '')) {
      if (block[at] !== '}') parts.push(',');
      state.place = 'inside';
      state.depth = 1;
    } else parts.push(between(state, block[at++] ?? ''));
  }
  return parts.join('');
}

/** The end of a record, or of the text. */
function recordEnd(state: KeyedState, block: string, from: number): number {
  const { strings } = state;
  let at = strings.isOpen() ? strings.end(block, from) : from;
  while (at < block.length) {
    const unit = block.charCodeAt(at++);
    if (unit === 0x22) at = strings.end(block, at);
    else if (unit === 0x7b || unit === 0x5b) state.depth++;
    else if ((unit === 0x7d || unit === 0x5d) && --state.depth === 0) {
      state.place = 'after';
      return at;
    }
  }
  return at;
}

/** The end of a name that begins or continues at `from`, or of the text. */
function nameEnd(state: KeyedState, block: string, from: number): number {
  const { strings } = state;
  const goesOn = strings.isOpen();
  const end = strings.end(block, goesOn ? from : from + 1);
  state.name = (goesOn ? state.name : '') + block.slice(from, end);
  if (state.name.length > longestName) throw noRecord(state, `${state.name.slice(0, 50)}…`);
  if (!strings.isOpen()) state.place = 'colon';
  return end;
}

/** A character between records; invalid ones are left for the list's reader to refuse. */
function between(state: KeyedState, unit: string): string {
  if (/\s/.test(unit)) return unit;
  const { place } = state;
  if (place === 'start') {
    state.place = unit === '{' ? 'name' : 'list';
    return unit === '{' ? '[' : unit;
  }
  if (place === 'colon' && unit === ':') {
    state.place = 'record';
    return '';
  }
  if (place === 'record') {
    if (unit !== '{') throw noRecord(state, state.name);
    state.place = 'first member';
    return `{"@key":${state.name}`;
  }
  if (place === 'after' && unit === ',') state.place = 'name';
  return unit === '}' ? ']' : unit;
}

function noRecord({ file }: KeyedState, name: string): CatalogError {
  return new CatalogError(
    'usage',
    `${file}: the member ${name} is not an object; name the object whose members are the records, such as --items "products.*".`,
  );
}
