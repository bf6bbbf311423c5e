// Turns for the event loop while work comes in microtasks only: without them Ctrl-C, the spinner and other timers wait
// for the end of a file.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds between two turns. */
const every = 40;

/** Begins to give turns. @returns to be called and waited for along the way: it takes a turn once one is due */
export function giveTurns(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last <= every) return;
    await nextTurn();
    last = performance.now();
  };
}
