// Warnings about what was sent to a remote, and what was not.
import { counted } from '../text/counted.js';
import { groupDigits } from '../text/sanitize.js';
import { shownFile } from '../text/shown-file.js';
import { kind, type OfFile } from './warning-kind.js';

export const remoteWarnings = {
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
