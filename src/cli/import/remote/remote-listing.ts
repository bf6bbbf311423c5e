// Which keys a feed lists in a remote: those of its last complete run, one file for each remote, feed and resource next to the
// journals. The guards of the next run compare with them, and they show what the feed no longer lists. They are sent to the
// remote at the end of the run.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { newWarning, type Warning } from '../../../core/diagnostics/warning-codes.js';
import { namedAtMost } from '../../../core/diagnostics/warning-kind.js';
import type { WarningLog } from '../../../core/diagnostics/warning-log.js';
import { recordKey } from '../../../core/fields/record-key.js';
import { type GuardFigure, keptFigures } from '../../../core/ledger/guard-figure.js';
import { difference } from '../../../core/ledger/listing.js';
import { hashNumber } from '../../../core/ledger/recorded-change.js';
import { hasKey, isAllRefused, type SeenKeys } from '../../../core/ledger/seen-keys.js';
import type { Resource } from '../../../core/resource.js';
import { resources } from '../../../core/resources/index.js';
import { seenKeys } from '../../../importing/collect-keys.js';
import type { ImportObserver } from '../../../importing/observer.js';
import { chooseTarget } from '../../options.js';
import { type AcceptedNight, nightsOfWeek } from '../history/week-before.js';
import type { ImportFlags } from '../options/import-options.js';
import { type ListingEnd, type ListingFile, openListing, readListing } from './listing-file.js';
import { stateFolder } from './open-journal.js';
import { remoteName } from './remote-name.js';

/** Which keys a feed lists in a remote. */
export interface RemoteListing {
  /** What the last complete run read, and the runs of the week, by resource name. */
  ends(): Promise<ReadonlyMap<string, ListingEnd>>;
  /**
   * Lists the keys that it read, and this run does not.
   * @returns how many keys this run lists that it did not
   */
  vanished(seen: SeenKeys, name: (key: string) => void): Promise<number>;
  /** Saves the keys that a run reads when it is complete. */
  readonly observer: ImportObserver;
  /** Keeps what a run read that was read to its end, and warns of what the feed no longer lists. */
  complete(): Promise<void>;
  /**
   * What the run read of a resource, once it is kept.
   * @returns undefined where the remote does not keep what the feed lists
   */
  listed(resource: Resource): Promise<ReadListing | undefined>;
}

/** What a complete run read of a resource: rows at least. */
interface ReadListing {
  /** The keys as a JSON array; undefined where it would be too long for a request. */
  readonly keys: string | undefined;
}

/** Bytes of keys that a request may have. A remote takes bodies of 16 MiB. */
const mostBytes = 15 * 1024 * 1024;

/** What a run noticed, and what its guards found. */
export interface RunFindings {
  readonly log: WarningLog;
  readonly guards: () => readonly GuardFigure[];
}

/** Opens the saved listing for the feed of an import into a remote. */
export function remoteListing(flags: ImportFlags, env: NodeJS.ProcessEnv, findings: RunFindings): RemoteListing {
  const chosen = chooseTarget(flags, env);
  const remote = 'remote' in chosen ? remoteName(chosen.remote) : '';
  const folder = stateFolder(env);
  const fileOf = ({ name }: Resource): string => {
    const digest = createHash('sha256')
      .update([remote, flags.feed ?? '', name].join('\n'))
      .digest('base64url');
    return join(folder, `${digest}.listing`);
  };
  return {
    async ends() {
      const ends = new Map<string, ListingEnd>();
      for (const resource of resources) {
        const end = await readListing(fileOf(resource), () => undefined);
        if (end !== undefined) ends.set(resource.name, end);
      }
      return ends;
    },
    async vanished(seen, name) {
      const missing = namesMissing(seen, name);
      const before: number[] = [];
      const end = await readListing(fileOf(seen.resource), (key) => {
        before.push(hashNumber(key));
        missing(key);
      });
      return end === undefined ? 0 : difference(seen.keys, Float64Array.from(before).sort()).length;
    },
    ...listingKeeper(flags, fileOf, findings),
  };
}

/** Reports each key of a former listing that a run did not read, once. */
function namesMissing(seen: SeenKeys, name: (key: string) => void): (key: string) => void {
  const named = new Set<number>();
  return (key) => {
    const hash = hashNumber(key);
    if (hasKey(seen.keys, hash) || named.has(hash)) return;
    named.add(hash);
    name(key);
  };
}

/** Writes listings while a run reads; they replace the previous ones when the run is complete. */
function listingKeeper(
  flags: ImportFlags,
  fileOf: (resource: Resource) => string,
  { log, guards }: RunFindings,
): Pick<RemoteListing, 'observer' | 'complete' | 'listed'> {
  const seen = seenKeys();
  const started = Math.floor(Date.now() / 1000);
  const open = new Map<string, ListingFile>();
  const reported = new Set<string>();
  const keeps = flags.dryRun !== true && flags.history && flags.limit === undefined;
  let add: ((key: string) => void) | undefined;
  let same: ((key: string) => string) | undefined;
  return {
    observer: {
      begin(file) {
        const { resource } = file;
        seen.begin?.(file);
        if (!keeps) return;
        const listing = open.get(resource.name) ?? openListing(fileOf(resource));
        open.set(resource.name, listing);
        add = listing.add;
        same = recordKey(resource.fields, resource.key).same;
      },
      batch(result) {
        seen.batch?.(result);
        for (const { external_id: key } of result.report.data) add?.(key === '' ? '' : (same?.(key) ?? key));
      },
      discard() {
        for (const file of open.values()) file.discard();
      },
    },
    async complete() {
      for (const one of seen.seen()) {
        const { resource } = one;
        const own = keptFigures(guards().filter((figure) => figure.resource === resource.name));
        const kept = { listing: open.get(resource.name), file: fileOf(resource), night: { started, guards: own } };
        const { warning, isComplete } = await completed(flags, one, kept);
        if (warning !== undefined) log.add(warning);
        if (keeps && isComplete) reported.add(resource.name);
      }
    },
    async listed(resource) {
      if (!reported.has(resource.name)) return undefined;
      const keys: string[] = [];
      let bytes = 0;
      await readListing(fileOf(resource), (key) => {
        bytes += Buffer.byteLength(JSON.stringify(key)) + 1;
        if (bytes <= mostBytes) keys.push(key);
      });
      return { keys: bytes <= mostBytes ? JSON.stringify(keys) : undefined };
    },
  };
}

/** What comes of a run that read a resource. */
interface CompletedListing {
  readonly warning: Warning | undefined;
  /** Whether these are the keys that the feed lists, which the remote is sent: every night, since it counts the nights without one. */
  readonly isComplete: boolean;
}

/** Where a listing is kept. */
interface KeptListing {
  /** Undefined where it is not to be kept. */
  readonly listing: ListingFile | undefined;
  /** The former listing. */
  readonly file: string;
  /** The run, for the weeks to come. */
  readonly night: Omit<AcceptedNight, 'filled'>;
}

/** Keeps what a complete run read of a resource. */
async function completed(
  { feed = '', history, limit }: ImportFlags,
  seen: SeenKeys,
  { listing, file, night }: KeptListing,
): Promise<CompletedListing> {
  const incomplete = (warning: Warning): CompletedListing => ({ warning, isComplete: false });
  if (!history) return incomplete(newWarning('listing_not_kept', { feed }));
  if (limit !== undefined || seen.isPart === true) return incomplete(newWarning('part_read', { feed }));
  if (seen.total === 0) return incomplete(newWarning('no_rows', { feed }));
  if (isAllRefused(seen))
    return incomplete(newWarning('no_row_accepted', { feed, resource: seen.resource.name, count: seen.total }));
  const isTrusted = seen.untrusted === 0;
  const keys: string[] = [];
  let count = 0;
  const take = namesMissing(seen, (key) => {
    if (count++ < namedAtMost) keys.push(key);
    // Nobody counts as missing: what was listed stays listed.
    if (!isTrusted) listing?.keep(key);
  });
  const before = (await readListing(file, take))?.nights ?? [];
  const { filled, resource } = seen;
  const own = filled === undefined ? [] : [{ ...night, filled: { [resource.name]: filled } }];
  const nights = nightsOfWeek([...before, ...own], night.started);
  listing?.end({ ...(filled && { filled }), nights });
  if (!isTrusted)
    return incomplete(newWarning('keys_untrusted', { feed, resource: seen.resource.name, count: seen.untrusted }));
  const warning = count === 0 ? undefined : newWarning('records_missing', { feed, count, keys, remote: true });
  return { warning, isComplete: true };
}
