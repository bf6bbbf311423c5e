// Compares what the examples of a mapping give with what they say that they give.
import type { MappingExample } from '../mapping.js';
import { type ExampleOutcome, runExample, type TestedMapping } from './run-example.js';
import { textDiff } from './text-diff.js';

/** How one example ended. */
export interface ExampleResult {
  /** Its name, or `example 2`. */
  readonly name: string;
  readonly outcome: ExampleOutcome;
  /** The lines of both, each with what becomes of it: ' ', '-' for expected only, '+' for what came out only; none where it passed. */
  readonly diff: readonly string[];
}

export async function testMapping(tested: TestedMapping): Promise<ExampleResult[]> {
  const results: ExampleResult[] = [];
  for (const [i, example] of (tested.mapping.examples ?? []).entries()) {
    const outcome = await runExample(tested, example);
    const [expected, given] = [expectedOf(example, outcome), givenBy(outcome)].map((one) => linesOf(one));
    const name = example.name ?? `example ${i + 1}`;
    results.push({ name, outcome, diff: textDiff(expected ?? [], given ?? []) });
  }
  return results;
}

/** Items and problems in one form, whether an example lists items of one resource, or of each. */
function expectedOf({ items = [], problems = [] }: MappingExample, { items: made }: ExampleOutcome) {
  const [only = 'items'] = Object.keys(made);
  return filled(Array.isArray(items) ? { [only]: items } : (items as ExampleOutcome['items']), problems);
}

function givenBy({ items, problems }: ExampleOutcome) {
  return filled(items, problems);
}

function filled(
  items: ExampleOutcome['items'],
  problems: readonly { readonly field?: string; readonly code: string }[],
) {
  const lists = Object.entries(items).filter(([, list]) => list.length > 0);
  return { ...Object.fromEntries(lists), problems: problems.map(({ field = '', code }) => ({ field, code })) };
}

/** A value as lines of JSON, with names in alphabetic order. */
function linesOf(value: unknown): string[] {
  return JSON.stringify(value, (_, one) => (isObject(one) ? sorted(one) : one), 2).split('\n');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
