// How plainly a header says a field whose headers are whole words.
import { describe, expect, it } from 'vitest';
import { rankOf } from '../../../../src/source/mapping/suggest/rank-name.js';
import { headerWords } from '../../../../src/source/mapping/suggest/read-header.js';
import { known } from '../../suggested.js';

/** The rank, without the place among the words of the field; -1 where the header does not say it. */
function rank(header: string, field: string): number {
  const descriptor = known['products']?.fields[field];
  const place = (word: string) => ((headerWords[field] ?? []).includes(word) ? 0 : -1);
  return descriptor === undefined ? Number.NaN : rankOf(header, descriptor, place, field);
}

describe('a header says a field', () => {
  it.each([
    ['Waga (g)', 'weight', 0],
    ['Waga (zł)', 'weight', -1],
    ['description-de_DE', 'description', 500],
    ['weight-de_DE', 'weight', -1],
    ['category.name', 'category', 1000],
    ['category.naam', 'category', 1000],
    ['category.code', 'category', -1],
    ['weight.value', 'weight', 1000],
    ['weight.naam', 'weight', -1],
    ['node.weight', 'weight', 2000],
    ['supplier.weight', 'weight', -1],
    ['weight@type', 'weight', -1],
  ] as const)('%s for %s: %i', (header, field, expected) => {
    expect(rank(header, field)).toBe(expected);
  });
});
