// Steps of a suggested mapping that turn the statuses of shops into those of the catalog.
import type { ChoiceField } from '../../../core/fields/fields.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { choicesOf } from './column-kinds.js';

/** Pairs of words that shops answer with: the first is listed, the second is not. */
const answers: readonly (readonly [string, string])[] = [
  ['true', 'false'],
  ['1', '0'],
  ['yes', 'no'],
  ['ja', 'nein'],
  ['oui', 'non'],
  ['ativo', 'inativo'],
  ['activo', 'inactivo'],
  ['actif', 'inactif'],
  ['active', 'inactive'],
  ['aktiv', 'inaktiv'],
  ['enabled', 'disabled'],
  ['visible', 'hidden'],
  ['online', 'offline'],
  ['published', 'unlisted'],
  ['activated', 'archived'],
];

/** The status of the catalog that a shop's word is; undefined where it is none. */
export function statusOf(written: string, { values }: ChoiceField): string | undefined {
  const word = written.toLowerCase();
  if (values.includes(word)) return word;
  const pair = values.includes('activated') ? answers.find((one) => one.includes(word)) : undefined;
  return pair && (pair[0] === word ? 'activated' : 'suspended');
}

/** The values of a status column that differ from the catalog's, as a `map` step. */
export function statusSteps(facts: ColumnProfile, field: ChoiceField): string[] {
  const values = choicesOf(facts) ?? [];
  const words = values.map((word) => word.toLowerCase());
  // Where one of two words is there, the other is to be expected.
  const both = answers.filter((pair) => pair.some((word) => words.includes(word)));
  const pairs = [...new Set([...words, ...both.flat()])].flatMap((word) => {
    const status = statusOf(word, field);
    const key = /^[a-z]{4,}$/.test(word) && !/true|false/.test(word) ? word : JSON.stringify(word);
    // `Draft` is the catalog's word in another case.
    const isKept = status === word && !values.some((value) => value !== word && value.toLowerCase() === word);
    return status === undefined || isKept ? [] : [`${key}: ${status}`];
  });
  return pairs.length === 0 ? [] : [`map: { ${pairs.join(', ')} }`, 'else: keep'];
}
