// Writes the results of a mapping's examples into the mapping (`map test --update`). Keeps its comments and its order.
import { parseDocument } from 'yaml';
import type { ExampleResult } from './test-mapping.js';

/** The text of the mapping with the items and problems of those examples that differ. */
export function updatedExamples(text: string, results: readonly ExampleResult[], isOneSection: boolean): string {
  const document = parseDocument(text);
  for (const [i, { outcome, diff }] of results.entries()) {
    if (diff.length === 0) continue;
    const lists = Object.entries(outcome.items).filter(([, list]) => list.length > 0);
    const items = isOneSection ? (lists[0]?.[1] ?? []) : Object.fromEntries(lists);
    const set = (word: 'items' | 'problems', value: object): void => {
      if (Object.keys(value).length === 0) document.deleteIn(['examples', i, word]);
      else document.setIn(['examples', i, word], document.createNode(value));
    };
    set('items', items);
    set('problems', outcome.problems);
  }
  return document.toString({ lineWidth: 0 });
}
