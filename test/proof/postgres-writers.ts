// Several importers of the same products in one catalog in PostgreSQL, each in an order of its own: every record ends as one
// importer's whole version, and each importer reports every item once.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, runProgram } from './program.js';

const grades = ['new', 'good'];

/** A version of a product: every field and child tells whose it is. */
function itemOf(i: number, writer: number): object {
  return {
    sku: `SKU-${i}`,
    // A third of them share a name: their slugs are numbered by whoever comes first.
    name: `Phone ${i % 3 === 0 ? 'same' : i}`,
    currency: 'EUR',
    badge: `w${writer}`,
    tag: `w${writer}`,
    grades: grades.map((grade, k) => ({ grade, price: 100 * writer + k + 1, stock: writer })),
  };
}

/** Indices in an order that each writer has for itself. */
function* orderOf(count: number, writer: number): Generator<number> {
  // Steps that have no divisor with the count pass through all.
  const steps = [1, count - 1, 7919, 104_729];
  const step = steps[writer % steps.length] as number;
  for (let n = 0, i = (writer * count) >> 2; n < count; n++, i = (i + step) % count) yield i % count;
}

/** What is wrong with products that are no writer's whole version: rows of this query. */
export const mixed = (schema: string): string => `
  SELECT p.sku, p.badge, p.tag, p.stock, array_agg(g.price ORDER BY g.grade) AS prices
  FROM ${schema}.product p JOIN ${schema}.product_grade g ON g.product = p.id
  GROUP BY p.id HAVING p.badge <> p.tag OR p.stock <> 2 * substr(p.badge, 2)::int
    OR min(g.price) <> 100 * (100 * substr(p.badge, 2)::int + 1) OR max(g.price) <> 100 * (100 * substr(p.badge, 2)::int + 2)`;

/** Runs importers at once; gives how each ended. */
export async function runImporters(
  folder: string,
  db: string,
  { importers, products }: { readonly importers: number; readonly products: number },
): Promise<readonly Ended[]> {
  const files = Array.from({ length: importers }, (_, writer) => {
    const file = join(folder, `writer-${writer + 1}.ndjson`);
    const lines = [...orderOf(products, writer)].map((i) => JSON.stringify(itemOf(i, writer + 1)));
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  });
  const args = (file: string) => ['products', file, '--db', db, '--output', 'ndjson', '--report', 'none', '--quiet'];
  return Promise.all(files.map((file) => runProgram(args(file))));
}
