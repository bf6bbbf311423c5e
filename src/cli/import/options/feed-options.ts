// The options of an import that is a run of a feed: its name, its guards, and what happens to records it no longer
// lists.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CatalogError } from '../../../core/errors.js';
import type { GuardLimits, PriceGuard } from '../../../importing/guards/guard.js';
import { shareOptions } from '../../../importing/guards/guard-list.js';
import { type ConfiguredOptions, lifetime, wholeNumber, wholeNumberOr } from '../../options.js';
import { contractOption } from '../../shared-options.js';

/** A guard that was switched off. */
type Off = 'off';

/** The guards that are a share and nothing else, by the names of their options. */
interface GuardFlags {
  readonly [share: `max${string}`]: number | PriceGuard | { readonly share: number } | Off | undefined;
}

export interface FeedFlags extends GuardFlags, ConfiguredOptions {
  readonly feed?: string;
  readonly history: boolean;
  readonly keep?: number;
  /** In seconds. */
  readonly maxAge?: number | Off;
  /** The file of a contract, a contract as `{…}`, or `off`. */
  readonly expect?: string;
  readonly maxPriceChange?: PriceGuard | Off;
  readonly minRows?: number | Off;
  /** A count is a limit checked before each batch; a share is a guard. */
  readonly maxRefused?: number | { readonly share: number } | Off;
  readonly missing?: 'report' | 'suspend';
  readonly missingAfter?: number;
}

export function addFeedOptions(command: Command): Command {
  command.option('--feed <name>', 'the feed that this import is a run of, such as erp', feedName);
  for (const { option, help } of shareOptions) command.option(`${option} <share>`, help, share);
  return command
    .option(
      '--max-price-change <factor:share>',
      'the same of prices that grow or shrink by this factor, such as 2x:1% (default with --feed: 2x:5%)',
      priceGuard,
    )
    .option(
      '--max-age <time>',
      'stop where the file of an address was not modified for this long, such as 26h',
      (value: string) => (value === 'off' ? value : lifetime(value)),
    )
    .addOption(
      contractOption(
        new Option(
          '--expect <contract>',
          'stop before the first write where the file is not as a contract expects: a file with expect:, or off (default: what the mapping expects)',
        ),
      ),
    )
    .option(
      '--min-rows <n>',
      'stop before the first write where the file has fewer rows (default with --feed: 1)',
      rowsOrOff,
    )
    .addOption(
      new Option(
        '--missing <what>',
        'records that the feed lists no longer: report them, or suspend them (default: report)',
      ).choices(['report', 'suspend']),
    )
    .option(
      '--missing-after <n>',
      'suspend only what this many complete runs in a row did not list (default: 1)',
      atLeastOne,
    )
    .option('--no-history', 'record nothing of what this import changes: it can be neither explained nor undone')
    .option('--keep <time>', 'how long runs are kept, such as 30d (default: 90d)', lifetime);
}

export function isFeedName(value: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(value);
}

export function feedName(value: string): string {
  if (isFeedName(value)) return value;
  throw new InvalidArgumentError('Use up to 64 letters, digits, dots, hyphens and underscores, such as erp.');
}

function readShare(text: string): number | undefined {
  const [, number] = /^(\d{1,3}(?:\.\d{1,3})?)%$/.exec(text) ?? [];
  return number === undefined || Number(number) > 100 ? undefined : Number(number) / 100;
}

function share(value: string): number | Off {
  if (value === 'off') return 'off';
  const read = readShare(value);
  if (read === undefined) throw new InvalidArgumentError('Use a share up to 100%, such as 30%, or off.');
  return read;
}

/** Reads `100`, `5%` or `off`. */
export function refusedLimit(value: string): number | { readonly share: number } | Off {
  if (value === 'off') return 'off';
  const read = readShare(value);
  return read === undefined ? wholeNumberOr(value, ', a share up to 100%, or off') : { share: read };
}

function priceGuard(value: string): PriceGuard | Off {
  if (value === 'off') return 'off';
  const read = readPriceGuard(value);
  if (read === undefined) throw new InvalidArgumentError('Use a factor above 1 and a share, such as 2x:1%, or off.');
  return read;
}

function readPriceGuard(value: string): PriceGuard | undefined {
  const [, factor, text = ''] = /^(\d{1,4}(?:\.\d{1,3})?)x:(.+)$/.exec(value) ?? [];
  const read = readShare(text);
  return read === undefined || Number(factor) <= 1 ? undefined : { factor: Number(factor), share: read };
}

function rowsOrOff(value: string): number | Off {
  return value === 'off' ? 'off' : wholeNumberOr(value, ', or off');
}

function atLeastOne(value: string): number {
  const count = wholeNumber(value);
  if (count < 1) throw new InvalidArgumentError('Use a number from 1 on.');
  return count;
}

/** How much the share of refused rows may be above that of a feed's last accepted run. */
const maxRefusedMore = 0.2;

/** The default guards of a feed. Thirty nights of ordinary feeds stayed far below them. */
const feedGuards: GuardLimits = {
  ...Object.fromEntries(shareOptions.map(({ limit, standard }) => [limit, standard])),
  maxPriceChange: { factor: 2, share: 0.05 },
  maxRefusedMore,
  minRows: 1,
};

/** For each guard, whether a value as it would be typed is at least as strict as what holds without it. */
export const isStricterGuard: Readonly<Record<string, (value: string) => boolean>> = {
  ...Object.fromEntries(
    shareOptions.map(({ option, standard }) => [option.slice(2), (value: string) => isShareWithin(value, standard)]),
  ),
  'max-price-change': (value) => {
    const read = readPriceGuard(value);
    const { factor = 0, share: limit = 0 } = feedGuards.maxPriceChange ?? {};
    return read !== undefined && read.factor <= factor && read.share <= limit;
  },
  'max-refused': (value) => value !== 'off' && (readShare(value) ?? 0) <= maxRefusedMore,
  'min-rows': (value) => Number(value) >= (feedGuards.minRows ?? 0),
};

function isShareWithin(value: string, limit = 1): boolean {
  const read = readShare(value);
  return read !== undefined && read <= limit;
}

/** Whether guards compare a dry run with earlier ones: that a file of a feed has rows at all is checked at the end of its run. */
export function needsRehearsal(flags: FeedFlags): boolean {
  const { minRows = 0, ...shares } = guardsOf(flags);
  return Object.keys(shares).length > 0 || minRows > (flags.feed === undefined ? 0 : 1);
}

/**
 * The guards of an import.
 * @throws CatalogError `usage` where a share has no measure
 */
export function guardsOf(flags: FeedFlags): GuardLimits {
  const { feed, maxPriceChange, minRows, maxRefused } = flags;
  const shares = Object.fromEntries(shareOptions.map(({ limit }) => [limit, flags[limit]]));
  const refused = typeof maxRefused === 'object' ? maxRefused.share : undefined;
  if (feed === undefined) refuseShares({ ...shares, maxPriceChange, maxRefused: refused });
  if (flags.missing === 'suspend' && (feed === undefined || !flags.history))
    throw new CatalogError(
      'usage',
      '--missing suspend goes by what the runs of a feed listed. Name the feed with --feed, and leave --no-history out.',
    );
  // A typed limit for refused rows, a count or a share, replaces the default; one from a folder's file is applied in
  // addition.
  const isTyped = maxRefused !== undefined && flags.ofFolder?.includes('maxRefused') !== true;
  const more = isTyped ? ('off' as const) : undefined;
  const typed = { ...shares, maxPriceChange, minRows, maxRefused: refused, maxRefusedMore: more };
  const given = Object.entries(typed).filter(([, value]) => value !== undefined);
  const merged: Record<string, unknown> = { ...(feed !== undefined && feedGuards), ...Object.fromEntries(given) };
  const counts = Object.entries(merged).filter(([, value]) => value !== 'off' && value !== undefined);
  return Object.fromEntries(counts) as GuardLimits;
}

/** @throws CatalogError `usage` for `--missing suspend` with a remote */
export function refuseRemoteSuspension({ missing, feed = 'erp' }: FeedFlags): void {
  if (missing !== 'suspend') return;
  throw new CatalogError(
    'usage',
    '--missing suspend does not work with --remote: leave it out. From a machine that does not know what the feed ' +
      'listed before, a truncated file would pass its guards and suspend the rest. The remote keeps what the feed lists; there, ' +
      `catalog-import missing --feed ${feed} lists what is missing.`,
  );
}

/** The options of guards that were typed; the others are defaults of a feed. */
export function explicitGuards(flags: FeedFlags): ReadonlySet<string> {
  const { maxPriceChange, minRows, maxRefused } = flags;
  const others = { '--max-price-change': maxPriceChange, '--min-rows': minRows, '--max-refused': maxRefused };
  const shares = shareOptions.map(({ option, limit }) => [option, flags[limit]] as const);
  return new Set(
    [...shares, ...Object.entries(others)].flatMap(([option, value]) => (value === undefined ? [] : option)),
  );
}

const optionNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(shareOptions.map(({ limit, option }) => [limit, option])),
  maxPriceChange: '--max-price-change',
  maxRefused: '--max-refused with %',
};

function refuseShares(typed: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(optionNames).find((name) => typed[name] !== undefined && typed[name] !== 'off');
  if (given === undefined) return;
  throw new CatalogError(
    'usage',
    `${optionNames[given]} is a share of the rows of a feed's last run. Name the feed with --feed, such as --feed erp.`,
  );
}
