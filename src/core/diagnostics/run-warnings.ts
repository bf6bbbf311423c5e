// Warnings about what a run of a feed would do, or did.

import type { OnlyAction } from '../only-action.js';
import { counted } from '../text/counted.js';
import { groupDigits, sanitizeText, shownFile } from '../text/sanitize.js';
import { quote } from '../text/text.js';
import { firstKeys, kind, listed, type OfFeed, type OfFile, rewrittenKeysWords } from './warning-kind.js';

export const runWarnings = {
  first_run: kind<OfFeed & { readonly where: string; readonly similar: string | null }>({
    title: 'First run of a feed',
    meaning:
      'No run of a feed with this name was accepted yet, so that there is nothing to compare with: of the guards only --min-rows applies.',
    remedy: 'Nothing, where the feed is new. Otherwise correct the name of --feed.',
    words: ({ feed, where, similar }) =>
      `${feed}: no accepted run of this feed${where} yet; of its guards only --min-rows applies.${similar === null ? '' : ` Did you mean ${similar}?`}`,
  }),
  on_end_failed: kind<{ readonly command: string; readonly failure: string }>({
    title: 'Command at the end failed',
    meaning:
      'The command of --on-end could not be started, did not end with 0, or took more than a minute. The run is as it is.',
    remedy: 'Run the command by hand; the JSON that it gets is the last line of an NDJSON report.',
    words: ({ command, failure }) => `--on-end ${sanitizeText(command)}: ${sanitizeText(failure)}.`,
  }),
  file_repeated: kind<OfFeed & OfFile & { readonly run: number; readonly undone: boolean }>({
    title: 'Same file as an earlier run',
    meaning:
      'An earlier run of the feed read a file with the same bytes: perhaps an old export was sent again. Where a run reads several files, those that are as in the run before are named only if all of them are.',
    remedy: 'Nothing, where nothing changed since. Otherwise look at the job that writes the file.',
    words: ({ file, run, undone }) => `${file}: the same file as run ${run}${undone ? ', which was undone' : ''}.`,
  }),
  source_not_modified: kind<OfFeed & OfFile & { readonly run: number | null }>({
    title: 'Nothing new at the address',
    meaning:
      'The server answered that the file did not change since it was last fetched for the feed. The copy that was kept is imported again: it lists the same records.',
    remedy: 'Nothing, where the supplier had nothing to change. --max-age stops a feed that is no longer updated.',
    isRoutine: true,
    words: ({ feed, file, run }) =>
      `${feed}: ${file}: nothing new since ${run === null ? 'it was last fetched' : `run ${run}`}; the copy kept from then is imported.`,
  }),
  expectation_missed: kind<OfFile & { readonly rule: string; readonly words: string; readonly example: string }>({
    title: 'A file is not as expected',
    meaning:
      'The file does not keep what its contract expects under warn:. What is expected without warn: would stop the run.',
    remedy: 'Look at the rows, and tell who sends the file; or correct the contract.',
    words: ({ file, words, example }) => `${shownFile(file)}: ${words}${example === '' ? '' : `; ${example}`}.`,
  }),
  file_absent: kind<OfFeed & { readonly resource: string; readonly rows: number }>({
    title: 'No file of a resource',
    meaning:
      'The last run of the feed read a file of this resource, and the folder has none this time. No record counts as missing for that.',
    remedy: 'Look at the job that writes the folder.',
    words: ({ feed, resource, rows }) =>
      `${feed}: no file of resource ${resource} this time (${counted(rows, 'rows')} the last time); no record counts as missing.`,
  }),
  change_widespread: kind<
    OfFeed & {
      readonly field: string;
      readonly factor?: number;
      readonly rows: number;
      readonly total: number;
      readonly example: string;
    }
  >({
    title: 'A field changes in many rows',
    meaning:
      'The field changes in more than half of the rows of the feed; or a price changes by the same factor in a fifth of them, as prices with tax instead of without do.',
    remedy:
      'Look at the example, and at the whole with --dry-run --diff --report changed. Where the catalog is, catalog-import undo takes a run back.',
    words: ({ feed, field, factor, rows, total, example }) =>
      `${feed}: ${field} changes${factor === undefined ? '' : ` by the factor ${factor}`} in ${groupDigits(rows)} of ${groupDigits(total)} rows (${example}).`,
  }),
  keys_rewritten: kind<OfFeed & { readonly resource: string; readonly count: number; readonly example: string }>({
    title: 'Keys in another form',
    meaning:
      'Records would be created whose keys are those of missing ones in another form, such as without leading zeros: each would be in the catalog twice.',
    remedy: 'Export the keys as they were, as text.',
    words: ({ feed, count, example }) => `${feed}: ${rewrittenKeysWords(count, example)}.`,
  }),
  column_vanished: kind<
    OfFeed & { readonly resource: string; readonly fields: readonly string[]; readonly count: number }
  >({
    title: 'A column is gone',
    meaning: 'No row has a value in a field that rows of the last accepted run had. Stored values stay as they are.',
    remedy: 'Look at the header of the file: the column was perhaps renamed, or is empty.',
    words: ({ feed, fields, count }) =>
      `${feed}: no row has a value in ${listed(fields)} any more; the last run had ${counted(count, 'values')}.`,
  }),
  records_missing: kind<OfFeed & { readonly count: number; readonly keys: readonly string[]; readonly remote?: true }>({
    title: 'Records no longer listed',
    meaning:
      'The last complete run of the feed listed these records, and this one does not. Without --missing suspend they stay as they are.',
    remedy: 'Where the catalog is, catalog-import missing lists them.',
    isRoutine: true,
    // `missing` works where the catalog is.
    words: ({ feed, count, keys, remote }) =>
      `${feed}: ${counted(count, 'records')} no longer listed: ${firstKeys(keys, count)}${remote ? '' : ` (catalog-import missing --feed ${feed})`}`,
  }),
  records_suspended: kind<OfFeed & { readonly count: number; readonly keys: readonly string[] }>({
    title: 'Records suspended',
    meaning:
      'The feed no longer lists these records, and --missing suspend suspended them. They regain their status when they are listed again.',
    remedy: 'Nothing, where they were to go. Otherwise undo the run.',
    isRoutine: true,
    words: ({ feed, count, keys }) => `${feed}: ${groupDigits(count)} suspended: ${firstKeys(keys, count)}`,
  }),
  records_passed_on: kind<OfFeed & { readonly count: number; readonly keys: readonly string[] }>({
    title: 'Records passed on',
    meaning: 'The feed no longer lists these records: what lower feeds send of them applies now.',
    remedy:
      'Nothing, unless the feed should still list them. Where the catalog is, catalog-import why explains one of them.',
    isRoutine: true,
    words: ({ feed, count, keys }) =>
      `${feed}: ${counted(count, 'records')} no longer listed; what lower feeds send of them applies now: ${firstKeys(keys, count)}`,
  }),
  items_left_out: kind<{
    readonly resource: string;
    readonly only: OnlyAction;
    readonly count: number;
    readonly keys: readonly string[];
  }>({
    title: 'Items left out',
    meaning:
      'With --only update these items would have created records, with --only create they would have changed existing ones. Nothing of them was saved.',
    remedy: 'Nothing, where the feed is not to do that. Otherwise leave --only out.',
    isRoutine: true,
    words: ({ resource, only, count, keys }) =>
      `${resource}: ${counted(count, 'items')} left out (only ${only}): ${firstKeys(keys, count)}`,
  }),
  no_rows: kind<OfFeed>({
    title: 'No rows',
    meaning: 'The file of the feed has no rows. An empty file never means that all records are gone.',
    remedy: 'Look at the job that writes the file.',
    words: ({ feed }) => `${feed}: no rows; no record counts as missing.`,
  }),
  no_row_accepted: kind<OfFeed & { readonly resource: string; readonly count: number }>({
    title: 'Every row was refused',
    meaning:
      'Nothing of the file was accepted, so that it does not count as a run of the feed: no record counts as missing, and the next run is compared with the last one of which rows were accepted.',
    remedy: 'Correct what the rows are refused for, and run the feed again.',
    words: ({ feed, resource, count }) =>
      `${feed}: ${count === 1 ? 'the only row' : `all ${groupDigits(count)} rows`} of ${resource} ${count === 1 ? 'was' : 'were'} refused, so that this is no run of the feed: no record counts as missing, and no later run is compared with it.`,
  }),
  part_read: kind<OfFeed>({
    title: 'Only a part was read',
    meaning:
      '--limit read a part of the file, or the file has refused records that came back. Neither shows what else the feed lists.',
    remedy: 'Leave --limit out. Refused records that came back need no action.',
    isRoutine: true,
    words: ({ feed }) => `${feed}: only a part of the feed was read; no record counts as missing.`,
  }),
  listing_not_kept: kind<OfFeed>({
    title: 'What the feed lists is not kept',
    meaning:
      'With --no-history, what a feed lists is not recorded: nothing counts as missing, in this run and in the next one.',
    remedy: 'Leave --no-history out.',
    isRoutine: true,
    words: ({ feed }) =>
      `${feed}: --no-history does not record what the feed lists: no record counts as missing, and no value of a lower feed replaces one that is gone.`,
  }),
  keys_untrusted: kind<OfFeed & { readonly resource: string; readonly count: number }>({
    title: 'Rows without a key that can be trusted',
    meaning:
      'Which records these rows are about is not known, or the file was cut off. So no record counts as missing, and what was listed before stays listed.',
    remedy: 'Correct the rows, or send the file again.',
    words: ({ feed, count }) =>
      `${feed}: ${count === 1 ? '1 row has no key that can be trusted, or lacks its end' : `${groupDigits(count)} rows have no key that can be trusted, or lack their end`}; no record counts as missing.`,
  }),
  plan_outdated: kind<OfFeed & { readonly run: number }>({
    title: 'A run is newer than the plan',
    meaning: 'The feed ran after the plan was made: it lists what it listed in that run.',
    remedy: 'Nothing to do.',
    words: ({ feed, run }) =>
      `${feed}: run ${run} is newer than the plan. The feed lists what that run listed; no record counts as missing.`,
  }),
  higher_feed_silent: kind<OfFeed & { readonly other: string }>({
    title: 'A higher feed has not run yet',
    meaning: 'A feed that is ranked higher has not run since it was ranked: what it sends is not known.',
    remedy: 'Run that feed.',
    words: ({ feed, other }) =>
      `${feed}: ${other} has not run since it was ranked; until it does, the values of ${feed} apply to its records, too.`,
  }),
  lower_feed_silent: kind<OfFeed & { readonly other: string }>({
    title: 'A lower feed has not run yet',
    meaning: 'A feed that is ranked lower has not run since it was ranked: what it sends is not known.',
    remedy: 'Run that feed.',
    words: ({ feed, other }) =>
      `${feed}: ${other} has not run since it was ranked; until it does, its values cannot replace those that ${feed} stops sending.`,
  }),
  written_by_other_feed: kind<OfFeed & { readonly other: string; readonly count: number }>({
    title: 'Another feed wrote last',
    meaning:
      'Another feed wrote these records last, and no ranking decides between the two: the value of the last run applies.',
    remedy: 'Rank the feeds with catalog-import feeds set.',
    words: ({ feed, other, count }) =>
      `${feed}: ${count === 1 ? '1 item was' : `${groupDigits(count)} items were`} last written by ${other}; the last run wins (to rank them: catalog-import feeds set ${feed} --below ${other}).`,
  }),
  fields_kept: kind<{ readonly count: number; readonly examples: readonly string[] }>({
    title: 'Fields that an undo left',
    meaning: 'The undo left fields of these records as they are, such as those that a later run changed.',
    remedy: 'Look at the examples; catalog-import why explains a record.',
    isRoutine: true,
    words: ({ count, examples }) => `${counted(count, 'records')} kept fields: ${examples.join(', ')}`,
  }),
  records_unnamed: kind<{ readonly named: number }>({
    title: 'Changed records that reports do not name',
    meaning:
      'An undo, or the end of a run, changed more records than reports name one by one. The others are changed as well, and counted.',
    remedy: 'Nothing. Where the catalog is, catalog-import runs show --changes lists all.',
    isRoutine: true,
    words: ({ named }) =>
      `Reports name ${groupDigits(named)} of the changed records one by one; the others are only counted.`,
  }),
  history_forgotten: kind<{ readonly runs: number; readonly last: number }>({
    title: 'History forgotten',
    meaning: 'The history of runs that are older than --keep was deleted: they can be neither undone nor explained.',
    remedy: 'Nothing, or a longer --keep.',
    isRoutine: true,
    words: ({ runs, last }) =>
      `The history of ${counted(runs, 'runs')} was forgotten (--keep), the last of them run ${last}: they cannot be undone or explained any more.`,
  }),
  clock_jumped: kind<{ readonly seconds: number; readonly last: number }>({
    title: 'The clock jumped',
    meaning:
      'The clock is more than a day before the end of the last run, or more than 31 days after it. No history is forgotten in such a run.',
    remedy: 'Set the clock right, where it is wrong.',
    words: ({ seconds, last }) =>
      `The clock is ${counted(Math.floor(Math.abs(seconds) / 86_400), 'days')} ${seconds < 0 ? 'before' : 'after'} run ${last}, the last one; no history is forgotten.`,
  }),
  column_absent: kind<OfFile & { readonly columns: readonly string[] }>({
    title: 'Columns in no record',
    meaning:
      'The mapping reads these columns, which may be missing (optional: true), and no record of the file has one of them.',
    remedy:
      'Nothing, where the file never had them. Otherwise look whether they were renamed, and correct the mapping.',
    words: ({ file, columns }) => `${shownFile(file)}: columns of the mapping in no record: ${listed(columns)}.`,
  }),
  column_as_text: kind<OfFile & { readonly places: Readonly<Record<string, string>> }>({
    title: 'Columns as texts',
    meaning: 'A text of the mapping is the name of a column that the mapping does not read.',
    remedy: 'Write column: in place of value: if you mean the column. Otherwise, nothing to do.',
    words: ({ file, places }) => {
      const texts = Object.entries(places).map(([column, place]) => `${quote(column)} (${sanitizeText(place)})`);
      return `${shownFile(file)}: the mapping uses names of ignored columns as texts: ${texts.join(', ')}. Write column: if you mean the column.`;
    },
  }),
} as const;
