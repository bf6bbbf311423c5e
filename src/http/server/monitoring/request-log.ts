// The request log: one JSON line for each request, written by pino. No body, no query string and no key gets here; text
// that looks like a key is redacted all the same. A line costs 1.6 µs of processor time where several are made in a row, and
// about 5 where each is made within its request, between code that pushes it out of the processor's caches: so the lines of
// a turn of the event loop are made together. They are written outside the event loop, so that a reader of stderr that
// stalls does not stall the server.
import { writeSync } from 'node:fs';
import { type DestinationStream, destination, pino } from 'pino';

/** A connection that failed before it had a request. */
interface ConnectionEntry {
  /** The status it was answered with; 0 where nothing could be answered. */
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
  /** The public id of the key, '' where there is none. */
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

/** Makes the time of a line. It makes the text of a second once: pino's own, which makes each anew, takes 1 µs more a line. */
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

/** Where lines go. */
export interface LogLines extends DestinationStream {
  /** Takes what passes on the lines that are not made yet; it is called before the process exits. */
  beforeExit?(makeLines: () => void): void;
}

/** Entries that wait for the end of the turn at most. */
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

/** Bytes of lines that wait for a slow reader; lines beyond it are dropped. */
const mostPending = 16 * 1024 * 1024;

/** Characters that are gathered before they are written, and milliseconds for which they are. */
const gathered = { most: 32_000, time: 50 } as const;

/**
 * stderr, written in the background by sonic-boom. Lines are gathered first, since a write a request costs as much as the
 * request. Not by sonic-boom itself (minLength): it measures anew with each line all that it has gathered, 4 µs a line.
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

  // Whatever ends the process. What sonic-boom has by then it writes itself.
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
