// Converts a record with all its details to an item that reproduces it when imported: references by name, complete
// lists.
import type { ListField } from '../fields/fields.js';
import type { ReadShape } from '../import-report.js';
import type { Resource } from '../resource.js';

/** Parts of a record that cannot be exported, since an import would refuse or ignore them. */
export type LeftOut = 'deleted' | 'unlisted_value' | 'unresolved_reference' | 'scope_of_deleted';

/** Called for each part that was left out. */
export type OnLeftOut = (why: LeftOut) => void;

/** An item as it is sent. */
export type ExportItem = Record<string, unknown>;

/** Members that contain a name instead of an identifier, by resource and field path. */
const named: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  attribute: { scope_ident: 'scope_name' },
  category: { parent: 'parent_name' },
  product_group: { 'axes.attribute': 'attribute_name' },
  product: { category: 'category_name', group: 'group_name', 'attributes.type': 'type_name' },
};

/** A field of an item, and the record's member it is read from. */
interface FieldSource {
  readonly field: string;
  readonly member: string;
  /** For a list: the fields of its entries. */
  readonly entry?: readonly FieldSource[];
}

const known = new WeakMap<Resource, readonly FieldSource[]>();

function sourcesOf(resource: Resource): readonly FieldSource[] {
  const found = known.get(resource);
  if (found !== undefined) return found;
  const members = named[resource.name] ?? {};
  const entryOf = (list: string, { entry }: ListField): readonly FieldSource[] =>
    Object.keys(entry).map((field) => ({ field, member: members[`${list}.${field}`] ?? field }));
  const sources = Object.entries(resource.fields).flatMap(([field, descriptor]): FieldSource[] => {
    if (descriptor.kind === 'text' && descriptor.aliasOf !== undefined) return [];
    const source = { field, member: members[field] ?? field };
    return [descriptor.kind === 'list' ? { ...source, entry: entryOf(field, descriptor) } : source];
  });
  known.set(resource, sources);
  return sources;
}

/** The fields that an exported item of a resource may have, in their order. */
export function exportFields(resource: Resource): readonly string[] {
  return sourcesOf(resource).map(({ field }) => field);
}

function pick(record: ReadShape, sources: readonly FieldSource[]): ExportItem {
  const item: ExportItem = {};
  for (const { field, member, entry } of sources) {
    const value = record[member];
    // A read gives null for a text or number that was never set; '' would mean something else.
    if (value === null || value === undefined) continue;
    item[field] = entry === undefined ? value : (value as readonly ReadShape[]).map((one) => pick(one, entry));
  }
  return item;
}

/**
 * The item of a record. Sent to the catalog it was read from it changes nothing, and in an empty one
 * it makes the same record, but for a price or stock next to grades: the product has to have them before its grades.
 * @param record read with all details of its resource
 * @param onLeftOut called for each part that cannot be exported
 * @returns undefined for a deleted record
 */
export function exportItem(resource: Resource, record: ReadShape, onLeftOut: OnLeftOut): ExportItem | undefined {
  if (record['status'] === 'deleted') {
    onLeftOut('deleted');
    return undefined;
  }
  const item = pick(record, sourcesOf(resource));
  if (Array.isArray(record['unresolved']) && record['unresolved'].length > 0)
    leaveOutUnresolved(item, new Set(record['unresolved'].map(String)), onLeftOut);
  if (resource.name === 'product') correctProduct(item, record, onLeftOut);
  if (resource.name === 'attribute') correctScope(item, onLeftOut);
  return item;
}

/**
 * References to records that the shop no longer has are not exported; a list that contains one is left out, since a
 * list is always the whole set.
 */
function leaveOutUnresolved(item: ExportItem, unresolved: ReadonlySet<string>, onLeftOut: OnLeftOut): void {
  const isGone = (value: unknown): boolean => typeof value === 'string' && unresolved.has(value);
  for (const field of ['brand', 'warranty', 'image', 'seo_image']) {
    if (!isGone(item[field])) continue;
    delete item[field];
    onLeftOut('unresolved_reference');
  }
  const { media, values } = item as { readonly media?: readonly ExportItem[]; readonly values?: readonly ExportItem[] };
  if (media?.some(({ file }) => isGone(file))) {
    delete item['media'];
    onLeftOut('unresolved_reference');
  }
  for (const value of values ?? []) {
    if (!isGone(value['link_page'])) continue;
    delete value['link_label'];
    delete value['link_page'];
    onLeftOut('unresolved_reference');
  }
}

/**
 * Price and stock of a product with grades follow from the grades. A characteristic is left out if one of its values
 * would be refused.
 */
function correctProduct(item: ExportItem, record: ReadShape, onLeftOut: OnLeftOut): void {
  const grades = item['grades'] as readonly ExportItem[];
  if (grades.length > 0) {
    const active = grades.filter(({ status }) => status === 'activated');
    const counted = active.length > 0 ? active : grades;
    const isFromGrades = (name: string) => counted.some((grade) => (grade[name] ?? '') !== '');
    // Without a grade that has one, a product keeps those that it had before.
    if (isFromGrades('price') || item['price'] === '0.00') delete item['price'];
    if (isFromGrades('stock') || item['stock'] === 0) delete item['stock'];
  }
  const sent = record['attributes'] as readonly ReadShape[];
  const unlisted = new Set(sent.filter((entry) => entry['unlisted'] === true).map((entry) => entry['type_name']));
  if (unlisted.size === 0) return;
  const entries = item['attributes'] as readonly ExportItem[];
  item['attributes'] = entries.filter(({ type }) => !unlisted.has(type));
  for (const entry of entries) if (unlisted.has(entry['type'])) onLeftOut('unlisted_value');
}

/** A scope that refers to nothing is that of a deleted product. */
function correctScope(item: ExportItem, onLeftOut: OnLeftOut): void {
  if (item['scope'] === 'catalog' || item['scope_ident'] !== '') return;
  delete item['scope'];
  delete item['scope_ident'];
  onLeftOut('scope_of_deleted');
}
