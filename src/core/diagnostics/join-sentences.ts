// Joins several sentences about one item.

/** Sentences in one line: `price: "x" is not a number. Use a form like 12.50; also currency is required.` */
export function joinSentences(sentences: readonly string[]): string {
  const last = sentences.length - 1;
  return sentences.map((sentence, i) => (i < last ? sentence.replace(/\.$/, '') : sentence)).join('; also ');
}
