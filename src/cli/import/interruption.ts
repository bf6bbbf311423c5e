// Handles Ctrl-C, SIGTERM, SIGHUP (a closed terminal) and Ctrl-Break during an import: the first signal stops reading, so that the
// current batches are completed and reported; the second ends the process at once, and SQLite rolls the transaction
// back.
import { signalExitCodes, stopSignals } from '../exit-codes.js';

export type StopSignal = (typeof stopSignals)[number];

export interface Interruption {
  /** The signal that was received, if any. */
  signal(): StopSignal | undefined;
  /** Restores the default handling of signals. */
  done(): void;
}

/**
 * Starts handling signals.
 * @param stop called at the first signal
 * @param abandon called at the second, right before the process ends, to remove temporary files
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
    done();
    abandon();
    // The default action of the signal; Windows would end the process with 1.
    if (process.platform !== 'win32') process.kill(process.pid, signal);
    // Where the signal ends nothing: other listeners are left, or this is the first process of a container.
    process.exit(signalExitCodes[signal]);
  };
  for (const name of stopSignals) process.on(name, onSignal);
  return { signal: () => came, done };
}
