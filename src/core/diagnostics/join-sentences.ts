// Joins several sentences or problems of one item.
import { type Problem, reasonOf } from './refusal-codes.js';

/** Sentences in one line: `price: "x" is not a number. Use a form like 12.50; also currency is required.` */
export function joinSentences(sentences: readonly string[]): string {
  const last = sentences.length - 1;
  return sentences.map((sentence, i) => (i < last ? sentence.replace(/\.$/, '') : sentence)).join('; also ');
}

/** Maximum further problems that a reason tells. */
const mostFurther = 5;

/** One problem for several of a record: the first, with the messages of others after its own. */
export function joinProblems(first: Problem, others: readonly Problem[]): Problem {
  const further = others.filter(({ message }) => message !== first.message).slice(0, mostFurther);
  return { ...first, message: joinSentences([first.message, ...further.map(reasonOf)]) };
}
