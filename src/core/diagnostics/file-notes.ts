// Warnings about how a file was read: what was guessed, skipped, or came in damaged. Its reader words them; the file is added where they
// are collected.
import { shownFile } from '../text/sanitize.js';
import type { CodeMeaning } from './code-meaning.js';
import { kind, type OfFile } from './warning-kind.js';

/** What a reader noticed about its file. */
export interface FileNote {
  readonly code: keyof typeof fileNotes;
  readonly words: string;
}

type NoteParams = OfFile & { readonly words: string };

/** @param isRoutine whether ordinary files have it, too, night by night */
function note(message: CodeMeaning, isRoutine = false) {
  const words = ({ file, words: noticed }: NoteParams): string => `${shownFile(file)}: ${noticed}`;
  return kind<NoteParams>({ ...message, ...(isRoutine && { isRoutine }), words });
}

export const fileNotes = {
  records_guessed: note(
    {
      title: 'Which part holds the records was guessed',
      meaning: 'The file has several lists, elements or sheets; one was taken for that of the records.',
      remedy: 'Name it with --items, --record or --sheet.',
    },
    true,
  ),
  records_absent: note({
    title: 'The element of the records is absent',
    meaning: 'The file has no element of this name.',
    remedy: 'Name the element of the records with --record.',
  }),
  lists_skipped: note({
    title: 'Other lists skipped',
    meaning: 'The document has further lists, which are not imported.',
    remedy: 'Nothing, or import them by --items.',
  }),
  rows_skipped: note(
    {
      title: 'Rows skipped',
      meaning:
        'Rows that hold no record were left out: rows above the header, empty ones, repeated headers, or what a mapping leaves out.',
      remedy: 'Nothing, where the count is what you expect.',
    },
    true,
  ),
  rows_guessed: note({
    title: 'Rows taken for something else, or for records',
    meaning:
      'Rows look like titles of sections, page headers or totals, or have another number of cells than the header.',
    remedy: 'Look at the lines named; a mapping says how they are read (leave_out, columns).',
  }),
  quotes_kept: note({
    title: 'Quotes inside cells',
    meaning: 'Cells that are not quoted contain a quote; it was kept as it is.',
    remedy: 'Nothing, where it belongs to the text, as in 13" screen.',
  }),
  cells_odd: note({
    title: 'Cells that a spreadsheet shows differently',
    meaning: 'The sheet has hidden rows, cells merged over rows, cells with an error, or formulas without a result.',
    remedy:
      'Open and save the workbook in a spreadsheet, correct the cells, or repeat merged ones with fill in a mapping.',
  }),
  decimals_guessed: note(
    {
      title: 'Decimal sign guessed',
      meaning: 'The decimal sign of a column was found by its numbers.',
      remedy: 'Set decimal: in the mapping.',
    },
    true,
  ),
  decimals_mixed: note({
    title: 'Two decimal signs in one column',
    meaning: 'Some numbers of a column were read with a decimal comma, others with a decimal point.',
    remedy: 'Set decimal: in the mapping, if one of them is wrong.',
  }),
  taxes_mixed: note({
    title: 'Net and gross amounts in one column',
    meaning: 'Some amounts of a column say that they are with tax, others that they are without.',
    remedy: 'Send all prices with tax, or all without.',
  }),
  decimals_open: note({
    title: 'Amounts that may be thousands',
    meaning: 'Amounts such as 12.500 were read with a decimal point, which the file may have between thousands.',
    remedy: 'Import with --decimal . or --decimal ,; correct the prices that were stored.',
  }),
  digits_rounded: note({
    title: 'Digits lost in a spreadsheet',
    meaning: 'Numbers of a column are as a spreadsheet shortens them, such as 8.72E+12.',
    remedy: 'Export the column as text.',
  }),
  texts_cut: note(
    {
      title: 'Texts cut',
      meaning: 'Texts were longer than the mapping allows, and were cut.',
      remedy: 'Nothing to do.',
    },
    true,
  ),
  categories_twice: note({
    title: 'Categories under two parents',
    meaning: 'A category is under more than one parent; the second one is refused.',
    remedy: 'Name them apart: name: {repeated: parent} or {repeated: full} next to path: in each of the mapping.',
  }),
  refused_apart: note({
    title: 'Refused rows come back without others of their key',
    meaning: 'Too many rows were refused to keep those that belong to them.',
    remedy: 'Correct the file itself, and import all of it.',
  }),
} as const;
