// Guesses which resource the records of a file are.
import type { Fields } from '../../../core/fields/fields.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import type { Inspection } from '../../inspection/inspect-file.js';
import { matchColumns, ownColumns } from './match-columns.js';
import { askedOfLists } from './questions.js';
import { plainWord } from './read-header.js';
import { resourceFileWords, resourceHeaderWords } from './resource-words.js';
import type { ResourceGuess } from './write-suggestion.js';

/** The resources by their names for `to:`. */
export type KnownResources = Readonly<Record<string, { readonly key: string; readonly fields: Fields }>>;

/** Fields that tell that records are products, where there are at least two of them. */
const productTraits = ['price', 'stock', 'ean'];

/** More than the words of options, values and attributes next to variants. */
const surelyProducts = 5;

/** What tells of records besides their columns. */
export interface ResourceSigns {
  /** The name of the file. */
  readonly file: string;
  /** Whether lists of variants have what only products have. */
  readonly hasVariants: boolean;
}

/** Guesses the resource of a file by its name, its headers and what only records of one kind have, with the columns that it matches. */
export function guessResource(
  inspection: Inspection,
  resources: KnownResources,
  { file, hasVariants }: ResourceSigns,
): ResourceGuess {
  const { columns } = inspection;
  const name = (file.split(/[\\/]/).at(-1) ?? '').toLowerCase();
  const headers = columns.filter(({ filled }) => filled > 0).map((column) => plainWord(column.name));
  const guesses = Object.entries(resources).map(([resource, { fields, key }]): ResourceGuess => {
    const own = new Map(ownColumns(columns, fields));
    // A column of keys without a key would refuse every record.
    if (columns.some(({ name, filled }) => name === own.get(key) && filled === 0)) own.delete(key);
    const found = matchColumns(columns, fields, own);
    const matched = new Map([...found].map(([field, match]) => [field, askedOfLists(field, match)]));
    const words = (resourceHeaderWords[resource] ?? []).filter((word) =>
      headers.some((header) => header.includes(word)),
    ).length;
    // What only products have, in whatever language its headers are.
    const traits = resource === 'products' ? productTraits.filter((field) => matched.has(field)).length : 0;
    const hits = traits > 1 ? Math.max(words, traits) : words;
    const byName = (resourceFileWords[resource] ?? []).some((word) => name.includes(word)) ? 1.5 : 0;
    const byVariants = resource === 'products' && hasVariants ? surelyProducts : 0;
    const byKey = matched.has(key) ? 1 : 0;
    const products = resources['products']?.fields ?? {};
    const isReview =
      resource === 'reviews' && hasRating(columns) && !matchColumns(columns, products, new Map()).has('price');
    const byOwn = [...own.keys()].reduce((sum, path) => sum + (path.includes('[') ? 2 : 0.2), 0);
    const score = hits + byName + byVariants + byKey + (isReview ? 2 : 0) + byOwn + matched.size / 100;
    return { resource, key, descriptors: fields, matched, own, score };
  });
  const likeliest = guesses.reduce((one, other) => (other.score > one.score ? other : one));
  const isBlank = likeliest.matched.size === 0 && likeliest.own.size === 0;
  return (isBlank && guesses.find((guess) => guess.resource === 'products')) || likeliest;
}

/** Whether a column contains ratings from 1 to 5: those of a review, if there is no price next to them. */
function hasRating(columns: readonly ColumnProfile[]): boolean {
  return columns.some(
    ({ name, filled, samples }) =>
      filled > 0 &&
      /^(?:rating|stars|score|bewertung|note)/.test(plainWord(name)) &&
      samples.every((one) => /^[1-5]$/.test(one)),
  );
}
