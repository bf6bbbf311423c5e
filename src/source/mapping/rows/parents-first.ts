// Emits the records of a tree parents first: where parents are looked up in a table, the file may have them in any order. What
// comes before its parent waits for it, until the end of the file at most.
import type { Entry } from '../../../core/entry.js';
import { fold } from '../../../core/text/text.js';
import type { RowOrigin } from '../../file-place.js';
import type { ReadBefore } from '../file-scope.js';
import type { MappingSection } from '../mapping.js';

interface Placed {
  readonly entry: Entry;
  readonly from: RowOrigin;
}

export interface ParentsFirst {
  /** What can be emitted now: nothing, or the entry with those that waited for it. */
  take(placed: Placed): Placed[];
  /** At the end of the file: those whose parents were not in it. */
  rest(): Placed[];
}

/** The entries that wait for one name, and the characters of their items. */
interface WaitingChildren {
  readonly placed: Placed[];
  characters: number;
}

/** Maximum characters of the items that wait; beyond it they are emitted, and refused without their parents. */
const mostWaiting = 64 * 1024 * 1024;

/** The order of a section; undefined where its parents are not looked up. */
export function parentsFirst(
  { section }: MappingSection,
  { tables }: ReadBefore,
  most = mostWaiting,
): ParentsFirst | undefined {
  const { parent } = section.fields;
  const { lookup } = (typeof parent === 'object' ? parent : {}) as { lookup?: { table: string; column: string } };
  const table = lookup && tables.get(lookup.table);
  if (lookup === undefined || table === undefined) return undefined;
  // Names that are in the file, and were not emitted yet.
  const expected = new Set<string>();
  for (const rows of table.rows.values())
    for (const { cells } of rows) expected.add(fold(String(cells[lookup.column] ?? '')));
  const waiting = new Map<string, WaitingChildren>();
  let characters = 0;

  function takeAll(): Placed[] {
    const all = [...waiting.values()].flatMap((one) => one.placed);
    waiting.clear();
    characters = 0;
    return all;
  }

  function wait(above: string, placed: Placed): Placed[] {
    const others = waiting.get(above) ?? { placed: [], characters: 0 };
    waiting.set(above, others);
    others.placed.push(placed);
    const { length } = JSON.stringify(placed.entry);
    others.characters += length;
    characters += length;
    return characters > most ? takeAll() : [];
  }

  function take(placed: Placed): Placed[] {
    const { name, above } = namesOf(placed.entry);
    if (above !== '' && above !== name && expected.has(above)) return wait(above, placed);
    const out = [placed];
    for (const { entry } of out) {
      const emitted = namesOf(entry).name;
      expected.delete(emitted);
      const released = waiting.get(emitted);
      if (released === undefined) continue;
      for (const one of released.placed) out.push(one);
      characters -= released.characters;
      waiting.delete(emitted);
    }
    return out;
  }

  return {
    take,
    rest() {
      // Some wait for others that wait.
      const all = takeAll();
      expected.clear();
      for (const { entry } of all) expected.add(namesOf(entry).name);
      return [...all.flatMap(take), ...takeAll()];
    },
  };
}

/** The name of an item and that of its parent, folded. */
function namesOf(entry: Entry): { readonly name: string; readonly above: string } {
  const item = entry.kind === 'raw' ? (entry.item as Readonly<Record<string, unknown>> | null) : null;
  const [name, above] = [item?.['name'], item?.['parent']].map((one) =>
    typeof one === 'string' ? fold(one.trim()) : '',
  );
  return { name: name || (entry.kind === 'unreadable' ? fold(entry.externalId) : ''), above: above ?? '' };
}
