// Remarks of an inspection about keys and columns, based on the recognized fields.
import type { TextField } from '../../core/fields/fields.js';
import { resources } from '../../core/resources/index.js';
import { groupDigits, sanitizeText } from '../../core/text/sanitize.js';
import type { ColumnProfile } from '../../source/inspection/column-profile.js';
import type { Inspection } from '../../source/inspection/inspect-file.js';
import { questionLines } from '../../source/mapping/suggest/questions.js';
import type { Suggestion } from '../../source/mapping/suggest/suggest-mapping.js';

/** The fields that a person has to fill, with what the values of each candidate say. */
export function questionRemarks({ questions }: Suggestion): string[] {
  return questions.flatMap((question) => [
    questionWords(question.field),
    ...questionLines(question).map((line) => `  ${sanitizeText(line)}`),
  ]);
}

/** A question in words. */
export const questionWords = (field: string): string => wordsOf[field] ?? `Which column is ${field}?`;

const wordsOf: Readonly<Record<string, string>> = {
  currency: 'Which currency are the prices in?',
  encoding: 'Which encoding is it?',
  decimal: 'Which is the decimal sign?',
};

/** Repeated keys, each with both lines. */
export function keyRemarks(columns: readonly ColumnProfile[], { resource, fields }: Suggestion): string[] {
  const key = resources.find(({ command }) => command === resource)?.key ?? '';
  const facts = columns.find(({ name }) => name === fields.get(key));
  if (facts === undefined || facts.repeats === 0) return [];
  const reported = facts.repeated.map(({ value, lines }) => `${sanitizeText(value)} on lines ${lines.join(' and ')}`);
  return [
    `${groupDigits(facts.repeats)} repeated ${key}: ${reported.join('; ')}; --on-duplicate keep-last applies the last of each`,
  ];
}

/** Lists of objects inside the records of a JSON file: those that an import takes for records are one level above. */
export function innerLists({ found, columns }: Inspection, { fields, list }: Suggestion): string[] {
  if (found.format !== 'json') return [];
  const used = new Set([...fields.values(), list]);
  const lists = columns.filter(({ name, samples: [sample = ''] }) => sample.startsWith('[{') && !used.has(name));
  const inside = found.recordPath === undefined ? '.[]' : `.${found.recordPath}[]`;
  return lists
    .filter(({ name }) => /^[\w.]+$/.test(name) && /^[\w.]*$/.test(found.recordPath ?? ''))
    .map(
      ({ name }) =>
        `${name}: lists of objects. If these are the records, make a file of them: jq -c '${inside}.${name}[]'; as lists of a record, name them ${name}[].…`,
    );
}

/** What an import would refuse or lose, judging by the recognized columns. */
export function columnRemarks(columns: readonly ColumnProfile[], { resource, fields }: Suggestion): string[] {
  const known = resources.find(({ command }) => command === resource)?.fields ?? {};
  const lines: string[] = [];
  for (const [field, column] of fields) {
    const facts = columns.find(({ name }) => name === column);
    const limit = (known[field] as Partial<TextField> | undefined)?.maxBytes;
    if (facts !== undefined && limit !== undefined && facts.longest > limit)
      lines.push(
        `${sanitizeText(column)}: ${facts.longest} bytes on line ${facts.longestLine}; ${field} takes ${limit}`,
      );
  }
  for (const { name, exponents, apostrophes, numbers, shown } of columns) {
    if (exponents > 0)
      lines.push(
        `${sanitizeText(name)}: ${exponents} ${exponents === 1 ? 'value' : 'values'} such as ${shown.exponent}: a spreadsheet has lost their digits; export it again as text`,
      );
    if (apostrophes > 0)
      lines.push(
        `${sanitizeText(name)}: ${apostrophes} numbers after an apostrophe; a mapping strips it: apostrophe: strip`,
      );
    if (numbers.either > 0 && numbers.point + numbers.comma === 0)
      lines.push(
        `${sanitizeText(name)}: ${numbers.either} numbers such as ${sanitizeText(shown.either ?? '')} could have either decimal sign`,
      );
  }
  return lines;
}
