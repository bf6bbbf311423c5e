// The request log: one JSON line for each request, written by pino. No body, no query string and no key gets here; text
// that looks like a key is redacted all the same. A line costs 3 µs of processor time (own code: 2); in return lines are
// written outside the event loop, so that a reader of stderr that stalls does not stall the server.
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
function isoTime(): () => string {
  let second = Number.NaN;
  let text = '';
  return () => {
    const now = Date.now();
    const millisecond = now % 1000;
    if (now - millisecond !== second) {
      second = now - millisecond;
      text = `,"time":"${new Date(second).toISOString().slice(0, -4)}`;
    }
    return `${text}${String(millisecond).padStart(3, '0')}Z"`;
  };
}

/** Creates a log that writes lines, each ended by a line feed. */
export function newRequestLog(lines: DestinationStream): RequestLog {
  const log = pino(
    {
      base: null,
      timestamp: isoTime(),
      formatters: { level: (level) => ({ level }) },
      hooks: { streamWrite: redact },
    },
    lines,
  );
  return {
    write(entry) {
      if (entry.status >= 500) log.error(entry);
      else log.info(entry);
    },
    flush: () => new Promise((resolve) => log.flush(() => resolve())),
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
export function stderrLines(): DestinationStream {
  const lines = destination({ dest: 2, sync: false, maxLength: mostPending });
  let text = '';
  let timer: NodeJS.Timeout | undefined;

  function pass(): void {
    clearTimeout(timer);
    timer = undefined;
    if (text !== '') lines.write(text);
    text = '';
  }

  // Whatever ends the process. What sonic-boom has by then it writes itself.
  process.once('exit', () => {
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
  };
  return stream;
}
