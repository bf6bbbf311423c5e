// Ctrl-C and SIGTERM during an import: the first one ends the reading, so that what is under way is finished and
// told; the second one ends the process at once, which the catalog survives: its transaction rolls back.

export type StopSignal = 'SIGINT' | 'SIGTERM';

export interface Interruption {
  /** The signal that came, if one did. */
  signal(): StopSignal | undefined;
  /** Leaves signals to the process again. */
  done(): void;
}

/**
 * Takes Ctrl-C and SIGTERM over.
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
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (came === undefined) {
      came = signal as StopSignal;
      stop(came);
      return;
    }
    // As if nobody had listened; other listeners (who show a hidden cursor again) get their turn.
    done();
    abandon();
    process.kill(process.pid, signal);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return { signal: () => came, done };
}
