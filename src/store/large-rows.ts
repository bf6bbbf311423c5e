// Rows with long texts, of up to megabytes each. Reads that bring one come one after another, each in a turn of the event loop of its
// own, however many are asked for at once: all others wait for one of them alone, and memory holds one of them.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bytes of long texts from which a row is large. */
const largeRow = 64 * 1024;

/** The bytes of texts as SQL. Both databases know those of a text without reading it. */
export function bytesOf(texts: readonly string[]): string {
  return texts.map((text) => `octet_length(${text})`).join(' + ');
}

/** Whether a row with these long texts is large, as SQL. */
export function isLarge(longTexts: readonly string[]): string {
  return `${bytesOf(longTexts)} > ${largeRow}`;
}

/** Thrown within a read that takes no large rows. */
export class LargeRow extends Error {}

/** Runs work when the work before it is done. */
export type OneByOne = <T>(work: () => T | Promise<T>) => Promise<T>;

/** Makes work run one by one, in the order in which it came. */
export function oneByOne(): OneByOne {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(() => nextTurn()).then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
