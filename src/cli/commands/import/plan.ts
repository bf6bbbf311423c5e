// `plan`: writes what an import would change to a file that can be reviewed and applied.
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { warningLog } from '../../../core/diagnostics/warning-log.js';
import { CatalogError } from '../../../core/errors.js';
import type { FeedEnd } from '../../../core/ledger/feed-end.js';
import { isBreach } from '../../../core/ledger/guard-figure.js';
import { resources } from '../../../core/resources/index.js';
import { counted } from '../../../core/text/counted.js';
import { foundAt } from '../../../files/found-file.js';
import { withWriteErrors } from '../../../files/write-text-file.js';
import { type ContractFigures, contractFigures } from '../../../importing/guards/contract.js';
import { type Breach, breachOf, GuardStopped } from '../../../importing/guards/guard-stopped.js';
import type { ImportObserver } from '../../../importing/observer.js';
import { shownTime } from '../../../reporting/shown-time.js';
import { failureExitCodes } from '../../exit-codes.js';
import { type FeedMeasure, feedMeasure } from '../../import/history/feed-measure.js';
import { type GuardObservers, guardObservers, judge } from '../../import/history/guard-pass.js';
import { describe } from '../../import/history/import-history.js';
import { importFiles } from '../../import/import-files.js';
import type { Job } from '../../import/import-job.js';
import { mappingJobs, runJobs } from '../../import/mapping-jobs.js';
import { guardsOf } from '../../import/options/feed-options.js';
import { addImportOptions, type ImportFlags } from '../../import/options/import-options.js';
import { addExamples } from '../../options.js';
import type { PlanHeader } from '../../plan/plan-format.js';
import { planHeader } from '../../plan/plan-header.js';
import { refuseRemotePlan, targetWords } from '../../plan/plan-target.js';
import { type PlanWriter, planWriter } from '../../plan/plan-writer.js';
import { readHeader } from '../../plan/read-plan.js';
import { defineShow } from '../../plan/show-plan.js';
import { parseResource, resourceByWord, wordOf } from '../../resource-argument.js';
import { shellCommand } from '../../shell-word.js';
import { typedSource } from '../../sources/typed-source.js';
import { folderJobs } from './run.js';

interface PlanFlags extends ImportFlags {
  readonly out?: string;
}

export function definePlan(command: Command, process: NodeJS.Process): void {
  command
    .description(
      'Rehearses an import and writes what it would change into a file: a plan, to be looked at (plan show) and applied (apply). ' +
        'It holds the items with the values that they replace, so that apply needs no source, and overwrites nothing that changed ' +
        'since. A guard that would stop the import ends it with 8; the plan is written all the same.',
    )
    .argument(
      '<resource>',
      'what the file holds, such as products; it may be left out where the file is named after it',
    )
    .argument('[file]', 'the file; with the resource run a folder')
    .option('--out <plan>', 'the file of the plan');
  addImportOptions(command, { remote: false });
  command.addOption(new Option('--remote <url>').hideHelp());
  addExamples(command, [
    ['plan products feed.csv --out night.plan', 'rehearse an import'],
    ['plan run shop/ --out shop.plan', 'rehearse a folder'],
    ['plan show night.plan', 'see what it would change'],
    ['apply night.plan', 'import it'],
  ]);
  // `plan show` has options of the same names with other meanings, so that options after `show` belong to it.
  command.enablePositionalOptions().parent?.enablePositionalOptions();
  defineShow(command, process);
  command.action((word: string, file: string | undefined, _: unknown, it: Command) =>
    plan(word, file, it.opts<PlanFlags>(), process),
  );
}

async function plan(word: string, file: string | undefined, typed: PlanFlags, process: NodeJS.Process): Promise<void> {
  refuseRemotePlan(typed, process.env);
  const { out, ...options } = typed;
  if (out === undefined || out === '-')
    throw new CatalogError('usage', 'Name the file of the plan with --out, such as --out night.plan.');
  const replaced = await replacedPlan(out);
  // What the feed lists is kept when the plan is applied.
  const flags = { ...options, dryRun: true, diff: true, history: true };
  const { jobs, command } = await jobsOf(word, file, flags);
  const quietly = {
    signal: new AbortController().signal,
    say: () => undefined,
    log: warningLog(),
    judged: () => undefined,
    begin: async () => undefined,
  };
  const measure = await feedMeasure({ flags, process, ...quietly });
  const planning = newPlanning({ out, flags, jobs, measure });
  const apply = shellCommand(['apply', out, ...targetWords(flags)]);
  try {
    const header = planHeader(flags, process.env, { command, runs: measure.runs, identity: await measure.identity() });
    await importFiles(jobs, flags, process, {
      many: jobs.length > 1,
      plan: 'make',
      command,
      planned: { file: out, apply, found: planning.found },
      writes: [{ option: '--out', path: out }],
      observers: [planning.observerFor(header), planning.guards.figures, planning.guards.seen, planning.contract],
      exitOf: () => (planning.found().length > 0 ? failureExitCodes.guard_stopped : undefined),
      complete(end) {
        const items = planning.commit(end);
        if (items === undefined) return;
        if (flags.quiet !== true)
          process.stderr.write(`${writtenWords(out, items, { feed: flags.feed, apply })}${replaced}\n`);
        if (planning.found().length === 0) return;
        const stopped = new GuardStopped(flags.feed ?? out, planning.found());
        const next = { look: shellCommand(['plan', 'show', out]), goOn: apply };
        throw stopped.goingOn(next, `Its plan is in ${out}.\n`);
      },
    });
  } finally {
    planning.discard();
    await measure.close();
  }
}

interface Planning {
  readonly guards: GuardObservers;
  readonly contract: ContractFigures;
  observerFor(header: PlanHeader): ImportObserver;
  /** The findings of the guards, after the last file was read. */
  found(): readonly Breach[];
  /**
   * Moves the plan to its path.
   * @param end what the end of the feed's run would do
   * @returns how many items it holds; undefined where no file was read
   */
  commit(end: FeedEnd | undefined): number | undefined;
  discard(): void;
}

function newPlanning({
  out,
  flags,
  jobs,
  measure,
}: {
  readonly out: string;
  readonly flags: ImportFlags;
  readonly jobs: readonly Job[];
  readonly measure: FeedMeasure;
}): Planning {
  const asked = guardsOf(flags);
  const guards = guardObservers(asked, measure, jobs.length > 1);
  const contract = contractFigures(jobs.length > 1);
  let writer: PlanWriter | undefined;
  let found: readonly Breach[] = [];
  const telling = <T>(work: () => T): T => withWriteErrors(`--out ${out}`, work);
  return {
    guards,
    contract,
    observerFor: (header) => ({
      // Created when the first file could be opened.
      async begin(file) {
        writer ??= telling(() => planWriter(out, header, (nth) => describe(requestedFile(jobs[nth] as Job))));
        await writer.observer.begin(file);
      },
      batch: (result) => telling(() => writer?.observer.batch(result)),
      finish: (outcome) => telling(() => writer?.observer.finish(outcome)),
      async end({ stopped }) {
        const isFirst = flags.feed !== undefined && measure.rows.size === 0 && (asked.minRows ?? 0) <= 1;
        if (stopped !== undefined) return;
        const figures = [...contract.figures(), ...(isFirst ? [] : await judge(flags, guards, measure))];
        found = figures.filter(isBreach).map(breachOf);
      },
    }),
    found: () => found,
    commit(end) {
      const seen = flags.feed === undefined ? [] : guards.seen.seen();
      telling(() => writer?.commit(seen, found, end));
      return writer?.items();
    },
    discard: () => writer?.discard(),
  };
}

/** Without a feed a plan of no items leaves nothing to apply; with one, applying it tells what the feed lists. */
function writtenWords(
  out: string,
  items: number,
  { feed, apply }: { readonly feed: string | undefined; readonly apply: string },
): string {
  if (items === 0) {
    const counts = feed === undefined ? '' : ` ${apply} makes it a run of feed ${feed} all the same.`;
    return `${out}: a plan without items: the import would change no record.${counts}`;
  }
  return `${out}: a plan of ${counted(items, 'items')} that would change something. ${apply} imports it.`;
}

/**
 * What to say of the plan that will be replaced; '' where there is none.
 * @throws CatalogError `usage` where another file has this name
 */
async function replacedPlan(out: string): Promise<string> {
  const found = foundAt(out);
  if (found?.isFile() !== true || found.size === 0) return '';
  const header = await readHeader(out);
  if (header !== undefined) return ` It replaced the plan of ${shownTime(Math.floor(Date.parse(header.made) / 1000))}.`;
  throw new CatalogError('usage', `--out ${out}: this file is not a plan, and is not overwritten; name another one.`);
}

/** Describes a job for the ledger. */
function requestedFile({ resource, file, sheet }: Job) {
  return { resource, source: { file, ...(sheet !== undefined && { sheet }) } };
}

/** The accepted arguments: a resource and a file, `run` and a folder, or a file that is named after its resource. */
async function jobsOf(
  word: string,
  file: string | undefined,
  flags: ImportFlags,
): Promise<{ readonly jobs: readonly Job[]; readonly command: string }> {
  if (word === 'run' && file !== undefined) {
    const { jobs } = await (flags.map === undefined ? folderJobs(file, false) : runJobs(file, flags, false));
    return { jobs, command: 'run' };
  }
  if (file !== undefined) {
    const resource = parseResource(word, resources);
    return { jobs: await mappingJobs(resource, typedSource(file, flags), flags), command: resource.command };
  }
  const resource = resourceByWord(wordOf(basename(word)), resources);
  if (resource !== undefined)
    return { jobs: await mappingJobs(resource, { file: word }, flags), command: resource.command };
  throw new CatalogError(
    'usage',
    `${word}: which resource it holds is not in its name; say it, such as: ${shellCommand(['plan', 'products', word])}`,
  );
}
