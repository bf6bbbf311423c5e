// The planning pass of an import with guards: a dry run of the whole import whose result is compared with the guards
// before the first write.

import type { WarningLog } from '../../../core/diagnostics/warning-log.js';
import { CatalogError } from '../../../core/errors.js';
import { vanishedFields } from '../../../core/ledger/filled-fields.js';
import { isBreach, type JudgedFigure } from '../../../core/ledger/guard-figure.js';
import type { SeenKeys } from '../../../core/ledger/seen-keys.js';
import { counted } from '../../../core/text/counted.js';
import { type SeenKeysObserver, seenKeys } from '../../../importing/collect-keys.js';
import { type ContractFigures, contractFigures } from '../../../importing/guards/contract.js';
import {
  addListedAgain,
  addMissing,
  addPassedOn,
  type FiguresObserver,
  type GuardedFigures,
  guardFigures,
} from '../../../importing/guards/figures.js';
import type { Guard, GuardLimits } from '../../../importing/guards/guard.js';
import { shareOptions } from '../../../importing/guards/guard-list.js';
import { breachOf, GuardStopped } from '../../../importing/guards/guard-stopped.js';
import { judgeFigures } from '../../../importing/guards/judge.js';
import type { ImportObserver } from '../../../importing/observer.js';
import type { ImportRequest } from '../../../importing/request.js';
import { readFiles, runImport } from '../../../importing/run-import.js';
import { chooseTarget } from '../../options.js';
import { shellCommand } from '../../shell-word.js';
import { similarFeed } from '../../unknown-feed.js';
import { explicitGuards, guardsOf, needsRehearsal } from '../options/feed-options.js';
import type { ImportFlags } from '../options/import-options.js';
import { type FeedMeasure, feedMeasure } from './feed-measure.js';
import type { GuardContext } from './guard-context.js';

/**
 * Checks an import against its guards.
 * @throws GuardStopped if one stops it; nothing was written then
 */
export async function passGuards(request: ImportRequest, context: GuardContext): Promise<void> {
  const { flags, say, signal } = context;
  const { files } = request;
  const contract = contractFigures(files.length > 1);
  const compared = await rehearse(request, contract, context);
  if (compared === undefined && files.some(({ source }) => source.expect !== undefined))
    await readFiles(
      files,
      ({ resource, source: { file } }, source) => contract.take({ resource, file, source }),
      signal,
    );
  const kept = contract.figures();
  const figures = [...kept, ...(compared ?? [])];
  context.judged(figures);
  const found = figures.filter(isBreach);
  if (found.length > 0) throw new GuardStopped(guardedName(request, flags), found.map(breachOf));
  if (kept.length > 0) say(`${guardedName(request, flags)}: ${counted(kept.length, 'expectations')} met.`);
  if (compared !== undefined && flags.feed !== undefined)
    say(`${flags.feed}: ${passedWords(guardsOf(flags), compared)}.`);
}

/**
 * The dry run whose result is compared.
 * @param contract observes its files
 * @returns what the guards found; undefined where there is nothing to compare
 */
async function rehearse(
  request: ImportRequest,
  contract: ContractFigures,
  context: GuardContext,
): Promise<readonly JudgedFigure[] | undefined> {
  const { flags, log, signal } = context;
  if (!needsRehearsal(flags)) return undefined;
  const guards = guardsOf(flags);
  const { minRows = 0 } = guards;
  const measure = await feedMeasure(context);
  try {
    if (measure.rows.size === 0 && flags.feed !== undefined) await warnOfFirstRun(flags.feed, measure, context);
    // A first run has nothing to compare with; that it has rows at all is checked at its end.
    if (measure.rows.size === 0 && minRows <= 1 && flags.feed !== undefined) return undefined;
    const observers = guardObservers(guards, measure, request.files.length > 1);
    const { maxRefused: _, ...planned } = request;
    const rehearsal = { ...planned, dryRun: true, diff: true };
    const result = await runImport(
      rehearsal,
      measure.catalogFor,
      [observers.figures, observers.seen, contract],
      signal,
    );
    if (result.failure !== undefined) throw result.failure;
    const figures = await judge(flags, observers, measure);
    warnOf(flags.feed, observers.figures.figures().values(), { log, measure });
    return figures;
  } finally {
    await measure.close();
  }
}

/** There is nothing to compare with: this is the feed's first run, or its name is another one than every night. */
async function warnOfFirstRun(
  feed: string,
  measure: FeedMeasure,
  { flags, process, log }: GuardContext,
): Promise<void> {
  const isRemote = 'remote' in chooseTarget(flags, process.env);
  const where = isRemote ? ' into this remote is known on this machine' : '';
  const others = measure.runs.map((run) => run.feed);
  log.warn('first_run', { feed, where, similar: similarFeed(feed, others) ?? null });
}

/** What a dry run shows, and no guard stops. */
function warnOf(
  feed: string | undefined,
  figures: Iterable<GuardedFigures>,
  { log, measure }: { readonly log: WarningLog; readonly measure: FeedMeasure },
): void {
  if (feed === undefined) return;
  for (const { resource, total, rewritten, widespread, filled } of figures) {
    const gone = vanishedFields(measure.rows.get(resource)?.filled, filled);
    if (gone.fields.length > 0) log.warn('column_vanished', { feed, resource, ...gone });
    const keys = rewritten.found();
    if (keys !== undefined) log.warn('keys_rewritten', { feed, resource, ...keys });
    for (const change of widespread.found(total)) log.warn('change_widespread', { feed, total, ...change });
  }
}

/** The name of the run in a message: its feed, or its first file. */
function guardedName({ files }: ImportRequest, { feed }: ImportFlags): string {
  return feed ?? files[0]?.source.file ?? '';
}

/** The observers of a dry run whose result is checked against guards. */
export interface GuardObservers {
  readonly figures: FiguresObserver;
  readonly seen: SeenKeysObserver;
}

/** Makes the observers of a dry run that is to be judged. @param namesFiles whether it reads several files */
export function guardObservers(
  { maxPriceChange: price }: GuardLimits,
  { takenBack, suspended, comparesStored }: Pick<FeedMeasure, 'takenBack' | 'suspended' | 'comparesStored'>,
  namesFiles: boolean,
): GuardObservers {
  return { figures: guardFigures({ price, takenBack, suspended, comparesStored }, namesFiles), seen: seenKeys() };
}

/** Compares the result of a dry run with the guards of its import. */
export async function judge(
  flags: ImportFlags,
  observers: GuardObservers,
  measure: FeedMeasure,
): Promise<readonly JudgedFigure[]> {
  const [guards, explicit] = [guardsOf(flags), explicitGuards(flags)];
  const figures = observers.figures.figures();
  // Of a part of the file (--limit), or of refused records that came back, nothing counts as missing.
  const read = flags.limit === undefined ? observers.seen.seen().filter(({ isPart }) => isPart !== true) : [];
  for (const one of read) {
    const own = figures.get(one.resource.name);
    if (own === undefined) continue;
    if (one.filled !== undefined) own.filled = one.filled;
    addListedAgain(own, await measure.vanished(one, (key) => addMissing(own, key)));
    if (passesOn(one, flags, guards))
      await measure.passedOn(one, (report) => addPassedOn(own, report, guards.maxPriceChange));
  }
  refuseUnjudged(guards, [...figures.values()]);
  return [...figures.values()].flatMap((one) => {
    const { resource } = one;
    const week = (guard: Guard, share: number) => measure.week({ guard, resource, share });
    return judgeFigures(one, guards, { last: measure.rows.get(resource), week, explicit });
  });
}

/** Whether the end of the run may pass values of lower feeds on, and a guard limits such changes. */
function passesOn({ total, untrusted }: SeenKeys, { history }: ImportFlags, guards: GuardLimits): boolean {
  const { maxChanged, maxPriceChange, maxMissing } = guards;
  const isLimited = (maxChanged ?? maxPriceChange ?? maxMissing) !== undefined;
  return isLimited && history && total > 0 && untrusted === 0;
}

/** Another implementation of the remote may not report changes: then price changes cannot be checked. */
function refuseUnjudged({ maxPriceChange }: GuardLimits, figures: readonly GuardedFigures[]): void {
  if (maxPriceChange === undefined || figures.every(({ rowsWithoutDiff }) => rowsWithoutDiff === 0)) return;
  throw new CatalogError(
    'usage',
    'The remote does not report which fields would change, so --max-price-change cannot be checked; nothing was written. ' +
      'Switch it off with --max-price-change off.',
  );
}

/**
 * Stops a run of a feed that read no rows at its end, even its first one. That needs no planning pass, since nothing was written.
 * @returns an observer to be called before those that end the run
 */
export function minRowsGuard(flags: ImportFlags, argv: readonly string[]): ImportObserver {
  const { feed } = flags;
  if (feed === undefined || (guardsOf(flags).minRows ?? 0) === 0) return {};
  return {
    end({ counts, stopped }) {
      if (stopped !== undefined || counts.total > 0) return;
      const words = `0 rows; at least ${guardsOf(flags).minRows} are expected`;
      const found = [{ option: '--min-rows', words, offenders: [] }];
      throw new GuardStopped(feed, found).goingOn({ look: lookCommand(argv, found), goOn: withoutGuards(argv, found) });
    },
  };
}

/** `within its guards (--max-created 20%): 24 would be created, 4.1 % of 590 (limit 20 %)`: what is not zero. */
function passedWords(guards: GuardLimits, figures: readonly JudgedFigure[]): string {
  const told = figures.filter(({ count, guard, against }) => count > 0 && against === 'last' && guard !== 'min_rows');
  return [`within its guards (${guardWords(guards)})`, told.map(({ words }) => words).join('; ')]
    .filter(Boolean)
    .join(': ');
}

function guardWords(limits: GuardLimits): string {
  const { maxPriceChange, maxRefused, maxRefusedMore, minRows } = limits;
  const share = (value: unknown) => (typeof value === 'number' ? `${Math.round(value * 100_000) / 1000}%` : undefined);
  const refused = maxRefusedMore === undefined ? undefined : `${share(maxRefusedMore)} above the last run's`;
  const price = maxPriceChange && `${maxPriceChange.factor}x:${share(maxPriceChange.share)}`;
  const typed = [
    ...shareOptions.map(({ option, limit }) => [option, share(limits[limit])]),
    ['--max-price-change', price],
    ['--max-refused', share(maxRefused) ?? refused],
    ['--min-rows', minRows],
  ];
  return typed
    .filter(([, value]) => value !== undefined)
    .map((pair) => pair.join(' '))
    .join(', ');
}

type StoppedBy = readonly { readonly option: string }[];

/** The same command with the guards that stopped it switched off. */
export function withoutGuards(argv: readonly string[], found: StoppedBy): string {
  return shellCommand(wordsWithout(argv, found));
}

/** Options with a value that write what a look at the run must not replace. */
const written = ['--report-file', '--status-file', '--refused-file', '--on-end', '--on-end-when'];

/** The same as a dry run that shows what would change, which the guards do not stop again. */
export function lookCommand(argv: readonly string[], found: StoppedBy): string {
  // A dry run goes on after no other.
  const words = wordsWithout(argv, found, written).filter((word) => word !== '--resume');
  const isDry = words.some((word) => word === '--dry-run' || word === '-n');
  const isTyped = (option: string) => words.some((word) => word === option || word.startsWith(`${option}=`));
  const shown = [['--diff'], ['--report', 'changed']].flatMap((one) => (isTyped(one[0] ?? '') ? [] : one));
  return shellCommand([...words, ...(isDry ? [] : ['--dry-run']), ...shown]);
}

/** What was typed, with these guards off, and without these options and their values. */
function wordsWithout(argv: readonly string[], found: StoppedBy, options: readonly string[] = []): string[] {
  const guards = [...new Set(found.map(({ option }) => option))];
  const left = [...guards, ...options];
  const typed: string[] = [];
  for (let i = 2; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (left.includes(word)) i++;
    else if (!left.some((option) => word.startsWith(`${option}=`))) typed.push(word);
  }
  return [...typed, ...guards.flatMap((option) => [option, 'off'])];
}
