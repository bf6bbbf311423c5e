// A large record as JSON, piece by piece: a control character of a text takes six characters of JSON, so that a record of
// 6 MB takes 36, which are never held at once, nor made in one go.

/** Characters of texts from which a record is large: its JSON takes some milliseconds to make. */
export const largeRecord = 256 * 1024;

/** A JSON text that is made each time it is needed, since it is too large to be held. */
export interface LargeText {
  readonly pieces: () => Iterable<string>;
  /** The bytes of what it is made of. */
  readonly held: number;
}

/** Characters of texts that are written as one piece. */
const piece = 16 * 1024;

/** The characters of the texts in a value: its JSON has at least so many, and at most six times as many with its numbers. */
export function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let length = 0;
  for (const name in value) length += name.length + textLength((value as Record<string, unknown>)[name]);
  return length;
}

/** The JSON of a value in pieces of at most about 100,000 characters. */
export function* jsonPieces(value: unknown): Generator<string> {
  let text = '';
  for (const part of smallParts(value)) {
    text += part;
    if (text.length < piece) continue;
    yield text;
    text = '';
  }
  yield text;
}

function* smallParts(value: unknown): Generator<string> {
  if (textLength(value) <= piece) yield JSON.stringify(value);
  else if (typeof value === 'string') yield* stringParts(value);
  else if (Array.isArray(value)) {
    for (const [i, entry] of value.entries()) {
      yield i === 0 ? '[' : ',';
      yield* smallParts(entry);
    }
    yield ']';
  } else {
    let separator = '{';
    for (const [name, member] of Object.entries(value as object)) {
      yield `${separator}${JSON.stringify(name)}:`;
      yield* smallParts(member);
      separator = ',';
    }
    yield '}';
  }
}

function* stringParts(text: string): Generator<string> {
  yield '"';
  for (let from = 0; from < text.length; ) {
    // A pair of surrogates stays together.
    const to = from + piece - (/[\ud800-\udbff]/.test(text.charAt(from + piece - 1)) ? 1 : 0);
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
  yield '"';
}
