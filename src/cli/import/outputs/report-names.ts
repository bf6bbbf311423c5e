// Placeholders in names of report files: `{feed}-{run}.ndjson` gives each run a file of its own.
import { CatalogError } from '../../../core/errors.js';
import type { ImportFlags } from '../options/import-options.js';

/** What a run tells of the names of its reports. */
type NamedRun = Pick<ImportFlags, 'reportFile' | 'feed' | 'history' | 'dryRun'>;

/** The run that the placeholders are filled from. */
const words = ['feed', 'run', 'date', 'time'] as const;
type Word = (typeof words)[number];

/**
 * Fills in what is known before the run starts: feed, date and time (UTC).
 * @throws CatalogError `usage` for an unknown placeholder, or one without a value here
 */
function reportName(
  pattern: string,
  flags: NamedRun,
  { started, isLocal }: { readonly started: Date; readonly isLocal: boolean },
): string {
  const [date = '', time = ''] = started.toISOString().slice(0, 19).replaceAll(':', '').split('T');
  const hasRun = isLocal && flags.history && flags.dryRun !== true;
  return pattern.replace(/\{([a-z_-]+)\}/g, (braced, word: string) => {
    if (!words.includes(word as Word))
      throw new CatalogError(
        'usage',
        `--report-file ${pattern}: ${braced} is not known; use ${words.map((one) => `{${one}}`).join(', ')}.`,
      );
    if (word === 'feed' && flags.feed === undefined)
      throw new CatalogError('usage', `--report-file ${pattern}: {feed} needs --feed <name>.`);
    if (word === 'run' && flags.dryRun === true) return 'dry-run';
    if (word === 'run' && !hasRun)
      throw new CatalogError(
        'usage',
        `--report-file ${pattern}: this import has no run number (--remote, or --no-history); use {date}-{time}.`,
      );
    const known: Readonly<Record<Word, string>> = { feed: flags.feed ?? '', run: braced, date, time };
    return known[word as Word];
  });
}

/**
 * The options with the placeholders in report names filled in, except the run number.
 * @throws CatalogError `usage`
 */
export function withReportNames<F extends NamedRun>(flags: F, isLocal: boolean): F {
  if (flags.reportFile === undefined) return flags;
  const started = new Date();
  return { ...flags, reportFile: flags.reportFile.map((pattern) => reportName(pattern, flags, { started, isLocal })) };
}

/** Fills in the run number, after the run has begun. */
export function withRunNumber(name: string, run: number | undefined): string {
  return run === undefined ? name : name.replaceAll('{run}', String(run));
}
