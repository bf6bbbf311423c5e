// Yields to the event loop while work arrives only in microtasks: otherwise Ctrl-C, the spinner and other timers would
// wait for the end of a file.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds between two yields. */
const every = 40;

/** @returns a function to await regularly; it yields to the event loop when enough time has passed */
export function eventLoopYield(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last <= every) return;
    await nextTurn();
    last = performance.now();
  };
}
