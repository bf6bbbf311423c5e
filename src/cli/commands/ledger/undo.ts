// `undo`: reverts the changes of a run.
import type { Command } from 'commander';
import { CatalogError } from '../../../core/errors.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import type { Ledger } from '../../../store/ledger/ledger.js';
import type { LedgerRun } from '../../../store/ledger/runs.js';
import type { UndoResult } from '../../../store/ledger/undo-run.js';
import { exitCodes, failureExitCodes } from '../../exit-codes.js';
import { listenForInterruption } from '../../import/interruption.js';
import { addLedgerOption, findRun, parseRunNumber, withLedger } from '../../ledger-target.js';
import { addExamples, addResultOptions, printDone, type ResultFlags, type TargetOptions } from '../../options.js';

interface UndoFlags extends TargetOptions, ResultFlags {
  readonly dryRun?: boolean;
}

export function defineUndo(command: Command, process: NodeJS.Process): void {
  command
    .description(
      'Takes back what a run changed. Each field gets back what it held before, unless somebody changed it since; records that ' +
        'the run created are suspended (reviews: rejected), and regain their status once they are listed again. A list, such as ' +
        'the grades of a product, goes back as a whole. The undo is a run itself, and can be undone.',
    )
    .argument('<run>', 'the number of the run', parseRunNumber)
    .option('-n, --dry-run', 'write nothing; say what would happen');
  addResultOptions(addLedgerOption(command), 'action');
  addExamples(command, [
    ['undo 64 --dry-run', 'see what it would do'],
    ['undo 64', 'take a run back'],
  ]);
  command.action((number: number, flags: UndoFlags) => undo(number, flags, process));
}

async function undo(number: number, flags: UndoFlags, process: NodeJS.Process): Promise<void> {
  const controller = new AbortController();
  const interruption = listenForInterruption(
    process,
    (signal) => controller.abort(signal),
    () => undefined,
  );
  try {
    const dryRun = flags.dryRun === true;
    const result = await withLedger(
      flags,
      process.env,
      (ledger) => takeBack(ledger, number, { dryRun, signal: controller.signal }),
      { scratch: dryRun },
    );
    const { changedBy, ...counts } = result;
    const since = [...changedBy].sort(([a], [b]) => a - b).map(([run, items]) => ({ run: run || null, items }));
    printDone(process, flags, {
      words: `${dryRun ? 'Would be: ' : ''}${resultWords(result)}`,
      json: { undone: number, dry_run: dryRun, ...counts, changed_since: since },
    });
  } finally {
    interruption.done();
  }
}

/** @throws CatalogError where the run cannot be undone */
function checkUndoable({ number, state, feed }: LedgerRun): void {
  if (state === 'open')
    throw new CatalogError('catalog_locked', `Run ${number} is still under way; try again once it has ended.`);
  if (state === 'daily')
    throw new CatalogError(
      'usage',
      `Run ${number} holds the requests of a day that came without a Catalog-Run header${feed && ` for feed ${feed}`}; they are not one import, and cannot be undone as one.`,
    );
}

async function takeBack(
  ledger: Ledger,
  number: number,
  { dryRun, signal }: { readonly dryRun: boolean; readonly signal: AbortSignal },
): Promise<UndoResult> {
  const run = findRun(await ledger.runs(), number);
  checkUndoable(run);
  if (dryRun) return ledger.undo(run, undefined, signal);
  const open = await ledger.begin({ feed: run.feed, detail: { command: `undo ${number}`, files: [], undoes: number } });
  try {
    const result = await ledger.undo(run, open, signal);
    await open.end({ state: 'done', exit: exitCodes.ok }, await ledger.relist(run));
    return result;
  } catch (error) {
    const code = error instanceof CatalogError ? error.code : undefined;
    const exit = code === undefined ? exitCodes.bug : failureExitCodes[code];
    await open.end({ state: code === 'interrupted' ? 'interrupted' : 'failed', exit }).catch(() => open.abandon());
    throw error;
  }
}

function items(count: number): string {
  return count === 1 ? '1 item' : `${groupDigits(count)} items`;
}

/** `19,740 items: 19,611 restored, 0 suspended, 129 kept (changed since: 117 by run 41, 12 by hand)` */
function resultWords({
  items: all,
  restored,
  suspended,
  kept,
  unchanged,
  changedBy,
  unsuspendable,
}: UndoResult): string {
  const by = [...changedBy]
    .sort(([a], [b]) => Number(a === 0) - Number(b === 0) || a - b)
    .map(([run, count]) => `${groupDigits(count)} by ${run === 0 ? 'hand' : `run ${run}`}`);
  const reasons = [
    ...(by.length === 0 ? [] : [`changed since: ${by.join(', ')}`]),
    ...(unsuspendable === 0 ? [] : [`${groupDigits(unsuspendable)} of the shop's data, which have no status`]),
  ];
  const why = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`;
  const before = unchanged === 0 ? '' : `, ${groupDigits(unchanged)} as they were already`;
  return `${items(all)}: ${groupDigits(restored)} restored, ${groupDigits(suspended)} suspended, ${groupDigits(kept)} kept${why}${before}`;
}
