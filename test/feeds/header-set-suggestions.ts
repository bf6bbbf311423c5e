// What inspect suggests for a header set.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../src/core/resources/index.js';
import { inspectFile } from '../../src/source/inspection/inspect-file.js';
import type { Question } from '../../src/source/mapping/suggest/questions.js';
import { suggestMapping } from '../../src/source/mapping/suggest/suggest-mapping.js';
import { folder } from '../cli/typed.js';
import { readHeaderSet } from './header-set-values.js';

const known = Object.fromEntries(resources.map(({ command, key, fields }) => [command, { key, fields }]));

const made = new Map<string, ReturnType<typeof makeSuggestion>>();

/** The suggestion for a set; every other one is written with decimal commas. Several tests look at each. */
export function suggestionFor(line: string, index: number): ReturnType<typeof makeSuggestion> {
  const name = `${index % 2} ${line}`;
  const known = made.get(name);
  if (known !== undefined) return known;
  const suggestion = makeSuggestion(line, index);
  made.set(name, suggestion);
  // The tests of other files that look at it make it again, and say what failed.
  suggestion.catch(() => made.delete(name));
  return suggestion;
}

/** The suggestion for a set that is one of products in any case: to tell the resources apart is what takes long. */
export function suggestionOfProducts(line: string, index: number): ReturnType<typeof makeSuggestion> {
  const { products } = known;
  return makeSuggestion(line, index, products && { products });
}

async function makeSuggestion(line: string, index: number, among = known) {
  const set = readHeaderSet(line, index % 2 === 0 ? '.' : ',');
  // A folder goes with the test file that made it, and this module stays for the next one.
  const file = join(folder(), `${index}.csv`);
  writeFileSync(file, set.csv);
  return { set, suggestion: suggestMapping(await inspectFile({ file }), among, file) };
}

const watched = ['sku', 'name', 'price', 'price_compare', 'stock', 'ean', 'status', 'category', 'currency', 'weight'];

/** The columns between which a question asks to choose. */
export function askedColumns({ candidates }: Question): string[] {
  return candidates.flatMap((candidate) => ('column' in candidate ? [candidate.column] : []));
}

/** Fields that were filled by another column than the answer. */
export async function wrongFields(line: string, index: number): Promise<string[]> {
  const { set, suggestion } = await suggestionFor(line, index);
  return watched.flatMap((field) => {
    const column = suggestion.fields.get(field);
    const isRight = column === undefined || column === set.answers.get(field);
    return isRight ? [] : [`${field}: ${column} for ${set.answers.get(field) ?? 'a question'}`];
  });
}

/** Whether the price is asked for: of sets with several columns of money, and of those with one, which is the price. */
export async function asksForPrice(sets: readonly string[]) {
  const all = await Promise.all(sets.map(suggestionFor));
  const asking = (some: typeof all) =>
    some.map(({ suggestion }) => suggestion.questions.some(({ field }) => field === 'price'));
  return {
    several: asking(all.filter(({ set }) => set.moneyColumns > 1)),
    one: asking(all.filter(({ set }) => set.moneyColumns === 1 && set.answers.has('price'))),
  };
}
