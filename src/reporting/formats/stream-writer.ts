// Writes to stdout at the speed of its reader, and ignores that the reader has left.
import type { Write } from './report-form.js';

/** A `Write` on a stream. After its reader has left, output is dropped: an import never stops for that. */
export function streamWriter(stream: NodeJS.WriteStream): Write {
  return (text) => {
    if (text === '' || stream.destroyed || stream.write(text)) return undefined;
    return new Promise((resolve) => {
      const done = (): void => {
        for (const event of ['drain', 'close', 'error']) stream.off(event, done);
        resolve();
      };
      for (const event of ['drain', 'close', 'error']) stream.once(event, done);
    });
  };
}
