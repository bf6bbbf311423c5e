// How large a batch is in memory: the length of its texts.
import type { Batch } from '../core/catalog.js';
import type { Entry } from '../core/entry.js';

/** The characters in the texts of a batch's items, without those in lists, each of which has a limit of its own. */
export function charactersOf(batch: Batch): number {
  let characters = 0;
  for (const entry of batch) characters += entryCharacters(entry);
  return characters;
}

function entryCharacters(entry: Entry): number {
  const item = entry.kind === 'unreadable' ? undefined : entry.item;
  if (typeof item !== 'object' || item === null) return 0;
  let characters = 0;
  for (const name in item) {
    const value = (item as Readonly<Record<string, unknown>>)[name];
    if (typeof value === 'string') characters += value.length;
  }
  return characters;
}
