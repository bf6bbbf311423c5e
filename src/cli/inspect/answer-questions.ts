// Asks, on a terminal, what a file does not tell: its encoding, the column of a field that several could fill, the currency.
import { createInterface } from 'node:readline';
import { currencies } from '../../core/fields/currencies.js';
import { sanitizeText } from '../../core/text/sanitize.js';
import { type Question, questionLines } from '../../source/mapping/suggest/questions.js';
import { questionWords } from './inspection-remarks.js';

interface Terminal {
  readonly stdin: NodeJS.ReadableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** A question on a terminal: what can be answered by a number, and what else can be typed. */
interface Prompt {
  readonly name: string;
  readonly words: string;
  readonly lines: readonly string[];
  readonly answers: readonly string[];
  readonly other?: { readonly words: string; readonly read: (typed: string) => string | undefined };
}

/** Asks until a line is an answer; undefined for an empty line, which leaves the question open, or where the input ends. */
export type Ask = (prompt: Prompt) => Promise<string | undefined>;

/** Reads answers from a terminal while `work` runs. */
export async function onTerminal<T>({ stdin, stderr }: Terminal, work: (ask: Ask) => Promise<T>): Promise<T> {
  const reader = createInterface({ input: stdin, output: stderr });
  const typed = reader[Symbol.asyncIterator]();
  const ask: Ask = async ({ name, words, lines, answers, other }) => {
    const numbered = lines.map((line, i) => `  ${i < answers.length ? i + 1 : ' '}  ${sanitizeText(line)}\n`);
    stderr.write(`${words}\n${numbered.join('')}`);
    const forms = [
      ...(answers.length > 0 ? [`a number from 1 to ${answers.length}`] : []),
      ...(other ? [other.words] : []),
    ];
    for (;;) {
      stderr.write(`${name}: ${forms.join(', ')}, or nothing to leave it open: `);
      const { done = false, value } = await typed.next();
      const line = done ? '' : value.trim();
      if (line === '') return undefined;
      const answer = answers[Number(line) - 1] ?? other?.read(line);
      if (answer !== undefined) return answer;
    }
  };
  try {
    return await work(ask);
  } finally {
    reader.close();
  }
}

const code = {
  words: 'a code such as EUR',
  read: (typed: string) => [typed.toUpperCase()].find((text) => currencies.has(text)),
};

/** Asks each question. @returns field → the chosen column or value */
export async function answerQuestions(questions: readonly Question[], ask: Ask): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  for (const question of questions) {
    const { field, candidates } = question;
    const answer = await ask({
      name: field,
      words: questionWords(field),
      lines: questionLines(question),
      answers: candidates.map((candidate) => ('value' in candidate ? candidate.value : candidate.column)),
      ...(field === 'currency' && { other: code }),
    });
    if (answer !== undefined) answers.set(field, answer);
  }
  return answers;
}
