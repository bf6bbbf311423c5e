// `apply`: imports the items of a plan, into records that have not changed since the plan was made.
import { type Command, Option } from 'commander';
import { sanitizeText } from '../../../core/text/sanitize.js';
import type { ImportObserver } from '../../../importing/observer.js';
import { runImport } from '../../../importing/run-import.js';
import type { LedgerRun } from '../../../store/ledger/runs.js';
import { undoneRuns } from '../../../store/ledger/undone-runs.js';
import { ofFeed } from '../../import/history/feed-measure.js';
import { importFiles } from '../../import/import-files.js';
import type { Job } from '../../import/import-job.js';
import { addLineOptions, type ImportFlags } from '../../import/options/import-options.js';
import { addExamples, addLocalOption, addOutputOptions, localFile, openLocal } from '../../options.js';
import { type AppliedItems, appliedItems, appliedWords } from '../../plan/applied-items.js';
import { planError } from '../../plan/plan-format.js';
import { type PlanSources, planSources } from '../../plan/plan-source.js';
import { refuseRemotePlan } from '../../plan/plan-target.js';
import { type OpenPlan, openPlan, type PlanSection } from '../../plan/read-plan.js';

interface ApplyFlags extends ImportFlags {
  readonly strict?: boolean;
}

export function defineApply(command: Command, process: NodeJS.Process): void {
  command
    .description(
      'Imports what a plan holds. An item that would replace a value which changed since the plan was made is listed and left out ' +
        '(exit 3); all others are imported. No source is needed, and guards are not asked again: whoever applies a plan has looked at it. ' +
        'A plan is applied once; after an interruption the same command continues. What was left out is checked again each time.',
    )
    .argument('<plan>', 'the file of the plan')
    .option('-n, --dry-run', 'write nothing; report what would happen')
    .option('--strict', 'apply nothing at all where one record changed since the plan was made')
    .option('--diff', 'report each field that changes, with both values');
  addLineOptions(command);
  addLocalOption(command.option('--progress', 'print the progress every 30 s where there is no terminal'));
  addOutputOptions(command).addOption(new Option('--remote <url>').hideHelp());
  addExamples(command, [
    ['apply night.plan', 'import it'],
    ['apply night.plan --strict', 'all of it, or nothing'],
    ['apply night.plan --dry-run', 'see whether records changed since'],
  ]);
  command.action((path: string, flags: ApplyFlags) => apply(path, flags, process));
}

async function apply(path: string, typed: ApplyFlags, process: NodeJS.Process): Promise<void> {
  refuseRemotePlan(typed, process.env);
  const plan = await openPlan(path);
  let sources: PlanSources | undefined;
  try {
    const { strict = false, ...options } = typed;
    const flags = flagsOf(plan, options);
    const { runs: earlier, identity } = await ledgerOf(flags, process.env);
    if (plan.header.identity !== '' && identity !== plan.header.identity)
      throw planError(
        path,
        `the plan was made for another catalog (${sanitizeText(plan.header.catalog)})`,
        'Name that one with --db, or make the plan again.',
      );
    const applied = appliedItems(plan, earlier);
    if (flags.quiet !== true && applied.run !== undefined)
      process.stderr.write(`${appliedWords(plan, applied.count, applied.run)}\n`);
    const isKept = !strict || (await holds(plan, flags, applied, process));
    // The changes are shown as in a dry run.
    const course = isKept ? flags : { ...flags, dryRun: true };
    if (!isKept && flags.quiet !== true)
      process.stderr.write(`${path}: not every record is as it was when the plan was made; --strict wrote nothing.\n`);
    sources = planSources(plan, applied.has);
    await importFiles(jobsOf(plan, sources), course, process, {
      many: plan.sections.length > 1,
      plan: 'apply',
      command: 'apply',
      strict: strict && isKept,
      reads: [path],
      applied: {
        digest: plan.digest,
        seen: plan.seen,
        complete: plan.header.feed?.complete ?? true,
        afterRun: plan.header.after_run,
        // One that was cut off after its last item has still to end, and one that was undone counts no longer.
        isRepeated: applied.run?.state === 'done' && !undoneRuns(earlier).has(applied.run.number),
      },
    });
  } finally {
    await sources?.close();
  }
}

/** The options of the planned import that still matter when the plan is applied. */
function flagsOf({ header: { feed } }: OpenPlan, typed: ImportFlags): ImportFlags {
  if (feed === undefined) return { ...typed, history: true };
  const { name, missing, missing_after: missingAfter } = feed;
  return {
    ...typed,
    history: true,
    feed: name,
    ...(missing && { missing }),
    ...(missingAfter !== undefined && { missingAfter }),
  };
}

/** What the ledger of the catalog records about the plan. */
interface Applying {
  /** Every run so far. */
  readonly runs: readonly LedgerRun[];
  readonly identity: string;
}

/** Reads the ledger. A catalog that does not exist yet has no runs and no identity. */
async function ledgerOf(flags: ImportFlags, env: NodeJS.ProcessEnv): Promise<Applying> {
  const { hasCatalog } = await import('../../../store/open.js');
  if (!(await hasCatalog(localFile(flags, env)))) return { runs: [], identity: '' };
  const catalog = await openLocal(flags, env, { create: true, scratch: true });
  try {
    const ledger = await catalog.ledger();
    return { runs: await ledger.runs(), identity: await ledger.identity() };
  } finally {
    await catalog.close();
  }
}

/** Whether every record has the state the plan expects; found by a dry run of the whole plan. */
async function holds(
  plan: OpenPlan,
  flags: ImportFlags,
  applied: AppliedItems,
  process: NodeJS.Process,
): Promise<boolean> {
  const scratch = await openLocal(flags, process.env, { create: true, scratch: true });
  const sources = planSources(plan, applied.has);
  let refused = 0;
  const counter: ImportObserver = {
    batch({ report }) {
      refused += report.refused;
    },
  };
  try {
    const files = jobsOf(plan, sources).map(({ resource, file, planned }) => ({
      ...{ resource, source: { file } },
      ...(planned && { planned }),
    }));
    const catalog = ofFeed(scratch, flags);
    const result = await runImport({ files, dryRun: true, plan: 'apply' }, () => catalog, [counter]);
    if (result.failure !== undefined) throw result.failure;
    return refused === 0;
  } finally {
    await sources.close();
    await scratch.close();
  }
}

function jobsOf({ sections }: OpenPlan, sources: PlanSources): Job[] {
  return sections.map((section) => ({
    resource: section.of,
    file: section.file,
    planned: { open: () => sources.open(section), described: describedFile(section) },
  }));
}

/** The planned file, as the ledger records it. */
function describedFile({ file, of, size, digest }: PlanSection) {
  return { file, resource: of.name, ...(size !== undefined && { size }), ...(digest !== undefined && { digest }) };
}
