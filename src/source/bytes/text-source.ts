// The decoded text of a file, with a peek at its beginning for detection.
import { type Decoder, openDecoder } from './decoder.js';
import { firstLineEnds } from './detect-format.js';

/** Characters that are examined to detect the format, unless the first line ends earlier. */
export const headLength = 65_536;

export interface TextSource {
  readonly decoder: Decoder;
  damaged(): boolean;
  /** The beginning, read without consuming it: its first line, or this many characters if available. */
  head(length?: number): Promise<string>;
  /** The whole text; the last block, and only that, is empty. */
  blocks(): AsyncGenerator<string>;
}

/** Decodes a file; the encoding is named, marked, declared or UTF-8. */
export async function decodedText(blocks: AsyncIterable<Buffer>, encoding: string | undefined): Promise<TextSource> {
  const source = blocks[Symbol.asyncIterator]();
  let next = await source.next();
  const decoder = await openDecoder(next.done === true ? Buffer.alloc(0) : next.value, encoding);
  let fresh = true;
  let ended = false;
  let damaged = false;
  let begun = '';

  /** The next text, or undefined at the end. */
  async function read(): Promise<string | undefined> {
    if (ended) return undefined;
    if (!fresh) next = await source.next();
    fresh = false;
    ended = next.done === true;
    const decoded = decoder.decode(next.done === true ? undefined : next.value);
    damaged ||= decoded.damaged;
    return decoded.text;
  }

  return {
    decoder,
    damaged: () => damaged,
    async head(length) {
      const isEnough = () =>
        length === undefined ? begun.length >= headLength || firstLineEnds(begun) : begun.length >= length;
      while (!isEnough()) {
        const text = await read();
        if (text === undefined) break;
        begun += text;
      }
      return begun;
    },
    async *blocks() {
      if (begun !== '') yield begun;
      for (let text = await read(); text !== undefined; text = await read()) {
        if (text !== '') yield text;
      }
      yield '';
    },
  };
}
