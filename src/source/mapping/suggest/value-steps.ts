// Steps of a suggested mapping that the values of a column or its header ask for.
import { isGtin } from '../../../core/text/gtin.js';
import { isPiece, kilograms } from '../../../core/text/units.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { otherAmountWords, referenceWords } from '../values/amount-words.js';
import { isWhole, numbersIn } from './column-kinds.js';
import { given } from './given.js';
import { namesHundredths } from './read-header.js';

/** `false` of a system that writes it for no value. */
export const falseIsEmpty = 'map: { "false": "" }, else: keep';

/** Fields that are shown as they are. */
const plainTexts: ReadonlySet<string> = new Set(['name', 'category', 'group', 'parent', 'tag', 'badge', 'seo_title']);

/** The steps before those that depend on other columns. */
export function valueSteps(field: string, facts: ColumnProfile | undefined): string[] {
  if (facts === undefined) return [];
  if (facts.falses > 0 && !/^(?:status|currency)$/.test(field)) return [falseIsEmpty];
  if (field === 'created_at') return dateSteps(facts);
  if (plainTexts.has(field) && facts.entities > 0) return ['html: strip'];
  if (field === 'ean' && lostZeros(facts)) return [`replace: { pattern: '^(\\d{11})$', with: "0$1" }`];
  if ((field === 'ean' && facts.apostrophes > 0) || allAre(facts, /^'[^']+$/)) return ['apostrophe: strip'];
  if (allAre(facts, /^'[^']*'$/)) return [`replace: { pattern: "^'(.*)'$", with: "$1" }`];
  // The code of the rouble before 1998, which feeds of Yandex still have.
  if (field === 'currency' && facts.samples.includes('RUR')) return ['map: { RUR: RUB }', 'else: keep'];
  if (/^(?:price|stock)/.test(field) && facts.indian > 0) return ['number: { grouping: indian }'];
  if (/^price/.test(field) && wordSteps(facts, field).length > 0) return wordSteps(facts, field);
  const units = facts.unitWords;
  if (field === 'weight' && units.length > 0 && units.every((word) => kilograms[word] !== undefined))
    return [
      `number: { units: ${yamlMap([...bareUnit(facts), ...units.map((word) => [word, kilograms[word] ?? 1] as const)])} }`,
      'round: 3',
    ];
  if (/^(?:price|stock)/.test(field) && units.length > 0 && units.every(isPiece))
    return [`number: { ignore: ${JSON.stringify(units)} }`];
  if (/^price/.test(field) && namesHundredths(facts.name) && isWhole(facts)) return ['shift: -2'];
  return field === 'weight' && numbersIn(facts) === facts.filled ? unitSteps(facts) : [];
}

/** What makes seconds of dates that are written as numbers: read as seconds all of them would be in 1970. */
function dateSteps({ values }: ColumnProfile): string[] {
  const areAll = (form: RegExp) => values.length > 0 && values.every((value) => form.test(value));
  if (areAll(/^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/)) return ['date: YYYYMMDD'];
  // Days since the end of 1899, as spreadsheets count them, from 1954 on.
  if (areAll(/^[2-6]\d{4}(?:[.,]\d+)?$/))
    return ['number: true', 'plus: { value: "-25569" }', 'times: { value: "86400" }', 'round: 0'];
  return areAll(/^[1-9]\d{12}$/) ? ['number: true', 'shift: -3', 'round: 0'] : [];
}

/** Whether all numbers of eleven digits are a UPC without its zero, which a spreadsheet took away. */
function lostZeros({ values }: ColumnProfile): boolean {
  const short = values.filter((value) => /^\d{11}$/.test(value));
  return short.length > 1 && short.every((value) => isGtin(`0${value}`));
}

function yamlMap(pairs: readonly (readonly [string, number])[]): string {
  return `{ ${pairs.map(([word, factor]) => `${JSON.stringify(word)}: ${factor}`).join(', ')} }`;
}

/** What the unit in the header of a weight asks for: `weight_lbs`. */
function unitSteps({ name, numbers: { comma, either } }: ColumnProfile): string[] {
  const [factor = 1, ...more] = unitFactors(name);
  if (factor === 1 || more.length > 0) return [];
  if (factor === 0.001 && comma + either === 0) return ['shift: -3'];
  return [`number: true, times: { value: "${factor}" }, round: 3`];
}

/** The factor of weights without a unit next to others that have one, where the header has it: `Gewicht (g)`. */
function bareUnit({ name, measured, filled }: ColumnProfile): (readonly [unit: '', factor: number])[] {
  const [factor = 1, ...more] = unitFactors(name);
  return measured === filled || factor === 1 || more.length > 0 ? [] : [['', factor]];
}

/** The factors of the units of weight in a header. */
export function unitFactors(name: string): readonly number[] {
  const words = spacedName(name)
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  return [...new Set(words.flatMap((word) => kilograms[word] ?? []))];
}

/** A header with a blank between its words: `amountMinor`. */
function spacedName(header: string): string {
  return header.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
}

function allAre({ samples }: ColumnProfile, form: RegExp): boolean {
  return samples.length > 1 && samples.every((sample) => form.test(sample));
}

/** The step that reads the amounts of a column of which all say that they are another one: a person has to choose it. */
export function wordSteps(column: ColumnProfile, field: string): string[] {
  const { said, filled } = column;
  const words = [...said.keys()].filter(
    (word) => otherAmountWords.has(word) && (field === 'price' || !referenceWords.includes(word)),
  );
  const isOfAll = numbersIn(column) === filled && words.some((word) => said.get(word) === filled);
  return given(isOfAll && `number: { ignore: ${JSON.stringify(words)} }`);
}
