// Fields without which every record would be refused: each that no column fills surely is a question.
import type { Fields } from '../../../core/fields/fields.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { areAll, hasFractions, isImage, isListed } from './column-kinds.js';
import { type Question, questionOf } from './questions.js';

/**
 * The questions about required fields.
 * @param filled fields that have a column, or are asked about
 * @param free the columns that fill nothing yet
 */
export function requiredQuestions(
  { descriptors, key }: { readonly descriptors: Fields; readonly key: string },
  filled: ReadonlySet<string>,
  free: readonly ColumnProfile[],
  records: number,
): Question[] {
  // What has another name for a field needs no column for it.
  const known = new Set(
    [...filled].map((field) => {
      const descriptor = descriptors[field];
      return (descriptor?.kind === 'text' ? descriptor.aliasOf : undefined) ?? field;
    }),
  );
  return Object.entries(descriptors).flatMap(([field, descriptor]): Question[] => {
    if (!(descriptor.required || field === key) || known.has(field)) return [];
    const columns =
      descriptor.kind === 'integer'
        ? free.filter((one) => isWithin(one, descriptor))
        : free
            .filter((one) => field === key && isKey(one, records) && (field === 'name' || one.spaced === 0))
            .slice(0, mostKeys);
    const asked = questionOf(
      field,
      columns.map((column) => ({ column })),
      records,
    );
    const several = field === key ? ', or several of them: { template: "{A}-{B}" }' : '';
    return [{ ...asked, form: `${columns.length === 0 ? 'the' : 'or another'} column that has it${several}` }];
  });
}

const mostKeys = 6;

/** Whether every record has a value of its own. */
function isKey(column: ColumnProfile, records: number): boolean {
  const { filled, repeats } = column;
  return filled === records && repeats === 0 && !hasFractions(column) && !isListed(column) && !isImage(column);
}

/** Whether all values are whole numbers that the field can have. */
function isWithin(column: ColumnProfile, { min, max }: { readonly min: number; readonly max: number }): boolean {
  return areAll(column, (one) => /^\d+$/.test(one) && Number(one) >= min && Number(one) <= max);
}
