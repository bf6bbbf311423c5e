// Ctrl-C, SIGTERM and SIGHUP (a terminal that is closed) during an import: the first one ends the reading, so that the
// current batches are finished and reported; the second one ends the process at once, and SQLite rolls the transaction back.

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export type StopSignal = (typeof stopSignals)[number];

export interface Interruption {
  /** The signal that was received, if any. */
  signal(): StopSignal | undefined;
  /** Leaves signals to the process again. */
  done(): void;
}

/**
 * Takes these signals over.
 * @param stop called with the first
 * @param abandon called with the second, right before the process ends: what must not be left lying about goes
 */
export function listenForInterruption(
  process: NodeJS.Process,
  stop: (signal: StopSignal) => void,
  abandon: () => void,
): Interruption {
  let came: StopSignal | undefined;
  const done = (): void => {
    for (const name of stopSignals) process.off(name, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (came === undefined) {
      came = signal as StopSignal;
      stop(came);
      return;
    }
    // As without a listener; other listeners (which show a hidden cursor again) run first.
    done();
    abandon();
    process.kill(process.pid, signal);
  };
  for (const name of stopSignals) process.on(name, onSignal);
  return { signal: () => came, done };
}
