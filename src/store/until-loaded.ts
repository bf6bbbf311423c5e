// Asks a draft until all that the answer needs is loaded: what a look-up lacks is pending, and the store loads it at each `yield`.
import type { Draft } from '../core/rows/snapshot.js';

export function* untilLoaded<T>(draft: Draft, ask: () => T): Generator<void, T> {
  for (;;) {
    const answer = ask();
    if (!draft.hasPending()) return answer;
    yield;
  }
}
