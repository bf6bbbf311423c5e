// Writes how a file is read, the first lines of a suggestion: encoding, decimal sign, and what is no record.
import type { Inspection } from '../../inspection/inspect-file.js';

/** The column that titles of sections fill. */
export const sectionColumn = 'Section';

/** The encoding; a question where letters do not tell it. */
function encodingLines({ encoding, encodings }: Inspection['found']): string[] {
  if (encodings === undefined) return encoding === 'utf-8' ? [] : [`  encoding: ${encoding}`];
  const choices = encodings.map(({ name, sample }) => `  #   ${name}: ${sample}`);
  return ['  encoding: ?   # which one is it? Compare the letters.', ...choices];
}

interface DecimalSigns {
  readonly decimal: string | undefined;
  readonly openSign: string | undefined;
}

/** The decimal sign; a question where amounts have none but such as `1.234`, of which each would be refused. */
function decimalLines({ decimal, openSign }: DecimalSigns): string[] {
  if (decimal !== undefined) return [`  decimal: ${JSON.stringify(decimal)}`];
  if (openSign === undefined) return ['  # decimal: ","    # what could be either is refused until this says it'];
  const number = /[\d.,]*\d/.exec(openSign)?.[0] ?? '';
  const readings = ['.', ','].map((sign) => {
    const read = number.includes(sign) ? number.replace(sign, '.') : number.replace(/[.,]/, '');
    return `  #   ${JSON.stringify(sign)}: ${number} is ${read}`;
  });
  return ['  decimal: ?   # which one is it?', ...readings];
}

/** How the file is read. */
export function readLines({ found, pageWords, sectionRows }: Inspection, signs: DecimalSigns): string[] {
  const isBook = found.compression === 'xlsx';
  const lines = [
    ...(isBook ? [] : [`  format: ${found.format}`]),
    ...(isBook ? [] : encodingLines(found)),
    ...(found.sheet === undefined ? [] : [`  sheet: ${JSON.stringify(found.sheet)}`]),
    ...(found.skip === undefined ? [] : [`  skip: ${found.skip}`]),
    ...(found.place === undefined
      ? []
      : [`  ${found.format === 'xml' ? 'record' : 'items'}: ${JSON.stringify(found.place)}`]),
    ...(found.delimiter === undefined || isBook ? [] : [`  delimiter: ${JSON.stringify(found.delimiter)}`]),
    ...(pageWords.length === 0 ? [] : [`  leave_out: ${JSON.stringify(pageWords)}   # page headers and totals`]),
    ...(sectionRows === undefined
      ? []
      : [`  sections: ${sectionColumn}   # the title above rows: ${sectionRows.first}`]),
    ...decimalLines(signs),
  ];
  // Without any word it would be empty.
  return [lines.every((line) => line.trimStart().startsWith('#')) ? 'read: {}' : 'read:', ...lines];
}
