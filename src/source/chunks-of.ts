// The chunks of an open file: its blocks of text, as the reader of its format makes entries of them.
import { type Chunk, openChunk, type RecordReader } from './record-reader.js';

/** Reads until the names of the columns are known, so that errors in them are thrown here; then the chunks. */
export async function chunksOf(
  blocks: AsyncGenerator<string>,
  reader: RecordReader,
  { limit, raws }: { readonly limit: number; readonly raws: boolean },
): Promise<AsyncGenerator<Chunk>> {
  let left = limit;
  let ended = false;

  /** The next chunk, with a failure that follows it. */
  async function next(): Promise<{ readonly chunk: Chunk; readonly failure?: unknown }> {
    const chunk = openChunk(raws);
    let failure: { readonly failure?: unknown } = {};
    try {
      const block = await blocks.next();
      ended = block.done === true || block.value === '';
      reader.read(block.value ?? '', ended, chunk);
    } catch (cause) {
      ended = true;
      failure = { failure: cause };
    }
    if (chunk.entries.length >= left) {
      ended = true;
      for (const list of [chunk.entries, chunk.lines, chunk.raws, chunk.numbers])
        if (list !== undefined) list.length = left;
      failure = {};
    }
    left -= chunk.entries.length;
    return { chunk, ...failure };
  }

  const first = [await next()];
  while (!ended && !reader.ready) first.push(await next());
  const failed = first.at(-1)?.failure;
  if (!reader.ready && failed !== undefined) throw failed;

  async function* chunks(): AsyncGenerator<Chunk> {
    let read = 0;
    try {
      for (;;) {
        const part = first.shift() ?? (await next());
        read++;
        if (part.chunk.entries.length > 0) {
          yield { ...part.chunk, blocks: read };
          read = 0;
        }
        if (part.failure !== undefined) throw part.failure;
        if (ended && first.length === 0) return;
      }
    } finally {
      await blocks.return(undefined);
    }
  }
  return chunks();
}
