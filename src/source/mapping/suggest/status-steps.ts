// Steps of a suggested mapping that turn the statuses of shops into those of the catalog.
import type { ChoiceField } from '../../../core/fields/fields.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { choicesOf } from './column-kinds.js';
import { onlyStem } from './read-header.js';

type Pairs = readonly (readonly [string, string])[];

/** Pairs of words that shops answer with: the first is yes. */
const replies: Pairs = [
  ['true', 'false'],
  ['1', '0'],
  ['yes', 'no'],
  ['ja', 'nein'],
  ['oui', 'non'],
];

/** Pairs of words for products: the first is listed, the second is not. */
const states: Pairs = [
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
const answers: Pairs = [...replies, ...states];

/** The word for a state of products that a header is: `Is active`, `archived`. */
const stateIn = (name: string): string | undefined => onlyStem(name, states.flat());

/** Whether a column says of each record whether it is in a state that its header names. */
export function isStatusFlag(column: ColumnProfile): boolean {
  return column.filled > 1 && (choicesOf(column)?.length ?? 3) <= 2 && stateIn(column.name) !== undefined;
}

/** What to write for such a column. */
export function statusRemark(column: ColumnProfile, field: ChoiceField): string {
  const known = choicesOf(column)?.every((one) => statusOf(one, field) !== undefined) === true;
  const steps = known ? statusSteps(column, field) : ['map: …'];
  return `write { column: ${JSON.stringify(column.name)}, ${steps.join(', ')} }`;
}

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
  const state = stateIn(facts.name);
  // `archived: true` is no active product.
  const isReversed = states.some(([, not]) => not === state);
  // Where one of two words is there, the other is to be expected.
  const both = answers.filter((pair) => pair.some((word) => words.includes(word)));
  const pairs = [...new Set([...words, ...both.flat()])].flatMap((word) => {
    const status = statusOf(isReversed ? otherReply(word) : word, field);
    const key = /^[a-z]{4,}$/.test(word) && !/true|false/.test(word) ? word : JSON.stringify(word);
    // `Draft` is the catalog's word in another case.
    const isKept = status === word && !values.some((value) => value !== word && value.toLowerCase() === word);
    return status === undefined || isKept ? [] : [`${key}: ${status}`];
  });
  return pairs.length === 0 ? [] : [`map: { ${pairs.join(', ')} }`, 'else: keep'];
}

/** `true` for `false`; another word as it is. */
function otherReply(word: string): string {
  const [yes, no] = replies.find((pair) => pair.includes(word)) ?? [word, word];
  return word === yes ? no : yes;
}
