// Resolves names to identifiers between source and catalog: a product's category and group may be given by name, the
// category also by path (`Home > Phones`). Each name is looked up once, together with the others of its chunk.
import type { Catalog } from '../core/catalog.js';
import type { Problem } from '../core/diagnostics/refusal-codes.js';
import { sourceProblem } from '../core/diagnostics/source-problems.js';
import { type Entry, unreadableEntry, validatedEntry } from '../core/entry.js';
import type { ReferenceField } from '../core/fields/fields.js';
import { isIdentifier } from '../core/planning/references.js';
import type { Resource } from '../core/resource.js';
import { fold } from '../core/text/text.js';
import type { Chunk } from '../source/open-source.js';

/** Where names are looked up. */
type NameLookup = Pick<Catalog, 'readAll'>;

/** Names cached per field; beyond that the oldest is evicted. */
const rememberedAtMost = 20_000;

/** The result of a look-up: the identifier, the name itself if it was not found, or a problem. */
type ResolvedName = string | Problem;

interface NameField {
  readonly name: string;
  readonly prefix: string;
  readonly resource: Resource;
  /** The `scope` of items whose field refers to this kind of record; any, if the field refers to one kind only. */
  readonly scope?: string;
  /** The results of earlier look-ups by name. */
  readonly known: Map<string, ResolvedName>;
}

/**
 * Replaces names by identifiers. A name that is not found stays, and the catalog refuses it with its value. Fields that
 * accept names in the catalog itself (a category's parent) are not resolved here.
 * @returns the step for chunks of the resource; undefined if no field needs it
 */
export function nameResolver(
  resource: Resource,
  { catalog, resources }: { readonly catalog: NameLookup; readonly resources: readonly Resource[] },
): ((chunk: Chunk) => Promise<Chunk>) | undefined {
  const fields = nameFields(resource, resources);
  if (fields.length === 0) return undefined;
  return async (chunk) => {
    let { entries } = chunk;
    for (const field of fields) {
      const ids = await identifiersOf(entries, field, catalog);
      if (ids.size > 0) entries = entries.map((entry) => withIdentifier(entry, field, ids, resource));
    }
    return entries === chunk.entries ? chunk : { ...chunk, entries };
  };
}

/** References to one kind of record that has names, where the catalog accepts identifiers only. */
function nameFields(resource: Resource, resources: readonly Resource[]): NameField[] {
  return Object.entries(resource.fields).flatMap(([name, field]) => {
    if (field.kind !== 'reference' || field.byName) return [];
    if (field.prefixes.length > 1) return scopeFields(name, field, resources);
    const referred = referredTo(field, resources);
    return referred === undefined ? [] : [{ name, resource: referred, prefix: referred.prefix, known: new Map() }];
  });
}

/** A reference to one of several kinds of records, chosen by the item's `scope` (`category`, `product`). */
function scopeFields(name: string, { prefixes }: ReferenceField, resources: readonly Resource[]): NameField[] {
  return resources
    .filter(({ prefix }) => prefixes.includes(prefix))
    .map((resource) => ({ name, resource, prefix: resource.prefix, scope: resource.name, known: new Map() }));
}

function referredTo({ prefixes }: ReferenceField, resources: readonly Resource[]): Resource | undefined {
  if (prefixes.length !== 1) return undefined;
  return resources.find(({ prefix, key }) => key === 'name' && prefix === prefixes[0]);
}

/** The name that an entry has in a field; undefined if it has an identifier, or nothing. */
function nameIn(entry: Entry, { name, prefix, scope }: NameField): string | undefined {
  if (entry.kind === 'unreadable' || entry.kind === 'settled' || typeof entry.item !== 'object' || entry.item === null)
    return undefined;
  const item = entry.item as Readonly<Record<string, unknown>>;
  if (scope !== undefined && item['scope'] !== scope) return undefined;
  const value = item[name];
  // A name may begin like an identifier: `cate_ring` is an identifier, `cate_ring shop` is not.
  return typeof value !== 'string' || value === '' || isIdentifier(value.trim(), prefix) ? undefined : value;
}

/** Resolves all names of these entries in a field. */
async function identifiersOf(
  entries: readonly Entry[],
  field: NameField,
  catalog: NameLookup,
): Promise<ReadonlyMap<string, ResolvedName>> {
  const ids = new Map<string, ResolvedName>();
  const unknown = new Set<string>();
  for (const entry of entries) {
    const name = nameIn(entry, field);
    if (name === undefined || ids.has(name)) continue;
    const known = field.known.get(name);
    if (known === undefined) unknown.add(name);
    else ids.set(name, known);
  }
  if (unknown.size === 0) return ids;
  const found = await lookUp([...unknown], field, catalog);
  for (const [i, name] of [...unknown].entries()) {
    const known = found[i] ?? name;
    ids.set(name, known);
    rememberName(field.known, name, known);
  }
  return ids;
}

function rememberName(known: Map<string, ResolvedName>, name: string, found: ResolvedName): void {
  if (known.size >= rememberedAtMost) {
    const oldest = known.keys().next().value;
    if (oldest !== undefined) known.delete(oldest);
  }
  known.set(name, found);
}

/** An entry with the name replaced by its identifier. */
function withIdentifier(
  entry: Entry,
  field: NameField,
  ids: ReadonlyMap<string, ResolvedName>,
  { externalId }: Pick<Resource, 'externalId'>,
): Entry {
  const name = nameIn(entry, field);
  const id = name === undefined ? undefined : ids.get(name);
  if (id === undefined || id === name || entry.kind === 'unreadable' || entry.kind === 'settled') return entry;
  const sent = entry.item as Readonly<Record<string, unknown>>;
  if (typeof id === 'object') return unreadableEntry(id, externalId(sent));
  const item = { ...sent, [field.name]: id };
  return entry.kind === 'validated' ? validatedEntry(item) : { ...entry, item };
}

/** The sign between the segments of a path of categories. */
const between = ' > ';
/** Maximum levels of a path; the catalog accepts no deeper one. */
const deepest = 100;

/** The identifier of the record with a name, or of the category with a path; a problem where it is at another path. */
export async function findByName(
  catalog: NameLookup,
  resource: Resource,
  name: string,
): Promise<ResolvedName | undefined> {
  const field = { name: resource.name, resource, prefix: resource.prefix, known: new Map() };
  return (await lookUp([name], field, catalog))[0];
}

/** The results of names, each at its place; undefined where there is no such record. */
async function lookUp(
  names: readonly string[],
  field: NameField,
  catalog: NameLookup,
): Promise<(ResolvedName | undefined)[]> {
  // A category may be named `A > B`: the whole name is looked up before it is read as a path.
  const whole = await catalog.readAll(
    field.resource,
    names.map((name) => ({ key: name.trim() })),
  );
  const found: (ResolvedName | undefined)[] = whole.map(idOf);
  if (!isTree(field.resource)) return found;
  const paths = names.flatMap((name, place): NamedPath[] => {
    const segments = found[place] === undefined ? segmentsOf(name) : [];
    return segments.length > 1 ? [{ place, segments }] : [];
  });
  const walked = await walk(paths, field, catalog);
  for (const [i, { place }] of paths.entries()) found[place] = walked[i];
  return found;
}

/** Only tree resources have paths. */
function isTree({ fields }: Resource): boolean {
  return fields['parent'] !== undefined;
}

function segmentsOf(name: string): string[] {
  return name
    .split(between)
    .map((segment) => segment.trim())
    .filter((segment) => segment !== '');
}

function idOf(record: Readonly<Record<string, unknown>> | undefined): string | undefined {
  return typeof record?.['id'] === 'string' ? record['id'] : undefined;
}

/** A name that is read as a path, with its place among the names. */
interface NamedPath {
  readonly place: number;
  readonly segments: readonly string[];
}

/**
 * For each path the record of its last segment if the segments before it are its ancestors; undefined if it does not
 * exist.
 */
async function walk(
  paths: readonly NamedPath[],
  { name: field, resource }: NameField,
  catalog: NameLookup,
): Promise<(ResolvedName | undefined)[]> {
  const lasts = paths.map(({ segments }) => ({ key: segments.at(-1) ?? '' }));
  const records = lasts.length === 0 ? [] : await catalog.readAll(resource, lasts);
  const climbs = paths.map(({ segments }, i) => {
    const record = records[i];
    return { segments, record, above: record, stored: [String(record?.['name'] ?? segments.at(-1))] };
  });
  for (;;) {
    const climbing = climbs.filter(
      ({ segments, above, stored }) => above?.['parent'] && stored.length < Math.min(segments.length, deepest),
    );
    if (climbing.length === 0) break;
    const ids = [...new Set(climbing.map(({ above }) => String(above?.['parent'])))];
    const parents = await catalog.readAll(
      resource,
      ids.map((id) => ({ id })),
    );
    const byId = new Map(ids.map((id, i) => [id, parents[i]]));
    for (const climb of climbing) {
      climb.above = byId.get(String(climb.above?.['parent']));
      if (climb.above !== undefined) climb.stored.unshift(String(climb.above['name']));
    }
  }
  return climbs.map(({ segments, record, stored }) => {
    const isSame =
      stored.length === segments.length && stored.every((name, i) => fold(name) === fold(segments[i] ?? ''));
    if (record === undefined || isSame) return idOf(record);
    const params = { sent: segments.join(between), name: segments.at(-1) ?? '', stored: stored.join(between) };
    return sourceProblem('stored_path_differs', params, field);
  });
}
