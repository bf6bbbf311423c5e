// Writes the plan of a run that a guard stopped; applying that plan overrides the guard. It is made by a second dry
// run, so that runs that pass do not pay for it.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { CatalogError } from '../../core/errors.js';
import type { FeedEnd } from '../../core/ledger/feed-end.js';
import { makeFolder } from '../../files/durable-file.js';
import { seenKeys } from '../../importing/collect-keys.js';
import type { Breach, GuardStopped } from '../../importing/guards/guard-stopped.js';
import type { ImportRequest } from '../../importing/request.js';
import { runImport } from '../../importing/run-import.js';
import { isPostgresAddress } from '../../store/catalog-path.js';
import { endFeedRun } from '../import/history/complete-feed.js';
import { ofFeed } from '../import/history/feed-measure.js';
import type { GuardContext } from '../import/history/guard-context.js';
import { lookCommand, withoutGuards } from '../import/history/guard-pass.js';
import { describe } from '../import/history/import-history.js';
import { stateFolder } from '../import/remote/open-journal.js';
import { localFile, openLocal } from '../options.js';
import { shellCommand } from '../shell-word.js';
import { planHeader } from './plan-header.js';
import { targetWords } from './plan-target.js';
import { planWriter } from './plan-writer.js';
import { readHeader } from './read-plan.js';

type BlockedContext = GuardContext & { readonly command: string };

export async function explainBlocked(
  stopped: GuardStopped,
  run: number | undefined,
  request: ImportRequest,
  context: BlockedContext,
): Promise<GuardStopped> {
  const { argv } = context.process;
  const again = { look: lookCommand(argv, stopped.found), goOn: withoutGuards(argv, stopped.found) };
  if (run === undefined) return stopped.goingOn(again);
  try {
    const path = await writeBlockedPlan({ run, found: stopped.found }, request, context);
    const apply = ['apply', path, ...targetWords(context.flags), ...jobWords(argv)];
    const next = { look: shellCommand(['plan', 'show', path]), goOn: shellCommand(apply) };
    return stopped.goingOn(next, `Its plan is in ${path}.\n`);
  } catch (cause) {
    // The guard's failure is reported even if the plan cannot be written.
    if (context.signal.aborted) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    return stopped.goingOn(again, `Its plan could not be written (${why}).\n`);
  }
}

/** Options of the job that matter after its guards, too. */
const kept = [
  ...['--status-file', '--report-file', '--on-end', '--on-end-when', '--fail-on', '--output', '--report', '--profile'],
];

/** These options as typed: who watches the job by its files goes on to do so. */
function jobWords(argv: readonly string[]): string[] {
  return argv.flatMap((word, i) => {
    if (kept.includes(word)) return [word, argv[i + 1] ?? ''];
    return kept.some((option) => word.startsWith(`${option}=`)) ? [word] : [];
  });
}

async function writeBlockedPlan(
  { run, found }: { readonly run: number; readonly found: readonly Breach[] },
  request: ImportRequest,
  context: BlockedContext,
): Promise<string> {
  const { flags, process, signal, command } = context;
  const path = placeOfPlan(localFile(flags, process.env), run, process.env);
  const scratch = await openLocal(flags, process.env, { create: true, scratch: true });
  try {
    const ledger = await scratch.ledger();
    const identity = await ledger.identity();
    const header = planHeader(flags, process.env, { command, runs: await ledger.runs(), identity, blocked: run });
    const files = request.files.map((file) => ({ ...file, source: { ...file.source, mayCheck: false } }));
    const writer = planWriter(path, header, (nth) => describe(files[nth] as (typeof files)[number]));
    const seen = seenKeys();
    let end: FeedEnd | undefined;
    const { maxRefused: _, ...planned } = request;
    const rehearsal = { ...planned, files, dryRun: true, diff: true, plan: 'make' as const };
    try {
      const catalog = ofFeed(scratch, flags);
      const result = await runImport(rehearsal, () => catalog, [writer.observer, seen], signal);
      if (result.failure !== undefined) throw result.failure;
      if (flags.feed !== undefined)
        end = await endFeedRun(ledger, undefined, { command, flags, runs: await ledger.runs() }, seen.seen());
    } catch (error) {
      writer.discard();
      throw error;
    }
    writer.commit(flags.feed === undefined ? [] : seen.seen(), found, end);
    await forgetBlockedPlans(dirname(path), { identity, feed: flags.feed, newest: run });
    return path;
  } finally {
    await scratch.close();
  }
}

/**
 * Next to a catalog in a file; of one in a database in the folder where the state of imports is kept.
 * @throws CatalogError `usage` where there is no free name
 */
function placeOfPlan(catalog: string, run: number, env: NodeJS.ProcessEnv): string {
  const isFile = !isPostgresAddress(catalog);
  const folder = isFile ? dirname(catalog) : stateFolder(env);
  if (!isFile) makeFolder(folder, 0o700);
  // Another catalog in the same folder may have a blocked run with the same number.
  const name = isFile ? basename(catalog, extname(catalog)) : 'database';
  for (const suffix of ['', `.${name}`, ...Array.from({ length: 98 }, (_, i) => `.${name}-${i + 2}`)]) {
    const path = join(folder, `blocked-${run}${suffix}.plan`);
    if (!existsSync(path)) return path;
  }
  throw new CatalogError('usage', `${folder} holds a hundred plans of blocked runs ${run}; remove old ones`);
}

/** Plans that are kept of a feed, the new one included. */
const keptAtMost = 3;

/** The names that a run gives its plan. */
const blockedName = /^blocked-\d+(\..+)?\.plan$/;

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
async function forgetBlockedPlans(folder: string, { identity, feed, newest }: BlockedPlans): Promise<void> {
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
