// Questions of a mapping: `price: ?` is a field whose column somebody has to choose. Nothing is imported before that.
import { type Document, isMap, isScalar, isSeq, type LineCounter } from 'yaml';
import { CatalogError } from '../../core/errors.js';

/** `price: ?` at the end of a line, for which YAML would expect a key. */
const bare = /^([ \t]*(?:- )?(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s#'"][^:#]*):[ \t]+)\?(?=[ \t]*(?:#.*)?\r?$)/gm;

/** The text of a mapping with its questions as YAML can read them. Lines keep their numbers. */
export function quoteQuestions(text: string): string {
  return text.replace(bare, '$1"?"');
}

/** @throws CatalogError `usage` that names each open question, with the comment lines below it: its candidates */
export function refuseQuestions(
  document: Document,
  text: string,
  { file, lines }: { file: string; lines: LineCounter },
) {
  const rows = text.split('\n');
  const questions = fieldLists(document).flatMap((fields) =>
    isMap(fields)
      ? fields.items.flatMap(({ key, value }) => {
          if (!isScalar(value) || value.value !== '?' || !value.range) return [];
          const { line } = lines.linePos(value.range[0]);
          return [`  line ${line}: ${String(isScalar(key) ? key.value : key)}: ${commentBelow(rows, line)}`];
        })
      : [],
  );
  if (questions.length === 0) return;
  throw new CatalogError(
    'usage',
    `${file} has open questions. Write the right column in place of each ?, or remove the line:\n${questions.join('\n')}`,
  );
}

/** The `fields` of a mapping, or those of its sections. */
function fieldLists(document: Document): unknown[] {
  const sections = document.get('import');
  const parts = isSeq(sections) ? sections.items : [document.contents];
  return parts.map((part) => (isMap(part) ? part.get('fields') : undefined));
}

/** The comment lines that follow a line. */
function commentBelow(rows: readonly string[], line: number): string {
  const below = rows.slice(line);
  const end = below.findIndex((row) => !/^\s*#/.test(row));
  const comments = (end === -1 ? below : below.slice(0, end)).map((row) => row.replace(/^\s*#\s*/, '').trim());
  return comments.length === 0 ? 'no column is named' : comments.join('; ');
}
