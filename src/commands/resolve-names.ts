// A product's category and group may be a name or a path in a file (`Home > Phones`). Between source and catalog:
// the identifier is looked up in the target, once a name, and takes the name's place.
import type { Catalog } from '../core/catalog.js';
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
    for (const item of chunk.items) {
      // Of a row that could not be read the mark has none of these fields.
      if (typeof item !== 'object' || item === null) continue;
      const sent = item as Record<string, unknown>;
      for (const field of fields) {
        const value = sent[field.name];
        if (typeof value !== 'string' || value === '' || value.startsWith(field.prefix)) continue;
        // Most names were met before: those cost no turn of the event loop.
        sent[field.name] = field.known.get(value) ?? (await lookUp(value, field, catalog));
      }
    }
    yield chunk;
  }
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
