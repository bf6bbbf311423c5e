// Code that is compiled for filling an item from a row does what a loop over its columns does.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { product } from '../../src/core/resources/product.js';
import { cellCoercion } from '../../src/source/cells/coerce-value.js';
import type { CoercionNotes } from '../../src/source/cells/coercion-notes.js';
import { columnFiller, type FieldColumn } from '../../src/source/column-filler.js';

/** The loop over the columns. */
function filledInLoop(columns: readonly FieldColumn[]): ReturnType<typeof columnFiller> {
  return (item, cells, notes) => {
    for (const { name, index, constant, type } of columns) {
      const value = type(constant ?? cells[index], notes);
      if (value !== undefined) item[name] = value;
    }
  };
}

const scalars = Object.entries(product.fields).filter(([, field]) => field.kind !== 'list');

const newNotes = (): CoercionNotes => ({ problems: [], numberInText: false, unknown: () => undefined });

describe('the fields of an item', () => {
  it('are filled alike by compiled code and without it', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.constantFrom(undefined, '', ' ', '12', '12.50', '1,5', 'draft', "'", '"', '\\', '\u2028', '`'),
      fc.integer(),
    );
    const column = fc.record({
      field: fc.constantFrom(...scalars),
      index: fc.nat(4),
      constant: fc.option(fc.oneof(fc.string(), fc.constant('"];throw 1//')), { nil: undefined }),
    });
    const syntax = fc.record({
      decimal: fc.constantFrom('.' as const, ',' as const),
      isNamed: fc.boolean(),
      empty: fc.constantFrom('skip' as const, 'clear' as const),
    });
    fc.assert(
      fc.property(fc.array(column), fc.array(cell, { maxLength: 5 }), syntax, (columns, cells, writing) => {
        const filled = columns.map(
          ({ field: [name, field], index, constant }): FieldColumn => ({
            ...{ name, index, constant },
            type: cellCoercion(field, name, writing),
          }),
        );
        const results = [columnFiller(filled), filledInLoop(filled)].map((fill) => {
          const [item, notes] = [{}, newNotes()];
          fill(item, cells, notes);
          return { item, problems: notes.problems, numberInText: notes.numberInText };
        });
        expect(results[0]).toEqual(results[1]);
      }),
      { seed: 18, numRuns: 300 },
    );
  });
});
