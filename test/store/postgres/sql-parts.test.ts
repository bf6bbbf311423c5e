// In which order the tables of a transaction are written.
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { resources, shopResources } from '../../../src/core/resources/index.js';
import { inWritingOrder } from '../../../src/store/postgres/sql-parts.js';

const steps = new URL('../../../src/store/postgres/steps/', import.meta.url);

/** The tables that refer to others, as `child parent`, by the statements that make them. */
const references = readdirSync(steps)
  .flatMap((name) =>
    readFileSync(new URL(name, steps), 'utf8')
      .split(/^CREATE TABLE /m)
      .slice(1),
  )
  .flatMap((text) => {
    const [child = ''] = text.split(/\W/, 1);
    return [...text.matchAll(/REFERENCES (\w+)/g)].map(([, parent = '']) => [child, parent] as const);
  })
  .filter(([child, parent]) => child !== parent);

const tables = [...new Set([...resources, ...shopResources].flatMap((resource) => resource.tables))];

it('every table is written after those that it refers to, whatever a plan saved first', () => {
  expect(references).toContainEqual(['product', 'category']);
  fc.assert(
    fc.property(fc.shuffledSubarray(tables, { minLength: tables.length }), (saved) => {
      const order = inWritingOrder(saved).map(({ name }) => name);
      expect([...order].sort()).toEqual(tables.map(({ name }) => name).sort());
      for (const [child, parent] of references) {
        expect(order, `${child} refers to it`).toContain(parent);
        expect(order.indexOf(parent), `${parent} before ${child}`).toBeLessThan(order.indexOf(child));
      }
    }),
    { numRuns: 30 },
  );
});
