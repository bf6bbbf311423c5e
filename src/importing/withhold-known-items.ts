// `--changed-only`: items that a remote acknowledged before are not sent. They are settled as `unchanged`, with the
// notice `not_sent`; the others are forgotten before they are sent, and known again once their report is there.
import type { AcknowledgedItems, ItemDigest } from '../core/acknowledged-items.js';
import type { Catalog } from '../core/catalog.js';
import { notices } from '../core/diagnostics/notice-codes.js';
import { type Entry, settledEntry } from '../core/entry.js';
import { recordKey } from '../core/fields/record-key.js';
import type { Line } from '../core/import-report.js';
import { leftOutBy, leftOutNotice } from '../core/only-action.js';
import type { Resource } from '../core/resource.js';
import { unchangedLine } from '../core/unchanged-line.js';
import { keyOfEntry } from '../source/open-source.js';
import type { ChunkStep } from './batch-source.js';

/** A catalog with a record of what it acknowledged. */
export interface RememberingCatalog extends Catalog {
  readonly acknowledged: AcknowledgedItems;
}

/** Whether a catalog records what it acknowledged. */
export function isRemembering(catalog: Catalog): catalog is RememberingCatalog {
  return 'acknowledged' in catalog;
}

export interface Withholding {
  /** Settles the known items of a chunk; the acknowledgements of the other items are removed. */
  readonly step: ChunkStep;
  /** Records which items of a batch were accepted. @param entries as the step returned them, or was given them */
  reported(entries: readonly Entry[], lines: readonly Line[]): void;
}

/** An item that is sent, and not known until its report. */
interface BegunItem {
  readonly digest: ItemDigest;
  /** Whether the remote had acknowledged another item for its key. */
  readonly wasKnown: boolean;
}

/** @param diff whether lines list their changes */
export function withholding(
  resource: Resource,
  { acknowledged }: Pick<RememberingCatalog, 'acknowledged'>,
  diff: boolean,
): Withholding {
  const key = recordKey(resource.fields, resource.key);
  const once = resource.oncePerBatch === true;
  const sent = new WeakMap<Entry, BegunItem>();

  function repeatedKeys(entries: readonly Entry[]): ReadonlySet<string> {
    const keys = entries.map((entry) => key.same(keyOfEntry(key, entry)));
    return new Set(keys.filter((id, index) => keys.indexOf(id) !== index));
  }

  return {
    step(chunk) {
      // The second of two items can be reported as the duplicate only if both are sent.
      const repeated = once ? repeatedKeys(chunk.entries) : undefined;
      const sending = new Map<Entry, ItemDigest>();
      const sentKeys = new Set<string>();
      const entries = chunk.entries.map((entry) => {
        if (entry.kind === 'settled') return entry;
        const externalId = keyOfEntry(key, entry);
        const id = key.same(externalId);
        // Without a key it is refused.
        if (id === '') return entry;
        const digest = acknowledged.digest(id, textOf(entry));
        if (repeated?.has(id) !== true && !sentKeys.has(id) && acknowledged.isKnown(digest))
          return settledEntry(entry.item, notSentLine(externalId, diff));
        sentKeys.add(id);
        sending.set(entry, digest);
        return entry;
      });
      if (sending.size > 0) {
        const known = acknowledged.begin([...sending.values()]);
        for (const [i, [entry, digest]] of [...sending].entries())
          sent.set(entry, { digest, wasKnown: known[i] === true });
      }
      return { ...chunk, entries };
    },
    reported(entries, lines) {
      const told: (BegunItem & { readonly line: Line })[] = [];
      for (const [i, entry] of entries.entries()) {
        const item = entry.kind === 'settled' ? undefined : sent.get(entry);
        const line = lines[i];
        if (item !== undefined && line !== undefined) told.push({ ...item, line });
      }
      if (told.length === 0) return;
      acknowledged.acknowledge(
        told.map(({ digest }) => digest),
        told.map(({ line }) => line.action !== 'refused' && leftOutBy(line) === undefined),
      );
      if (told.some(({ wasKnown, line }) => wasKnown && isNew(line))) acknowledged.forgetAll();
    },
  };
}

/** The item as it would be sent, before names are resolved: what they resolve to never changes. */
function textOf(entry: Entry): string {
  if (entry.kind === 'unreadable') return '';
  const amounts = entry.kind === 'raw' && entry.amounts !== undefined ? JSON.stringify(entry.amounts) : '';
  return `${JSON.stringify(entry.item)}${amounts}`;
}

/** One for all rows: most rows of a night have it. */
const notSent = [{ code: 'not_sent', field: '', message: notices.not_sent.meaning }];

function notSentLine(externalId: string, diff: boolean): Omit<Line, 'index'> {
  const line = unchangedLine(externalId, null, notSent);
  return diff ? { ...line, changes: [] } : line;
}

/** Whether the remote had no such record. */
function isNew({ action, notice }: Line): boolean {
  return action === 'created' || notice.some(({ code }) => code === leftOutNotice.update);
}
