// Asks, on a terminal, which column fills a field that several could fill.
import { createInterface } from 'node:readline';
import { sanitizeText } from '../../core/text/sanitize.js';
import { candidateLine, type Question } from '../../source/mapping/suggest/questions.js';

interface Terminal {
  readonly stdin: NodeJS.ReadableStream;
  readonly stderr: NodeJS.WritableStream;
}

/**
 * Asks each question until it is answered by a number or left open by an empty line.
 * @returns field → the chosen column
 */
export async function answerQuestions(
  questions: readonly Question[],
  { stdin, stderr }: Terminal,
): Promise<ReadonlyMap<string, string>> {
  const reader = createInterface({ input: stdin, output: stderr });
  const lines = reader[Symbol.asyncIterator]();
  const answers = new Map<string, string>();
  try {
    for (const { field, candidates } of questions) {
      const listed = candidates.map((candidate, i) => `  ${i + 1}  ${sanitizeText(candidateLine(candidate))}\n`);
      stderr.write(`Which column is ${field}?\n${listed.join('')}`);
      const prompt = `${field}: a number from 1 to ${candidates.length}, or nothing to leave it open: `;
      const column = await chosen(candidates, () => {
        stderr.write(prompt);
        return lines.next();
      });
      if (column !== undefined) answers.set(field, column);
    }
  } finally {
    reader.close();
  }
  return answers;
}

/** The column that a line names by its number; undefined for an empty line, or where the input ends. */
async function chosen(
  candidates: Question['candidates'],
  ask: () => Promise<IteratorResult<string>>,
): Promise<string | undefined> {
  for (;;) {
    const { done = false, value } = await ask();
    if (done || value.trim() === '') return undefined;
    const column = candidates[Number(value.trim()) - 1]?.column;
    if (column !== undefined) return column;
  }
}
