// What inspect suggests for a file that a test makes.
import { resources } from '../../src/core/resources/index.js';
import { inspectFile } from '../../src/source/inspection/inspect-file.js';
import { suggestMapping } from '../../src/source/mapping/suggest/suggest-mapping.js';
import { fileOf } from './given.js';

/** The resources, as a suggestion knows them. */
export const known = Object.fromEntries(resources.map(({ command, key, fields }) => [command, { key, fields }]));

/** The suggestion; `fields` is field → column, `asked` is field → the candidates of its question with what speaks for each. */
export async function suggested(content: string | Uint8Array, name = 'feed.csv') {
  const suggestion = suggestMapping(await inspectFile({ file: fileOf(content, name) }), known);
  const asked = suggestion.questions.map(({ field, candidates }) => [
    field,
    Object.fromEntries(candidates.flatMap((one) => ('column' in one ? [[one.column, one.relation ?? '']] : []))),
  ]);
  return {
    ...suggestion,
    fields: Object.fromEntries(suggestion.fields),
    asked: Object.fromEntries(asked) as Record<string, Record<string, string>>,
  };
}
