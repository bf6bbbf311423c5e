// Names of report files with words in braces: `{feed}-{run}.ndjson` gives each run a file of its own.
import { CatalogError } from '../../../core/errors.js';
import type { ImportFlags } from '../options/import-options.js';

/** The record that the words name. */
const words = ['feed', 'run', 'date', 'time'] as const;
type Word = (typeof words)[number];

/**
 * Puts in what is known of a run from the start: feed, date and time (UTC).
 * @throws CatalogError `usage` for a word that is not known, or names nothing here
 */
function reportName(
  pattern: string,
  flags: ImportFlags,
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

/** The options with the names of reports filled in, but for the number of the run. @throws CatalogError `usage` */
export function withReportNames<F extends ImportFlags>(flags: F, isLocal: boolean): F {
  if (flags.reportFile === undefined) return flags;
  const started = new Date();
  return { ...flags, reportFile: flags.reportFile.map((pattern) => reportName(pattern, flags, { started, isLocal })) };
}

/** Puts in the number of the run, once it has one. */
export function withRunNumber(name: string, run: number | undefined): string {
  return run === undefined ? name : name.replaceAll('{run}', String(run));
}
