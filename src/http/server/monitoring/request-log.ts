// The request log: one JSON line per request, written by pino. It contains no body, no query string and no key; text
// that looks like a key is redacted all the same. A line costs 1.6 µs of processor time if several are made in a row,
// and about 5 if each is made within its request, since other code evicts it from the processor's caches: so the lines
// of a turn of the event loop are made together.
import { pino } from 'pino';
import { maskCredentials } from '../../../core/text/mask-credentials.js';
import type { LogLines } from './log-lines.js';

/** A connection that failed before it had a request. */
interface ConnectionEntry {
  /** The status it was answered with; 0 if no response could be sent. */
  readonly status: number;
  readonly address: string;
  readonly error: string;
}

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
  readonly error?: string;
  /** Details of an unexpected error, for the operator. */
  readonly details?: string;
}

export interface RequestLog {
  write(entry: RequestEntry | ConnectionEntry): void;
  /** Lines that could not be written. */
  dropped(): number;
  /** Resolves once all lines are written or dropped. */
  flush(): Promise<void>;
}

const keyLike = /cik_[0-9A-Za-z]{4,}(?:_[0-9A-Za-z]*)?/g;

/** Masks each text of a line by itself: what is left of one must not end it. */
function redact(line: string): string {
  if (!/[@=]|:\/\/|cik_/.test(line)) return line;
  const shown = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? maskCredentials(value.replace(keyLike, 'cik_[redacted]')) : value;
  return `${JSON.stringify(JSON.parse(line), shown)}\n`;
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
    dropped: () => lines.dropped?.() ?? 0,
    async flush() {
      makeLines();
      await lines.flush?.();
    },
  };
}
