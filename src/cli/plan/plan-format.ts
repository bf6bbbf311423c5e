// The format of a plan, NDJSON: a header, the items that would change something and the refused ones, each with its line
// of the report, hashes of the keys that a feed lists, and the end with what is known only then. The manual page `files`
// describes it for users.
import { CatalogError } from '../../core/errors.js';
import type { Counts, Line } from '../../core/import-report.js';
import { type FeedEnd, feedEffects } from '../../core/ledger/feed-end.js';
import type { Resource } from '../../core/resource.js';
import { resources, shopResources } from '../../core/resources/index.js';
import type { Breach } from '../../importing/guards/guard-stopped.js';
import { formats } from '../../source/bytes/detect-format.js';
import { isAmount } from '../../source/written-item.js';
import { programVersion } from '../../store/program-version.js';
import { isFeedName } from '../import/options/feed-options.js';
import { isCount, isFlag, isObject, isText, listOf, objectOf, oneOf, orNull } from './json-checks.js';

export const planVersion = 4;

/** The resources whose items a plan may hold. */
export const plannedResources: readonly Resource[] = [...resources, ...shopResources];

export interface PlanHeader {
  readonly catalog_import_plan: number;
  readonly made: string;
  readonly version: string;
  /** The catalog it was made for, without user and password. */
  readonly catalog: string;
  /** Names that catalog, wherever it is moved to (`Ledger.identity`); '' where it was not there yet. */
  readonly identity: string;
  /** The typed command and options, as the ledger records them. */
  readonly command: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** The last run of the catalog at that time; 0 for none. */
  readonly after_run: number;
  /** The blocked run that wrote the plan, if any. */
  readonly blocked_run?: number;
  readonly feed?: PlannedFeed;
}

/** Options of the feed that apply at the end of its run. */
interface PlannedFeed {
  readonly name: string;
  readonly missing?: 'report' | 'suspend';
  readonly missing_after?: number;
  /** Whether all files of the feed were read: otherwise no record counts as missing. */
  readonly complete: boolean;
}

/** The line of an item in the report of the rehearsal, as far as it is not empty. */
export type PlannedLine = Pick<Line, 'action'> & Partial<Omit<Line, 'index' | 'diagnostics' | 'planned'>>;

/** A file of the import. */
export interface PlannedFile {
  readonly file: string;
  /** The name of its resource on the command line. */
  readonly resource: string;
  readonly size?: number;
  /** The SHA-256 of its bytes, as base64url. */
  readonly digest?: string;
  readonly format: string;
  readonly encoding: string;
  readonly counts: Readonly<Counts>;
}

export interface PlanEnd {
  readonly files: readonly PlannedFile[];
  /** The findings of guards that would stop the import. */
  readonly guards: readonly Breach[];
  /** What the end of the feed's run would do. */
  readonly feed_end?: FeedEnd;
  /** Of all lines before it. */
  readonly sha256: string;
}

/** The members that a plan adds to an item. */
export interface PlanMembers {
  /** Its line in its file, and the index of that file. */
  readonly _line: number;
  readonly _file?: number;
  /** What it expects; absent if it was refused. */
  readonly _expect?: Readonly<Record<string, unknown>> | null;
  /** Whether an earlier item of the feed's run had the same key; only with ranked feeds. */
  readonly _repeats?: boolean;
  readonly _amounts?: readonly unknown[];
  readonly _report: PlannedLine;
}

/** The keys that a feed lists of a resource, or a part of them. */
export interface PlannedListing {
  readonly resource: string;
  readonly total: number;
  readonly untrusted: number;
  readonly filled?: unknown;
  /** Whether it is only a part of what the feed lists. */
  readonly part?: boolean;
  /** 64-bit hashes, as base64. */
  readonly keys: string;
}

const isResource = oneOf(plannedResources.map(({ name }) => name));
const areTexts = listOf(isText);

const isFeed = objectOf({
  ...{ name: (value) => isFeedName(String(value)), 'missing?': oneOf(['report', 'suspend']) },
  ...{ 'missing_after?': (value) => isCount(value) && value !== 0, complete: isFlag },
});
const isHeader = objectOf({
  ...{ made: (value) => isText(value) && !Number.isNaN(Date.parse(String(value))), version: isText, catalog: isText },
  ...{ identity: isText, command: isText, options: isObject, after_run: isCount, 'blocked_run?': isCount },
  'feed?': isFeed,
});

/** An item, and what the plan added to it. */
export const isPlannedItem = objectOf({
  ...{
    _line: isCount,
    '_file?': isCount,
    '_expect?': orNull(isObject),
    '_repeats?': isFlag,
    '_amounts?': listOf(isAmount),
  },
  _report: objectOf({
    ...{ 'external_id?': isText, action: oneOf(['created', 'updated', 'unchanged', 'refused']), 'id?': isText },
    ...{ 'code?': isText, 'title?': isText, 'reason?': isText },
    'notice?': listOf(objectOf({ code: isText, field: isText, message: isText })),
    'changes?': listOf(objectOf({ field: isText })),
  }),
});

export const isListing = objectOf({
  resource: isResource,
  total: isCount,
  untrusted: isCount,
  'part?': isFlag,
  keys: isText,
});

const isAffected = objectOf({ effect: oneOf(feedEffects), resource: isResource, count: isCount, keys: areTexts });
const counts = { created: isCount, updated: isCount, unchanged: isCount, refused: isCount, total: isCount };
const isFile = objectOf({
  ...{ file: isText, resource: oneOf(plannedResources.map(({ command }) => command)), counts: objectOf(counts) },
  ...{ 'size?': isCount, 'digest?': isText, format: oneOf(formats), encoding: isText },
});

export const isPlanEnd = objectOf({
  ...{ files: listOf(isFile), sha256: isText },
  guards: listOf(objectOf({ option: isText, words: isText, offenders: areTexts })),
  'feed_end?': objectOf({ notes: areTexts, records: listOf(isAffected) }),
});

/**
 * The header of a plan, its first record. Any other file fails here, before the rest is read.
 * @throws CatalogError `usage` if it is not a header, or one of another version
 */
export function headerOf(path: string, record: Readonly<Record<string, unknown>>): PlanHeader {
  const { catalog_import_plan: form, version } = record;
  if (form === undefined) throw planError(path, 'the file is not a plan');
  if (form !== planVersion)
    throw planError(path, `the plan has version ${String(form)} of the form, and this program reads ${planVersion}`);
  if (!isHeader(record)) throw damaged(path);
  // Another version may decide otherwise than what was looked at.
  if (version !== programVersion())
    throw planError(path, `the plan was made by another version of the program (${String(version)})`);
  return record as unknown as PlanHeader;
}

export function planError(path: string, why: string, remedy = 'Make the plan again.'): CatalogError {
  return new CatalogError('usage', `${path}: ${why}; nothing was written. ${remedy}`);
}

/** The error for a plan that no program wrote like this. */
export function damaged(path: string): CatalogError {
  return planError(path, 'the plan is damaged');
}
