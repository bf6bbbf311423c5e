// Where the lines of the log go. They are written in the background, so that a full disk or a reader that is slow, stopped
// or gone stops no request: what cannot be written is dropped and counted. Not by sonic-boom (pino's own): when the
// process ends, it tries again without end to write to a full disk.
import { write, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { DestinationStream } from 'pino';

/** The destination of lines. */
export interface LogLines extends DestinationStream {
  /** Lines that could not be written. */
  dropped?(): number;
  /** Resolves once all lines are written or dropped. */
  flush?(): Promise<void>;
  /** Sets the function that passes on lines that are not made yet; it is called before the process exits. */
  beforeExit?(makeLines: () => void): void;
}

/** Characters of lines that wait while others are written; further lines are dropped. */
const mostPending = 16 * 1024 * 1024;

/** Lines are written together, since a write costs as much as a request: so many characters, or after so many milliseconds. */
const gathered = { most: 32_000, time: 50 } as const;

/** Milliseconds that `flush` waits. */
const longestFlush = 2000;

/** The lines on stderr. */
export function stderrLines(): LogLines {
  const writeOut = backgroundWriter(process.stderr);
  let text = '';
  let isWriting = false;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let makeLines: () => void = () => {};
  let onIdle: () => void = () => {};

  function pass(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isWriting) return;
    if (text === '') return onIdle();
    const lines = text;
    text = '';
    isWriting = true;
    writeOut(lines, (error) => {
      isWriting = false;
      if (error) dropped += lines.split('\n').length - 1;
      pass();
    });
  }

  process.once('exit', () => {
    makeLines();
    try {
      writeSync(2, text);
    } catch {
      // Nobody reads it.
    }
  });
  return {
    write(line) {
      if (text.length > mostPending) {
        dropped++;
        return;
      }
      text += line;
      if (text.length >= gathered.most) pass();
      else timer ??= setTimeout(pass, gathered.time).unref();
    },
    dropped: () => dropped,
    flush() {
      return new Promise((resolve) => {
        const late = setTimeout(resolve, longestFlush);
        onIdle = () => {
          clearTimeout(late);
          resolve();
        };
        pass();
      });
    },
    beforeExit(make) {
      makeLines = make;
    },
  };
}

type BackgroundWrite = (text: string, done: (error?: Error | null) => void) => void;

/**
 * Writes that do not block this thread. Node does that for pipes; for files and terminals, it is done by a thread of its
 * pool. Not for pipes, too: a process does not end as long as such a thread waits for a reader.
 */
function backgroundWriter(stderr: NodeJS.WriteStream & { readonly fd: 2 }): BackgroundWrite {
  // A failed write is an event of the stream, too.
  stderr.on('error', () => {});
  if (stderr instanceof Socket && !stderr.isTTY) return (text, done) => void stderr.write(text, done);
  return (text, done) => writeFully(stderr.fd, Buffer.from(text), done);
}

function writeFully(fd: number, bytes: Buffer, done: (error?: Error | null) => void): void {
  write(fd, bytes, (error, written) => {
    if (error || written === bytes.length) done(error);
    else writeFully(fd, bytes.subarray(written), done);
  });
}
