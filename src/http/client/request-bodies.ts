// The request bodies of a batch: which items are refused before sending, which items each body contains, which keys it
// affects, and how the responses become one report again.
import type { Batch } from '../../core/catalog.js';
import { withPositions } from '../../core/diagnostics/item-positions.js';
import type { Entry } from '../../core/entry.js';
import type { Line, Report } from '../../core/import-report.js';
import type { Environment, ImportMode } from '../../core/planning/item-task.js';
import { type BatchEntryCheck, isRefused, validateBatch } from '../../core/planning/validate-batch.js';
import { reportOf } from '../../core/report-counts.js';
import type { Resource } from '../../core/resource.js';
import { fold } from '../../core/text/text.js';

/** Items of one body: their JSON, their keys, and their positions in the batch. */
export interface RequestBody {
  readonly items: readonly string[];
  readonly keys: readonly string[];
  readonly indexes: readonly number[];
  /** Items that repeat another one in the body and that their resource refuses: both by position in the batch. */
  readonly repeats: ReadonlyMap<number, number>;
}

/** A validated batch that is not sent yet. */
export interface PreparedBatch {
  readonly judged: readonly BatchEntryCheck[];
  readonly bodies: readonly RequestBody[];
  /** Batches with a key in common must not overtake each other. */
  readonly keys: ReadonlySet<string>;
}

/** Maximum bytes of items in one body. */
const mostBytes = 4 * 1024 * 1024;

/** Validates a batch and packs the items that are not refused. */
export function pack(
  resource: Resource,
  batch: Batch,
  context: { readonly environment: Environment; readonly mode: ImportMode },
): PreparedBatch {
  const judged = validateBatch(resource, batch, context);
  const keys = new Set<string>();
  const bodies: RequestBody[] = [];
  let items: string[] = [];
  let own: string[] = [];
  let indexes: number[] = [];
  let repeats = new Map<number, number>();
  let bytes = 0;
  const seal = (): void => {
    if (items.length > 0) bodies.push({ items, keys: own, indexes, repeats });
    items = [];
    own = [];
    indexes = [];
    repeats = new Map();
    bytes = 0;
  };
  for (const [index, entry] of judged.entries()) {
    const { checked } = entry;
    if (checked === undefined || isRefused(checked)) continue;
    const json = JSON.stringify(sentItem(batch[index]));
    const size = Buffer.byteLength(json) + 1;
    if (bytes + size > mostBytes) seal();
    if (entry.repeats !== undefined) {
      // The remote refuses it with more detail if it gets the first one too.
      if (!indexes.includes(entry.repeats)) continue;
      repeats.set(index, entry.repeats);
    }
    items.push(json);
    own.push(checked.externalId);
    indexes.push(index);
    bytes += size;
    keys.add(fold(checked.externalId));
    const stem = slugStem(resource, checked.item, context.environment);
    if (stem !== undefined) keys.add(`slug ${stem}`);
  }
  seal();
  return { judged, bodies, keys };
}

/** The item of a valid entry, as it was sent. */
function sentItem(entry: Entry | undefined): unknown {
  if (entry?.kind === 'raw') return entry.item;
  throw new Error('only an item as it was sent goes to a remote');
}

/** Splits a body into halves, for a remote that accepts less; undefined for a single item. */
export function splitInHalves(body: RequestBody): readonly [RequestBody, RequestBody] | undefined {
  const { indexes } = body;
  if (indexes.length < 2) return undefined;
  const middle = Math.ceil(indexes.length / 2);
  return [part(body, indexes.slice(0, middle)), part(body, indexes.slice(middle))];
}

/** Some items of a body, without those that repeat one it does not contain: these are refused here. */
function part({ items, keys, indexes, repeats }: RequestBody, held: readonly number[]): RequestBody {
  const kept = held.filter((index) => !repeats.has(index) || held.includes(repeats.get(index) ?? index));
  const of = (all: readonly string[]): string[] => kept.map((index) => all[indexes.indexOf(index)] ?? '');
  return { items: of(items), keys: of(keys), indexes: kept, repeats };
}

/** The JSON text of a body. */
export function encodeBody({ items }: RequestBody, { dryRun, diff, only }: ImportMode): Buffer {
  const options = `${dryRun ? ',"dry_run":true' : ''}${diff ? ',"diff":true' : ''}${only ? `,"only":"${only}"` : ''}`;
  return Buffer.from(`{"items":[${items.join(',')}]${options}}`);
}

/**
 * The stem of a new record's slug: taken slugs are numbered in the order of the file, so that records with the same
 * stem keep that order. A number at the end is removed: the second `box` becomes `box-2`.
 */
function slugStem(
  resource: Resource,
  item: Readonly<Record<string, unknown>>,
  { slugify }: Environment,
): string | undefined {
  if (resource.fields['slug'] === undefined) return undefined;
  for (const field of ['slug', 'name', resource.key]) {
    const value = item[field];
    const slug = typeof value === 'string' ? slugify(value) : '';
    if (slug !== '') return slug.replace(/(?:-\d+)+$/, '');
  }
  return '';
}

/**
 * Whether only one batch of a resource may be in flight: its records refer to each other, and a chain of parents may go
 * through records of any batch.
 */
export function isTree(resource: Resource): boolean {
  return Object.values(resource.fields).some(
    (field) => field.kind === 'reference' && field.prefixes.includes(resource.prefix),
  );
}

/**
 * The lines of the bodies' reports, at their positions in the batch. A remote only knows positions in its body, in
 * messages too.
 */
export function withBatchIndexes(body: RequestBody, lines: readonly Line[]): readonly Line[] {
  const place = (index: number): number => body.indexes[index] ?? index;
  if (body.indexes.every((index, i) => index === i)) return lines;
  return lines.map((line) => ({
    ...withPositions(line, (index) => ({ index: place(index) })),
    index: place(line.index),
  }));
}

/** Merges the items refused here and the lines of the remote into one report. */
export function join(
  resource: Resource,
  dryRun: boolean,
  { judged }: PreparedBatch,
  reported: readonly Line[],
): Report {
  const lines: Line[] = [];
  for (const line of reported) lines[line.index] = line;
  for (const [index, { line, repeats }] of judged.entries()) {
    if (line === undefined || lines[index] !== undefined) continue;
    // A repeated item has the record of the first one.
    lines[index] = repeats === undefined ? line : { ...line, id: lines[repeats]?.id ?? null };
  }
  return reportOf(resource.name, dryRun, lines);
}
