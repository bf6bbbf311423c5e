// `--changed-only`: items that a remote acknowledged before are not sent. Stands between the batches of a file and the
// catalog: what is left of them is packed into new batches, and the reports are unpacked into those of the file.
//
//   batches of the file   [A B C] [D E F] [G H I]      known: A C D F G H
//   batches that are sent [B E I]
//   reports of the file   [A b C] [D e F] [G H i]      capitals: `unchanged` with the notice `not_sent`
import type { AcknowledgedItems, ItemDigest } from '../core/acknowledged-items.js';
import type { Batch, BatchSource, Catalog, ImportOptions } from '../core/catalog.js';
import { withLineNumbers } from '../core/diagnostics/item-positions.js';
import { notices } from '../core/diagnostics/notice-codes.js';
import type { Entry } from '../core/entry.js';
import { type RecordKey, recordKey } from '../core/fields/record-key.js';
import type { Line, Report } from '../core/import-report.js';
import { isLeftOut, leftOutNotice } from '../core/only-action.js';
import { reportOf } from '../core/report-counts.js';
import type { Resource } from '../core/resource.js';
import { unchangedLine } from '../core/unchanged-line.js';
import { type Chunk, keyOfEntry } from '../source/open-source.js';
import { type BatchReading, type ChunkStep, prepared, slice } from './batch-source.js';

/** A catalog with a record of what it acknowledged. */
export interface RememberingCatalog extends Catalog {
  readonly acknowledged: AcknowledgedItems;
}

/** Whether a catalog records what it acknowledged. */
export function isRemembering(catalog: Catalog): catalog is RememberingCatalog {
  return 'acknowledged' in catalog;
}

/**
 * Maximum rows that wait for their report while a batch is filled. Rows without an item to send are reported sooner, by
 * an empty batch, which sends nothing: with 3 % changed, a batch of 40 fills after 1,300 rows.
 */
const mostHeld = { filling: 10_000, empty: 1_000 };

/** A batch of the file whose report is incomplete. */
interface FileBatch {
  readonly size: number;
  readonly lines: (Line | undefined)[];
  /** Lines that are not known yet. */
  missing: number;
}

/** An item to send, and the position of its line. */
interface Outgoing {
  readonly entry: Entry;
  /** Its physical line. */
  readonly line: number;
  readonly batch: FileBatch;
  readonly index: number;
  /** Undefined without a key: it is refused. */
  readonly digest: ItemDigest | undefined;
  known?: boolean;
}

/** The import of one file. */
interface Withholding {
  readonly resource: Resource;
  readonly key: RecordKey;
  readonly catalog: RememberingCatalog;
  /** Steps for the items that are sent; withheld items skip them. */
  readonly steps: readonly ChunkStep[];
  readonly reading: BatchReading;
  readonly dryRun: boolean;
  readonly diff: boolean;
  /** Batches of the file that are not reported yet. */
  readonly waiting: FileBatch[];
  /** Batches that were sent and not answered yet. */
  readonly sent: (readonly Outgoing[])[];
  /** The batch that is being filled, and its keys: records of acknowledgement for these will no longer hold. */
  filling: Outgoing[];
  readonly fillingKeys: Set<string>;
  held: number;
}

/** As of a catalog; `accept` also gets the physical lines of the batch. */
export interface WithholdingOptions extends Omit<ImportOptions, 'accept'> {
  readonly accept?: (report: Report, lines: readonly number[]) => boolean;
}

/**
 * Imports the batches of a file without the items that the catalog acknowledged before.
 * @param reading holds the lines of each batch until its report; a batch that is reported in part is cut there
 * @param steps applied to the items that are sent: names are resolved only for these
 * @returns one report for each batch, in order, like `Catalog.importBatches`
 */
export async function* withholdKnownItems(
  catalog: RememberingCatalog,
  batches: BatchSource,
  { resource, reading, steps }: Pick<Withholding, 'resource' | 'reading' | 'steps'>,
  { dryRun = false, diff = false, accept, ...rest }: WithholdingOptions,
): AsyncGenerator<Report> {
  const key = recordKey(resource.fields, resource.key);
  const work = { resource, key, catalog, steps, reading, dryRun, diff };
  const state: Withholding = { ...work, waiting: [], sent: [], filling: [], fillingKeys: new Set(), held: 0 };
  let judged = 0;
  let answered = 0;
  const accepted = (report: Report): boolean => {
    const lines = state.sent[judged++ - answered]?.map(({ line }) => line) ?? [];
    return accept?.(report, lines) !== false;
  };
  const options = { ...rest, dryRun, diff, ...(accept && { accept: accepted }) };
  try {
    for await (const report of catalog.importBatches(resource, outgoingBatches(batches, state), options)) {
      takeReport(report, state);
      answered++;
      yield* completed(state);
    }
    yield* completed(state);
  } catch (cause) {
    yield* completed(state);
    yield* begunReport(state);
    throw cause;
  }
  yield* begunReport(state);
}

/** The batches to send. */
async function* outgoingBatches(batches: BatchSource, state: Withholding): AsyncGenerator<Batch> {
  const { resource, reading } = state;
  for await (const batch of batches) {
    const outgoing = withheld(batch, reading.linesOf.get(batch) ?? [], state);
    for (const item of outgoing) {
      state.filling.push(item);
      if (state.filling.length === resource.limit) yield await filled(state);
    }
    // If a batch may contain a record only once, its bounds decide what is refused, so its items stay together.
    const mustEnd = resource.oncePerBatch === true && state.filling.length > 0;
    const most = state.filling.length > 0 ? mostHeld.filling : mostHeld.empty;
    if (mustEnd || state.held >= most) yield await filled(state);
  }
  if (state.filling.length > 0) yield await filled(state);
}

/** Writes the lines of a batch's known items, and returns the other items. */
function withheld(batch: Batch, lines: readonly number[], state: Withholding): Outgoing[] {
  const { key, catalog, resource, diff, fillingKeys } = state;
  const own: FileBatch = {
    size: batch.length,
    lines: new Array<Line | undefined>(batch.length).fill(undefined),
    missing: 0,
  };
  const keys = batch.map((entry) => key.same(keyOfEntry(key, entry)));
  const once = resource.oncePerBatch === true;
  const outgoing: Outgoing[] = [];
  batch.forEach((entry, index) => {
    if (entry.kind === 'settled') {
      own.lines[index] = { ...entry.line, index };
      return;
    }
    const id = keys[index] ?? '';
    const digest = id === '' ? undefined : catalog.acknowledged.digest(id, textOf(entry));
    // The second of two items can be reported as the duplicate only if both are sent.
    const isRepeated = once && keys.indexOf(id) !== keys.lastIndexOf(id);
    if (digest !== undefined && !isRepeated && !fillingKeys.has(id) && catalog.acknowledged.isKnown(digest)) {
      own.lines[index] = notSent(keyOfEntry(key, entry), index, diff);
      return;
    }
    fillingKeys.add(id);
    outgoing.push({ entry, line: lines[index] ?? 0, batch: own, index, digest });
  });
  own.missing = outgoing.length;
  state.waiting.push(own);
  state.held += batch.length - outgoing.length;
  return outgoing;
}

/** The item as it would be sent, before names are resolved: what they resolve to never changes. */
function textOf(entry: Entry): string {
  if (entry.kind === 'unreadable' || entry.kind === 'settled') return '';
  const amounts = entry.kind === 'raw' && entry.amounts !== undefined ? JSON.stringify(entry.amounts) : '';
  return `${JSON.stringify(entry.item)}${amounts}`;
}

function notSent(externalId: string, index: number, diff: boolean): Line {
  const notice = [{ code: 'not_sent', field: '', message: notices.not_sent.meaning }];
  const line = { index, ...unchangedLine(externalId, null, notice) };
  return diff ? { ...line, changes: [] } : line;
}

/** The filled batch before it is sent: its names are resolved, and the acknowledgements of its keys are removed. */
async function filled(state: Withholding): Promise<Batch> {
  const { steps, catalog, reading } = state;
  const batch = state.filling;
  state.filling = [];
  state.fillingKeys.clear();
  state.held = 0;
  const chunk = { entries: batch.map(({ entry }) => entry), lines: batch.map(({ line }) => line) };
  const { entries } = batch.length === 0 ? chunk : await prepared(chunk, steps);
  const keyed = batch.filter(hasDigest);
  if (keyed.length > 0) {
    const known = catalog.acknowledged.begin(keyed.map(({ digest }) => digest));
    keyed.forEach((item, i) => {
      item.known = known[i] === true;
    });
  }
  state.sent.push(batch);
  reading.linesOf.set(entries, chunk.lines);
  return entries;
}

type Keyed = Outgoing & { readonly digest: ItemDigest };

function hasDigest(item: Outgoing): item is Keyed {
  return item.digest !== undefined;
}

/** Assigns the lines of a report to their batches, and records what was accepted. */
function takeReport(report: Report, { sent, catalog }: Withholding): void {
  const batch = sent.shift() ?? [];
  if (report.data.length !== batch.length)
    throw new Error(`a report of ${report.data.length} lines came for ${batch.length} items that were sent`);
  const { data } = withLineNumbers(
    report,
    batch.map(({ line }) => line),
  );
  batch.forEach(({ batch: own, index }, i) => {
    own.lines[index] = { ...(data[i] as Line), index };
    own.missing--;
  });
  if (batch.length === 0) return;
  const keyed = batch.flatMap((item, i) => (hasDigest(item) ? [{ item, line: data[i] as Line }] : []));
  catalog.acknowledged.acknowledge(
    keyed.map(({ item }) => item.digest),
    keyed.map(({ line }) => line.action !== 'refused' && !isLeftOut(line)),
  );
  if (keyed.some(({ item, line }) => item.known === true && isNew(line))) catalog.acknowledged.forgetAll();
}

/** Whether the remote had no such record. */
function isNew({ action, notice }: Line): boolean {
  return action === 'created' || notice.some(({ code }) => code === leftOutNotice.update);
}

/** The reports of batches whose lines are all known, in order. */
function* completed({ waiting, resource, dryRun }: Withholding): Generator<Report> {
  while (waiting[0]?.missing === 0) {
    const { lines } = waiting.shift() as FileBatch;
    yield reportOf(resource.name, dryRun, lines as Line[]);
  }
}

/** For a batch that is known in part when the import ends early: the report of its first lines, which are done. */
function* begunReport({ waiting, resource, reading, dryRun }: Withholding): Generator<Report> {
  const [batch] = waiting;
  const [chunk] = reading.waiting;
  if (batch === undefined || chunk === undefined) return;
  const until = batch.lines.indexOf(undefined);
  const lines = batch.lines.slice(0, until) as Line[];
  if (lines.every(({ notice }) => notice.some(({ code }) => code === 'not_sent'))) return;
  reading.waiting[0] = slice(chunk, 0, until) as Chunk;
  yield reportOf(resource.name, dryRun, lines);
}
