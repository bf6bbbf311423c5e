// Steps of a suggested mapping that the values of a column or its header ask for.
import type { ColumnProfile } from '../../inspection/column-profile.js';

/** The steps before those that depend on other columns. */
export function valueSteps(field: string, facts: ColumnProfile | undefined): string[] {
  if (facts === undefined) return [];
  if ((field === 'ean' && facts.apostrophes > 0) || allAre(facts, /^'[^']+$/)) return ['apostrophe: strip'];
  // Spreadsheets keep leading zeros by it.
  if (facts.samples.some((sample) => /^="[^"]*"$/.test(sample)))
    return [`replace: { pattern: '^="(.*)"$', with: "$1" }`];
  if (/^price/.test(field) && inCents.test(facts.name) && facts.numbers.plain === facts.filled) return ['shift: -2'];
  if (field === 'weight' && inGrams.test(facts.name) && facts.numbers.plain === facts.filled) return ['shift: -3'];
  return [];
}

/** Headers of whole amounts in hundredths, and of weights in grams. */
const inCents =
  /(?:^|[^\p{L}])(?:cents?|centimes?|céntimos?|centesimi|pence|pennies|minor(?: ?units?)?|kopeks?|grosze)(?!\p{L})/iu;
const inGrams = /(?:^|[^\p{L}])(?:g|gr|gramm?|grams?|gramos?|grammes?)(?!\p{L})/iu;

function allAre({ samples }: ColumnProfile, form: RegExp): boolean {
  return samples.length > 1 && samples.every((sample) => form.test(sample));
}
