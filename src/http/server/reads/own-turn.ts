// Turns of the event loop for large work. However many requests have some, one of them works in a turn, so that all others
// wait for its few milliseconds alone.
import { setImmediate as nextTurn } from 'node:timers/promises';

let last = Promise.resolve();

/** Resolves in a turn of the event loop that no other caller has. */
export function ownTurn(): Promise<void> {
  last = last.then(() => nextTurn());
  return last;
}
