// Texts that come at once, written at once.
import type { Write } from './reporter.js';

/** Where texts are gathered on their way. */
export interface Gathered {
  /** Takes a text. Throws what writing an earlier one failed with. */
  readonly write: Write;
  /** Writes what waits now; throws what that failed with, or did before. */
  flush(): void;
}

/** Most that is gathered, in UTF-16 units: memory for more is fetched from the system each time, and costs more. */
const most = 32_768;

/**
 * Gathers texts until the event loop has its turn: the batches of a transaction are told at once, and a few large writes
 * take less than one for each.
 * @param put writes a text
 */
export function gathered(put: (text: string) => void): Gathered {
  let waiting = '';
  let failure: { readonly cause: unknown } | undefined;

  function flush(): void {
    if (failure !== undefined) throw failure.cause;
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    try {
      put(text);
    } catch (cause) {
      failure = { cause };
      throw cause;
    }
  }

  return {
    write(text) {
      if (failure !== undefined) throw failure.cause;
      if (waiting === '') setImmediate(flushLater);
      waiting += text;
      if (waiting.length >= most) flush();
    },
    flush,
  };

  /** Nobody hears of a failure here: the next text is told of it. */
  function flushLater(): void {
    try {
      flush();
    } catch {}
  }
}
