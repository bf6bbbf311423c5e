// Opens a plan: all of it is read and checked first, so that a truncated or damaged plan is refused as a whole. Items
// are not kept in memory: they are read again when they are applied.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { RawEntry } from '../../core/entry.js';
import { CatalogError } from '../../core/errors.js';
import type { Line } from '../../core/import-report.js';
import type { FeedEnd } from '../../core/ledger/feed-end.js';
import { asFilledFields } from '../../core/ledger/filled-fields.js';
import type { SeenKeys } from '../../core/ledger/seen-keys.js';
import type { Resource } from '../../core/resource.js';
import { findResource } from '../../core/resources/index.js';
import { foundAt } from '../../files/found-file.js';
import type { Breach } from '../../importing/guards/guard-stopped.js';
import { ndjsonCutter } from '../../source/json/ndjson-cutter.js';
import { mayLoseDigits, parseWritten } from '../../source/json/written-number.js';
import { isObject } from './json-checks.js';
import {
  damaged,
  headerOf,
  isListing,
  isPlanEnd,
  isPlannedItem,
  type PlanEnd,
  type PlanHeader,
  type PlanMembers,
  type PlannedFile,
  type PlannedListing,
  planError,
  plannedResources,
} from './plan-format.js';

export interface PlanSection extends PlannedFile {
  readonly of: Resource;
  /** Its items that change something, and its lines in the plan, with those of refused items. */
  readonly items: number;
  readonly lines: number;
}

export interface OpenPlan {
  readonly path: string;
  /** Its modification time when it was opened. */
  readonly modified: number | undefined;
  readonly header: PlanHeader;
  readonly sections: readonly PlanSection[];
  readonly seen: readonly SeenKeys[];
  /** What the end of the feed's run would do; undefined without a feed. */
  readonly end: FeedEnd | undefined;
  readonly guards: readonly Breach[];
  /** Identifies the plan: the SHA-256 of its content. */
  readonly digest: string;
  /** Items that change something, in all sections. */
  readonly items: number;
}

export interface PlanItem {
  readonly line: number;
  readonly file: number;
  readonly report: Omit<Line, 'index'>;
  /** Undefined for an item that was refused, and is not part of the plan. */
  readonly entry: RawEntry | undefined;
}

/** Maximum characters of a line: an item of the maximum size for sources, with all values before. */
const longestLine = 64 * 1024 * 1024;

type PlanRecord = Readonly<Record<string, unknown>>;

/**
 * The records of a file by the reader of NDJSON, block by block.
 * @throws CatalogError `input_unreadable` if it cannot be read, `usage` if it is not made of JSON objects
 */
async function* recordsOf(path: string): AsyncGenerator<{ readonly raw: string; readonly record: PlanRecord }[]> {
  const cutter = ndjsonCutter(path, longestLine);
  let records: { readonly raw: string; readonly record: PlanRecord }[] = [];
  const cut = (block: string, last: boolean): typeof records => {
    records = [];
    cutter.cut(block, last, (raw, line, value) => {
      const record = value !== undefined && mayLoseDigits(raw) ? parseWritten(raw) : value;
      if (!isObject(record))
        throw planError(path, line === 1 ? 'the file is not a plan' : 'the plan was cut off, or damaged');
      records.push({ raw, record });
    });
    return records;
  };
  try {
    for await (const block of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 }))
      yield cut(String(block), false);
    yield cut('', true);
  } catch (cause) {
    if (!(cause instanceof CatalogError)) throw unreadable(path, cause as NodeJS.ErrnoException);
    // A line beyond the limits of the reader is none that the program wrote.
    throw cause.code === 'usage' ? cause : damaged(path);
  }
}

function unreadable(path: string, cause: NodeJS.ErrnoException): CatalogError {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'file not found',
    EISDIR: 'is a folder; name the plan in it',
  };
  return new CatalogError('input_unreadable', `${path}: ${reasons[cause.code ?? ''] ?? cause.message}.`, { cause });
}

/** The header of a plan; undefined for any other file, and a plan of another version. */
export async function readHeader(path: string): Promise<PlanHeader | undefined> {
  try {
    for await (const [first] of recordsOf(path)) if (first !== undefined) return headerOf(path, first.record);
  } catch {
    // No plan of this version.
  }
  return undefined;
}

/**
 * Opens a plan and checks all of it.
 * @throws CatalogError `input_unreadable` if it cannot be read, `usage` if it is not a plan, is damaged, or was made by
 * another version
 */
export async function openPlan(path: string): Promise<OpenPlan> {
  const modified = foundAt(path)?.mtimeMs;
  const hash = createHash('sha256');
  const listings = new Map<string, PlannedListing[]>();
  const tally: { items: number; lines: number }[] = [];
  let header: PlanHeader | undefined;
  let end: PlanEnd | undefined;
  for await (const records of recordsOf(path))
    for (const { raw, record } of records) {
      if (end !== undefined) throw planError(path, 'something follows the end of the plan');
      if (header === undefined) header = headerOf(path, record);
      else if (record['_end'] !== undefined) end = endOf(path, record['_end'], hash.copy().digest('hex'));
      else if (record['_listing'] !== undefined) addListing(path, listings, record['_listing']);
      else countItem(path, tally, record);
      hash.update(`${raw}\n`);
    }
  if (header === undefined) throw planError(path, 'the file is not a plan');
  if (end === undefined) throw planError(path, 'the plan was cut off');
  if (tally.length > end.files.length) throw damaged(path);
  let items = 0;
  const sections = end.files.map((file, nth) => {
    const of = plannedResources.find(({ command }) => command === file.resource) as Resource;
    const section = { ...file, of, items: tally[nth]?.items ?? 0, lines: tally[nth]?.lines ?? 0 };
    items += section.items;
    return section;
  });
  const seen = [...listings.values()].map((parts) => seenOf(path, parts));
  const { guards, feed_end: feedEnd } = end;
  return { path, modified, header, sections, seen, end: feedEnd, guards, digest: hash.digest('hex'), items };
}

function endOf(path: string, given: unknown, sha256: string): PlanEnd {
  if (!isPlanEnd(given)) throw damaged(path);
  const end = given as PlanEnd;
  const isSound =
    end.sha256 === sha256 && (end.feed_end?.records ?? []).every(({ count, keys }) => count >= keys.length);
  if (!isSound) throw damaged(path);
  return end;
}

function countItem(path: string, tally: { items: number; lines: number }[], record: PlanRecord): void {
  const { file, entry } = planItem(path, record);
  // The items of a file follow those of the one before it; a file of which none is in the plan has no lines.
  if (file < tally.length - 1 || file > 100_000) throw damaged(path);
  while (tally.length <= file) tally.push({ items: 0, lines: 0 });
  const counted = tally[file] as { items: number; lines: number };
  counted.lines++;
  if (entry !== undefined) counted.items++;
}

function planItem(path: string, record: PlanRecord): PlanItem {
  if (!isPlannedItem(record)) throw damaged(path);
  const { _line, _file = 0, _expect, _repeats, _amounts, _report, ...item } = record as unknown as PlanMembers;
  const isRefused = _report.action === 'refused';
  if (isRefused !== (_expect === undefined)) throw damaged(path);
  const planned = { expect: _expect ?? null, ...(_repeats === true && { repeats: true }) };
  const amounts = _amounts && { amounts: _amounts as NonNullable<RawEntry['amounts']> };
  const report = { external_id: '', id: null, code: null, title: null, reason: null, notice: [], ..._report };
  const entry = isRefused ? undefined : { kind: 'raw' as const, item, ...amounts, planned };
  return { line: _line, file: _file, report, entry };
}

/**
 * The lines of a plan about items, block by block.
 * @throws CatalogError `usage` if the file was modified since it was opened
 */
export async function* planItems({ path, modified }: OpenPlan): AsyncGenerator<readonly PlanItem[]> {
  let isHeader = true;
  for await (const records of recordsOf(path)) {
    if (foundAt(path)?.mtimeMs !== modified)
      throw new CatalogError('usage', `${path}: the plan was changed while it was read.`);
    const items = isHeader ? records.slice(1) : records;
    if (records.length > 0) isHeader = false;
    yield items
      .filter(({ record }) => record['_listing'] === undefined && record['_end'] === undefined)
      .map(({ record }) => planItem(path, record));
  }
}

function addListing(path: string, listings: Map<string, PlannedListing[]>, given: unknown): void {
  if (!isListing(given)) throw damaged(path);
  const listing = given as PlannedListing;
  const parts = listings.get(listing.resource) ?? [];
  parts.push(listing);
  listings.set(listing.resource, parts);
}

function seenOf(path: string, parts: readonly PlannedListing[]): SeenKeys {
  const { resource, total, untrusted, part, filled: given } = parts[0] as PlannedListing;
  const bytes = Buffer.concat(parts.map(({ keys }) => Buffer.from(keys, 'base64')));
  if (bytes.length % 8 !== 0) throw damaged(path);
  const keys = new Float64Array(bytes.length / 8);
  Buffer.from(keys.buffer).set(bytes);
  const filled = asFilledFields(given);
  const of = findResource(resource, plannedResources) as Resource;
  return {
    resource: of,
    keys: keys.sort(),
    total,
    untrusted,
    ...(part && { isPart: part }),
    ...(filled && { filled }),
  };
}
