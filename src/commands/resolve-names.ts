// A product's category and group may be a name or a path in a file (`Home > Phones`). Between source and catalog:
// the identifier is looked up in the target, once a name, and takes the name's place.
import type { Catalog } from '../core/catalog.js';
import { type Entry, rawEntry, validatedEntry } from '../core/entry.js';
import type { ReferenceField } from '../core/fields.js';
import type { Resource } from '../core/resource.js';
import type { Chunk } from '../source/read.js';

/** Names remembered per field; beyond that the oldest is forgotten, so that memory stays bounded. */
const rememberedAtMost = 20_000;

interface NameField {
  readonly name: string;
  readonly prefix: string;
  readonly resource: Resource;
  /** The identifier of each name looked up so far; the name itself where nothing was found. */
  readonly known: Map<string, string>;
}

/**
 * The chunks with names replaced by identifiers. A name that is not found stays: the catalog refuses it, with its
 * value. Fields that take names by themselves (a category's parent) are left to the catalog.
 */
export function resolveNames(
  chunks: AsyncIterable<Chunk>,
  resource: Resource,
  target: { readonly catalog: Catalog; readonly resources: readonly Resource[] },
): AsyncIterable<Chunk> {
  const fields = nameFields(resource, target.resources);
  return fields.length === 0 ? chunks : resolved(chunks, fields, target.catalog);
}

/** References to one kind of record that is recognised by a name, where the catalog takes identifiers only. */
function nameFields(resource: Resource, resources: readonly Resource[]): NameField[] {
  return Object.entries(resource.fields).flatMap(([name, field]) => {
    if (field.kind !== 'reference' || field.byName) return [];
    const referred = referredTo(field, resources);
    return referred === undefined ? [] : [{ name, resource: referred, prefix: referred.prefix, known: new Map() }];
  });
}

function referredTo({ prefixes }: ReferenceField, resources: readonly Resource[]): Resource | undefined {
  if (prefixes.length !== 1) return undefined;
  return resources.find(({ prefix, key }) => key === 'name' && prefix === prefixes[0]);
}

async function* resolved(chunks: AsyncIterable<Chunk>, fields: readonly NameField[], catalog: Catalog) {
  for await (const chunk of chunks) {
    let { entries } = chunk;
    for (const field of fields) {
      const ids = await identifiersOf(entries, field, catalog);
      if (ids.size > 0) entries = entries.map((entry) => withIdentifier(entry, field, ids));
    }
    yield entries === chunk.entries ? chunk : { ...chunk, entries };
  }
}

/** The name that an entry has in a field; undefined where it has an identifier, or nothing. */
function nameIn(entry: Entry, { name, prefix }: NameField): string | undefined {
  if (entry.kind === 'unreadable' || typeof entry.item !== 'object' || entry.item === null) return undefined;
  const value = (entry.item as Readonly<Record<string, unknown>>)[name];
  return typeof value !== 'string' || value === '' || value.startsWith(prefix) ? undefined : value;
}

/** The identifiers of all names that these entries have in a field. */
async function identifiersOf(
  entries: readonly Entry[],
  field: NameField,
  catalog: Catalog,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const entry of entries) {
    const name = nameIn(entry, field);
    if (name === undefined || ids.has(name)) continue;
    ids.set(name, field.known.get(name) ?? (await lookUp(name, field, catalog)));
  }
  return ids;
}

/** An entry with the identifier in the place of the name. */
function withIdentifier(entry: Entry, field: NameField, ids: ReadonlyMap<string, string>): Entry {
  const name = nameIn(entry, field);
  const id = name === undefined ? undefined : ids.get(name);
  if (id === undefined || id === name || entry.kind === 'unreadable') return entry;
  const item = { ...(entry.item as Readonly<Record<string, unknown>>), [field.name]: id };
  return entry.kind === 'validated' ? validatedEntry(item) : rawEntry(item);
}

async function lookUp(name: string, field: NameField, catalog: Catalog): Promise<string> {
  const segment = name.slice(name.lastIndexOf(' > ') + 3);
  const found =
    (await catalog.read(field.resource, { key: name.trim() })) ??
    (name.includes(' > ') ? await catalog.read(field.resource, { key: segment.trim() }) : undefined);
  const id = typeof found?.['id'] === 'string' ? found['id'] : name;
  if (field.known.size >= rememberedAtMost) {
    const oldest = field.known.keys().next().value;
    if (oldest !== undefined) field.known.delete(oldest);
  }
  field.known.set(name, id);
  return id;
}
