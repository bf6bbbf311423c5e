// Warnings about the files of a run: what was left out, repeated or guessed.
import { counted } from '../text/counted.js';
import { groupDigits, sanitizeText } from '../text/sanitize.js';
import { shownFile } from '../text/shown-file.js';
import { kind, type OfFile } from './warning-kind.js';

export const fileWarnings = {
  no_records: kind<OfFile>({
    title: 'No records',
    meaning: 'The file could be read, and contains no records.',
    remedy: 'Look at the job that writes the file.',
    words: ({ file }) => `${shownFile(file)}: it contains no records.`,
  }),
  columns_ignored: kind<
    OfFile & {
      readonly columns: Readonly<Record<string, number>>;
      readonly count: number;
      /** The fields whose names differ by few letters. */
      readonly meant?: Readonly<Record<string, string>>;
    }
  >({
    title: 'Columns ignored',
    meaning: 'These columns fill no field.',
    remedy: 'Name the field of one with --rename or in a mapping, or skip it there.',
    words: ({ file, columns, count, meant = {} }) => {
      const fieldOf = (name: string) => (Object.hasOwn(meant, name) ? meant[name] : undefined);
      const names = Object.entries(columns).map(([name, values]) => {
        const field = fieldOf(name);
        const hint = field === undefined ? '' : `; did you mean ${field}?`;
        return `${sanitizeText(name)} (${counted(values, 'values')}${hint})`;
      });
      const more = count > names.length ? `, and ${groupDigits(count - names.length)} more` : '';
      const [first = ''] = [...Object.keys(meant), ...Object.keys(columns)];
      return `${shownFile(file)}: ignored columns: ${names.join(', ')}${more}. Name the field of one with --rename "${sanitizeText(first)}=${fieldOf(first) ?? '<field>'}", or in the mapping.`;
    },
  }),
  keys_repeated: kind<OfFile & { readonly count: number; readonly words: string; readonly keys: readonly string[] }>({
    title: 'Rows share a key',
    meaning: 'Several rows of the file have the same key. Which of them is applied is chosen by --on-duplicate.',
    remedy: 'Take all but one out of the file, or choose with --on-duplicate.',
    words: ({ file, words }) => `${shownFile(file)}: ${words}`,
  }),
  files_left_out: kind<{ readonly files: readonly string[] }>({
    title: 'Files left out',
    meaning: 'Data of the shop itself (customers, orders, files, brands …) cannot be sent to a remote.',
    remedy: 'Load them where the catalog is, with catalog-import shop load.',
    words: ({ files }) => `Left out, since it lives in the shop of the remote: ${files.map(sanitizeText).join(', ')}`,
  }),
} as const;
