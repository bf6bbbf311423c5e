// The observer that tells of each file what was found in it: its detected syntax, and warnings of ignored columns and duplicates.

import type { WarningLog } from '../core/diagnostics/warning-log.js';
import { shownFile } from '../core/text/sanitize.js';
import { fold, nearest } from '../core/text/text.js';
import type { ImportedFile, ImportObserver } from '../importing/observer.js';
import { describeDuplicates } from './causes/duplicate-rows.js';
import { formWords } from './form-words.js';

/** Maximum ignored columns that are listed; the others are counted. */
const namesAtMost = 12;

/** The run that reads the files. */
interface ReadingRun {
  readonly say: (words: string) => void;
  readonly log: WarningLog;
  /** How many items of the import an earlier one had acknowledged, so far. */
  skipped(): number;
  /** Warns about items of a file that were not sent. */
  warnOfRemembered(file: string): void;
}

/** Makes the observer. @param limit how many records of each file are read (`--limit`): of none none can be missed */
export function sourceNotes(
  { say, log, skipped, warnOfRemembered }: ReadingRun,
  { limit }: { readonly limit?: number | undefined },
): ImportObserver {
  let current: ImportedFile | undefined;
  let skippedBefore = 0;
  return {
    begin(file) {
      current = file;
      skippedBefore = skipped();
      say(`${shownFile(file.file)}: ${formWords(file.source.found, file.source.found.encoding).join(', ')}`);
    },
    finish({ counts, stopped, duplicates }) {
      if (current === undefined) return;
      const { file, source } = current;
      for (const { code, words } of source.notes()) log.warn(code, { file, words });
      for (const warning of source.warnings()) log.add(warning);
      warnOfUnknown(current, log);
      const isEmpty = counts.total === 0 && source.leftOut() === 0 && limit !== 0;
      // Records that are skipped on purpose are left out: others have no part for `each`.
      const givesNone = current.isMapped === true && source.notes().some(({ code }) => code === 'rows_skipped');
      if (isEmpty && stopped === undefined) log.warn('no_records', { file, ...(givesNone && { givesNone }) });
      const items = skipped() - skippedBefore;
      if (items > 0) log.warn('items_resumed', { count: items });
      warnOfRemembered(file);
      if (duplicates === undefined) return;
      const { count, listed } = duplicates;
      const keys = listed.map(({ key }) => key);
      log.warn('keys_repeated', { file, count, keys, words: describeDuplicates(duplicates) });
    },
  };
}

/** Ignored columns or members, with their numbers of values, and the fields that may be meant. */
function warnOfUnknown({ file, source, resource, isMapped }: ImportedFile, log: WarningLog): void {
  const unknown = source.unknown();
  if (unknown.size === 0) return;
  const shown = [...unknown].slice(0, namesAtMost);
  const fields = Object.keys(resource.fields);
  const meant = shown.flatMap(([name]) => {
    const field = nearest(name, fields);
    // A column that is called as a field is left out by a mapping on purpose.
    return field === undefined || fold(name.trim()) === field ? [] : [[name, field] as const];
  });
  log.warn('columns_ignored', {
    file,
    columns: Object.fromEntries(shown),
    count: unknown.size,
    ...(meant.length > 0 && { meant: Object.fromEntries(meant) }),
    ...(isMapped === true && { isMapped }),
  });
}
