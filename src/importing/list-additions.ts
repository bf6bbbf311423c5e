// Lists that a file adds to (`values: {add: […]}`): between source and catalog, the entries that are stored already are put
// before those that were sent, so that what is left out stays. A catalog, local or remote, is sent the whole list.
import type { Catalog } from '../core/catalog.js';
import { type Entry, rawEntry, unreadableEntry } from '../core/entry.js';
import { keyOf } from '../core/key-of.js';
import type { Resource } from '../core/resource.js';
import { characteristic } from '../core/resources/characteristic.js';
import { fold, quote } from '../core/text.js';
import { appendableLists } from '../source/column-targets.js';
import type { Chunk } from '../source/open-source.js';

/** Records whose entries are remembered: what an earlier batch added may not be stored yet. */
const rememberedAtMost = 5_000;

/** Where stored records are read. */
type StoredListLookup = Pick<Catalog, 'read'>;

type SentItem = Readonly<Record<string, unknown>>;

interface ListAddition {
  readonly resource: Resource;
  readonly catalog: StoredListLookup;
  /** The entries of each list so far, by what they are recognised by. */
  readonly known: Map<string, Map<string, SentItem>>;
  /** Identifiers of characteristics by their names. */
  readonly ids: Map<string, string>;
}

/**
 * Puts whole lists in the place of those that add to a stored one.
 * @returns the step for chunks of the resource; undefined where it has no list that can be added to
 */
export function listAdditions(
  resource: Resource,
  { catalog }: { readonly catalog: StoredListLookup },
): ((chunk: Chunk) => Promise<Chunk>) | undefined {
  if (![...appendableLists].some((name) => resource.fields[name]?.kind === 'list')) return undefined;
  const adding: ListAddition = { resource, catalog, known: new Map(), ids: new Map() };
  return async (chunk) => {
    if (!chunk.entries.some(adds)) return chunk;
    const entries: Entry[] = [];
    for (const entry of chunk.entries) entries.push(adds(entry) ? await wholeLists(entry, adding) : entry);
    return { ...chunk, entries };
  };
}

/** Whether an entry has a list that is added to. What was validated has none. */
function adds(entry: Entry): entry is Entry & { kind: 'raw'; item: SentItem } {
  if (entry.kind !== 'raw' || typeof entry.item !== 'object' || entry.item === null) return false;
  for (const name of appendableLists) if (isAdding((entry.item as SentItem)[name])) return true;
  return false;
}

function isAdding(value: unknown): value is { readonly add: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, 'add');
}

async function wholeLists({ item }: { readonly item: SentItem }, adding: ListAddition): Promise<Entry> {
  const { resource } = adding;
  const whole: Record<string, unknown> = { ...item };
  for (const name of appendableLists) {
    const sent = item[name];
    const field = resource.fields[name];
    if (!isAdding(sent) || field?.kind !== 'list') continue;
    if (!Array.isArray(sent.add)) {
      const message = `add: ${quote(sent.add)} is not a list of entries; use {"add": [{"${field.entryKey}": …}]}`;
      return unreadableEntry({ code: 'field_type', field: name, message }, resource.externalId(item));
    }
    whole[name] = await wholeList(await identified(sent.add, adding), name, item, adding);
  }
  return rawEntry(whole);
}

/** Entries of axes with the identifier of their characteristic, as stored ones have it. */
async function identified(sent: readonly unknown[], { catalog, ids }: ListAddition): Promise<unknown[]> {
  const entries: unknown[] = [];
  for (const entry of sent) {
    const name = (entry as SentItem | null)?.['attribute'];
    if (typeof name !== 'string' || name.startsWith(characteristic.prefix)) {
      entries.push(entry);
      continue;
    }
    const id = ids.get(name) ?? (await catalog.read(characteristic, { key: name }))?.['id'];
    if (typeof id === 'string') ids.set(name, id);
    entries.push({ ...(entry as SentItem), attribute: id ?? name });
  }
  return entries;
}

/** The stored entries, by what they are recognised by, with those that were sent in their places or behind them. */
async function wholeList(
  sent: readonly unknown[],
  name: string,
  item: SentItem,
  adding: ListAddition,
): Promise<unknown[]> {
  const { resource, catalog, known } = adding;
  const key = keyOf(resource.fields, resource.key);
  const id = `${name}\0${key.same(resource.externalId(item))}`;
  let entries = known.get(id);
  if (entries === undefined) {
    const stored = await catalog.read(resource, { key: resource.externalId(item) });
    entries = new Map(
      ((stored?.[name] ?? []) as readonly SentItem[]).map((entry) => [entryId(entry), recognised(entry)]),
    );
    if (known.size >= rememberedAtMost) known.delete(known.keys().next().value ?? '');
    known.set(id, entries);
  }
  const before = new Map(entries);
  const list = new Map(before);
  const others: unknown[] = [];
  for (const entry of sent) {
    const own = typeof entry === 'object' && entry !== null ? entryId(entry as SentItem) : '';
    // What cannot be recognised, or stands twice, is for the catalog to refuse.
    if (own === '' || (list.has(own) && list.get(own) !== before.get(own))) others.push(entry);
    else {
      list.set(own, entry as SentItem);
      if (!entries.has(own)) entries.set(own, recognised(entry as SentItem));
    }
  }
  return [...list.values(), ...others];
}

const members = ['label', 'source', 'attribute', 'name'] as const;

/** What an entry is recognised by, alone: all else of a stored one is kept. */
function recognised(entry: SentItem): SentItem {
  return Object.fromEntries(members.flatMap((name) => (entry[name] ? [[name, entry[name]]] : [])));
}

function entryId(entry: SentItem): string {
  const { label, source = 'characteristic', attribute, name } = entry;
  if (typeof label === 'string') return fold(label.trim());
  const offered = attribute ?? name ?? '';
  return typeof source === 'string' && typeof offered === 'string' ? `${source}\0${fold(offered.trim())}` : '';
}
