// The planning pass of an import with guards: a dry run of all of it, held against the guards before the first write.
import type { Catalog } from '../../../core/catalog.js';
import { CatalogError } from '../../../core/errors.js';
import {
  addOffender,
  type Breach,
  breaches,
  type Guards,
  guardFailure,
  guardFigures,
} from '../../../importing/guards.js';
import type { ImportRequest } from '../../../importing/request.js';
import { type ImportResult, runImport } from '../../../importing/run-import.js';
import { seenKeys } from '../../../importing/seen-keys.js';
import { feedRun } from '../../../store/ledger/feed-run.js';
import type { Ledger } from '../../../store/ledger/ledger.js';
import type { LocalCatalog } from '../../../store/open.js';
import { chooseTarget, openLocal } from '../../options.js';
import { askedGuards, guardsOf } from '../options/feed-options.js';
import type { ImportFlags } from '../options/import-options.js';

/** What the pass is given of the import's surroundings. */
export interface GuardContext {
  readonly flags: ImportFlags;
  readonly process: NodeJS.Process;
  readonly signal: AbortSignal;
  readonly say: (words: string) => void;
  /** Begins the run: another run of the feed is waited for, so that the guards are held against what it leaves. */
  readonly begin: () => Promise<void>;
}

/** The catalog of a feed, opened for the pass; undefined where there is none yet. */
async function openExisting({ flags, process: { env } }: GuardContext): Promise<LocalCatalog | undefined> {
  const target = chooseTarget(flags, env);
  if (!('db' in target)) return undefined;
  const { hasCatalog } = await import('../../../store/open.js');
  if (!(await hasCatalog(target.db))) return undefined;
  return openLocal(flags, env, { create: false });
}

/**
 * Holds an import against its guards.
 * @throws CatalogError `guard_stopped` where one stops it; nothing was written then
 */
export async function passGuards(request: ImportRequest, context: GuardContext): Promise<void> {
  const { flags, process } = context;
  const guards = guardsOf(flags);
  if (Object.keys(guards).length === 0) return;
  if ('remote' in chooseTarget(flags, process.env)) return refuseRemote(flags);
  const base = await openExisting(context);
  try {
    const ledger = await base?.ledger();
    if (base !== undefined && flags.feed !== undefined) await context.begin();
    const rows = flags.feed === undefined ? undefined : await ledger?.rowsOf(flags.feed);
    // A first run has nothing to be measured by; that it has a row shows at its end.
    if ((rows === undefined || rows.size === 0) && (guards.minRows ?? 0) <= 1 && flags.feed !== undefined) return;
    await holdAgainst(guards, request, context, { ledger, rows });
  } finally {
    await base?.close();
  }
}

/**
 * A feed without a row is stopped also at its first run, which costs no planning pass: nothing was written.
 * @returns the result, with the guard's failure where there is one
 */
export function heldToRows(result: ImportResult, flags: ImportFlags, argv: readonly string[]): ImportResult {
  const { minRows = 0 } = guardsOf(flags);
  if (flags.feed === undefined || result.failure !== undefined || result.counts.total > 0 || minRows === 0)
    return result;
  const words = `0 rows; at least ${minRows} are expected`;
  const found = [{ option: '--min-rows', words, offenders: [] }];
  return { ...result, failure: guardFailure(flags.feed, found, goOn(argv, found)) };
}

/** Shares of a remote have no measure here: what it holds is not known. */
function refuseRemote(flags: ImportFlags): void {
  const typed = [flags.maxChanged, flags.maxCreated, flags.maxMissing, flags.maxPriceChange, flags.minRows];
  if (typed.every((guard) => guard === undefined || guard === 'off') && typeof flags.maxRefused !== 'object') return;
  throw new CatalogError(
    'usage',
    'Guards are held against the ledger of a local catalog. Import where the catalog is, or leave the guards out.',
  );
}

async function holdAgainst(
  guards: Guards,
  request: ImportRequest,
  context: GuardContext,
  { ledger, rows }: { readonly ledger: Ledger | undefined; readonly rows: ReadonlyMap<string, number> | undefined },
): Promise<void> {
  const { flags, process, signal } = context;
  if (request.files.some(({ source }) => source.file === '-'))
    throw new CatalogError(
      'usage',
      'Guards read the file twice, and standard input can be read once only; name a file, or switch them off.',
    );
  const figures = guardFigures(guards.maxPriceChange);
  const seen = seenKeys();
  const feed = flags.feed === undefined ? undefined : feedRun(flags.feed);
  let scratch: LocalCatalog | undefined;
  const catalogFor = async (): Promise<Catalog> => {
    scratch ??= await openLocal(flags, process.env, { create: true, scratch: true });
    return feed === undefined ? scratch : scratch.importing({ feed });
  };
  try {
    const { maxRefused: _, ...planned } = request;
    const result = await runImport({ ...planned, dryRun: true, diff: true }, catalogFor, [figures, seen], signal);
    if (result.failure !== undefined) throw result.failure;
  } finally {
    await scratch?.close();
  }
  if (flags.feed !== undefined && ledger !== undefined) {
    for (const one of seen.seen()) {
      const own = figures.figures.get(one.resource.name);
      const { vanished } = await ledger.compare(flags.feed, one);
      for (const { key } of vanished) if (own !== undefined) addOffender(own, 'missing', key);
    }
  }
  const asked = askedGuards(flags);
  const found = [...figures.figures.values()].flatMap((one) => breaches(one, guards, rows?.get(one.resource), asked));
  if (found.length === 0 && flags.feed !== undefined)
    context.say(`${flags.feed}: within its guards (${guardWords(guards)}).`);
  if (found.length > 0)
    throw guardFailure(flags.feed ?? request.files[0]?.source.file ?? '', found, goOn(process.argv, found));
}

/** The guards as they are typed. */
function guardWords({ maxChanged, maxCreated, maxMissing, maxPriceChange, maxRefused, minRows }: Guards): string {
  const share = (value: number | undefined) =>
    value === undefined ? undefined : `${Math.round(value * 100_000) / 1000}%`;
  const price = maxPriceChange && `${maxPriceChange.factor}x:${share(maxPriceChange.share)}`;
  const typed = [
    ['--max-changed', share(maxChanged)],
    ['--max-created', share(maxCreated)],
    ['--max-missing', share(maxMissing)],
    ['--max-price-change', price],
    ['--max-refused', share(maxRefused)],
    ['--min-rows', minRows],
  ];
  return typed
    .filter(([, value]) => value !== undefined)
    .map((pair) => pair.join(' '))
    .join(', ');
}

/** The same command with the guards that stop it switched off. */
function goOn(argv: readonly string[], found: readonly Breach[]): string {
  const options = [...new Set(found.map(({ option }) => option))];
  const typed: string[] = [];
  for (let i = 2; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (options.includes(word)) i++;
    else if (!options.some((option) => word.startsWith(`${option}=`))) typed.push(word);
  }
  return ['catalog-import', ...typed, ...options.flatMap((option) => [option, 'off'])].map(quoted).join(' ');
}

/** A word as a shell takes it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
