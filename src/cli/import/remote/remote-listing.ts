// What a feed lists in a remote: the keys that its last complete run read, one file for each remote, feed and resource beside
// the journals. By them the guards of the next run are measured.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { recordKey } from '../../../core/fields/record-key.js';
import { hashNumber } from '../../../core/ledger/recorded-change.js';
import type { SeenKeys } from '../../../core/ledger/seen-keys.js';
import { hasKey } from '../../../core/ledger/seen-keys.js';
import type { Resource } from '../../../core/resource.js';
import { resources } from '../../../core/resources/index.js';
import { makeFolder, replaceFile } from '../../../files/durable-file.js';
import type { ImportObserver, Outcome } from '../../../importing/observer.js';

import { chooseTarget } from '../../options.js';
import type { ImportFlags } from '../options/import-options.js';
import { stateFolder } from './run-journal.js';

/** What a feed lists in a remote. */
export interface RemoteListing {
  /** Rows of the last complete run, by the name of their resource. */
  rows(): Promise<ReadonlyMap<string, number>>;
  /** Names the keys that it read, and a run does not. */
  vanished(seen: SeenKeys, name: (key: string) => void): Promise<void>;
  /** Keeps what a run reads, once it is complete. */
  readonly observer: ImportObserver;
}

/** The last line of a listing. */
interface ListingEnd {
  readonly rows: number;
}

/** Opens what is kept of the feed of an import into a remote. */
export function remoteListing(flags: ImportFlags, env: NodeJS.ProcessEnv): RemoteListing {
  const chosen = chooseTarget(flags, env);
  const remote = 'remote' in chosen ? new URL(chosen.remote).href.replace(/\/+$/, '') : '';
  const folder = stateFolder(env);
  const fileOf = ({ name }: Resource): string => {
    const digest = createHash('sha256')
      .update([remote, flags.feed ?? '', name].join('\n'))
      .digest('base64url');
    return join(folder, `${digest}.listing`);
  };
  return {
    async rows() {
      const rows = new Map<string, number>();
      for (const resource of resources) {
        const end = await readListing(fileOf(resource), () => undefined);
        if (end !== undefined) rows.set(resource.name, end.rows);
      }
      return rows;
    },
    async vanished(seen, name) {
      const named = new Set<number>();
      await readListing(fileOf(seen.resource), (key) => {
        const hash = hashNumber(key);
        if (hasKey(seen.keys, hash) || named.has(hash)) return;
        named.add(hash);
        name(key);
      });
    },
    observer: listingWriter(fileOf),
  };
}

/**
 * Reads a listing.
 * @param take is given each key
 * @returns undefined where there is none, or it was cut off: then the feed is as new
 */
async function readListing(file: string, take: (key: string) => void): Promise<ListingEnd | undefined> {
  if (!existsSync(file)) return undefined;
  let end: ListingEnd | undefined;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    const value = parsed(line);
    if (typeof value === 'string') take(value);
    else end = isEnd(value) ? value : undefined;
  }
  return end;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isEnd(value: unknown): value is ListingEnd {
  return typeof value === 'object' && value !== null && Number.isSafeInteger((value as ListingEnd).rows);
}

/** Characters that are gathered before they are written. */
const writtenAt = 64 * 1024;

/** Writes a listing while a run reads, which takes the place of the former one once the run is complete. */
function listingWriter(fileOf: (resource: Resource) => string): ImportObserver {
  const open = new Map<
    string,
    { readonly add: (key: string) => void; readonly end: () => void; readonly discard: () => void }
  >();
  let add: ((key: string) => void) | undefined;
  let same: ((key: string) => string) | undefined;
  return {
    begin({ resource }) {
      const file = open.get(resource.name) ?? openListing(fileOf(resource));
      open.set(resource.name, file);
      add = file.add;
      same = recordKey(resource.fields, resource.key).same;
    },
    batch({ report }) {
      for (const { external_id: key } of report.data) add?.(key === '' ? '' : (same?.(key) ?? key));
    },
    end({ stopped }: Outcome) {
      if (stopped === undefined) for (const file of open.values()) file.end();
    },
    discard() {
      for (const file of open.values()) file.discard();
    },
  };
}

function openListing(path: string) {
  makeFolder(dirname(path), 0o700);
  const file = replaceFile(path);
  let rows = 0;
  let text = '';
  const flush = (): void => {
    file.write(Buffer.from(text));
    text = '';
  };
  return {
    add(key: string) {
      rows++;
      if (key === '') return;
      text += `${JSON.stringify(key)}\n`;
      if (text.length > writtenAt) flush();
    },
    end() {
      text += `${JSON.stringify({ rows } satisfies ListingEnd)}\n`;
      flush();
      // A file without a row never means that all is gone.
      if (rows > 0) file.commit();
      file.discard();
    },
    discard: file.discard,
  };
}
