// What was sent before a server is to stop is served: connections that wait to be accepted, and requests that wait to be read.
import type { Server } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds in which what is on its way arrives. */
const settleTime = 100;

/**
 * Counts the connections and requests of a server.
 * @returns resolves once all that has arrived by then is taken
 */
export function trackArrivals(server: Server): () => Promise<void> {
  let taken = 0;
  for (const event of ['connection', 'request']) server.on(event, () => void taken++);
  return async () => {
    await sleep(settleTime);
    // Node accepts one connection in a turn, and reads it in a later one, which on a busy machine may be long after.
    for (let before = -1; before !== taken; ) {
      before = taken;
      await nextTurn();
      await nextTurn();
    }
  };
}
