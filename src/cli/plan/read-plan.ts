// Opens a plan: all of it is read and checked first, so that a truncated or damaged plan is refused as a whole. Items
// are not kept in memory: they are read again when they are applied.
import type { Counts } from '../../core/import-report.js';
import type { FeedEnd } from '../../core/ledger/feed-end.js';
import { asFilledFields } from '../../core/ledger/filled-fields.js';
import type { SeenKeys } from '../../core/ledger/seen-keys.js';
import type { Resource } from '../../core/resource.js';
import { findResource } from '../../core/resources/index.js';
import { ellipsize, sanitizeText } from '../../core/text/sanitize.js';
import { isFeedName } from '../import/options/feed-options.js';
import {
  type PlanHeader,
  type PlannedBreach,
  type PlannedFile,
  type PlannedListing,
  planError,
  planLayout,
  plannedResources,
  readVersions,
} from './plan-format.js';
import { closePlanFile, openPlanFile, type PlanFile, planHash, planLines } from './plan-lines.js';
import { readFeedEnd } from './read-feed-end.js';

/** A file of the import, and the position of its items. */
export interface PlanSection extends PlannedFile {
  readonly of: Resource;
  /** The offset of its first line. */
  readonly begin: number;
  /** Items of the plan before this section. */
  readonly itemsBefore: number;
  /** Its items that change something, and its refused lines. */
  readonly items: number;
  readonly refused: number;
  /** Counts of all its rows. */
  readonly counts: Readonly<Counts>;
}

/** A complete plan. */
export interface OpenPlan {
  readonly file: PlanFile;
  readonly header: PlanHeader;
  readonly sections: readonly PlanSection[];
  readonly seen: readonly SeenKeys[];
  /** What the end of the feed's run would do; undefined for a plan of a former version, and without a feed. */
  readonly end: FeedEnd | undefined;
  readonly guards: readonly PlannedBreach[];
  /** Identifies the plan: the SHA-256 of its content. */
  readonly digest: string;
  /** Items that change something, in all sections. */
  readonly items: number;
  close(): void;
}

/** A listing whose keys are being read. */
interface OpenListing extends PlannedListing {
  readonly of: Resource;
  readonly hashes: Float64Array;
  /** How many hashes were read. */
  taken: number;
}

/** What was read so far. */
interface Reading {
  readonly path: string;
  header: PlanHeader | undefined;
  readonly sections: PlanSection[];
  section: { -readonly [K in keyof PlanSection]: PlanSection[K] } | undefined;
  listing: OpenListing | undefined;
  readonly seen: SeenKeys[];
  end: FeedEnd | undefined;
  guards: readonly PlannedBreach[];
  digest: string | undefined;
  items: number;
}

/**
 * Opens a plan and checks all of it.
 * @throws CatalogError `input_unreadable` if it cannot be read, `usage` if it is not a plan, is damaged, or was made by
 * another version
 */
export function openPlan(path: string): OpenPlan {
  const file = openPlanFile(path);
  try {
    const { header, digest, listing, ...reading } = readAll(file);
    if (header === undefined || digest === undefined || reading.section !== undefined || listing !== undefined)
      throw planError(path, 'the plan was cut off');
    const { sections, seen, end, guards, items } = reading;
    return { file, header, sections, seen, end, guards, digest, items, close: () => closePlanFile(file) };
  } catch (error) {
    closePlanFile(file);
    throw error;
  }
}

function readAll(file: PlanFile): Reading {
  const { path } = file;
  const hash = planHash();
  const reading: Reading = {
    ...{ path, header: undefined, sections: [], section: undefined, listing: undefined, seen: [] },
    ...{ end: undefined, guards: [], digest: undefined, items: 0 },
  };
  let end = 0;
  for (const { text, next } of planLines(file, 0, hash)) {
    if (reading.digest !== undefined) throw planError(path, 'something follows the end of the plan');
    end = next;
    if (reading.header === undefined) reading.header = headerOf(path, text);
    else if (text.startsWith('{"sha256":')) reading.digest = checkedDigest(path, text, hash.copy().digest('hex'));
    else takeLine(reading, text, next);
  }
  if (reading.header === undefined) throw planError(path, 'the file is not a plan');
  if (end !== file.size) throw planError(path, 'the plan was cut off');
  return reading;
}

/**
 * Parses the header, the first line of a plan. Any other file fails here, before the rest is read.
 * @throws CatalogError `usage` if it is not a header, or one of another version
 */
export function headerOf(path: string, text: string): PlanHeader {
  if (!text.startsWith('{"catalog_import_plan":')) throw planError(path, 'the file is not a plan');
  const header = parsed(path, text) as unknown as PlanHeader;
  const { catalog_import_plan: form } = header;
  if (!readVersions.includes(form))
    throw planError(
      path,
      `the plan has version ${String(form)}; this program reads versions ${readVersions.join(', ')}`,
    );
  const {
    made,
    version,
    catalog,
    identity,
    command,
    after_run: after,
    blocked_run: blocked = 0,
    feed,
    options,
  } = header;
  const isSound =
    [made, version, catalog, identity, command].every((one) => typeof one === 'string') &&
    !Number.isNaN(Date.parse(made)) &&
    Number.isSafeInteger(after) &&
    Number.isSafeInteger(blocked) &&
    isObject(options) &&
    (feed === undefined || isFeed(feed));
  if (!isSound) throw damaged(path);
  if (header.layout !== planLayout())
    throw planError(path, `the plan was made by another version of the program (${version})`);
  return header;
}

function isFeed(feed: unknown): boolean {
  if (!isObject(feed)) return false;
  const { name, missing = 'report', missing_after: after = 1, complete } = feed;
  const isKnown = typeof name === 'string' && isFeedName(name) && ['report', 'suspend'].includes(String(missing));
  return isKnown && Number.isSafeInteger(after) && Number(after) >= 1 && typeof complete === 'boolean';
}

function checkedDigest(path: string, text: string, digest: string): string {
  if (parsed(path, text)['sha256'] !== digest) throw damaged(path);
  return digest;
}

/** Processes a line between header and digest. Items are counted by their first characters. */
function takeLine(reading: Reading, text: string, next: number): void {
  const { path, section } = reading;
  if (text.startsWith('{"line":')) return countItem(reading, text);
  const line = parsed(path, text);
  if (isObject(line['section']) && section === undefined)
    reading.section = beginSection(reading, line['section'], next);
  else if (isObject(line['end']) && section !== undefined) {
    reading.sections.push({ ...section, counts: countsOf(path, line['end']) });
    reading.section = undefined;
  } else if (isObject(line['listing']) && reading.listing === undefined) beginListing(reading, line['listing']);
  else if (typeof line['keys'] === 'string') takeKeys(reading, line['keys']);
  else if (line['feed_end'] !== undefined) {
    reading.end = readFeedEnd(line['feed_end']);
    if (reading.end === undefined) throw damaged(path);
  } else if (Array.isArray(line['guards'])) reading.guards = line['guards'].map((one) => breachOf(path, one));
  else throw damaged(path);
}

function countItem(reading: Reading, text: string): void {
  const { section } = reading;
  if (section === undefined) throw damaged(reading.path);
  if (/^\{"line":\d+,"action":"refused"/.test(text)) section.refused++;
  else {
    section.items++;
    reading.items++;
  }
}

function beginSection({ path, items }: Reading, given: Readonly<Record<string, unknown>>, begin: number): PlanSection {
  const { file, resource, format, encoding, size, digest } = given;
  const of = typeof resource === 'string' ? plannedResources.find(({ command }) => command === resource) : undefined;
  const isSound = [file, format, encoding].every((one) => typeof one === 'string');
  if (of === undefined || !isSound) throw damaged(path);
  return {
    ...{ file: String(file), resource: of.command },
    ...{ format: String(format), encoding: ellipsize(sanitizeText(String(encoding)), 40) },
    ...(typeof size === 'number' && { size }),
    ...(typeof digest === 'string' && { digest }),
    ...{ of, begin, itemsBefore: items, items: 0, refused: 0 },
    counts: { created: 0, updated: 0, unchanged: 0, refused: 0, total: 0 },
  };
}

function countsOf(path: string, given: Readonly<Record<string, unknown>>): Counts {
  const { created, updated, unchanged, refused, total } = given;
  const counts = { created, updated, unchanged, refused, total };
  if (!Object.values(counts).every((count) => Number.isSafeInteger(count) && Number(count) >= 0)) throw damaged(path);
  return counts as Counts;
}

/** Maximum hashes of keys in a listing: those of a file of 1.6 GB. */
const mostKeys = 200_000_000;

function beginListing(reading: Reading, given: Readonly<Record<string, unknown>>): void {
  const { resource, total, untrusted, keys } = given;
  const filled = asFilledFields(given['filled']);
  const of = typeof resource === 'string' ? findResource(resource, plannedResources) : undefined;
  const isSound = [total, untrusted, keys].every((count) => Number.isSafeInteger(count) && Number(count) >= 0);
  // A small plan must not make the reader allocate much memory.
  if (of === undefined || !isSound || Number(keys) > mostKeys) throw damaged(reading.path);
  const counts = { total: Number(total), untrusted: Number(untrusted), keys: Number(keys) };
  reading.listing = {
    resource: of.name,
    of,
    ...{ ...counts, ...(filled && { filled }) },
    hashes: new Float64Array(Math.min(counts.keys, 8192)),
    taken: 0,
  };
  endListing(reading);
}

function takeKeys(reading: Reading, text: string): void {
  const { listing } = reading;
  const bytes = Buffer.from(text, 'base64');
  if (listing === undefined || bytes.length % 8 !== 0 || bytes.length === 0) throw damaged(reading.path);
  const keys = new Float64Array(bytes.length / 8);
  Buffer.from(keys.buffer).set(bytes);
  if (listing.taken + keys.length > listing.keys) throw damaged(reading.path);
  if (listing.taken + keys.length > listing.hashes.length) {
    const larger = new Float64Array(
      Math.min(listing.keys, Math.max(2 * listing.hashes.length, listing.taken + keys.length)),
    );
    larger.set(listing.hashes);
    reading.listing = { ...listing, hashes: larger };
  }
  const open = reading.listing as OpenListing;
  open.hashes.set(keys, open.taken);
  open.taken += keys.length;
  endListing(reading);
}

/** Keeps a listing after all its keys were read. */
function endListing(reading: Reading): void {
  const { listing } = reading;
  if (listing === undefined || listing.taken < listing.keys) return;
  const { of: resource, hashes, taken, total, untrusted, filled } = listing;
  const keys = hashes.subarray(0, taken).sort();
  reading.seen.push({ resource, keys, total, untrusted, ...(filled && { filled }) });
  reading.listing = undefined;
}

function breachOf(path: string, given: unknown): PlannedBreach {
  if (!isObject(given)) throw damaged(path);
  const { option, words, offenders } = given;
  if (typeof option !== 'string' || typeof words !== 'string' || !Array.isArray(offenders)) throw damaged(path);
  return { option, words, offenders: offenders.map(String) };
}

function parsed(path: string, text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Text that is not JSON counts as damaged, like JSON that is not an object.
  }
  throw damaged(path);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function damaged(path: string) {
  return planError(path, 'the plan is damaged');
}
