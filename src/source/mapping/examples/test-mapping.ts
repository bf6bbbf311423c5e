// Runs the examples of a mapping, and compares the items with those that the examples state.

import { isMap, isNode, isScalar, parseDocument } from 'yaml';
import type { MappingExample } from '../mapping.js';
import { isWords } from '../schema/schema-checks.js';
import { type ExampleOutcome, runExample, type TestedMapping } from './run-example.js';

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
  return JSON.stringify(value, (_, one) => (isWords(one) ? sorted(one) : one), 2).split('\n');
}

function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Maximum lines of each side that are compared line by line: the table of the comparison has their product. */
const mostLines = 2_000;

/** Lines around a difference that are shown with it. */
const around = 3;

/** Each line with a sign: '-' where only `before` has it, '+' where only `after` has it, ' ' near these; none where both are equal. */
function textDiff(before: readonly string[], after: readonly string[]): string[] {
  // Equal lengths need no check: no JSON text is a prefix of another one.
  if (before.every((line, i) => line === after[i])) return [];
  const whole =
    Math.max(before.length, after.length) > mostLines ? allLines(before, after) : commonLines(before, after);
  const isNear = (i: number): boolean =>
    whole.slice(Math.max(0, i - around), i + around + 1).some(([sign]) => sign !== ' ');
  return whole.flatMap((line, i) => (isNear(i) ? [line] : isNear(i - 1) ? ['…'] : []));
}

function allLines(before: readonly string[], after: readonly string[]): string[] {
  return [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)];
}

/** By the longest common subsequence. Both texts end in the same line, which is nowhere else in them. */
function commonLines(before: readonly string[], after: readonly string[]): string[] {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < before.length) {
    const isCommon = before[i] === after[j];
    const isRemoved = !isCommon && at(i + 1, j) >= at(i, j + 1);
    lines.push(isCommon ? ` ${before[i]}` : isRemoved ? `-${before[i]}` : `+${after[j]}`);
    if (isCommon || isRemoved) i++;
    if (!isRemoved) j++;
  }
  return lines;
}

/** The text of the mapping with the items and problems of those examples that differ; what is around its examples stays as it is. */
export function updatedExamples(text: string, results: readonly ExampleResult[], isOneSection: boolean): string {
  const document = parseDocument(text, { uniqueKeys: false });
  for (const [i, { outcome, diff }] of results.entries()) {
    if (diff.length === 0) continue;
    const written = writtenOutcome(outcome, isOneSection);
    for (const word of ['items', 'problems'] as const) {
      const value = written[word];
      if (value === undefined) document.deleteIn(['examples', i, word]);
      else document.setIn(['examples', i, word], document.createNode(value));
    }
  }
  const updated = document.toString({ lineWidth: 0 });
  const [before, after] = [placeOfExamples(text), placeOfExamples(updated)];
  if (before === undefined || after === undefined) return updated;
  return text.slice(0, before.begin) + updated.slice(after.begin, after.end) + text.slice(before.end);
}

/** Where the examples are in the text of a mapping; undefined where they are in braces with the rest of it. */
function placeOfExamples(text: string): { readonly begin: number; readonly end: number } | undefined {
  const { contents } = parseDocument(text, { uniqueKeys: false });
  if (!isMap(contents) || contents.flow === true) return undefined;
  const { key, value } = contents.items.find(({ key: name }) => isScalar(name) && name.value === 'examples') ?? {};
  const begin = isScalar(key) ? key.range?.[0] : undefined;
  const end = isNode(value) ? value.range?.[2] : undefined;
  return begin === undefined || end === undefined ? undefined : { begin, end };
}

/** What came out of an example, as an example says it: without what is empty. */
export function writtenOutcome(
  { items, problems }: ExampleOutcome,
  isOneSection: boolean,
): Pick<MappingExample, 'items' | 'problems'> {
  const lists = Object.entries(items).filter(([, list]) => list.length > 0);
  const made = isOneSection ? lists[0]?.[1] : Object.fromEntries(lists);
  return { ...(made && lists.length > 0 && { items: made }), ...(problems.length > 0 && { problems }) };
}
