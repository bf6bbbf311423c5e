// The codes of warnings: what was noticed about a run as a whole. One entry in a list declares a warning: what it means, what to do, and
// its words. Where something is noticed, `warn(code, params)` is called; terminal, reports, `runs show`, status file, `explain` and
// the manual follow from these lists. A notice is about a line, a warning is not.

import { counted } from '../text/counted.js';
import { groupDigits, sanitizeText, shownFile } from '../text/sanitize.js';
import { fileNotes } from './file-notes.js';
import { runWarnings } from './run-warnings.js';
import { kind, type OfFeed, type OfFile, type WarningKind } from './warning-kind.js';

const remoteWarnings = {
  items_resumed: kind<{ readonly count: number }>({
    title: 'Continued after an interruption',
    meaning: 'With --resume, items that an earlier run had sent, and that the remote acknowledged, are not sent again.',
    remedy: 'Nothing to do.',
    isRoutine: true,
    words: ({ count }) =>
      `${counted(count, 'items')} ${count === 1 ? 'was' : 'were'} acknowledged before and not sent again.`,
  }),
  items_not_sent: kind<OfFile & { readonly count: number }>({
    title: 'Items not sent',
    meaning: 'The remote acknowledged the same items before, and with --changed-only they were not sent again.',
    remedy: 'Nothing. --full sends all, also where the remote was changed by others.',
    isRoutine: true,
    words: ({ file, count }) =>
      `${shownFile(file)}: ${counted(count, 'items')} ${count === 1 ? 'was' : 'were'} not sent: the remote acknowledged the same before. Whether it still has them was not checked; --full sends all.`,
  }),
  items_not_withheld: kind<OfFile & { readonly shared: number; readonly unsettled: number }>({
    title: 'Items that --changed-only could not leave out',
    meaning:
      'Another feed, file, mapping or set of options sent the same records last, so that the remote may have other values; or an item was refused the last time, or its request was cut off. Such items are sent, changed or not.',
    remedy: 'Nothing to do. Where two feeds send the same records, each sends them every time.',
    isRoutine: true,
    words: ({ file, shared, unsettled }) => {
      const reasons = [
        ...(shared > 0 ? [`${groupDigits(shared)} whose records another feed, file or set of options sent last`] : []),
        ...(unsettled > 0 ? [`${groupDigits(unsettled)} that were refused or cut off the last time`] : []),
      ];
      return `${shownFile(file)}: ${counted(shared + unsettled, 'items')} could not be left out by --changed-only: ${reasons.join(', ')}.`;
    },
  }),
  run_end_unconfirmed: kind<OfFeed & { readonly resource: string }>({
    title: 'End of the run not confirmed',
    meaning:
      'The remote did not confirm the end of the run. The items are there; whether it knows what the feed lists, and what it passed on to lower feeds, is not known.',
    remedy: 'Run the same command again.',
    words: ({ feed, resource }) =>
      `${feed}: the remote did not confirm the end of the run (${resource}); what it passed on to lower feeds is not known here. Run the same command again.`,
  }),
  acknowledgements_damaged: kind<OfFile>({
    title: 'Acknowledgements lost',
    meaning: 'The record of what the remote acknowledged (--changed-only) was damaged; a new one was begun.',
    remedy: 'Nothing: items are sent again.',
    words: ({ file }) =>
      `${shownFile(file)}: The record of what the remote acknowledged was damaged. A new one was begun, and items are sent again.`,
  }),
  remote_lost_records: kind<OfFile>({
    title: 'The remote lost records',
    meaning: 'The remote created items that it had acknowledged before: perhaps it was restored from a backup.',
    remedy: 'Run the same command again: it sends all.',
    words: ({ file }) =>
      `${shownFile(file)}: The remote created items that it had acknowledged before, so it lost records. Run the same command again: it sends all.`,
  }),
} as const;

const fileWarnings = {
  no_records: kind<OfFile & { readonly givesNone?: boolean }>({
    title: 'No records',
    meaning: 'The file could be read, and contains no records, or none of which the mapping makes an item.',
    remedy: 'Look at the job that writes the file, or at each: in the mapping.',
    words: ({ file, givesNone }) =>
      `${shownFile(file)}: ${givesNone === true ? 'it contains no record of which the mapping makes an item' : 'it contains no records'}.`,
  }),
  columns_ignored: kind<
    OfFile & {
      readonly columns: Readonly<Record<string, number>>;
      readonly count: number;
      /** The fields whose names differ by few letters. */
      readonly meant?: Readonly<Record<string, string>>;
      /** Whether a mapping reads the file, next to which --rename cannot be given. */
      readonly isMapped?: boolean;
    }
  >({
    title: 'Columns ignored',
    meaning: 'These columns fill no field.',
    remedy: 'Name the field of one with --rename or in a mapping, or skip it there.',
    words: ({ file, columns, count, meant = {}, isMapped }) => {
      const fieldOf = (name: string) => (Object.hasOwn(meant, name) ? meant[name] : undefined);
      const names = Object.entries(columns).map(([name, values]) => {
        const field = fieldOf(name);
        const hint = field === undefined ? '' : `; did you mean ${field}?`;
        return `${sanitizeText(name)} (${counted(values, 'values')}${hint})`;
      });
      const more = count > names.length ? `, and ${groupDigits(count - names.length)} more` : '';
      const [first = ''] = [...Object.keys(meant), ...Object.keys(columns)];
      return `${shownFile(file)}: ignored columns: ${names.join(', ')}${more}. ${isMapped === true ? 'Name the field of one in the mapping.' : `Name the field of one with --rename "${sanitizeText(first)}=${fieldOf(first) ?? '<field>'}", or in the mapping.`}`;
    },
  }),
  keys_repeated: kind<OfFile & { readonly count: number; readonly words: string; readonly keys: readonly string[] }>({
    title: 'Rows share a key',
    meaning: 'Several rows of the file have the same key. Which of them is applied is chosen by --on-duplicate.',
    remedy:
      'Take all but one out of the file, or choose with --on-duplicate. In a mapping, once: merge makes one record of them.',
    words: ({ file, words }) => `${shownFile(file)}: ${words}`,
  }),
  values_doubtful: kind<OfFile & { readonly words: string }>({
    title: 'Doubtful values',
    meaning:
      'New or changed records have placeholders such as NULL or #REF!, invisible characters in their key, or only a key that looks like a note.',
    remedy: 'Correct the export, or use map: or skip: in a mapping. The imported records stay until you correct them.',
    words: ({ file, words }) => `${shownFile(file)}: ${words}`,
  }),
  files_left_out: kind<{ readonly files: readonly string[] }>({
    title: 'Files left out',
    meaning: 'Data of the shop itself (customers, orders, files, brands …) cannot be sent to a remote.',
    remedy: 'Load them where the catalog is, with catalog-import shop load.',
    words: ({ files }) => `Left out, since it lives in the shop of the remote: ${files.map(sanitizeText).join(', ')}`,
  }),
} as const;

/** What was noticed about a run. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  /** The figures and samples of the message. */
  readonly params: Readonly<Record<string, unknown>>;
}

export const warnings = { ...runWarnings, ...fileWarnings, ...fileNotes, ...remoteWarnings } as const;

export type WarningCode = keyof typeof warnings;
export type WarningParams<Code extends WarningCode> = Parameters<(typeof warnings)[Code]['words']>[0];

/** Adds a warning to a run. */
export type Warn = <Code extends WarningCode>(code: Code, params: WarningParams<Code>) => void;

export function newWarning<Code extends WarningCode>(code: Code, params: WarningParams<Code>): Warning {
  const { words } = warnings[code] as WarningKind<unknown>;
  return { code, message: words(params), params: params as Warning['params'] };
}

/** Whether this warning also occurs in ordinary runs. `--fail-on warnings` leaves these out. */
export function isRoutine(code: string): boolean {
  return Object.hasOwn(warnings, code) && (warnings[code as WarningCode] as WarningKind<unknown>).isRoutine === true;
}

/** A warning as a line of a terminal or a log: `warning file_repeated: …`. */
export function warningLine({ code, message }: Warning): string {
  return `${isRoutine(code) ? 'note' : 'warning'} ${code}: ${message}`;
}
