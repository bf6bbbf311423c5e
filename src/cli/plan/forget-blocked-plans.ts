// Plans of blocked runs do not pile up: of each feed of a catalog the newest few stay.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readHeader } from './read-plan.js';

/** Plans that are kept of a feed, the new one included. */
const keptAtMost = 3;

/** The names that a run gives its plan. */
const blockedName = /^blocked-\d+(\..+)?\.plan$/;

/** Which plans are meant. */
interface BlockedPlans {
  /** Names the catalog. */
  readonly identity: string;
  /** undefined for runs without a feed. */
  readonly feed: string | undefined;
  /** The run whose plan was just written. */
  readonly newest: number;
}

/**
 * Removes the older plans of blocked runs of a feed. A file that is no such plan, or cannot be read or removed, stays: the
 * run has more to say than that.
 */
export async function forgetBlockedPlans(folder: string, { identity, feed, newest }: BlockedPlans): Promise<void> {
  const plans: { readonly path: string; readonly run: number }[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile() || !blockedName.test(entry.name)) continue;
    const path = join(folder, entry.name);
    const header = await readHeader(path);
    const { identity: catalog, blocked_run: run = 0, feed: planned } = header ?? {};
    if (catalog === identity && planned?.name === feed && run > 0 && run < newest) plans.push({ path, run });
  }
  plans.sort((one, other) => other.run - one.run);
  for (const { path } of plans.slice(keptAtMost - 1)) remove(path);
}

function remove(path: string): void {
  try {
    rmSync(path);
  } catch {
    // Somebody else's by now, or gone.
  }
}
