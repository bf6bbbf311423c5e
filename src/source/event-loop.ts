// Yields to the event loop while work comes in microtasks only: without it Ctrl-C, the spinner and other timers wait for
// the end of a file.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds between two yields. */
const every = 40;

/** @returns to be called and waited for along the way: it yields once that is due */
export function eventLoopYield(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last <= every) return;
    await nextTurn();
    last = performance.now();
  };
}
