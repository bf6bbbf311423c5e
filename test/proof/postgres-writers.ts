// Several importers of the same products in one catalog in PostgreSQL, each in an order of its own: every record ends as one
// importer's whole version, and each importer reports every item once.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, runProgram } from './program.js';

const grades = ['new', 'good'];

/** A version of a product: every field and child identifies its writer. */
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

const colours = ['Red', 'Green', 'Blue'];

/** Items of four resources: products refer to what the other importers change meanwhile. */
function itemsOf(n: number, round: number): Readonly<Record<string, object>> {
  return {
    characteristics: {
      name: `Material ${n % 20}`,
      position: round,
      values: colours.map((label, k) => ({ label, position: k + round })),
    },
    categories: { name: `Shelf ${n % 50}`, ...(n % 50 > 9 && { parent: `Shelf ${n % 10}` }), position: round },
    groups: { name: `Group ${n}`, axes: [{ source: 'custom', name: `Size ${round}` }] },
    products: {
      sku: `SKU-${n}`,
      name: `Lamp ${n % 7}`,
      currency: 'EUR',
      badge: `r${round}`,
      attributes: [{ type: `Material ${n % 20}`, value: colours[(n + round) % 3] }],
    },
  };
}

/**
 * Runs an importer for each of four resources at once, each with its items in several rounds.
 * @returns how each ended, by resource
 */
export async function runResources(
  folder: string,
  db: string,
  { items, rounds }: { readonly items: number; readonly rounds: number },
): Promise<ReadonlyMap<string, Ended>> {
  const resources = Object.keys(itemsOf(0, 0));
  const run = async (resource: string, from: number, to: number): Promise<Ended> => {
    const file = join(folder, `${resource}.ndjson`);
    const lines: string[] = [];
    for (let round = from; round < to; round++)
      for (let n = 0; n < items; n++) lines.push(JSON.stringify(itemsOf(n, round)[resource]));
    writeFileSync(file, `${lines.join('\n')}\n`);
    return runProgram([resource, file, '--db', db, '--output', 'ndjson', '--report', 'none', '--quiet']);
  };
  // What products refer to is there before.
  await Promise.all(resources.filter((resource) => resource !== 'products').map((resource) => run(resource, 0, 1)));
  await run('products', 0, 1);
  const ended = await Promise.all(resources.map((resource) => run(resource, 1, rounds)));
  return new Map(resources.map((resource, i) => [resource, ended[i] as Ended]));
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
