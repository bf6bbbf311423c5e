// The request log: one JSON line per request, written by pino. It contains no body, no query string and no key; text
// that looks like a key is redacted all the same. A line costs 1.6 µs of processor time if several are made in a row,
// and about 5 if each is made within its request, since other code evicts it from the processor's caches: so the lines
// of a turn of the event loop are made together. They are written outside the event loop, so that a slow reader of
// stderr does not block the server.
import { writeSync } from 'node:fs';
import { type DestinationStream, destination, pino } from 'pino';

/** A connection that failed before it had a request. */
interface ConnectionEntry {
  /** The status it was answered with; 0 if no response could be sent. */
  readonly status: number;
  readonly address: string;
  readonly error: string;
}

/** A request that was answered. */
interface RequestEntry {
  readonly request_id: string;
  readonly method: string;
  /** The path without its query string. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly address: string;
  /** The public id of the key, '' if there is none. */
  readonly key: string;
  /** The error code of a failure. */
  readonly error?: string;
  /** Details of an unexpected error, for the operator. */
  readonly details?: string;
}

export interface RequestLog {
  write(entry: RequestEntry | ConnectionEntry): void;
  /** Resolves once all lines are written. */
  flush(): Promise<void>;
}

const keyLike = /cik_[0-9A-Za-z]{4,}(?:_[0-9A-Za-z]*)?/g;

function redact(line: string): string {
  return line.includes('cik_') ? line.replace(keyLike, 'cik_[redacted]') : line;
}

/**
 * Formats the time of a line. The text of a second is cached: pino's own, which formats each anew, takes 1 µs more per
 * line.
 */
function isoTime(): (now: number) => string {
  let second = Number.NaN;
  let text = '';
  return (now) => {
    const millisecond = now % 1000;
    if (now - millisecond !== second) {
      second = now - millisecond;
      text = `,"time":"${new Date(second).toISOString().slice(0, -4)}`;
    }
    return `${text}${String(millisecond).padStart(3, '0')}Z"`;
  };
}

/** The destination of lines. */
export interface LogLines extends DestinationStream {
  /** Sets the function that passes on lines that are not made yet; it is called before the process exits. */
  beforeExit?(makeLines: () => void): void;
}

/** Maximum entries that wait for the end of the turn. */
const mostWaiting = 256;

/** Creates a log that writes lines, each ended by a line feed. */
export function newRequestLog(lines: LogLines): RequestLog {
  const timeText = isoTime();
  let time = 0;
  const log = pino(
    {
      base: null,
      timestamp: () => timeText(time),
      formatters: { level: (level) => ({ level }) },
      hooks: { streamWrite: redact },
    },
    lines,
  );
  const waiting: { readonly entry: RequestEntry | ConnectionEntry; readonly at: number }[] = [];

  function makeLines(): void {
    for (const { entry, at } of waiting.splice(0)) {
      time = at;
      if (entry.status >= 500) log.error(entry);
      else log.info(entry);
    }
  }

  lines.beforeExit?.(makeLines);
  return {
    write(entry) {
      if (waiting.length === 0) setImmediate(makeLines);
      waiting.push({ entry, at: Date.now() });
      if (waiting.length >= mostWaiting) makeLines();
    },
    flush() {
      makeLines();
      return new Promise((resolve) => log.flush(() => resolve()));
    },
  };
}

/** Maximum bytes of lines that wait for a slow reader; further lines are dropped. */
const mostPending = 16 * 1024 * 1024;

/** Characters that are buffered before they are written, and the maximum milliseconds before that. */
const gathered = { most: 32_000, time: 50 } as const;

/**
 * stderr, written in the background by sonic-boom. Lines are buffered first, since a write per request costs as much as
 * the request. Not by sonic-boom itself (minLength): it measures its whole buffer again for each line, 4 µs a line.
 */
export function stderrLines(): LogLines {
  const lines = destination({ dest: 2, sync: false, maxLength: mostPending });
  let text = '';
  let timer: NodeJS.Timeout | undefined;
  let makeLines: () => void = () => {};

  function pass(): void {
    clearTimeout(timer);
    timer = undefined;
    if (text !== '') lines.write(text);
    text = '';
  }

  // Whatever ends the process. sonic-boom writes what it has by then itself.
  process.once('exit', () => {
    makeLines();
    try {
      if (text !== '') writeSync(2, text);
    } catch {
      // Nobody reads it.
    }
  });
  const stream = {
    write(line: string): void {
      text += line;
      if (text.length >= gathered.most) pass();
      else timer ??= setTimeout(pass, gathered.time).unref();
    },
    flush(done: (error?: Error) => void): void {
      pass();
      lines.flush(done);
    },
    beforeExit(make: () => void): void {
      makeLines = make;
    },
  };
  return stream;
}
