// The lines of a file that this program wrote itself, next to its journals. What is longer than any of them is damage, which is
// not to be held in memory.
import type { FileHandle } from 'node:fs/promises';
import { groupDigits } from '../core/text/sanitize.js';

/** Bytes that are read at once. */
const piece = 4 * 1024 * 1024;

/**
 * The lines without their breaks. A text after the last break is not a line: a crash left it there.
 * @param longest bytes of the longest line that the program writes
 * @throws Error where one is longer
 */
export async function* wholeLines(file: FileHandle, longest: number): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  let length = 0;
  for (let from = 0, line = 1; ; ) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(piece), 0, piece, from);
    if (bytesRead === 0) return;
    from += bytesRead;
    let rest = buffer.subarray(0, bytesRead);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10), line++) {
      yield Buffer.concat([...begun, rest.subarray(0, end)]);
      begun = [];
      length = 0;
      rest = rest.subarray(end + 1);
    }
    length += rest.length;
    if (length > longest) throw new Error(`it is damaged: line ${line} has more than ${groupDigits(longest)} bytes`);
    begun.push(rest);
  }
}
