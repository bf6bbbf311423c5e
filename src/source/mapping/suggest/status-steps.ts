// Steps of a suggested mapping that turn the statuses of shops into those of the catalog.
import type { ChoiceField } from '../../../core/fields/fields.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { choicesOf } from './column-kinds.js';
import { columnWith } from './given.js';
import { stemsOf } from './header-stems.js';
import words from './header-words.json' with { type: 'json' };
import { onlyStem, tierOf } from './read-header.js';

const pairsOf = (text: string) => text.split('|').map((pair) => pair.split(' '));

/** Pairs of words that shops answer with: the first is yes. */
const replies = pairsOf('true false|1 0|yes no|ja nein|oui non');

/** Pairs of words for products: the first is listed, the second is not. */
const states = pairsOf(
  'ativo inativo|activo inactivo|actif inactif|active inactive|aktiv inaktiv|enabled disabled|visible hidden|online offline|published unlisted|activated archived',
);
const answers = [...replies, ...states];

/** The word for a state of products that a header is: `Is active`, `archived`. */
const stateIn = (name: string): string | undefined => onlyStem(name, states.flat());

const stems = stemsOf(words.status);
/** A column with more different values is not taken for a status. */
const mostStatuses = 6;

/** Whether a column says of each record in which state it is: one that its header names, or that its values say. */
export function isStatus(column: ColumnProfile): boolean {
  const values = choicesOf(column) ?? [];
  if (column.filled < 2 || values.length === 0 || tierOf(column.name, 'stock') !== -1) return false;
  if (onlyStem(column.name, stems) !== undefined) return values.length <= mostStatuses;
  if (values.length > 2) return false;
  return stateIn(column.name) !== undefined || areStates(values.map((value) => value.toLowerCase()));
}

/** Letters from which on two words begin alike in several languages: `aktif`, `aktiv`. */
const beginning = 4;

/** Whether two words are states of products: one begins as a known one, or says the contrary by a syllable or sign. */
function areStates([one = '', other = '']: readonly string[]): boolean {
  const begins = (word: string) => states.flat().some((state) => word.startsWith(state.slice(0, beginning)));
  return other !== '' && (begins(one) || begins(other) || areOpposites(one, other) || areOpposites(other, one));
}

/** `非公開` and `公開`, `неактивен` and `активен`, `下架` and `上架`, `판매중지` and `판매중`. */
function areOpposites(one: string, other: string): boolean {
  const isNegated = other.length > 1 && one.endsWith(other) && negation.test(one.slice(0, -other.length));
  const isOfSigns = signs.test(one) && signs.test(other);
  return isNegated || (isOfSigns && [...one].some((sign) => other.includes(sign)));
}

/** What stands before a word that it negates: `un`, `in`, `nie`, `non`, `не`, `des`, `bez`. */
const negation = /^(?:[nн]\p{L}{0,4}|[iu]n|d[eé]s?|dis|αν|be[sz])[\s-]?$/u;
const signs = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]{2,6}$/u;

/** What to write for such a column. */
export function statusRemark(column: ColumnProfile, field: ChoiceField): string {
  const values = choicesOf(column) ?? [];
  const isKnown = values.every((one) => statusOf(one, field) !== undefined);
  const map = values.map((value, i) => `${JSON.stringify(value)}: ${i === 0 ? 'activated' : 'suspended'}`).join(', ');
  const steps = isKnown ? statusSteps(column, field) : [`map: { ${map} }`];
  const other = values.length > 2 ? ', with the status that each means' : ', or the other way round';
  return `write ${columnWith(column.name, ...steps)}${isKnown ? '' : other}`;
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
  const [yes = '', no = ''] = replies.find((pair) => pair.includes(word)) ?? [word, word];
  return word === yes ? no : yes;
}
