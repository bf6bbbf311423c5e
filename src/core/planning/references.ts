// References between records: the form of identifiers, and whether the referenced record exists.
import type { ReferenceForm } from '../diagnostics/message-text.js';
import type { Prefetch } from '../resource.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { Table } from '../rows/table.js';
import { byteLength } from '../text/text.js';
import type { CheckedFields, Task } from './item-task.js';

/** Every prefix there is. An identifier with another resource's prefix gets another code than an unknown one. */
const prefixes = ['attr_', 'atvl_', 'cate_', 'prgr_', 'pgax_', 'prod_', 'prvw_', 'cust_', 'ordr_', 'file_'];

/** Whether a text has the form of an identifier: the prefix, then 1 to 64 of A-Z a-z 0-9 _ - . */
export function isIdentifier(value: string, prefix: string): boolean {
  return value.startsWith(prefix) && /^[A-Za-z0-9_-]{1,64}$/.test(value.slice(prefix.length));
}

/** The prefix of another resource than `own` that a text has as an identifier. */
function foreignPrefix(value: string, own: string): string | undefined {
  return prefixes.find((prefix) => prefix !== own && isIdentifier(value, prefix));
}

/** Refuses a reference to another resource's record, or to none. */
export function refuseReference(task: Task, field: string, value: string, to: ReferenceTarget): void {
  const { word, prefix, accepts } = to;
  if (foreignPrefix(value, prefix) === undefined)
    task.refuse('reference_not_found', field, value, { word, prefix, accepts });
  else task.refuse('reference_wrong_type', field, value, { prefix });
}

interface ReferenceTarget {
  readonly word: string;
  readonly prefix: string;
  /** What a field accepts, for the remedy of a message (message-text.ts). */
  readonly accepts: ReferenceForm;
}

/** A kind of record that the shop keeps outside this interface: files, brands, warranties, text pages. */
export interface ShopKind {
  readonly table: Table;
  readonly word: string;
  /** The prefix of its identifiers; '' if they have none. */
  readonly prefix: string;
}

/** The references of items to one kind of shop record: `each` visits every identifier of an item. */
export interface ShopReferences<I> {
  readonly kind: ShopKind;
  readonly each: (item: I, ask: (ident: string | null | undefined) => void) => void;
}

/**
 * Adds the look-ups of shop references to the prefetch steps of a resource. Without them batches are decided twice:
 * products with photos take a sixth more time of the main thread.
 * @returns the steps; the first also looks up whether the catalog knows any record of a kind, the second the named ones
 */
export function withShopReferences<I extends CheckedFields>(
  references: readonly ShopReferences<I>[],
  steps: readonly [Prefetch<I>, Prefetch<I>],
): readonly Prefetch<I>[] {
  return steps.map((step) => (items, snapshot, environment) => {
    prefetchShop(items, references, snapshot);
    return step(items, snapshot, environment);
  });
}

/** The shape of what `unresolvedReferences` gives. */
export const unresolvedShape = { unresolved: { list: 'string' } } as const;

/**
 * The shop references of a record that the catalog does not know. While it knows no record of a kind, every identifier
 * counts as known, and only its form is checked.
 */
export function unresolvedReferences<I>(
  references: readonly ShopReferences<I>[],
  record: I,
  snapshot: Snapshot,
): readonly string[] {
  const unresolved: string[] = [];
  for (const { kind, each } of references)
    each(record, (ident) => {
      if (ident && snapshot.some(kind.table) && snapshot.find(kind.table, 'id', ident) === undefined)
        unresolved.push(ident);
    });
  return unresolved;
}

function prefetchShop<I>(items: readonly I[], references: readonly ShopReferences<I>[], snapshot: Snapshot): void {
  for (const { kind, each } of references) {
    let knowsAny: boolean | undefined;
    const ask = (ident: string | null | undefined): void => {
      if (!ident) return;
      knowsAny ??= snapshot.some(kind.table);
      if (knowsAny) snapshot.find(kind.table, 'id', ident);
    };
    for (const item of items) {
      if (knowsAny === false) break;
      each(item, ask);
    }
  }
}

function hasForm(value: string, kind: ShopKind): boolean {
  if (kind.prefix !== '') return isIdentifier(value, kind.prefix);
  return !/\s/.test(value) && byteLength(value) <= 190;
}

function isSound(task: Task, value: string, kind: ShopKind): boolean {
  if (!hasForm(value, kind)) return false;
  return !task.snapshot.some(kind.table) || task.snapshot.find(kind.table, 'id', value) !== undefined;
}

/**
 * Checks the reference in `field` to something of the shop. While the catalog knows none of its kind, only the form
 * of the identifier is checked; once it knows some, an unknown one refuses the item.
 */
export function checkShopReference(task: Task, field: string, value: string | null | undefined, kind: ShopKind): void {
  if (value === undefined || value === null || isSound(task, value, kind)) return;
  const { word, prefix } = kind;
  const isForeign = prefix !== '' && foreignPrefix(value, prefix) !== undefined;
  if (isForeign) task.refuse('reference_wrong_type', field, value, { prefix });
  else if (!hasForm(value, kind)) task.refuse('field_format', field, value, { form: 'identifier', word, prefix });
  else task.refuse('reference_not_found', field, value, { word, prefix, accepts: 'shop record' });
}
