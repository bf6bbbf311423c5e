// One JSON line a request. No body, no query string and no key ever gets here; what looks like a key is blotted out.

/** What is told of a connection that failed before it had a request. */
interface ConnectionNote {
  /** What it was answered with; 0 where nothing could be answered. */
  readonly status: number;
  readonly address: string;
  readonly error: string;
}

/** What is told of a request once it was answered. */
interface RequestNote {
  readonly request_id: string;
  readonly method: string;
  /** The path without its query string. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly address: string;
  /** The readable id of the key, '' where there is none. */
  readonly key: string;
  /** The stable word of a failure. */
  readonly error?: string;
  /** Details of an unexpected error, for whoever runs the server. */
  readonly details?: string;
}

export interface RequestLog {
  write(note: RequestNote | ConnectionNote): void;
  flush(): void;
}

const keyLike = /cik_[0-9A-Za-z]{4,}(?:_[0-9A-Za-z]*)?/g;

/**
 * A log that gathers lines for 50 ms, since a write a request costs as much as the request itself.
 * @param print takes whole lines, each ended by a line feed
 */
export function newRequestLog(print: (lines: string) => void): RequestLog {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const ready = lines;
    lines = '';
    if (ready !== '') print(ready);
  }

  return {
    write(note) {
      const level = note.status >= 500 ? 'error' : 'info';
      const line = JSON.stringify({ time: new Date().toISOString(), level, ...note });
      lines += `${line.includes('cik_') ? line.replace(keyLike, 'cik_[redacted]') : line}\n`;
      if (lines.length > 65_536) flush();
      else timer ??= setTimeout(flush, 50).unref();
    },
    flush,
  };
}
