// Writes how a file is read, the first lines of a suggestion: encoding, decimal sign, and what is no record.
import type { Inspection } from '../../inspection/inspect-file.js';
import { given } from './given.js';
import { askedLines, type Question } from './questions.js';

/** The column that titles of sections fill. */
export const sectionColumn = 'Section';

/**
 * The questions how the file is read: the encoding where letters do not tell it, the decimal sign where amounts have none but
 * such as `1.234`, of which each would be refused.
 * @param openSign such an amount
 */
export function readQuestions({ found: { encodings } }: Inspection, openSign: string | undefined): Question[] {
  const number = /[\d.,]*\d/.exec(openSign ?? '')?.[0] ?? '';
  const signs = ['.', ','].map((sign) => {
    const read = number.includes(sign) ? number.replace(sign, '.') : number.replace(/[.,]/, '');
    return { value: sign, relation: `${number} is ${read}` };
  });
  const choices = encodings?.map(({ name, sample }) => ({ value: name, relation: sample }));
  return [
    ...(choices === undefined ? [] : [{ field: 'encoding', candidates: choices, form: 'compare the letters' }]),
    ...(openSign === undefined ? [] : [{ field: 'decimal', candidates: signs }]),
  ];
}

/** How the file is read. @param questions those about it */
export function readLines(
  { found, pageWords, sectionRows }: Inspection,
  decimal: string | undefined,
  questions: readonly Question[],
): string[] {
  const asked = (field: string) => questions.filter((one) => one.field === field).flatMap(askedLines);
  const sign =
    decimal === undefined
      ? '# decimal: ","    # what could be either is refused until this says it'
      : `decimal: ${JSON.stringify(decimal)}`;
  const isBook = found.compression === 'xlsx';
  const lines = [
    ...given(
      !isBook && `  format: ${found.format}`,
      !isBook && found.encodings === undefined && found.encoding !== 'utf-8' && `  encoding: ${found.encoding}`,
    ),
    ...asked('encoding'),
    ...given(
      found.sheet !== undefined && `  sheet: ${JSON.stringify(found.sheet)}`,
      found.skip !== undefined && `  skip: ${found.skip}`,
      found.recordPath !== undefined &&
        `  ${found.format === 'xml' ? 'record' : 'items'}: ${JSON.stringify(found.recordPath)}`,
      found.delimiter !== undefined && !isBook && `  delimiter: ${JSON.stringify(found.delimiter)}`,
      pageWords.length > 0 && `  leave_out: ${JSON.stringify(pageWords)}   # page headers and totals`,
      sectionRows && `  sections: ${sectionColumn}   # the title above rows: ${sectionRows.first}`,
    ),
    ...(questions.some(({ field }) => field === 'decimal') ? asked('decimal') : [`  ${sign}`]),
  ];
  // Without any word it would be empty.
  return [lines.every((line) => line.trimStart().startsWith('#')) ? 'read: {}' : 'read:', ...lines];
}
