// Additions to lists (`values: {add: […]}`): between source and catalog, the stored entries are appended to those that
// were sent, so that the others stay as they are. The catalog, local or remote, gets the whole list.
import type { Catalog } from '../core/catalog.js';
import { sourceProblem } from '../core/diagnostics/source-problems.js';
import { type Entry, type RawEntry, unreadableEntry } from '../core/entry.js';
import { checkItem } from '../core/fields/check-item.js';
import { type RecordKey, recordKey } from '../core/fields/record-key.js';
import { isRefused } from '../core/planning/validate-batch.js';
import type { Resource } from '../core/resource.js';
import { characteristic } from '../core/resources/characteristic.js';
import { fold, quote } from '../core/text/text.js';
import { appendableLists } from '../source/column-targets.js';
import type { Chunk } from '../source/open-source.js';

/** How many lists are cached: what an earlier batch sent may not be stored yet. */
const rememberedAtMost = 5_000;

/** Where stored records are read. */
type StoredListLookup = Pick<Catalog, 'read'>;

type SentItem = Readonly<Record<string, unknown>>;

/**
 * The entries of a list, each with the fields that identify it; the other fields of a stored entry stay. One that this import
 * sent as suspended keeps that: where it is unlisted it stays so, and listed again without a status it would be activated.
 */
type ListEntries = ReadonlyMap<string, SentItem>;

interface ListAddition {
  readonly resource: Resource;
  readonly key: RecordKey;
  readonly catalog: StoredListLookup;
  /**
   * The lists as this import left them, by record; a list that was sent whole is read when something is added to it.
   */
  readonly known: Map<string, ListEntries | { readonly whole: SentItem }>;
  /** Identifiers of characteristics by their names. */
  readonly ids: Map<string, string>;
}

/**
 * Replaces additions to a stored list by the whole list.
 * @returns the step for chunks of the resource; undefined if it has no list that can be added to
 */
export function listAdditions(
  resource: Resource,
  { catalog }: { readonly catalog: StoredListLookup },
): ((chunk: Chunk) => Chunk | Promise<Chunk>) | undefined {
  if (![...appendableLists].some((name) => resource.fields[name]?.kind === 'list')) return undefined;
  const key = recordKey(resource.fields, resource.key);
  const adding: ListAddition = { resource, key, catalog, known: new Map(), ids: new Map() };
  return (chunk) => {
    if (chunk.entries.some(adds)) return withWholeLists(chunk, adding);
    for (const entry of chunk.entries) rememberWhole(entry, adding);
    return chunk;
  };
}

async function withWholeLists(chunk: Chunk, adding: ListAddition): Promise<Chunk> {
  const entries: Entry[] = [];
  for (const entry of chunk.entries) {
    rememberWhole(entry, adding);
    entries.push(adds(entry) ? await wholeLists(entry, adding) : entry);
  }
  return { ...chunk, entries };
}

/** Whether an entry adds to a list. Validated entries never do. */
function adds(entry: Entry): entry is RawEntry & { readonly item: SentItem } {
  if (entry.kind !== 'raw' || typeof entry.item !== 'object' || entry.item === null) return false;
  for (const name of appendableLists) if (isAdding((entry.item as SentItem)[name])) return true;
  return false;
}

function isAdding(value: unknown): value is { readonly add: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, 'add');
}

/** A list sent whole is the base for later additions of the file. */
function rememberWhole(entry: Entry, adding: ListAddition): void {
  if (entry.kind === 'unreadable' || entry.kind === 'settled' || typeof entry.item !== 'object' || entry.item === null)
    return;
  const item = entry.item as SentItem;
  for (const name of appendableLists)
    if (Array.isArray(item[name])) remember(idOf(name, item, adding), { whole: item }, adding);
}

function remember(id: string, list: ListEntries | { readonly whole: SentItem }, { known }: ListAddition): void {
  known.delete(id);
  if (known.size >= rememberedAtMost) known.delete(known.keys().next().value ?? '');
  known.set(id, list);
}

function idOf(list: string, item: SentItem, { key }: ListAddition): string {
  return `${list}\0${key.same(key.of(item))}`;
}

async function wholeLists(entry: RawEntry & { readonly item: SentItem }, adding: ListAddition): Promise<Entry> {
  const { item } = entry;
  const { resource } = adding;
  const whole: Record<string, unknown> = { ...item };
  const lists: { readonly id: string; readonly entries: ListEntries }[] = [];
  for (const name of appendableLists) {
    const sent = item[name];
    const field = resource.fields[name];
    if (!isAdding(sent) || field?.kind !== 'list') continue;
    if (!Array.isArray(sent.add)) {
      const params = { value: quote(sent.add), entryKey: field.entryKey };
      return unreadableEntry(sourceProblem('addition_not_list', params, name), resource.externalId(item));
    }
    const id = idOf(name, item, adding);
    const added = await identified(sent.add, adding);
    const before = await entriesSoFar(id, name, item, adding);
    const own = entriesOf(added, { isSent: true });
    // Sent entries come first, since messages name entries by their position in what was sent.
    whole[name] = [...added, ...[...before].flatMap(([entry, stored]) => (own.has(entry) ? [] : [stored]))];
    lists.push({ id, entries: new Map([...before, ...own]) });
  }
  // A refused item adds nothing, not even for later entries of the record.
  if (!isRefused(checkItem(resource, whole, () => true)))
    for (const { id, entries } of lists) remember(id, entries, adding);
  return { ...entry, item: whole };
}

/** The entries of a list before this addition: as this import left it, or as it is stored. */
async function entriesSoFar(id: string, name: string, item: SentItem, adding: ListAddition): Promise<ListEntries> {
  const { resource, catalog, known } = adding;
  const list = known.get(id);
  if (list instanceof Map) return list;
  if (list !== undefined && 'whole' in list && !isRefused(checkItem(resource, list.whole, () => true)))
    return entriesOf(await identified(list.whole[name] as readonly unknown[], adding), { isSent: true });
  // Includes every listed entry: a plain read omits suspended values.
  const stored = await catalog.read(resource, { key: resource.externalId(item) }, [name]);
  return entriesOf((stored?.[name] ?? []) as readonly unknown[], { isSent: false });
}

/** Entries of axes with the identifier of their characteristic, as stored ones have it. */
async function identified(sent: readonly unknown[], { catalog, ids }: ListAddition): Promise<unknown[]> {
  const entries: unknown[] = [];
  for (const entry of sent) {
    const name = typeof entry === 'object' ? (entry as SentItem | null)?.['attribute'] : undefined;
    if (typeof name !== 'string' || name === '' || name.startsWith(characteristic.prefix)) {
      entries.push(entry);
      continue;
    }
    const id = ids.get(name) ?? (await catalog.read(characteristic, { key: name }))?.['id'];
    if (typeof id === 'string') ids.set(name, id);
    entries.push({ ...(entry as SentItem), attribute: id ?? name });
  }
  return entries;
}

/** Entries by their identifying fields, without those that cannot be identified: the catalog refuses these. */
function entriesOf(entries: readonly unknown[], { isSent }: { readonly isSent: boolean }): ListEntries {
  const byId = new Map<string, SentItem>();
  for (const entry of entries) {
    const id = typeof entry === 'object' && entry !== null ? entryId(entry as SentItem) : '';
    if (id !== '') byId.set(id, recognized(entry as SentItem, isSent));
  }
  return byId;
}

const members = ['label', 'source', 'attribute', 'name'] as const;

function recognized(entry: SentItem, isSent: boolean): SentItem {
  const named = Object.fromEntries(members.flatMap((name) => (entry[name] ? [[name, entry[name]]] : [])));
  return isSent && entry['status'] === 'suspended' ? { ...named, status: 'suspended' } : named;
}

function entryId(entry: SentItem): string {
  const { label, source = 'characteristic', attribute, name } = entry;
  if (typeof label === 'string') return fold(label.trim());
  const offered = attribute || name || '';
  return typeof source === 'string' && typeof offered === 'string' ? `${source}\0${fold(offered.trim())}` : '';
}
